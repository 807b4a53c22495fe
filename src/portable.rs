//! The scalar kernels as safe `const fn`s on byte slices.
//!
//! They give the results of the crate's own functions, on every target and in constants. At run
//! time the functions at the crate root are faster.
//!
//! ```
//! const COMMON: usize = memdiff::portable::common_prefix_len(b"mismatch", b"mistaken");
//! const ORDER: i32 = memdiff::portable::memcmp(b"abc", b"abd");
//! assert_eq!((COMMON, ORDER), (3, -1));
//! ```

use core::cmp::Ordering;

use crate::arch::portable;
use crate::lengths;

/// As [`memdiff::memcmp`](crate::memcmp): `a[i] - b[i]` at the first byte `i` that differs, 0 if
/// there is none.
///
/// # Panics
/// If the lengths differ.
///
/// ```
/// use memdiff::portable::memcmp;
///
/// assert_eq!(memcmp(&[1, 200, 3], &[1, 2, 30]), 198);
/// ```
#[inline]
#[must_use]
#[track_caller]
pub const fn memcmp(a: &[u8], b: &[u8]) -> i32 {
    if a.len() != b.len() {
        lengths::differ(a.len(), b.len());
    }
    // SAFETY: both slices are `a.len()` bytes long.
    unsafe { portable::memcmp(a.as_ptr(), b.as_ptr(), a.len()) }
}

/// As [`memdiff::equal`](crate::equal): whether `a == b`.
///
/// ```
/// assert!(!memdiff::portable::equal(b"same", b"size"));
/// ```
#[inline]
#[must_use]
pub const fn equal(a: &[u8], b: &[u8]) -> bool {
    // SAFETY: both slices are `a.len()` bytes long where the kernel is called.
    a.len() == b.len() && unsafe { portable::equal(a.as_ptr(), b.as_ptr(), a.len()) }
}

/// As [`memdiff::compare`](crate::compare): the order of two slices, `a.cmp(b)`.
///
/// ```
/// use core::cmp::Ordering;
///
/// const ORDER: Ordering = memdiff::portable::compare(b"ab", b"abc");
/// assert_eq!(ORDER, Ordering::Less);
/// ```
#[inline]
#[must_use]
pub const fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let n = lengths::shorter(a.len(), b.len());
    // SAFETY: both slices have at least `n` bytes.
    let difference = unsafe { portable::memcmp(a.as_ptr(), b.as_ptr(), n) };
    lengths::order(difference, a.len(), b.len())
}

/// As [`memdiff::mismatch`](crate::mismatch): the index of the first difference, `None` if and only
/// if `a == b`.
///
/// ```
/// use memdiff::portable::mismatch;
///
/// assert_eq!(mismatch(b"prefix", b"prefer"), Some(4));
/// assert_eq!(mismatch(b"pre", b"prefer"), Some(3));
/// assert_eq!(mismatch(b"pre", b"pre"), None);
/// ```
#[inline]
#[must_use]
pub const fn mismatch(a: &[u8], b: &[u8]) -> Option<usize> {
    lengths::mismatch(common_prefix_len(a, b), a.len(), b.len())
}

/// As [`memdiff::common_prefix_len`](crate::common_prefix_len): the number of equal bytes at the
/// start.
///
/// ```
/// assert_eq!(memdiff::portable::common_prefix_len(b"prefix", b"prefer"), 4);
/// ```
#[inline]
#[must_use]
pub const fn common_prefix_len(a: &[u8], b: &[u8]) -> usize {
    let n = lengths::shorter(a.len(), b.len());
    // SAFETY: both slices have at least `n` bytes.
    unsafe { portable::prefix(a.as_ptr(), b.as_ptr(), n) }
}

/// As [`memdiff::common_suffix_len`](crate::common_suffix_len): the number of equal bytes at the
/// end.
///
/// ```
/// assert_eq!(memdiff::portable::common_suffix_len(b"faster", b"master"), 5);
/// ```
#[inline]
#[must_use]
pub const fn common_suffix_len(a: &[u8], b: &[u8]) -> usize {
    let n = lengths::shorter(a.len(), b.len());
    // SAFETY: both slices have at least `n` bytes, so that these are their last `n`.
    unsafe {
        let (a, b) = (a.as_ptr().add(a.len() - n), b.as_ptr().add(b.len() - n));
        portable::suffix(a, b, n)
    }
}
