//! AVX-512: up to 64 bytes in one masked load of each range, without a branch on the length.
//!
//! A masked load touches no byte whose lane is masked out, so it stays in bounds. But if such a
//! byte lies on a page that is not mapped, or not yet, the CPU takes a slow path of about 100 ns
//! (measured on Zen 4), so a range whose vector would cross the end of a page is covered by words
//! and smaller vectors. So is an empty range: its pointer may dangle, and the CPU takes the slow
//! path even for a load of no lane.

use core::arch::x86_64::{
    __m128i, __m256i, __m512i, _bzhi_u64, _mm512_cmpneq_epi8_mask, _mm512_maskz_loadu_epi8,
    _mm512_or_si512, _mm512_test_epi8_mask, _mm512_xor_si512,
};
use core::marker::PhantomData;

use super::InPage;
use crate::arch::generic::{Four, Kernel, Long, Two, UpTo, Words, difference_at};
use crate::arch::kernels::kernels;
use crate::arch::portable;
use crate::arch::vector::{Mask, Vector};

impl Vector for __m512i {
    const BYTES: usize = 64;
    type Mask = u64;

    #[inline(always)]
    unsafe fn load(p: *const u8) -> Self {
        // SAFETY: the caller's.
        unsafe { portable::load(p) }
    }

    /// A lane that differs is not 0, one that is equal is. `or` of these becomes one `vpternlog`,
    /// where masks of `vpcmpneqb` would become a chain of `kor`: 42 ns for 4 KiB instead of 72.
    #[inline(always)]
    unsafe fn diff(self, other: Self) -> Self {
        // SAFETY: the trait's contract: the CPU has AVX-512.
        unsafe { _mm512_xor_si512(self, other) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: the trait's contract: the CPU has AVX-512.
        unsafe { _mm512_or_si512(self, other) }
    }

    #[inline(always)]
    unsafe fn mask(self) -> u64 {
        // SAFETY: the trait's contract: the CPU has AVX-512.
        unsafe { _mm512_test_epi8_mask(self, self) }
    }
}

/// Up to one vector: 1..=64 bytes.
struct Masked;

/// The classes of [`Masked`] for ranges near the end of a page, and empty ones.
type NearPageEnd = UpTo<16, Words, UpTo<32, Two<__m128i>, Two<__m256i>>>;

impl Masked {
    /// The lanes, all below `n`, in which the ranges differ.
    ///
    /// # Safety
    /// * The contract of `Kernel`.
    #[inline(always)]
    unsafe fn mask(a: *const u8, b: *const u8, n: usize) -> u64 {
        // SAFETY: the CPU has AVX-512 and BMI2; the lanes of the mask are bytes below `n`, and no
        // other is accessed. The lanes masked out are 0 on both sides.
        unsafe {
            let lanes = _bzhi_u64(!0, n as u32);
            let (x, y) = (
                _mm512_maskz_loadu_epi8(lanes, a.cast()),
                _mm512_maskz_loadu_epi8(lanes, b.cast()),
            );
            _mm512_cmpneq_epi8_mask(x, y)
        }
    }
}

impl Kernel for Masked {
    #[inline(always)]
    unsafe fn prefix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's.
        unsafe { Masked::mask(a, b, n) }.before().min(n)
    }

    #[inline(always)]
    unsafe fn suffix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's.
        n + unsafe { Masked::mask(a, b, n) }.behind() - 64
    }

    #[inline(always)]
    unsafe fn equal(a: *const u8, b: *const u8, n: usize) -> bool {
        // SAFETY: the caller's.
        unsafe { Masked::mask(a, b, n) }.is_empty()
    }

    /// Without a branch on the result: if no byte differs, the first ones give 0. Taking the bytes
    /// out of the registers by `vpcompressb`, instead of loading them again, made the latency a
    /// third longer.
    #[inline(always)]
    unsafe fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
        // SAFETY: the caller's; the range is not empty, and a marked lane is below `n`.
        unsafe { difference_at(a, b, Masked::mask(a, b, n).before() % 64) }
    }
}

