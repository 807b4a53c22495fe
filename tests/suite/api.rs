//! The interface beyond what slices answer: panics, constants, pointers, words, elements, overlap.

use std::cmp::Ordering;
use std::panic;
use std::ptr;
use std::sync::{Arc, Mutex};
use std::thread;

use memdiff::{Backend, portable, raw, word};

use crate::support::{Random, check, oracle};

/// What the panic of `call` prints by default: place and message.
fn panic_of(call: impl FnOnce() -> i32 + panic::UnwindSafe) -> String {
    let printed = Arc::new(Mutex::new(String::new()));
    let others = Arc::new(panic::take_hook());
    panic::set_hook({
        let (thread, printed, others) = (thread::current().id(), printed.clone(), others.clone());
        Box::new(move |info| match thread::current().id() == thread {
            true => *printed.lock().unwrap() = info.to_string(),
            false => others(info),
        })
    });
    let result = panic::catch_unwind(call);
    panic::set_hook(Box::new(move |info| others(info)));
    assert!(result.is_err(), "no panic");
    printed.lock().unwrap().clone()
}

/// `memcmp` panics on unequal lengths at the caller's line, and names both.
#[test]
fn memcmp_of_unequal_lengths() {
    let (a, b) = (&[0; 3][..], &[0; 12345][..]);
    macro_rules! assert_panics_here {
        ($call:expr) => {
            let printed = panic_of(|| $call);
            let here = format!("{}:{}:", file!(), line!());
            assert!(printed.contains(&here), "{here} is not in: {printed}");
            assert!(printed.contains("memcmp"), "{printed}");
            assert!(printed.ends_with(" 3 and 12345"), "{printed}");
        };
    }
    assert_panics_here!(memdiff::memcmp(a, b));
    assert_panics_here!(portable::memcmp(a, b));
    for backend in Backend::available() {
        assert_panics_here!(backend.memcmp(a, b));
    }
    assert!(panic_of(|| memdiff::memcmp(b, &[])).ends_with(" 12345 and 0"));
}

/// `portable` answers in constants, for every size class and for unequal lengths.
#[test]
fn constants() {
    const A: &[u8] = b"the first differing byte of two words is the lowest";
    const B: &[u8] = b"the first differing byte of two words is the l\xffwest";
    const AT: usize = 46;
    const VALUES: [i32; 4] = [
        portable::memcmp(A, B),
        portable::memcmp(B, A),
        portable::memcmp(A, A),
        portable::memcmp(b"", b""),
    ];
    const EQUAL: [bool; 4] = [
        portable::equal(A, A),
        portable::equal(A, B),
        portable::equal(A, b"the first"),
        portable::equal(b"", b""),
    ];
    const ORDERS: [Ordering; 5] = [
        portable::compare(A, B),
        portable::compare(B, A),
        portable::compare(A, A),
        portable::compare(A, b"the first"),
        portable::compare(b"the", A),
    ];
    const MISMATCHES: [Option<usize>; 4] = [
        portable::mismatch(A, B),
        portable::mismatch(A, A),
        portable::mismatch(A, b"the first"),
        portable::mismatch(b"", b"\0"),
    ];
    const PREFIXES: [usize; 3] = [
        portable::common_prefix_len(A, B),
        portable::common_prefix_len(b"thus", A),
        portable::common_prefix_len(A, b""),
    ];
    const SUFFIXES: [usize; 3] = [
        portable::common_suffix_len(A, B),
        portable::common_suffix_len(b"slowest", A),
        portable::common_suffix_len(b"", A),
    ];
    let difference = i32::from(A[AT]) - 255;
    assert_eq!(VALUES, [difference, -difference, 0, 0]);
    assert_eq!(EQUAL, [true, false, false, true]);
    assert_eq!(
        ORDERS,
        [
            Ordering::Less,
            Ordering::Greater,
            Ordering::Equal,
            Ordering::Greater,
            Ordering::Less
        ]
    );
    assert_eq!(MISMATCHES, [Some(AT), None, Some(9), Some(0)]);
    assert_eq!(PREFIXES, [AT, 2, 0]);
    assert_eq!(SUFFIXES, [A.len() - AT - 1, 6, 0]);
}

