//! SSE2: `pcmpeqb` clears the lanes that differ, `pmovmskb` gathers a bit of each. Every x86_64 CPU
//! has it.

use core::arch::x86_64::{__m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_movemask_epi8};

use crate::arch::generic::{Four, Long, Two, UpTo, Words};
use crate::arch::kernels::kernels;
use crate::arch::portable;
use crate::arch::vector::Vector;

impl Vector for __m128i {
    const BYTES: usize = 16;
    type Mask = u16;

    #[inline(always)]
    unsafe fn load(p: *const u8) -> Self {
        // SAFETY: the caller's.
        unsafe { portable::load(p) }
    }

    /// A lane that differs is 0, one that is equal 0xff.
    #[inline(always)]
    unsafe fn diff(self, other: Self) -> Self {
        // SAFETY: the trait's contract: the CPU has SSE2.
        unsafe { _mm_cmpeq_epi8(self, other) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: the trait's contract: the CPU has SSE2.
        unsafe { _mm_and_si128(self, other) }
    }

    #[inline(always)]
    unsafe fn mask(self) -> u16 {
        // SAFETY: the trait's contract: the CPU has SSE2.
        !unsafe { _mm_movemask_epi8(self) } as u16
    }
}

/// The ladder of this backend.
type Sse2 = UpTo<16, Words, UpTo<32, Two<__m128i>, UpTo<64, Four<__m128i>, Long<__m128i>>>>;

kernels!(Sse2, inlined Outlined, ["sse2"]);

#[cfg(test)]
crate::arch::vector::laws! { super::__m128i, super::is_available() }