/// `K`, but `memcmp` looks at the first vectors alone before the rest: real data mostly differ there.
/// For 64 bytes and more. Earlier exits of the other functions, and of AVX2 and SSE2, lost more on
/// random data than they won on real.
struct Early<K>(PhantomData<K>);

impl<K: Kernel> Kernel for Early<K> {
    #[inline(always)]
    unsafe fn prefix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's.
        unsafe { K::prefix(a, b, n) }
    }

    #[inline(always)]
    unsafe fn suffix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's.
        unsafe { K::suffix(a, b, n) }
    }

    #[inline(always)]
    unsafe fn equal(a: *const u8, b: *const u8, n: usize) -> bool {
        // SAFETY: the caller's.
        unsafe { K::equal(a, b, n) }
    }

    #[inline(always)]
    unsafe fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
        // SAFETY: the caller's; the first vectors end at `n` or before, and a lane of a mask that
        // is not empty is one of theirs.
        unsafe {
            let mask = __m512i::load(a).diff(__m512i::load(b)).mask();
            if mask.is_empty() {
                K::memcmp(a, b, n)
            } else {
                difference_at(a, b, mask.before())
            }
        }
    }
}

/// The ladder of this backend.
type Avx512 = UpTo<
    64,
    InPage<64, 1, Masked, NearPageEnd>,
    Early<UpTo<128, Two<__m512i>, UpTo<256, Four<__m512i>, Long<__m512i>>>>,
>;

/// What is worth inlining of it: 15 to 25 % less time up to 64 bytes, for 100 bytes of code a call.
type Short = UpTo<64, InPage<64, 1, Masked, Outlined>, Outlined>;

// VBMI2 is not used: it came with the cores that no longer lower their clock for 512-bit vectors.
kernels!(
    Avx512,
    inlined Short,
    [
        "avx2",
        "avx512f",
        "avx512bw",
        "avx512vl",
        "avx512vbmi2",
        "bmi1",
        "bmi2"
    ]
);

#[cfg(test)]
crate::arch::vector::laws! { super::__m512i, super::is_available() }

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec;

    use super::{Kernel, Outlined, Short, is_available};

    /// What is inlined gives what the backend gives, wherever the ends of pages are.
    #[test]
    fn inlined_as_outlined() {
        if !is_available() {
            return;
        }
        let (a, mut b) = (vec![5; 3 * 4096], vec![5; 3 * 4096]);
        let page = 4096 - b.as_ptr().addr() % 4096;
        for n in 0..=130 {
            for at in [page, page + 32, page + 4096 - n, page + 4096 - n / 2] {
                for i in 0..=n {
                    b[at + i] = 7; // behind the range if `i` is `n`
                    let (p, q) = (a[at..].as_ptr(), b[at..].as_ptr());
                    // SAFETY: at least `n` bytes follow in both; the CPU has AVX-512.
                    let found = unsafe {
                        [
                            (Short::prefix(p, q, n), Outlined::prefix(p, q, n)),
                            (Short::suffix(p, q, n), Outlined::suffix(p, q, n)),
                        ]
                    };
                    let expected = if i < n { [i, n - 1 - i] } else { [n, n] };
                    assert_eq!(found, expected.map(|x| (x, x)), "{n} {at} {i}");
                    // SAFETY: as above.
                    let (equal, difference) = unsafe {
                        (
                            (Short::equal(p, q, n), Outlined::equal(p, q, n)),
                            (Short::memcmp(p, q, n), Outlined::memcmp(p, q, n)),
                        )
                    };
                    assert_eq!(equal, (i == n, i == n), "{n} {at} {i}");
                    let expected = if i < n { -2 } else { 0 };
                    assert_eq!(difference, (expected, expected), "{n} {at} {i}");
                    b[at + i] = 5;
                }
            }
        }
    }
}
