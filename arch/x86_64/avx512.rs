//! AVX-512: up to 64 bytes in one masked load of each range.
//!
//! A masked load touches no byte whose lane is masked out, so it stays in bounds. But if such a
//! byte lies on a page that is not mapped, or not yet, the CPU takes a slow path: 150 ns on Zen 4,
//! where glibc's `memcmp`, which loads up to 31 bytes so, takes 140. As in glibc nothing is done about
//! it. A branch to other kernels at the end of a page took a seventh of the time of short ranges,
//! and a quarter where addresses are random. Only empty ranges are kept away: their pointers mostly
//! dangle.

use core::arch::asm;
use core::arch::x86_64::{
    __m256i, __m512i, _MM_CMPINT_NE, _mm512_or_si512, _mm512_test_epi8_mask, _mm512_xor_si512,
};
use core::marker::PhantomData;

use super::avx2;
use crate::arch::generic::{
    Four, Kernel, Long, Two, UpTo, Within, Words, difference_at, either, same,
};
use crate::arch::kernels::kernels;
use crate::arch::portable;
use crate::arch::vector::{Mask, Vector};
use crate::hint::rarely;

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

/// A function of [`Masked`] for registers of one width, and what moves a mask of that width: `kmovd` has
/// its result a cycle before `kmovq`.
macro_rules! lanes {
    ($name:ident, 1..=$most:literal, $vector:literal, $kmov:literal) => {
        /// The lanes below `n` that differ.
        ///
        /// # Safety
        #[doc = concat!("* The contract of `Kernel`; `1 <= n <= ", $most, "`.")]
        #[inline(always)]
        unsafe fn $name(a: *const u8, b: *const u8, n: usize) -> u64 {
            let lanes;
            // SAFETY: the caller's: the bytes below `n` are readable, and the CPU has AVX-512 (F, BW
            // and VL) and BMI2. `k1` has a bit for each of these bytes, and neither the load nor the
            // comparison accesses one whose bit is clear; the comparison clears the bits from the
            // register's width on. Every register that is written is an operand, but for the flags,
            // which count as written; register 16 leaves nothing that needs `vzeroupper`.
            unsafe {
                asm!(
                    "bzhi {lanes}, {lanes}, {n}",
                    "kmovq k1, {lanes}",
                    concat!("vmovdqu8 ", $vector, "16{{k1}}{{z}}, [{a}]"),
                    concat!("vpcmpub k1{{k1}}, ", $vector, "16, [{b}], {different}"),
                    $kmov,
                    lanes = inout(reg) u64::MAX => lanes,
                    a = in(reg) a,
                    b = in(reg) b,
                    n = in(reg) n,
                    different = const _MM_CMPINT_NE,
                    out("k1") _,
                    out("zmm16") _,
                    options(pure, readonly, nostack),
                );
            }
            lanes
        }
    };
}

impl Masked {
    lanes!(lanes, 1..=64, "zmm", "kmovq {lanes}, k1");
    lanes!(lanes_of_half, 1..=32, "ymm", "kmovd {lanes:e}, k1");
}

