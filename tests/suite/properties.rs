//! The laws, on generated input: long equal runs with a few planted differences, since random bytes
//! differ at once and test nothing.

use std::fmt::Debug;

use memdiff::Element;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::support::{BYTES, SUBJECTS, check};

/// Lengths of all kinds, most of them near a multiple of 16.
fn length() -> impl Strategy<Value = usize> {
    prop_oneof![
        1 => 0_usize..80,
        3 => (1_usize..25, 0_usize..3).prop_map(|(k, near)| 16 * k + near - 1),
    ]
}

/// Two slices of that length that are equal but for 0 to 3 planted elements.
fn same_length<T: Element + Debug>(
    pool: &'static [T],
    n: impl Strategy<Value = usize>,
) -> impl Strategy<Value = (Vec<T>, Vec<T>)> {
    let element = move || select(pool);
    (
        n.prop_flat_map(move |n| vec(element(), n)),
        vec((any::<Index>(), element()), 0..=3),
    )
        .prop_map(|(a, planted)| {
            let mut b = a.clone();
            for (index, element) in planted {
                if !b.is_empty() {
                    let i = index.index(b.len());
                    b[i] = element;
                }
            }
            (a, b)
        })
}

/// As [`same_length`]; half of them with one slice cut.
fn slices<T: Element + Debug>(
    pool: &'static [T],
    n: impl Strategy<Value = usize>,
) -> impl Strategy<Value = (Vec<T>, Vec<T>)> {
    (same_length(pool, n), any::<(bool, Index)>()).prop_map(|((a, mut b), (cut, at))| {
        if cut {
            b.truncate(at.index(b.len() + 1));
        }
        (a, b)
    })
}

fn byte_slices() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    slices(&BYTES, length())
}

fn reversed(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().rev().copied().collect()
}

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn mismatch_is_the_first_difference((a, b) in byte_slices()) {
        for subject in SUBJECTS.iter() {
            let answers = subject.answers(&a, &b);
            prop_assert_eq!(answers.equal, a == b, "{}", subject);
            prop_assert_eq!(answers.mismatch.is_none(), a == b, "{}", subject);
            let i = answers.common_prefix_len;
            prop_assert_eq!(answers.mismatch.unwrap_or(a.len()), i, "{}", subject);
            prop_assert_eq!(&a[..i], &b[..i], "{}", subject);
            if i < a.len().min(b.len()) {
                prop_assert_ne!(a[i], b[i], "{}", subject);
                prop_assert_eq!(answers.memcmp, i32::from(a[i]) - i32::from(b[i]), "{}", subject);
            }
        }
    }

    #[test]
    fn order_is_that_of_slices((a, b) in byte_slices()) {
        for subject in SUBJECTS.iter() {
            let answers = subject.answers(&a, &b);
            prop_assert_eq!(answers.compare, a.cmp(&b), "{}", subject);
            prop_assert_eq!(answers.swapped(), subject.answers(&b, &a), "{}", subject);
        }
    }

    #[test]
    fn a_common_start_adds_to_the_prefix(
        x in vec(select(&BYTES[..]), 0..100),
        (a, b) in byte_slices(),
    ) {
        let (xa, xb) = ([&x[..], &a].concat(), [&x[..], &b].concat());
        for subject in SUBJECTS.iter() {
            let (short, long) = (subject.answers(&a, &b), subject.answers(&xa, &xb));
            prop_assert_eq!(
                long.common_prefix_len, x.len() + short.common_prefix_len, "{}", subject
            );
            prop_assert_eq!(long.compare, short.compare, "{}", subject);
        }
    }

    #[test]
    fn suffix_mirrors_prefix((a, b) in byte_slices()) {
        let (reversed_a, reversed_b) = (reversed(&a), reversed(&b));
        for subject in SUBJECTS.iter() {
            let mirrored = subject.answers(&reversed_a, &reversed_b);
            let answers = subject.answers(&a, &b);
            prop_assert_eq!(answers.common_suffix_len, mirrored.common_prefix_len, "{}", subject);
        }
    }

    /// Neither the place of the slices nor what lies around them matters.
    #[test]
    fn sub_slices_answer_as_copies(
        (a, b) in byte_slices(),
        around in vec(select(&BYTES[..]), 0..100),
        cut in any::<(Index, Index)>(),
    ) {
        let inside = |slice: &[u8], cut: Index| {
            let start = cut.index(around.len() + 1);
            ([&around[..start], slice, &around[start..]].concat(), start..start + slice.len())
        };
        let ((left, at), (right, bt)) = (inside(&a, cut.0), inside(&b, cut.1));
        for subject in SUBJECTS.iter() {
            let answers = subject.answers(&left[at.clone()], &right[bt.clone()]);
            prop_assert_eq!(answers, subject.answers(&a, &b), "{}", subject);
        }
    }

    /// Both slices in one buffer with a period, so that they may overlap and be equal.
    #[test]
    fn overlapping_slices(
        period in vec(select(&BYTES[..]), 1..40),
        n in length(),
        starts in (0_usize..80, 0_usize..80),
        change in any::<(bool, Index)>(),
    ) {
        let mut buffer: Vec<u8> = period.iter().cycle().take(n + 80).copied().collect();
        if change.0 {
            let i = change.1.index(buffer.len());
            buffer[i] ^= 1;
        }
        check(&buffer[starts.0..starts.0 + n], &buffer[starts.1..starts.1 + n]);
    }
}

