//! x86_64: movemask (or a mask register) and tzcnt find the lane.

#[cfg(any(feature = "avx2", target_feature = "avx2"))]
pub(crate) mod avx2;
#[cfg(all(
    any(feature = "avx512", target_feature = "avx512vbmi2"),
    target_pointer_width = "64"
))]
pub(crate) mod avx512;
pub(crate) mod sse2;

#[cfg(any(feature = "avx2", target_feature = "avx2"))]
use crate::arch::generic::{Kernel, either};

/// `M` for `LEAST..=MOST` bytes if the vectors of `MOST` bytes do not cross the end of a page, `S`
/// for everything else.
#[cfg(any(feature = "avx2", target_feature = "avx2"))]
struct InPage<const LEAST: usize, const MOST: usize, M, S>(core::marker::PhantomData<(M, S)>);

#[cfg(any(feature = "avx2", target_feature = "avx2"))]
impl<const LEAST: usize, const MOST: usize, M, S> Kernel for InPage<LEAST, MOST, M, S>
where
    M: Kernel,
    S: Kernel,
{
    either! {
        |a, b, n| n.wrapping_sub(LEAST) <= MOST - LEAST
            && !rarely(crosses_page::<MOST>(a))
            && !rarely(crosses_page::<MOST>(b)),
        M,
        S
    }
}

/// Tells the compiler that the condition rarely holds. It would unite several into one branch, which
/// takes more instructions.
#[cfg(any(feature = "avx2", target_feature = "avx2"))]
#[inline(always)]
fn rarely(condition: bool) -> bool {
    #[cold]
    #[inline]
    fn cold() {}
    if condition {
        cold();
    }
    condition
}

/// Whether a vector of `N` bytes at `p` would cross the end of a page. No page is smaller than 4096
/// bytes. Two branches on one comparison each took less time than one on `p ^ (p + N - 1)` of both
/// pointers: what a short range costs is the number of instructions.
#[cfg(any(feature = "avx2", target_feature = "avx2"))]
#[inline(always)]
fn crosses_page<const N: usize>(p: *const u8) -> bool {
    let offset_in_page = |p: usize| (p as u32) << 20;
    offset_in_page(p.addr()) > offset_in_page(4096 - N)
}

#[cfg(all(test, any(feature = "avx2", target_feature = "avx2")))]
mod tests {
    use core::ptr::without_provenance;

    use super::crosses_page;

    #[test]
    fn at_every_offset_in_a_page() {
        for offset in 0..4096 {
            for page in [0, 4096, 0xf000] {
                let p = without_provenance(page + offset);
                assert_eq!(crosses_page::<64>(p), offset > 4096 - 64, "{p:?}");
                assert_eq!(crosses_page::<32>(p), offset > 4096 - 32, "{p:?}");
            }
        }
    }
}
