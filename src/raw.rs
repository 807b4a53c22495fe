//! The C contract: pointers and a length.
//!
//! These are for code that has no slices: a C interface, a `memcmp` symbol, memory that is shared
//! with another process. All `n` bytes of both ranges must be readable, even if the ranges differ
//! in the first one: the kernels load whole vectors. They never read a byte outside the ranges.
//!
//! If another thread writes to the bytes during a call, which Rust calls a data race and C
//! undefined too, a byte may be read more than once and be another one each time: the result need
//! not be that of any one state, and may say "equal" of ranges that differ elsewhere. But the
//! kernels still read only inside the ranges, and return a count of at most `n`, or a difference in
//! -255..=255.

use crate::dispatch;

/// C's `memcmp`, exact: `a[i] - b[i]` at the first byte `i` that differs, 0 if there is none.
///
/// The result is in -255..=255 and the same on every target and backend. Takes O(i) time.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; any pointers will do if `n` is 0.
/// * `n` is at most `isize::MAX`.
///
/// ```
/// let (a, b) = (*b"abc", *b"abd");
/// // SAFETY: both arrays have three bytes.
/// assert_eq!(unsafe { memdiff::raw::memcmp(a.as_ptr(), b.as_ptr(), 3) }, -1);
/// ```
#[inline]
#[must_use]
pub unsafe fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
    // SAFETY: the caller's.
    unsafe { dispatch::memcmp::active(a, b, n) }
}

/// BSD's `bcmp`: 0 if all `n` bytes are equal, something else if not. Cheaper than [`memcmp`]: it
/// need not find the byte.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; any pointers will do if `n` is 0.
/// * `n` is at most `isize::MAX`.
///
/// ```
/// let (a, b) = (*b"abc", *b"abd");
/// // SAFETY: both arrays have three bytes.
/// assert_ne!(unsafe { memdiff::raw::bcmp(a.as_ptr(), b.as_ptr(), 3) }, 0);
/// ```
#[inline]
#[must_use]
pub unsafe fn bcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
    // SAFETY: the caller's.
    i32::from(!unsafe { dispatch::equal::active(a, b, n) })
}

/// The index of the first byte that differs, `n` if there is none: the length of the common prefix.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; any pointers will do if `n` is 0.
/// * `n` is at most `isize::MAX`.
///
/// ```
/// let (a, b) = (*b"abc", *b"abd");
/// // SAFETY: both arrays have three bytes.
/// assert_eq!(unsafe { memdiff::raw::mismatch(a.as_ptr(), b.as_ptr(), 3) }, 2);
/// ```
#[inline]
#[must_use]
pub unsafe fn mismatch(a: *const u8, b: *const u8, n: usize) -> usize {
    // SAFETY: the caller's.
    unsafe { dispatch::prefix::active(a, b, n) }
}

/// The length in bytes of the common suffix of two ranges of `n` bytes, `n` if they are equal.
///
/// # Safety
/// * `a` and `b` are valid for reads of `n` bytes; any pointers will do if `n` is 0.
/// * `n` is at most `isize::MAX`.
///
/// ```
/// let (a, b) = (*b"abc", *b"xbc");
/// // SAFETY: both arrays have three bytes.
/// assert_eq!(unsafe { memdiff::raw::rmismatch(a.as_ptr(), b.as_ptr(), 3) }, 2);
/// ```
#[inline]
#[must_use]
pub unsafe fn rmismatch(a: *const u8, b: *const u8, n: usize) -> usize {
    // SAFETY: the caller's.
    unsafe { dispatch::suffix::active(a, b, n) }
}
