//! The value: every pair of bytes, and the first difference of several.

use crate::support::{AROUND, Random, SUBJECTS, check, oracle};

/// All 65,536 pairs of bytes, first and last in ranges of every size class. Each pair is there both
/// ways round.
#[test]
fn all_pairs() {
    let mut random = Random(1);
    for n in [1, 4, 8, 16, 17, 33, 65, 129] {
        for position in (0..n).step_by((n - 1).max(1)) {
            let mut a = vec![0; n];
            random.fill(&mut a);
            let mut b = a.clone();
            for (x, y) in (0..=u16::MAX).map(|pair| pair.to_ne_bytes().into()) {
                (a[position], b[position]) = (x, y);
                let right = oracle(&a, &b);
                assert_eq!(right.memcmp, i32::from(x) - i32::from(y));
                for subject in SUBJECTS.iter() {
                    subject.check(&a, &b, right);
                }
            }
        }
    }
}

/// Two differences with opposite signs, at every pair of positions.
#[test]
fn the_first_of_two_differences() {
    for n in [2, 3, 7, 8, 13, 16, 24, 32, 48, 64, 128, 160] {
        let (mut a, mut b) = (vec![AROUND[0]; n], vec![AROUND[0]; n]);
        for first in 0..n {
            for second in first + 1..n {
                for (position, [x, y]) in [(first, [1, 3]), (second, [0xff, 0])] {
                    (a[position], b[position]) = (x, y);
                }
                check(&a, &b);
                for position in [first, second] {
                    (a[position], b[position]) = (AROUND[0], AROUND[0]);
                }
            }
        }
    }
}

/// Every byte differs, and the ones after the first by more and the other way.
#[test]
fn the_first_of_many_differences() {
    for n in 1..=320 {
        let (mut a, mut b) = (vec![0xff; n], vec![0x00; n]);
        (a[0], b[0]) = (0x7f, 0x80);
        check(&a, &b);
    }
}
