//! AVX2: up to 32 bytes in one masked load of each range, but for the last bytes.
//!
//! `vpmaskmovd` touches no byte whose lane is masked out, so it stays in bounds. But if such a byte
//! lies on a page that is not mapped, or not yet, the CPU takes a slow path of over 100 ns, so a
//! range whose vector would cross the end of a page goes the way of SSE2.

use core::arch::x86_64::{
    __m128i, __m256i, _mm256_cmpeq_epi8, _mm256_maskload_epi32, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_setzero_si256, _mm256_testz_si256, _mm256_xor_si256,
};
use core::marker::PhantomData;

use crate::arch::generic::{Four, Kernel, Long, Two, UpTo, Within, Words, difference_at, either};
use crate::arch::kernels::{kernels, outlined};
use crate::arch::portable;
use crate::arch::vector::{Mask, Vector};
use crate::hint::rarely;

impl Vector for __m256i {
    const BYTES: usize = 32;
    type Mask = u32;

    #[inline(always)]
    unsafe fn load(p: *const u8) -> Self {
        // SAFETY: the caller's.
        unsafe { portable::load(p) }
    }

    /// A lane that differs is not 0, one that is equal is. Of `vpcmpeqb` and `vpand`, as in SSE2, LLVM
    /// makes mask registers and a chain of `kor` where it may use AVX-512, which took a quarter longer.
    #[inline(always)]
    unsafe fn diff(self, other: Self) -> Self {
        // SAFETY: the trait's contract: the CPU has AVX2.
        unsafe { _mm256_xor_si256(self, other) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: the trait's contract: the CPU has AVX2.
        unsafe { _mm256_or_si256(self, other) }
    }

    #[inline(always)]
    unsafe fn any(self) -> bool {
        // SAFETY: the trait's contract: the CPU has AVX2.
        unsafe { _mm256_testz_si256(self, self) == 0 }
    }

    #[inline(always)]
    unsafe fn mask(self) -> u32 {
        // SAFETY: the trait's contract: the CPU has AVX2.
        unsafe { !_mm256_movemask_epi8(_mm256_cmpeq_epi8(self, _mm256_setzero_si256())) as u32 }
    }
}

/// A lane of 4 bytes up to one vector: 4..=32 bytes.
struct Masked;

impl Masked {
    /// The differences of as many whole lanes of 4 bytes as there are, a bit a byte, and above them
    /// those of the last 4 bytes, a bit a bit.
    ///
    /// # Safety
    /// * The contract of `Kernel`; `4 <= n <= 32`.
    #[inline(always)]
    unsafe fn diff(a: *const u8, b: *const u8, n: usize) -> u64 {
        /// `n / 4` lanes are loaded if the mask is read from index `8 - n / 4` on.
        static LANES: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];
        // SAFETY: the CPU has AVX2. With `n / 4` in 1..=8 the mask is read inside `LANES`; its
        // lanes are bytes below `n`, and no other is accessed. The last 4 bytes start at 0 or after
        // it.
        let (head, tail) = unsafe {
            let mask = portable::load(LANES.as_ptr().add(8 - n / 4).cast());
            let x = _mm256_maskload_epi32(a.cast(), mask);
            let y = _mm256_maskload_epi32(b.cast(), mask);
            let (p, q) = (a.add(n - 4), b.add(n - 4));
            (
                !_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, y)) as u32,
                portable::load::<u32>(p) ^ portable::load::<u32>(q),
            )
        };
        u64::from(head) | u64::from(tail) << 32
    }

    /// The index of the byte that a bit of `diff` stands for, `n` for bit 64.
    #[inline(always)]
    fn index(bit: usize, n: usize) -> usize {
        if bit < 32 { bit } else { n + bit / 8 - 8 }
    }
}

impl Kernel for Masked {
    #[inline(always)]
    unsafe fn prefix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's.
        Masked::index(unsafe { Masked::diff(a, b, n) }.before(), n)
    }

    #[inline(always)]
    unsafe fn suffix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's.
        let behind = unsafe { Masked::diff(a, b, n) }.behind();
        if behind < 32 {
            behind / 8
        } else {
            n + behind - 64
        }
    }

    #[inline(always)]
    unsafe fn equal(a: *const u8, b: *const u8, n: usize) -> bool {
        // SAFETY: the caller's.
        unsafe { Masked::diff(a, b, n) }.is_empty()
    }

    /// Without a branch on the result: if no byte differs, the first ones give 0.
    #[inline(always)]
    unsafe fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
        // SAFETY: the caller's; a bit that is set, and bit 0 if none is, stands for a byte
        // below `n`.
        unsafe {
            let bit = Masked::diff(a, b, n).before() % 64;
            difference_at(a, b, Masked::index(bit, n))
        }
    }
}

/// `M` if neither vector would cross the end of a page, `S` if one would.
struct InPage<M, S>(PhantomData<(M, S)>);

impl<M: Kernel, S: Kernel> Kernel for InPage<M, S> {
    // Without the hints LLVM unites the two into one branch, which takes more instructions.
    either! { |a, b, _n| !rarely(crosses_page(a)) && !rarely(crosses_page(b)), M, S }
}

/// Whether a vector at `p` would cross the end of a page. No page is smaller than 4096 bytes. Shifted
/// to the top of a word, the offset in the page takes one instruction less than masked.
#[inline(always)]
fn crosses_page(p: *const u8) -> bool {
    let offset_in_page = |p: usize| (p as u32) << 20;
    offset_in_page(p.addr()) > offset_in_page(4096 - __m256i::BYTES)
}

/// Above four vectors: 129 bytes and more. Functions of their own, for AVX-512 to call them too.
pub(super) mod long {
    use super::{__m256i, Long, outlined};

    outlined!(Long<__m256i>, ["avx2", "bmi1"]);
}

/// The ladder of this backend.
type Avx2 = Within<
    4,
    32,
    InPage<Masked, UpTo<16, Words, Two<__m128i>>>,
    UpTo<3, Words, UpTo<64, Two<__m256i>, UpTo<128, Four<__m256i>, long::Outlined>>>,
>;

// BMI1 for tzcnt, which counts the zeros of an empty mask too.
kernels!(Avx2, inlined Outlined, ["avx2", "bmi1"]);

#[cfg(test)]
crate::arch::vector::laws! { super::__m256i, super::is_available() }

#[cfg(test)]
mod tests {
    use core::ptr::without_provenance;

    use super::crosses_page;

    #[test]
    fn at_every_offset_in_a_page() {
        for offset in 0..4096 {
            for page in [0, 4096, 0xf000] {
                let p = without_provenance(page + offset);
                assert_eq!(crosses_page(p), offset > 4096 - 32, "{p:?}");
            }
        }
    }
}
