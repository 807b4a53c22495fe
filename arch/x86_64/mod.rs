//! x86_64: movemask (or a mask register) and tzcnt find the lane.

#[cfg(any(feature = "avx2", target_feature = "avx2"))]
pub(crate) mod avx2;
#[cfg(any(feature = "avx512", target_feature = "avx512vbmi2"))]
pub(crate) mod avx512;
pub(crate) mod sse2;

#[cfg(any(feature = "avx2", target_feature = "avx2"))]
use crate::arch::generic::{Kernel, either};

/// `M` for ranges of at least `LEAST` bytes whose vectors of `N` bytes do not cross the end of a
/// page, `S` for the others.
#[cfg(any(feature = "avx2", target_feature = "avx2"))]
struct InPage<const N: usize, const LEAST: usize, M, S>(core::marker::PhantomData<(M, S)>);

#[cfg(any(feature = "avx2", target_feature = "avx2"))]
impl<const N: usize, const LEAST: usize, M, S> Kernel for InPage<N, LEAST, M, S>
where
    M: Kernel,
    S: Kernel,
{
    either! { |a, b, n| n >= LEAST && !crosses_page::<N>(a, b), M, S }
}

/// Whether a vector of `N` bytes at `a` or at `b` would cross the end of a page. No page is smaller
/// than 4096 bytes. One branch for both: two cost 0.2 ns more a call.
#[cfg(any(feature = "avx2", target_feature = "avx2"))]
#[inline(always)]
fn crosses_page<const N: usize>(a: *const u8, b: *const u8) -> bool {
    let last = |p: *const u8| p.addr() ^ p.addr().wrapping_add(N - 1);
    (last(a) | last(b)) & 4096 != 0
}

#[cfg(all(test, any(feature = "avx2", target_feature = "avx2")))]
mod tests {
    use core::ptr::without_provenance;

    use super::crosses_page;

    #[test]
    fn at_every_offset_in_a_page() {
        for offset in 0..4096 {
            for page in [0, 4096] {
                let p = without_provenance(page + offset);
                assert_eq!(crosses_page::<64>(p, p), offset > 4096 - 64, "{p:?}");
                let others = [0, 4096, 4096 + 64].map(without_provenance);
                for q in others {
                    assert_eq!(crosses_page::<64>(p, q), offset > 4096 - 64, "{p:?} {q:?}");
                    assert_eq!(crosses_page::<32>(q, p), offset > 4096 - 32, "{q:?} {p:?}");
                }
            }
        }
    }
}
