//! AVX2: SSE2's operations on 32 bytes, and its registers for the shorter ranges.

use core::arch::x86_64::{
    __m128i, __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_movemask_epi8,
};
use core::num::NonZeroU32;

use crate::arch::generic::{Long, Short, UpTo, Words};
use crate::arch::kernels::kernels;
use crate::arch::portable;
use crate::arch::vector::Vector;

impl Vector for __m256i {
    const BYTES: usize = 32;
    type Mask = NonZeroU32;

    #[inline(always)]
    unsafe fn load(p: *const u8) -> Self {
        // SAFETY: the caller's.
        unsafe { portable::load(p) }
    }

    /// A lane that differs is 0, one that is equal 0xff.
    #[inline(always)]
    unsafe fn diff(self, other: Self) -> Self {
        // SAFETY: the trait's contract: the CPU has AVX2.
        unsafe { _mm256_cmpeq_epi8(self, other) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: the trait's contract: the CPU has AVX2.
        unsafe { _mm256_and_si256(self, other) }
    }

    #[inline(always)]
    unsafe fn any(self) -> bool {
        // SAFETY: the trait's contract.
        unsafe { self.mask().is_some() }
    }

    #[inline(always)]
    unsafe fn mask(self) -> Option<Self::Mask> {
        // SAFETY: the trait's contract: the CPU has AVX2.
        NonZeroU32::new(!unsafe { _mm256_movemask_epi8(self) } as u32)
    }
}

/// The ladder of this backend.
type Avx2 = UpTo<16, Words, UpTo<32, Short<__m128i>, UpTo<128, Short<__m256i>, Long<__m256i>>>>;

kernels!(Avx2, ["avx2"]);

#[cfg(test)]
crate::arch::vector::laws! { super::__m256i, super::is_available() }
