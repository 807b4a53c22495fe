//! Words: the fallback that every target has, and the shortest ranges of every backend.
//!
//! Two words that differ do so first in the byte where `a ^ b` has its lowest bit (little endian)
//! or its highest (big endian). Ranges that are no multiple of a word end with a word that overlaps
//! the one before.
//!
//! Everything is `const`, so that the same code answers in constants; that is why nothing is
//! aligned here (a constant has no address), and why these loops do not come out of `generic.rs`
//! (no traits).

use crate::word;

const WORD: usize = size_of::<u64>();

/// A value at any address. Reading the field is one unaligned load at every optimisation level,
/// where `ptr::read_unaligned` is a call of `memcpy` at level 0.
#[repr(C, packed)]
struct Unaligned<T>(T);

/// Loads a `T` from any address.
///
/// # Safety
/// * `p` is valid for reads of `size_of::<T>()` bytes, which are a valid `T`.
#[inline(always)]
pub(crate) const unsafe fn load<T: Copy>(p: *const u8) -> T {
    // SAFETY: the caller's; `Unaligned<T>` has the size of `T` and no alignment.
    unsafe { (*p.cast::<Unaligned<T>>()).0 }
}

/// The bytes of a range shorter than four, in one word and in memory order. A byte may stand in it
/// more than once; zeros follow.
///
/// # Safety
/// * `p` is valid for reads of `n` bytes; `n < 4`.
#[inline(always)]
const unsafe fn gather(p: *const u8, n: usize) -> u64 {
    if n == 0 {
        return 0;
    }
    // SAFETY: the indices are below `n`: 0 0 0, 0 1 1 or 0 1 2.
    unsafe { u64::from_ne_bytes([*p, *p.add(n / 2), *p.add(n - 1), 0, 0, 0, 0, 0]) }
}

/// The index in the range of byte `i` of the word of [`gather`]. It is below `n` even if another
/// thread changed a byte between two reads of it, so that only its second place differs.
#[inline(always)]
const fn gathered(i: usize, n: usize) -> usize {
    if i < n { i } else { n - 1 }
}

/// Two halves of a word, in memory order.
#[inline(always)]
const fn join(head: u32, tail: u32) -> u64 {
    let (head, tail) = (head as u64, tail as u64);
    if cfg!(target_endian = "little") {
        head | tail << 32
    } else {
        head << 32 | tail
    }
}

/// How far apart the halves of the words of [`gather_two`] start: 0 up to 8 bytes, else 4.
#[inline(always)]
const fn step(n: usize) -> usize {
    (n - 1) / 8 * 4
}

/// The bytes of a range of 4 to 16, in two words and in memory order, without a branch on `n`. The
/// halves of the first start at 0 and `step`, those of the second at `n - 4 - step` and `n - 4`, so
/// up to 8 bytes each word holds four bytes twice.
///
/// # Safety
/// * `p` is valid for reads of `n` bytes; `4 <= n <= 2 * WORD`.
#[inline(always)]
const unsafe fn gather_two(p: *const u8, n: usize) -> (u64, u64) {
    let step = step(n);
    // SAFETY: `step + 4 <= n`, so every half starts at 0 or after it and ends at `n` or before.
    unsafe {
        (
            join(load(p), load(p.add(step))),
            join(load(p.add(n - 4 - step)), load(p.add(n - 4))),
        )
    }
}

/// Where byte `i` of a word of [`gather_two`] stands in the range, counted from the start of the
/// word: at `i`, or at `i % 4` if both halves are the same bytes. As in [`gathered`], a racing
/// writer may make only one of its places differ.
#[inline(always)]
const fn gathered_two(i: usize, n: usize) -> usize {
    i & (step(n) | 3)
}

/// `a[i] - b[i]` at the first byte `i` that differs, 0 if there is none, for up to two words.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; `n <= 2 * WORD`.
#[inline(always)]
pub(crate) const unsafe fn memcmp_short(a: *const u8, b: *const u8, n: usize) -> i32 {
    // SAFETY: the caller's; each way gets the lengths it is for.
    unsafe {
        if n < 4 {
            return word::memcmp_u64(gather(a, n), gather(b, n));
        }
        let ((a0, a1), (b0, b1)) = (gather_two(a, n), gather_two(b, n));
        let (a, b) = if a0 != b0 { (a0, b0) } else { (a1, b1) };
        word::memcmp_u64(a, b)
    }
}

