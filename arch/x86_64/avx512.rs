//! AVX-512: up to 64 bytes in one masked load of each range, without a branch on the length.
//!
//! A masked load touches no byte whose lane is masked out, so it stays in bounds. But if such a
//! byte lies on a page that is not mapped, or not yet, the CPU takes a slow path: 150 ns on Zen 4,
//! where glibc's `memcmp`, which loads up to 31 bytes so, takes 140. As in glibc nothing is done about
//! it. A branch to other kernels at the end of a page took a seventh of the time of short ranges,
//! and a quarter where addresses are random. Only empty ranges are kept away: their pointers mostly
//! dangle.

use core::arch::asm;
use core::arch::x86_64::{
    __m512i, _MM_CMPINT_EQ, _MM_CMPINT_NE, _mm512_or_si512, _mm512_test_epi8_mask, _mm512_xor_si512,
};
use core::marker::PhantomData;

use super::avx2;
use crate::arch::generic::{Four, Kernel, Long, Two, UpTo, Within, Words, difference_at, either};
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
    /// where masks of `vpcmpneqb` would become a chain of `kor`, which took 1.7 times as long in a loop.
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

/// Up to one vector: 1..=64 bytes. In assembly, since that can be inlined into code that is compiled
/// without AVX-512, where intrinsics cannot.
struct Masked;

/// Predicates of `vpcmpub`.
const EQUAL: i32 = _MM_CMPINT_EQ;
const DIFFERENT: i32 = _MM_CMPINT_NE;

impl Masked {
    /// The lanes below `n` for which the predicate of `vpcmpub` holds.
    ///
    /// # Safety
    /// * The contract of `Kernel`; `1 <= n <= 64`.
    #[inline(always)]
    unsafe fn lanes<const PREDICATE: i32>(a: *const u8, b: *const u8, n: usize) -> u64 {
        let lanes;
        // SAFETY: the caller's: the bytes below `n` are readable, and the CPU has AVX-512 (F and BW)
        // and BMI2. `k1` has a bit for each of these bytes, and neither the load nor the comparison
        // accesses one whose bit is clear. Every register that is written is an operand, but for the
        // flags, which count as written; `zmm16` leaves nothing that needs `vzeroupper`.
        unsafe {
            asm!(
                "bzhi {lanes}, {lanes}, {n}",
                "kmovq k1, {lanes}",
                "vmovdqu8 zmm16{{k1}}{{z}}, [{a}]",
                "vpcmpub k1{{k1}}, zmm16, [{b}], {predicate}",
                "kmovq {lanes}, k1",
                lanes = inout(reg) u64::MAX => lanes,
                a = in(reg) a,
                b = in(reg) b,
                n = in(reg) n,
                predicate = const PREDICATE,
                out("k1") _,
                out("zmm16") _,
                options(pure, readonly, nostack),
            );
        }
        lanes
    }
}

impl Kernel for Masked {
    #[inline(always)]
    unsafe fn prefix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's. No lane from `n` on is equal.
        let equal = unsafe { Masked::lanes::<EQUAL>(a, b, n) };
        (!equal).before()
    }

    #[inline(always)]
    unsafe fn suffix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's. No lane from `n` on differs, so at least `64 - n` are behind.
        n + unsafe { Masked::lanes::<DIFFERENT>(a, b, n) }.behind() - 64
    }

    #[inline(always)]
    unsafe fn equal(a: *const u8, b: *const u8, n: usize) -> bool {
        // SAFETY: the caller's.
        unsafe { Masked::lanes::<DIFFERENT>(a, b, n) }.is_empty()
    }

    /// Without a branch on the result: if no byte differs, the first ones give 0. Taking the bytes
    /// out of the registers by `vpcompressb`, instead of loading them again, made the latency a
    /// third longer.
    #[inline(always)]
    unsafe fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
        // SAFETY: the caller's; the range is not empty, and a lane that differs is below `n`.
        unsafe { difference_at(a, b, Masked::lanes::<DIFFERENT>(a, b, n).before() % 64) }
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

/// What callers hold of this backend. [`Masked`] is inlined: 1 to 64 bytes take a quarter less time
/// than in a function that is called.
type Avx512 = Within<1, 64, Masked, Outlined>;

/// What they call: nothing at all, and above one vector.
type Rest = UpTo<0, Words, Early<UpTo<128, Two<__m512i>, UpTo<256, Four<__m512i>, AboveFour>>>>;

/// Above four vectors: 257 bytes and more.
///
/// Zen 4 loads 32 bytes at a time: in a loop, wider vectors save instructions but no time, and a
/// vector that crosses a cache line takes two cycles instead of one. So narrow ones take a twentieth
/// less where not both sides can be aligned, from about 1 KiB on, where that is worth the call, and a
/// sixth less at 16 MiB.
struct AboveFour;

type Wide = Long<__m512i>;

/// Whoever has the features of this backend has those of AVX2.
type Narrow = avx2::long::Outlined;

impl Kernel for AboveFour {
    either! {
        |a, b, n| n <= 1024
            || (n <= 2048 && (a.addr() ^ b.addr()).is_multiple_of(64)),
        Wide,
        Narrow
    }
}

// VBMI2 is not used: it came with the cores that no longer lower their clock for 512-bit vectors.
kernels!(
    Rest,
    inlined Avx512,
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

#[cfg(all(test, unix))]
mod tests {
    use core::ptr;

    use super::{Kernel, Masked, is_available};

    /// Beside a page that cannot be accessed, and with bytes around the ranges that differ: no lane
    /// outside is read or counted.
    #[test]
    fn masked_lanes_only() {
        if !is_available() {
            return;
        }
        const PAGE: usize = 4096;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANON;
        // SAFETY: the mappings are new; their middle pages are made accessible.
        let [a, b] = [1, 2].map(|fill| unsafe {
            let map = libc::mmap(ptr::null_mut(), 3 * PAGE, libc::PROT_NONE, kind, -1, 0);
            assert_ne!(map, libc::MAP_FAILED, "mmap");
            let page = map.byte_add(PAGE);
            assert_eq!(libc::mprotect(page, PAGE, access), 0, "mprotect");
            let page: *mut u8 = page.cast();
            page.write_bytes(fill, PAGE);
            page
        });
        let delta = |i| if i % 2 == 0 { 2 } else { -2 };
        for n in 1..=64 {
            for start in [0, 100, PAGE - n] {
                // SAFETY: `start + n` is at most a page.
                let (p, q) = unsafe { (a.add(start), b.add(start)) };
                for i in 0..=n {
                    // SAFETY: as above; byte `i` is in the range if it is below `n`. The CPU has
                    // AVX-512.
                    let found = unsafe {
                        p.write_bytes(7, n);
                        q.write_bytes(7, n);
                        if i < n {
                            q.add(i).write(7_u8.wrapping_add_signed(delta(i)));
                        }
                        (
                            Masked::prefix(p, q, n),
                            Masked::suffix(p, q, n),
                            Masked::equal(p, q, n),
                            Masked::memcmp(p, q, n),
                        )
                    };
                    let expected = if i < n {
                        (i, n - 1 - i, false, -i32::from(delta(i)))
                    } else {
                        (n, n, true, 0)
                    };
                    assert_eq!(found, expected, "{n} {start} {i}");
                }
                // SAFETY: as above.
                unsafe {
                    p.write_bytes(1, n);
                    q.write_bytes(2, n);
                }
            }
        }
    }
}
