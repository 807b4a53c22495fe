//! Where do two byte ranges first differ, and by how much?
//!
//! | question | function |
//! |---|---|
//! | by how much, as C's `memcmp` but exact | [`memcmp`] |
//! | are they equal | [`equal`] |
//! | which is less | [`compare`] |
//! | where do they first differ | [`mismatch`] |
//! | how much do they share at the start | [`common_prefix_len`] |
//! | and at the end | [`common_suffix_len`] |
//!
//! ```
//! let (a, b) = (b"the same until here", b"the same until then");
//! assert_eq!(memdiff::mismatch(a, b), Some(15));
//! assert_eq!(memdiff::memcmp(a, b), i32::from(b'h') - i32::from(b't'));
//! assert!(!memdiff::equal(a, b));
//! ```
//!
//! [`word`] has the same for words in registers, [`raw`] for pointers, [`portable`] for constants,
//! and [`Backend`] chooses the kernels by hand.
//!
//! # What is promised
//!
//! * **Exact.** [`memcmp`] returns `a[i] - b[i]` at the first byte `i` that differs, 0 if there is
//!   none: the same integer in -255..=255 on every target, backend, optimisation level, alignment
//!   and page position. C promises the sign only, and several C libraries return something else.
//! * **In bounds.** No byte outside either range is read, not even inside the same word or page.
//! * **No allocation, no `std`, no libc.** The kernels never call `memcmp`, `bcmp` or `memcpy`, so
//!   `memcmp` itself can be built on them, and the optimised functions keep nothing in memory whose
//!   address is taken.
//! * **Not constant time.** They stop at the first difference. Compare secrets with a crate such as
//!   `subtle`.
//!
//! # Backends and features
//!
//! | feature | kernels |
//! |---|---|
//! | none | `portable` words only |
//! | `simd` | and those of the target: `sse2`, `neon`, or more with `-C target-feature` |
//! | `avx2`, implies `simd` | and `avx2`, chosen at run time where the CPU has it, and BMI1 |
//! | `avx512`, implies `avx2` | and `avx512`, likewise |
//!
//! All are on by default. Detection at run time needs no `std`; it happens once. For tests,
//! `RUSTFLAGS='--cfg memdiff_backend="sse2"'` pins a backend by its name.

#![no_std]

#[path = "../arch/mod.rs"]
mod arch;
mod backend;
mod dispatch;
mod element;
mod hint;
mod lengths;
pub mod portable;
pub mod raw;
pub mod word;

use core::cmp::Ordering;
use core::hint::assert_unchecked;

pub use backend::{Backend, BackendError};
pub use element::Element;

/// How much two ranges of the same length differ, as C's `memcmp`, but exact.
///
/// Returns `a[i] - b[i]` at the first byte `i` that differs, and 0 if all are equal: the same
/// integer in -255..=255 everywhere. Takes O(i) time, O(n) if there is none, and no memory.
///
/// # Panics
/// If the lengths differ; [`compare`] takes any.
///
/// ```
/// assert_eq!(memdiff::memcmp(b"abc", b"abc"), 0);
/// assert_eq!(memdiff::memcmp(&[1, 0, 9], &[1, 255, 0]), -255);
/// ```
#[inline]
#[must_use]
#[track_caller]
pub fn memcmp(a: &[u8], b: &[u8]) -> i32 {
    if a.len() != b.len() {
        lengths::differ(a.len(), b.len());
    }
    // SAFETY: both slices are `a.len()` bytes long.
    unsafe { raw::memcmp(a.as_ptr(), b.as_ptr(), a.len()) }
}

/// Whether two slices are equal, as `a == b`.
///
/// Takes O(i) time, where `i` is the index of the first difference, and O(1) if the lengths differ.
/// Faster than a test of [`memcmp`] or [`mismatch`] for equality: the kernel need not find the
/// byte.
///
/// ```
/// assert!(memdiff::equal(b"same", b"same"));
/// assert!(!memdiff::equal(&[1_u32, 2], &[1, 3]));
/// ```
#[doc(alias = "bcmp")]
#[inline]
#[must_use]
pub fn equal<T: Element>(a: &[T], b: &[T]) -> bool {
    let (p, q) = (a.as_ptr().cast(), b.as_ptr().cast());
    // SAFETY: both slices are `size_of_val(a)` bytes long where the kernel is called.
    a.len() == b.len() && unsafe { dispatch::equal::active(p, q, size_of_val(a)) }
}

