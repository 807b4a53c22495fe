//! NEON: `eor` marks the lanes that differ, `orr` unites them, one `umaxp` tests them; `shrn` by 4
//! narrows a mask of bytes to one of nibbles, where rbit + clz find the lane. (`shrn`: Danila
//! Kutenin, "Porting x86 vector bitmask optimizations to Arm NEON".) Every aarch64 target with
//! hardware floating point has it.

use core::arch::aarch64::{
    uint8x16_t, veorq_u8, vget_lane_u64, vgetq_lane_u64, vorrq_u8, vpmaxq_u32, vreinterpret_u64_u8,
    vreinterpretq_u16_u8, vreinterpretq_u32_u8, vreinterpretq_u64_u32, vshrn_n_u16, vtstq_u8,
};

use crate::arch::generic::{Four, Kernel, Long, Two, UpTo, Words};
use crate::arch::kernels::kernels;
use crate::arch::portable;
use crate::arch::vector::{Mask, Vector};

impl Vector for uint8x16_t {
    const BYTES: usize = 16;
    type Mask = Nibbles;

    #[inline(always)]
    unsafe fn load(p: *const u8) -> Self {
        // SAFETY: the caller's.
        unsafe { portable::load(p) }
    }

    /// A lane that differs is not 0, one that is equal is.
    #[inline(always)]
    unsafe fn diff(self, other: Self) -> Self {
        // SAFETY: the trait's contract: the CPU has NEON.
        unsafe { veorq_u8(self, other) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: the trait's contract: the CPU has NEON.
        unsafe { vorrq_u8(self, other) }
    }

    #[inline(always)]
    unsafe fn any(self) -> bool {
        // SAFETY: the trait's contract: the CPU has NEON. The pairwise maximum of two 4-byte lanes
        // is 0 only if both are.
        unsafe {
            let words = vreinterpretq_u32_u8(self);
            vgetq_lane_u64::<0>(vreinterpretq_u64_u32(vpmaxq_u32(words, words))) != 0
        }
    }

    #[inline(always)]
    unsafe fn mask(self) -> Nibbles {
        // SAFETY: the trait's contract: the CPU has NEON.
        unsafe {
            let bytes = vreinterpretq_u16_u8(vtstq_u8(self, self));
            Nibbles(vget_lane_u64::<0>(vreinterpret_u64_u8(vshrn_n_u16::<4>(
                bytes,
            ))))
        }
    }
}

/// Four bits a lane.
#[derive(Clone, Copy)]
pub(crate) struct Nibbles(u64);

impl Mask for Nibbles {
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    fn before(self) -> usize {
        self.0.trailing_zeros() as usize / 4
    }

    #[inline(always)]
    fn behind(self) -> usize {
        self.0.leading_zeros() as usize / 4
    }
}

/// Two pairs of words: 16..=32 bytes. A scalar `ldp` leads to the byte sooner than a vector; that
/// there is none, a vector says sooner.
struct WordPairs;

impl Kernel for WordPairs {
    #[inline(always)]
    unsafe fn prefix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's; head and tail overlap or meet.
        unsafe {
            let tail = n - 16;
            match Words::prefix(a, b, 16) {
                16 => tail + Words::prefix(a.add(tail), b.add(tail), 16),
                head => head,
            }
        }
    }

    #[inline(always)]
    unsafe fn suffix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: as above.
        unsafe {
            let tail = n - 16;
            match Words::suffix(a.add(tail), b.add(tail), 16) {
                16 => tail + Words::suffix(a, b, 16),
                behind => behind,
            }
        }
    }

    #[inline(always)]
    unsafe fn equal(a: *const u8, b: *const u8, n: usize) -> bool {
        // SAFETY: as above.
        unsafe { Two::<uint8x16_t>::equal(a, b, n) }
    }

    #[inline(always)]
    unsafe fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
        // SAFETY: as above.
        unsafe {
            match Words::memcmp(a, b, 16) {
                0 => Words::memcmp(a.add(n - 16), b.add(n - 16), 16),
                difference => difference,
            }
        }
    }
}

/// The ladder of this backend.
type Neon = UpTo<16, Words, UpTo<32, WordPairs, UpTo<64, Four<uint8x16_t>, Long<uint8x16_t>>>>;

kernels!(Neon, inlined Outlined, ["neon"]);

#[cfg(test)]
crate::arch::vector::laws! { super::uint8x16_t, super::is_available() }