/// With `n = 0` any pointers will do.
#[test]
fn raw_takes_any_pointers_for_nothing() {
    let pointers = [
        ptr::null(),
        ptr::dangling(),
        ptr::without_provenance(usize::MAX),
    ];
    for (a, b) in pointers.into_iter().flat_map(|a| pointers.map(|b| (a, b))) {
        // SAFETY: `n` is 0.
        unsafe {
            assert_eq!(raw::memcmp(a, b, 0), 0);
            assert_eq!(raw::bcmp(a, b, 0), 0);
            assert_eq!(raw::mismatch(a, b, 0), 0);
            assert_eq!(raw::rmismatch(a, b, 0), 0);
        }
    }
}

/// Every pair of bytes at every place of a word, equal bytes before it and any after it; and equal
/// words.
fn check_word<const N: usize>(answers: impl Fn([u8; N], [u8; N]) -> (i32, Option<usize>)) {
    let check = |a: [u8; N], b: [u8; N]| {
        let right = oracle(&a, &b);
        assert_eq!(
            answers(a, b),
            (right.memcmp, right.mismatch),
            "{a:02x?} {b:02x?}"
        );
    };
    let mut random = Random(N as u64);
    for position in 0..N {
        for x in 0..=255 {
            let (mut a, mut b) = ([0; N], [0; N]);
            random.fill(&mut a);
            random.fill(&mut b[position..]);
            b[..position].copy_from_slice(&a[..position]);
            a[position] = x;
            check(a, a);
            for y in 0..=255 {
                b[position] = y;
                check(a, b);
            }
        }
    }
}

macro_rules! words {
    ($($word:ident: $memcmp:ident, $mismatch:ident;)+) => {
        mod words {
            use super::*;
            $(
                #[test]
                fn $word() {
                    check_word(|a, b| {
                        let (a, b) = ($word::from_ne_bytes(a), $word::from_ne_bytes(b));
                        (word::$memcmp(a, b), word::$mismatch(a, b))
                    });
                }
            )+
        }
    };
}

words! {
    u16: memcmp_u16, mismatch_u16;
    u32: memcmp_u32, mismatch_u32;
    u64: memcmp_u64, mismatch_u64;
    u128: memcmp_u128, mismatch_u128;
    usize: memcmp_usize, mismatch_usize;
}

/// Order and index are those of the elements, not of their bytes.
#[test]
fn elements() {
    assert_eq!(memdiff::compare(&[-1_i8], &[1]), Ordering::Less);
    assert_eq!(
        memdiff::compare(&[0x0100_u16], &[0x00ff]),
        Ordering::Greater
    );
    assert_eq!(memdiff::compare(&[0x00ff_u16], &[0xff00]), Ordering::Less);
    assert_eq!(memdiff::compare(&[7, i64::MIN], &[7, 0]), Ordering::Less);
    assert_eq!(memdiff::compare(&['a', 'b'], &['a']), Ordering::Greater);
    assert_eq!(memdiff::compare::<u128>(&[], &[]), Ordering::Equal);
    assert_eq!(
        memdiff::compare(&[true, false], &[true, true]),
        Ordering::Less
    );

    // Three of the four bytes of the second elements are equal, whichever end they stand at.
    let (a, b) = (&[1, 0x1122_3344, 5_u32], &[1, 0x1122_3345, 5]);
    let (c, d) = (&[1, 0x1122_3344, 5_u32], &[1, 0x1222_3344, 5]);
    for (a, b) in [(a, b), (c, d)] {
        assert!(!memdiff::equal(a, b));
        assert_eq!(memdiff::mismatch(a, b), Some(1));
        assert_eq!(memdiff::common_prefix_len(a, b), 1);
        assert_eq!(memdiff::common_suffix_len(a, b), 1);
    }
    assert_eq!(memdiff::mismatch(&[9_u64, 8, 7], &[9, 8]), Some(2));
    assert_eq!(memdiff::mismatch(&[9_u64, 8, 7], &[9, 8, 7]), None);
    assert_eq!(memdiff::common_suffix_len(&[9_u64, 8, 7], &[8, 7]), 2);
}

/// A slice with itself, and slices that overlap.
#[test]
fn aliases() {
    let mut random = Random(1);
    let mut noise = [0; 400];
    random.fill(&mut noise);
    let mut zeros = [0; 400];
    zeros[399] = 1;
    for buffer in [noise, zeros] {
        for n in [0, 1, 7, 16, 33, 64, 65, 129, 257, 320] {
            for (i, j) in (0..20 * 20).map(|k| (k % 20 * 4, k / 20 * 4)) {
                check(&buffer[i..i + n], &buffer[j..j + n]);
                check(&buffer[i..i + n], &buffer[j..]);
            }
        }
    }
}