/// The lexicographic order of two slices, `a.cmp(b)`; their lengths may differ.
///
/// Takes O(i) time, where `i` is the index of the first difference or the shorter length.
///
/// ```
/// use core::cmp::Ordering;
///
/// assert_eq!(memdiff::compare(b"ab", b"abc"), Ordering::Less);
/// assert_eq!(memdiff::compare(&[1_i32, -1], &[1, -2]), Ordering::Greater);
/// ```
#[inline]
#[must_use]
pub fn compare<T: Element + Ord>(a: &[T], b: &[T]) -> Ordering {
    if T::IS_BYTE {
        let n = lengths::shorter(a.len(), b.len());
        // SAFETY: both slices have at least `n` elements of one byte.
        let difference = unsafe { raw::memcmp(a.as_ptr().cast(), b.as_ptr().cast(), n) };
        return difference.cmp(&0).then(a.len().cmp(&b.len()));
    }
    let i = common_prefix_len(a, b);
    match (a.get(i), b.get(i)) {
        (Some(x), Some(y)) => x.cmp(y),
        _ => a.len().cmp(&b.len()),
    }
}

/// The index, in elements, of the first difference.
///
/// `None` if and only if `a == b`. If one slice is a proper prefix of the other, the index is its
/// length: the end is a difference. Takes O(i) time.
///
/// The index is at most the shorter length, and the compiler knows: slicing either up to it keeps
/// no bounds check.
///
/// ```
/// assert_eq!(memdiff::mismatch(b"prefix", b"prefer"), Some(4));
/// assert_eq!(memdiff::mismatch(b"pre", b"prefer"), Some(3));
/// assert_eq!(memdiff::mismatch(b"pre", b"pre"), None);
/// ```
#[inline]
#[must_use]
pub fn mismatch<T: Element>(a: &[T], b: &[T]) -> Option<usize> {
    lengths::mismatch(common_prefix_len(a, b), a.len(), b.len())
}

/// The number of equal elements at the start of both slices.
///
/// Takes O(result) time. At most the shorter length, and the compiler knows: slicing either slice
/// with it keeps no bounds check.
///
/// ```
/// let (a, b) = (b"interspecies", b"interstellar");
/// let (common, rest) = a.split_at(memdiff::common_prefix_len(a, b));
/// assert_eq!((common, rest), (&b"inters"[..], &b"pecies"[..]));
/// ```
#[inline]
#[must_use]
pub fn common_prefix_len<T: Element>(a: &[T], b: &[T]) -> usize {
    let n = lengths::shorter(a.len(), b.len());
    // SAFETY: both slices have at least `n` elements.
    let bytes = unsafe { raw::mismatch(a.as_ptr().cast(), b.as_ptr().cast(), n * size_of::<T>()) };
    let common = bytes / size_of::<T>();
    // SAFETY: `bytes` is at most `n * size_of::<T>()`, and `n` the shorter length.
    unsafe { assert_unchecked(common <= a.len() && common <= b.len()) };
    common
}

/// The number of equal elements at the end of both slices.
///
/// Takes O(result) time. At most the shorter length, and the compiler knows.
///
/// ```
/// assert_eq!(memdiff::common_suffix_len(b"faster", b"master"), 5);
/// assert_eq!(memdiff::common_suffix_len(b"longer suffix", b"suffix"), 6);
/// ```
#[inline]
#[must_use]
pub fn common_suffix_len<T: Element>(a: &[T], b: &[T]) -> usize {
    let n = lengths::shorter(a.len(), b.len());
    // SAFETY: both slices have at least `n` elements, so that these are their last `n`.
    let bytes = unsafe {
        let (a, b) = (a.as_ptr().add(a.len() - n), b.as_ptr().add(b.len() - n));
        raw::rmismatch(a.cast(), b.cast(), n * size_of::<T>())
    };
    let common = bytes / size_of::<T>();
    // SAFETY: `bytes` is at most `n * size_of::<T>()`, and `n` the shorter length.
    unsafe { assert_unchecked(common <= a.len() && common <= b.len()) };
    common
}
