//! What two lengths have to do with an answer, and the panic if they must not differ.

use core::cmp::Ordering;

/// The shorter of two lengths; `Ord::min` is no `const fn`.
#[inline(always)]
pub(crate) const fn shorter(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// The longer of two lengths.
#[inline(always)]
pub(crate) const fn longer(a: usize, b: usize) -> usize {
    if a < b { b } else { a }
}

/// `difference.cmp(&0).then(a.cmp(&b))`, of the common part and the lengths of two slices, for
/// constants. Where it need not be `const` the other is better: it has no branch.
#[inline(always)]
pub(crate) const fn order(difference: i32, a: usize, b: usize) -> Ordering {
    if difference < 0 || (difference == 0 && a < b) {
        Ordering::Less
    } else if difference > 0 || a > b {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}

/// The first mismatch of two slices, by the length of their common prefix.
#[inline(always)]
pub(crate) const fn mismatch(common: usize, a: usize, b: usize) -> Option<usize> {
    // They are equal if what is common is as long as the longer one.
    if common < longer(a, b) {
        Some(common)
    } else {
        None
    }
}

/// The panic of `memcmp`, at the caller's line. Outlined, so that the comparison keeps no stack
/// slot for it.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) const fn differ(a: usize, b: usize) -> ! {
    // A const fn can print a string but no number, so the text is put together here.
    const CAPACITY: usize = 96;
    let (mut text, mut len) = ([0; CAPACITY], 0);
    (text, len) = append(
        text,
        len,
        b"memdiff: memcmp of slices of different lengths: ",
    );
    (text, len) = append_number(text, len, a);
    (text, len) = append(text, len, b" and ");
    (text, len) = append_number(text, len, b);
    match core::str::from_utf8(text.split_at(len).0) {
        Ok(text) => panic!("{}", text),
        Err(_) => unreachable!(),
    }
}

const fn append<const N: usize>(mut to: [u8; N], mut len: usize, text: &[u8]) -> ([u8; N], usize) {
    let mut i = 0;
    while i < text.len() {
        to[len] = text[i];
        len += 1;
        i += 1;
    }
    (to, len)
}

const fn append_number<const N: usize>(to: [u8; N], len: usize, number: usize) -> ([u8; N], usize) {
    let (mut digits, mut at, mut rest) = ([0; 20], 20, number);
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            return append(to, len, digits.split_at(at).1);
        }
    }
}
