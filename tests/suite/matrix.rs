//! Every alignment, length and mismatch position, up to where it all repeats.

use crate::support::{AROUND, Random, check, check_positions, place};

/// The kernels change at these lengths.
const CLASSES: [usize; 8] = [16, 32, 64, 128, 256, 512, 1024, 2048];

/// The lengths of the matrix, with all 8 x 8 alignments.
fn alignments_and_lengths() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..8 * 8 * 73).map(|k| (k % 8, k / 8 % 8, k / 64))
}

/// The last `n` bytes of the object that have that alignment, modulo 8.
fn last(object: &mut [u8], around: u8, n: usize, alignment: usize) -> &mut [u8] {
    let end = object.len() - n;
    let start = end - (object.as_ptr().addr() + end - alignment) % 8;
    let range = place(object, around, start, n);
    assert_eq!(range.as_ptr().addr() % 8, alignment);
    range
}

/// Heap objects of 80 to 88 bytes, such that each range ends where its object does.
#[test]
fn on_the_heap() {
    let mut random = Random(1);
    for (i, j, n) in alignments_and_lengths() {
        let mut left = vec![0; 80 + (n + i) % 8];
        let mut right = vec![0; 81 + (n + j + 7) % 8];
        let a = last(&mut left, AROUND[0], n, i);
        let b = last(&mut right, AROUND[1], n, j);
        check_positions(&mut random, a, b, 0..n);
        let ends = (a.as_ptr_range().end, b.as_ptr_range().end);
        assert_eq!(ends, (left.as_ptr_range().end, right.as_ptr_range().end));
    }
}

/// Static objects of 88 bytes; of the ranges of one length, those with one alignment end where the
/// object does.
#[test]
fn in_statics() {
    #[repr(align(8))]
    struct Object([u8; 88]);
    static mut LEFT: Object = Object([0; 88]);
    static mut RIGHT: Object = Object([0; 88]);
    let (left, right) = (&raw mut LEFT, &raw mut RIGHT);
    // SAFETY: nothing else uses them, and a test runs once.
    let (left, right) = unsafe { (&mut (*left).0, &mut (*right).0) };

    let mut random = Random(2);
    for (i, j, n) in alignments_and_lengths() {
        let a = last(left, AROUND[0], n, i);
        let b = last(right, AROUND[1], n, j);
        check_positions(&mut random, a, b, 0..n);
    }
}

/// Ranges of `n` bytes at these offsets of two larger objects.
fn at_offsets(
    random: &mut Random,
    n: usize,
    (i, j): (usize, usize),
    positions: impl IntoIterator<Item = usize>,
) {
    let (mut left, mut right) = (vec![0; n + 128], vec![0; n + 128]);
    let a = place(&mut left, AROUND[0], i, n);
    let b = place(&mut right, AROUND[1], j, n);
    check_positions(random, a, b, positions);
}

/// Lengths 0 to 320, every position.
#[test]
fn every_position() {
    let mut random = Random(3);
    for n in 0..=320 {
        let offsets = (random.below(64), random.below(64));
        at_offsets(&mut random, n, offsets, 0..n);
    }
}

/// Lengths around 4096; at both ends every position, between them some.
#[test]
fn around_a_page() {
    let mut random = Random(4);
    for n in [4095, 4096, 4097] {
        for _ in 0..3 {
            let offsets = (random.below(64), random.below(64));
            let positions = (0..n).filter(|&p| p < 72 || p % 61 == 0 || n - p < 72);
            at_offsets(&mut random, n, offsets, positions);
        }
    }
}

/// Every offset of both sides from a multiple of 64, at the edges of the size classes.
#[test]
fn every_offset() {
    let mut random = Random(5);
    for n in CLASSES.into_iter().flat_map(|edge| edge - 1..=edge + 1) {
        for offsets in (0..65 * 65).map(|k| (k % 65, k / 65)) {
            let position = random.below(n);
            at_offsets(&mut random, n, offsets, [position]);
        }
    }
}

/// All lanes are equal but one, and all are different but one.
#[test]
fn one_lane() {
    for n in CLASSES.into_iter().flat_map(|edge| [edge, edge + 16]) {
        for (x, y) in [(0x00, 0x80), (0x7f, 0x80), (0xff, 0x00), (0x01, 0x00)] {
            for lane in 0..n {
                for [inside, outside] in [[x, y], [y, x]] {
                    let a = vec![x; n];
                    let mut b = vec![outside; n];
                    b[lane] = inside;
                    check(&a, &b);
                }
            }
        }
    }
}

/// Unequal lengths: the shorter range is a prefix of the longer, a suffix of it, or neither.
#[test]
fn unequal_lengths() {
    let mut random = Random(6);
    let mut long = [0; 300];
    random.fill(&mut long);
    for n in 0..=long.len() {
        for m in [0, 1, 8, 16, 33, 64, 65, 128, 129, 256, 257, 300] {
            let (a, b) = (&long[..n], &long[..m]);
            check(a, b);
            check(&long[300 - n..], &long[300 - m..]);
            let mut b = b.to_vec();
            if let Some(last) = b.last_mut() {
                *last ^= 1;
            }
            check(a, &b);
        }
    }
}