/// The crate's generic functions against the slices' own.
fn typed<T: Element + Ord + Debug>(a: &[T], b: &[T]) -> Result<(), TestCaseError> {
    let shorter = a.len().min(b.len());
    let differs = |(x, y): (&T, &T)| x != y;
    let prefix = a.iter().zip(b).position(differs).unwrap_or(shorter);
    let suffix = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .position(differs)
        .unwrap_or(shorter);
    prop_assert_eq!(memdiff::equal(a, b), a == b);
    prop_assert_eq!(memdiff::compare(a, b), a.cmp(b));
    prop_assert_eq!(memdiff::mismatch(a, b), (a != b).then_some(prefix));
    prop_assert_eq!(memdiff::common_prefix_len(a, b), prefix);
    prop_assert_eq!(memdiff::common_suffix_len(a, b), suffix);
    Ok(())
}

macro_rules! typed {
    ($($element:ident: $pool:expr;)+) => {
        mod elements {
            use super::*;

            proptest! {
                #![proptest_config(config())]
                $(
                    #[test]
                    fn $element((a, b) in slices::<$element>($pool, 0_usize..70)) {
                        typed(&a, &b)?;
                        typed(&b, &a)?;
                    }
                )+
            }
        }
    };
}

typed! {
    u8: &BYTES;
    u16: &[0, 1, 0xff, 0x100, 0x7fff, 0x8000, u16::MAX];
    u32: &[0, 1, 0xff, 0x100, 0x7fff_ffff, 0x8000_0000, u32::MAX];
    u64: &[0, 1, 0xff, 0x100, 1 << 32, 1 << 63, u64::MAX];
    u128: &[0, 1, 0xff, 0x100, 1 << 64, 1 << 127, u128::MAX];
    usize: &[0, 1, 0xff, 0x100, usize::MAX / 2, usize::MAX];
    i8: &[0, 1, -1, i8::MIN, i8::MAX];
    i16: &[0, 1, -1, 0x100, i16::MIN, i16::MAX];
    i32: &[0, 1, -1, 0x100, i32::MIN, i32::MAX];
    i64: &[0, 1, -1, 1 << 32, i64::MIN, i64::MAX];
    i128: &[0, 1, -1, 1 << 64, i128::MIN, i128::MAX];
    isize: &[0, 1, -1, 0x100, isize::MIN, isize::MAX];
    bool: &[false, true];
    char: &['\0', '\u{1}', '\u{ff}', '\u{100}', '\u{d7ff}', '\u{e000}', char::MAX];
}