/// The number of equal bytes before the first that differs, `n` if there is none, for up to two
/// words.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; `n <= 2 * WORD`.
#[inline(always)]
pub(crate) const unsafe fn prefix_short(a: *const u8, b: *const u8, n: usize) -> usize {
    // SAFETY: the caller's; each way gets the lengths it is for.
    unsafe {
        if n < 4 {
            return match word::mismatch_u64(gather(a, n), gather(b, n)) {
                Some(i) => gathered(i, n),
                None => n,
            };
        }
        let ((a0, a1), (b0, b1)) = (gather_two(a, n), gather_two(b, n));
        let (a, b, offset) = if a0 != b0 {
            (a0, b0, 0)
        } else {
            (a1, b1, n - 4 - step(n))
        };
        match word::mismatch_u64(a, b) {
            Some(i) => offset + gathered_two(i, n),
            None => n,
        }
    }
}

/// The number of equal bytes after the last that differs, `n` if there is none, for up to two
/// words.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; `n <= 2 * WORD`.
#[inline(always)]
pub(crate) const unsafe fn suffix_short(a: *const u8, b: *const u8, n: usize) -> usize {
    // SAFETY: the caller's; each way gets the lengths it is for.
    unsafe {
        if n < 4 {
            return match word::rmismatch_u64(gather(a, n), gather(b, n)) {
                Some(i) => n - 1 - gathered(i, n),
                None => n,
            };
        }
        let ((a0, a1), (b0, b1)) = (gather_two(a, n), gather_two(b, n));
        let (a, b, offset) = if a1 != b1 {
            (a1, b1, n - 4 - step(n))
        } else {
            (a0, b0, 0)
        };
        match word::rmismatch_u64(a, b) {
            Some(i) => n - 1 - (offset + gathered_two(i, n)),
            None => n,
        }
    }
}

/// Whether all bytes are equal, for up to two words.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; `n <= 2 * WORD`.
#[inline(always)]
pub(crate) const unsafe fn equal_short(a: *const u8, b: *const u8, n: usize) -> bool {
    // SAFETY: the caller's; each way gets the lengths it is for.
    unsafe {
        if n < 4 {
            return gather(a, n) == gather(b, n);
        }
        let ((a0, a1), (b0, b1)) = (gather_two(a, n), gather_two(b, n));
        (a0 ^ b0) | (a1 ^ b1) == 0
    }
}

/// The words at `offset`.
///
/// # Safety
/// * `a` and `b` are valid for reads of `offset + WORD` bytes.
#[inline(always)]
const unsafe fn words(a: *const u8, b: *const u8, offset: usize) -> (u64, u64) {
    // SAFETY: both loads end at `offset + WORD`.
    unsafe { (load(a.add(offset)), load(b.add(offset))) }
}

/// `a[i] - b[i]` at the first byte `i` that differs, 0 if there is none.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes.
#[inline]
pub(crate) const unsafe fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
    let mut i = 0;
    // SAFETY: a word in the loop is not the last of the range; at most two words are left behind
    // it.
    unsafe {
        while n - i > 2 * WORD {
            let (x, y) = words(a, b, i);
            if x != y {
                return word::memcmp_u64(x, y);
            }
            i += WORD;
        }
        memcmp_short(a.add(i), b.add(i), n - i)
    }
}

/// The number of equal bytes before the first that differs, `n` if there is none.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes.
#[inline]
pub(crate) const unsafe fn prefix(a: *const u8, b: *const u8, n: usize) -> usize {
    let mut i = 0;
    // SAFETY: as in `memcmp`.
    unsafe {
        while n - i > 2 * WORD {
            let (x, y) = words(a, b, i);
            if let Some(k) = word::mismatch_u64(x, y) {
                return i + k;
            }
            i += WORD;
        }
        i + prefix_short(a.add(i), b.add(i), n - i)
    }
}

/// The number of equal bytes after the last that differs, `n` if there is none.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes.
#[inline]
pub(crate) const unsafe fn suffix(a: *const u8, b: *const u8, n: usize) -> usize {
    let mut i = 0;
    // SAFETY: a word in the loop is not the first of the range; at most two words are left before
    // it.
    unsafe {
        while n - i > 2 * WORD {
            let (x, y) = words(a, b, n - i - WORD);
            if let Some(k) = word::rmismatch_u64(x, y) {
                return i + WORD - 1 - k;
            }
            i += WORD;
        }
        i + suffix_short(a, b, n - i)
    }
}

/// Whether all bytes are equal.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes.
#[inline]
pub(crate) const unsafe fn equal(a: *const u8, b: *const u8, n: usize) -> bool {
    let mut i = 0;
    // SAFETY: as in `memcmp`.
    unsafe {
        while n - i > 2 * WORD {
            let (x, y) = words(a, b, i);
            if x != y {
                return false;
            }
            i += WORD;
        }
        equal_short(a.add(i), b.add(i), n - i)
    }
}

/// Every target has words.
pub(crate) const STATIC: bool = true;

/// Every CPU has words.
pub(crate) fn is_available() -> bool {
    true
}

/// As of the other backends: what to call.
pub(crate) mod inlined {
    pub(crate) use super::{equal, memcmp, prefix, suffix};
}
