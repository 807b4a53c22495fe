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

/// Every byte of a range shorter than a word, in one word and in memory order. Bytes may stand in
/// it more than once and be followed by zeros; [`first`] and [`last`] say where they come from.
///
/// # Safety
/// * `p` is valid for reads of `n` bytes; `n < WORD`.
#[inline(always)]
const unsafe fn gather(p: *const u8, n: usize) -> u64 {
    // SAFETY: with `n >= 4` the two halves are bytes `0..4` and `n - 4..n`; with `n > 0` the three
    // indices are below `n`.
    unsafe {
        if n >= 4 {
            let (head, tail) = (load::<u32>(p) as u64, load::<u32>(p.add(n - 4)) as u64);
            if cfg!(target_endian = "little") {
                head | tail << 32
            } else {
                head << 32 | tail
            }
        } else if n > 0 {
            u64::from_ne_bytes([*p, *p.add(n / 2), *p.add(n - 1), 0, 0, 0, 0, 0])
        } else {
            0
        }
    }
}

/// The index in the range of byte `i` of a gathered word, where `i` is the first that differs.
#[inline(always)]
const fn first(i: usize, n: usize) -> usize {
    if i < 4 { i } else { n + i - WORD }
}

/// The index in the range of byte `i` of a gathered word, where `i` is the last that differs.
#[inline(always)]
const fn last(i: usize, n: usize) -> usize {
    if i >= 4 {
        n + i - WORD
    } else if i < n {
        i
    } else {
        n - 1
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

/// Both ranges, gathered.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; `n < WORD`.
#[inline(always)]
const unsafe fn gathered(a: *const u8, b: *const u8, n: usize) -> (u64, u64) {
    // SAFETY: the caller's.
    unsafe { (gather(a, n), gather(b, n)) }
}

/// `a[i] - b[i]` at the first byte `i` that differs, 0 if there is none, for up to two words.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; `n <= 2 * WORD`.
#[inline(always)]
pub(crate) const unsafe fn memcmp_short(a: *const u8, b: *const u8, n: usize) -> i32 {
    // SAFETY: `gathered` is for `n < WORD`; after that the words end at `WORD` and at `n`.
    unsafe {
        if n < WORD {
            let (x, y) = gathered(a, b, n);
            return word::memcmp_u64(x, y);
        }
        let (x, y) = words(a, b, 0);
        if x != y {
            return word::memcmp_u64(x, y);
        }
        let (x, y) = words(a, b, n - WORD);
        word::memcmp_u64(x, y)
    }
}

/// The index of the first byte that differs, for up to two words.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; `n <= 2 * WORD`.
#[inline(always)]
pub(crate) const unsafe fn find_short(a: *const u8, b: *const u8, n: usize) -> Option<usize> {
    // SAFETY: as in `memcmp_short`.
    unsafe {
        if n < WORD {
            let (x, y) = gathered(a, b, n);
            return match word::mismatch_u64(x, y) {
                Some(i) => Some(first(i, n)),
                None => None,
            };
        }
        let (x, y) = words(a, b, 0);
        if let found @ Some(_) = word::mismatch_u64(x, y) {
            return found;
        }
        let (x, y) = words(a, b, n - WORD);
        match word::mismatch_u64(x, y) {
            Some(i) => Some(n - WORD + i),
            None => None,
        }
    }
}

/// The index of the last byte that differs, for up to two words.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; `n <= 2 * WORD`.
#[inline(always)]
pub(crate) const unsafe fn rfind_short(a: *const u8, b: *const u8, n: usize) -> Option<usize> {
    // SAFETY: as in `memcmp_short`.
    unsafe {
        if n < WORD {
            let (x, y) = gathered(a, b, n);
            return match word::rmismatch_u64(x, y) {
                Some(i) => Some(last(i, n)),
                None => None,
            };
        }
        let (x, y) = words(a, b, n - WORD);
        if let Some(i) = word::rmismatch_u64(x, y) {
            return Some(n - WORD + i);
        }
        let (x, y) = words(a, b, 0);
        word::rmismatch_u64(x, y)
    }
}

/// Whether all bytes are equal, for up to two words.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; `n <= 2 * WORD`.
#[inline(always)]
pub(crate) const unsafe fn equal_short(a: *const u8, b: *const u8, n: usize) -> bool {
    // SAFETY: as in `memcmp_short`.
    unsafe {
        if n < WORD {
            let (x, y) = gathered(a, b, n);
            return x == y;
        }
        let ((x, y), (z, w)) = (words(a, b, 0), words(a, b, n - WORD));
        (x ^ y) | (z ^ w) == 0
    }
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

/// The index of the first byte that differs.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes.
#[inline]
pub(crate) const unsafe fn find(a: *const u8, b: *const u8, n: usize) -> Option<usize> {
    let mut i = 0;
    // SAFETY: as in `memcmp`.
    unsafe {
        while n - i > 2 * WORD {
            let (x, y) = words(a, b, i);
            if let Some(k) = word::mismatch_u64(x, y) {
                return Some(i + k);
            }
            i += WORD;
        }
        match find_short(a.add(i), b.add(i), n - i) {
            Some(k) => Some(i + k),
            None => None,
        }
    }
}

/// The index of the last byte that differs.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes.
#[inline]
pub(crate) const unsafe fn rfind(a: *const u8, b: *const u8, n: usize) -> Option<usize> {
    let mut n = n;
    // SAFETY: a word in the loop is not the first of the range; at most two words are left before
    // it.
    unsafe {
        while n > 2 * WORD {
            let (x, y) = words(a, b, n - WORD);
            if let Some(k) = word::rmismatch_u64(x, y) {
                return Some(n - WORD + k);
            }
            n -= WORD;
        }
        rfind_short(a, b, n)
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
