//! The idea itself: the first differing byte of two words that are already in registers.
//!
//! A word holds bytes in memory order, as [`from_ne_bytes`](u64::from_ne_bytes) makes it. On a
//! little-endian target the first differing byte of two words is the lowest one in which they
//! differ:
//!
//! ```text
//! shift  = ctz(a ^ b) & !7
//! result = ((a >> shift) & 0xff) - ((b >> shift) & 0xff)
//! ```
//!
//! On a big-endian target it is the highest one, and `clz` takes the place of `ctz`. No address is
//! taken and nothing is stored, so nothing can escape to a heap. glibc's `memcmp` walked the two
//! words through pointers instead; the formula gives the same integer.
//!
//! Every function is a `const fn`, takes O(1) time and space, and never panics.
//!
//! ```
//! use memdiff::word;
//!
//! let (a, b) = (u64::from_ne_bytes(*b"mismatch"), u64::from_ne_bytes(*b"mistaken"));
//! assert_eq!(word::mismatch_u64(a, b), Some(3));
//! assert_eq!(word::memcmp_u64(a, b), i32::from(b'm') - i32::from(b't'));
//! ```

use core::num::NonZero;

/// The index in memory order of the first byte that is not zero.
macro_rules! first_byte {
    ($difference:expr) => {
        if cfg!(target_endian = "little") {
            $difference.trailing_zeros() as usize / 8
        } else {
            $difference.leading_zeros() as usize / 8
        }
    };
}

macro_rules! word {
    ($($word:ident: $memcmp:ident, $mismatch:ident;)+) => {$(
        #[doc = concat!("Compares two `", stringify!($word), "` as bytes in memory order.")]
        ///
        /// Returns `a[i] - b[i]` at the first byte `i` that differs, in -255..=255, and 0 if the
        /// words are equal, without a branch.
        ///
        /// ```
        #[doc = concat!("use memdiff::word::", stringify!($memcmp), ";")]
        ///
        /// let word = |first, second| {
        #[doc = concat!("    let mut bytes = [7; size_of::<", stringify!($word), ">()];")]
        ///     (bytes[0], bytes[1]) = (first, second);
        #[doc = concat!("    ", stringify!($word), "::from_ne_bytes(bytes)")]
        /// };
        #[doc = concat!("assert_eq!(", stringify!($memcmp), "(word(1, 0), word(1, 255)), -255);")]
        #[doc = concat!("assert_eq!(", stringify!($memcmp), "(word(2, 0), word(1, 255)), 1);")]
        #[doc = concat!("assert_eq!(", stringify!($memcmp), "(word(1, 1), word(1, 1)), 0);")]
        /// ```
        #[inline]
        #[must_use]
        pub const fn $memcmp(a: $word, b: $word) -> i32 {
            // The mask is `!7` and also turns the count of equal words, `BITS`, into 0: no branch
            // for them.
            const LAST: u32 = $word::BITS - 8;
            let shift = if cfg!(target_endian = "little") {
                (a ^ b).trailing_zeros() & LAST
            } else {
                LAST - ((a ^ b).leading_zeros() & LAST)
            };
            ((a >> shift) & 0xff) as i32 - ((b >> shift) & 0xff) as i32
        }

        #[doc = concat!("The first byte in which two `", stringify!($word), "` differ.")]
        ///
        /// Returns its index in memory order, `None` if the words are equal.
        ///
        /// ```
        #[doc = concat!("use memdiff::word::", stringify!($mismatch), ";")]
        ///
        #[doc = concat!("assert_eq!(", stringify!($mismatch), "(7, 7), None);")]
        #[doc = concat!("assert_eq!(", stringify!($mismatch), "(0, !0), Some(0));")]
        /// ```
        #[inline]
        #[must_use]
        pub const fn $mismatch(a: $word, b: $word) -> Option<usize> {
            match NonZero::new(a ^ b) {
                Some(difference) => Some(first_byte!(difference)),
                None => None,
            }
        }
    )+};
}

word! {
    u16: memcmp_u16, mismatch_u16;
    u32: memcmp_u32, mismatch_u32;
    u64: memcmp_u64, mismatch_u64;
    u128: memcmp_u128, mismatch_u128;
    usize: memcmp_usize, mismatch_usize;
}

/// The index, in memory order, of the last byte in which two words differ: the mirror of
/// [`mismatch_u64`].
#[inline]
pub(crate) const fn rmismatch_u64(a: u64, b: u64) -> Option<usize> {
    match mismatch_u64(a.swap_bytes(), b.swap_bytes()) {
        Some(i) => Some(7 - i),
        None => None,
    }
}