/// A function that finds a bit of a mask by `bsf` or `bsr`, which leave the destination alone if there
/// is none: AMD and Intel document it, and [LLVM relies on it]. After `tzcnt`, which gives 64 then,
/// it would take a cycle more to make that another number.
///
/// [LLVM relies on it]: https://github.com/llvm/llvm-project/pull/123623
macro_rules! scan {
    ($(#[$doc:meta])* $name:ident, $instruction:literal) => {
        $(#[$doc])*
        #[inline(always)]
        fn $name(mask: u64, none: usize) -> usize {
            let index;
            // SAFETY: it writes one register, an operand, and the flags, which count as written. If
            // `mask` is 0 the register keeps `none`.
            unsafe {
                asm!(
                    concat!($instruction, " {index}, {mask}"),
                    index = inout(reg) none => index,
                    mask = in(reg) mask,
                    options(pure, nomem, nostack),
                );
            }
            index
        }
    };
}

scan! {
    /// The index of the lowest bit, or `none`.
    lowest, "bsf"
}
scan! {
    /// The index of the highest bit, or `none`.
    highest, "bsr"
}

impl Kernel for Masked {
    #[inline(always)]
    unsafe fn prefix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's.
        lowest(unsafe { Masked::lanes(a, b, n) }, n)
    }

    #[inline(always)]
    unsafe fn suffix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's.
        let last = highest(unsafe { Masked::lanes(a, b, n) }, usize::MAX);
        // `n` if there is none, the lane before the first.
        (n - 1).wrapping_sub(last)
    }

    #[inline(always)]
    unsafe fn equal(a: *const u8, b: *const u8, n: usize) -> bool {
        // SAFETY: the caller's.
        unsafe { Masked::lanes(a, b, n) }.is_empty()
    }

    /// Without a branch on the result: if no byte differs, the first ones give 0. With one, the traces
    /// took a fifth longer. Taking the bytes out of the registers by `vpcompressb`, instead of loading
    /// them again, made the latency a third longer.
    ///
    /// It does branch on the length: half a register has its result two cycles sooner and crosses half
    /// as many cache lines, which takes an eighth off the traces. But random lengths of 1 to 64 bytes
    /// take twice as long, so the other functions do not.
    #[inline(always)]
    unsafe fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
        // SAFETY: the caller's; the range is not empty, and a lane that differs is below `n`.
        unsafe {
            let lanes = if rarely(n > 32) {
                Masked::lanes(a, b, n)
            } else {
                Masked::lanes_of_half(a, b, n)
            };
            difference_at(a, b, lowest(lanes, 0))
        }
    }
}

/// `K`, but `memcmp` looks at the first vectors alone before the rest: real data mostly differ there.
/// For 64 bytes and more. Earlier exits of the other functions, and of AVX2 and SSE2, lost more on
/// random data than they won on real.
struct Early<K>(PhantomData<K>);

impl<K: Kernel> Kernel for Early<K> {
    same!(K: prefix -> usize, suffix -> usize, equal -> bool);

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
type Avx512 = Within<1, 64, Masked, UpTo<0, Words, Outlined>>;

/// What they call: above one vector.
type Rest = Early<UpTo<128, Two<__m512i>, UpTo<256, Four<__m512i>, AboveFour>>>;

/// Above four vectors: 257 bytes and more.
///
/// Zen 4 loads 32 bytes at a time: in a loop, wider vectors save instructions but no time, and a
/// vector that crosses a cache line takes two cycles instead of one. So narrow ones take a twentieth
/// less where not both sides can be aligned, from about 1 KiB on, where that is worth the call, and a
/// sixth less at 16 MiB.
struct AboveFour;

type Wide = Long<__m512i>;

/// Above 1 KiB, in the vectors of AVX2: a CPU that has the features of this backend has those. By
/// AVX2's functions, but for `equal`: compiled here, it has `vpternlog` and one call less, and takes 3 %
/// less for 4 KiB. `memcmp` took a tenth longer: LLVM shares the loads of [`Early`] with the first round,
/// and splits them into words in general registers.
struct Narrow;

impl Kernel for Narrow {
    same!(Long<__m256i>: equal -> bool);
    same!(avx2::long::Outlined: prefix -> usize, suffix -> usize, memcmp -> i32);
}

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
                    // The first that differs and the last.
                    let j = usize::midpoint(i, n);
                    // SAFETY: as above; bytes `i` and `j` are in the range if `i` is below `n`. The
                    // CPU has AVX-512.
                    let found = unsafe {
                        p.write_bytes(7, n);
                        q.write_bytes(7, n);
                        if i < n {
                            q.add(j).write(0);
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
                        (i, n - 1 - j, false, -i32::from(delta(i)))
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
