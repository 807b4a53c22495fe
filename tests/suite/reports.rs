//! Public reports of wrong results in other implementations, each with the input it gives.

use crate::support::{SUBJECTS, check};

/// Checks the value and the place literally, both ways round.
fn right(a: &[u8], b: &[u8], memcmp: i32, mismatch: impl Into<Option<usize>>) {
    let mismatch = mismatch.into();
    for subject in SUBJECTS.iter() {
        for (answers, memcmp) in [
            (subject.answers(a, b), memcmp),
            (subject.answers(b, a), -memcmp),
        ] {
            assert_eq!(answers.memcmp, memcmp, "{subject}");
            assert_eq!(answers.mismatch, mismatch, "{subject}");
        }
    }
    check(a, b);
}

/// Zeros against zeros with a 7 at that position.
fn right_at(n: usize, position: usize) {
    let mut b = vec![0; n];
    b[position] = 7;
    right(&vec![0; n], &b, -7, position);
}

// Sign and value.

/// Chunks were read as signed integers.
#[test]
fn modular_6859() {
    right(&[0x01, 0, 0, 0x80], &[0x01, 0, 0, 0x00], 128, 3);
}

/// An 8-bit subtraction overflowed.
#[test]
fn modular_2524_and_3670() {
    right(&[0x88], &[0x78], 16, 0);
}

/// `char` was sign-extended.
#[test]
fn supersonic_9() {
    right(&[0, 0, 0, 0x80], &[0, 0, 0, 0x01], 127, 3);
}

/// `char` is signed on one target and unsigned on another.
#[test]
fn arm_trusted_firmware_776() {
    right(&[0x00], &[0xff], -255, 0);
}

/// An 8-bit difference was the same both ways round.
#[test]
fn nolibc_b3f4f51e() {
    right(&[0x00], &[0x80], -128, 0);
    right(&[0x80], &[0x00], 128, 0);
}

/// The result was never negative.
#[test]
fn avr_libc_4_and_elks_2145() {
    right(&[0xff, 0xff, 1, 2], &[0xff, 0x00, 1, 2], 255, 1);
    right(&[0xff, 0x00, 1, 2], &[0xff, 0xff, 1, 2], -255, 1);
}

/// The result, cut to 8 bits, read as equal.
#[test]
fn cve_2012_2122_and_contiki_ng_531() {
    for difference in 1..=255 {
        for n in [1, 2, 3, 4, 8, 16, 20, 32, 64, 100, 300] {
            let (a, mut b) = (vec![0; n], vec![0; n]);
            b[n - 1] = difference;
            for subject in SUBJECTS.iter() {
                assert_ne!(subject.answers(&a, &b).memcmp as i8, 0, "{subject}");
                assert_ne!(subject.answers(&b, &a).memcmp as i8, 0, "{subject}");
            }
        }
    }
}

/// The documented difference was 1 or -1.
#[test]
fn freebsd_d45621() {
    for n in 1..=70 {
        for position in 0..n {
            right_at(n, position);
        }
    }
}

/// The same program printed -1, -257 or -8421377, as the C library or the compiler pleased.
#[test]
fn php_strcmp_and_llvm_expand_memcmp() {
    right(b"aa", b"bb", -1, 0);
}

// Index, length, equality.

/// `<` for `<=`: the prefix of equal buffers was too short.
#[test]
fn auron_1318() {
    for n in [1, 2, 4, 8] {
        for subject in SUBJECTS.iter() {
            let answers = subject.answers(&vec![9; n], &vec![9; n]);
            assert_eq!(
                (answers.common_prefix_len, answers.mismatch),
                (n, None),
                "{subject}"
            );
        }
    }
}

/// Only the first and the last 16 bytes were compared.
#[test]
fn databend_16008() {
    right_at(48, 20);
}

/// The result at length 1 was wrong.
#[test]
fn stringzilla_154() {
    right(b"d", b"!", 67, 0);
}

/// Slices of more than 256 bytes compared equal on s390x.
#[test]
fn golang_26114() {
    for n in 257..=513 {
        right_at(n, 256);
    }
}

/// From 32 bytes on the result was wrong.
#[test]
fn golang_17488() {
    right_at(32, 31);
}

/// The order past 16 bytes was wrong.
#[test]
fn typedb_7869() {
    for n in 17..=40 {
        right_at(n, 16);
    }
}

/// One backend did not look at the tail.
#[test]
fn openjdk_31802() {
    for n in 9..=15 {
        for position in 8..n {
            right_at(n, position);
        }
    }
}
