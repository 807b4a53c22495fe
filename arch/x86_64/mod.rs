//! x86_64: movemask (or a mask register) and tzcnt (or bsf) find the lane.

#[cfg(any(feature = "avx2", target_feature = "avx2"))]
pub(crate) mod avx2;
#[cfg(all(
    any(feature = "avx512", target_feature = "avx512vbmi2"),
    target_pointer_width = "64"
))]
pub(crate) mod avx512;
pub(crate) mod sse2;
