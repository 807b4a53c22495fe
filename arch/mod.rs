//! The kernels, and which of them this target has.
//!
//! A kernel module offers, in `inlined`, `memcmp`, `equal`, `prefix` and `suffix` on raw pointers;
//! `is_available()`; and `STATIC`: whether the target promises its instructions at compile time.

pub(crate) mod portable;

/// Makes the list of this target's backends, fastest first: `with_backends!(m)` expands to
/// `m! { LIST }`.
macro_rules! backends {
    ($($level:ident = $name:literal in $module:ident;)+) => {
        macro_rules! with_backends {
            ($m:ident) => { $m! { $($level = $name in $module;)+ } };
        }
        pub(crate) use with_backends;

        #[cfg(all(memdiff_pinned, not(any($(memdiff_backend = $name),+))))]
        compile_error!(concat!(
            "--cfg memdiff_backend names a backend that this target and these features do not \
             have; it can be one of:"
            $(, " ", $name)+
        ));
    };
}

cfg_if::cfg_if! {
    if #[cfg(all(feature = "simd", target_arch = "x86_64", target_feature = "sse2"))] {
        // Not on x86_64 without SSE2 (x86_64-unknown-none, kernels): there LLVM cannot compile
        // vector code.
        mod generic;
        mod kernels;
        mod vector;
        mod x86_64;
        pub(crate) use x86_64::sse2;
        cfg_if::cfg_if! {
            if #[cfg(all(
                any(feature = "avx512", target_feature = "avx512vbmi2"),
                target_pointer_width = "64"
            ))] {
                // The feature looks for the CPU at run time; without it, what -C target-feature
                // promises. Not with pointers of 32 bits: in assembly, the upper half of the
                // register is anything.
                pub(crate) use x86_64::{avx2, avx512};
                backends! {
                    Avx512 = "avx512" in avx512;
                    Avx2 = "avx2" in avx2;
                    Sse2 = "sse2" in sse2;
                    Portable = "portable" in portable;
                }
            } else if #[cfg(any(feature = "avx2", target_feature = "avx2"))] {
                // As above.
                pub(crate) use x86_64::avx2;
                backends! {
                    Avx2 = "avx2" in avx2;
                    Sse2 = "sse2" in sse2;
                    Portable = "portable" in portable;
                }
            } else {
                // SSE2 belongs to every x86_64 ABI with vector registers.
                backends! {
                    Sse2 = "sse2" in sse2;
                    Portable = "portable" in portable;
                }
            }
        }
    } else if #[cfg(all(
        feature = "simd",
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little"
    ))] {
        // Not with a soft-float ABI, which has no NEON; not on big endian, where lane 0 is the last
        // byte.
        mod aarch64;
        mod generic;
        mod kernels;
        mod vector;
        pub(crate) use aarch64::neon;
        backends! {
            Neon = "neon" in neon;
            Portable = "portable" in portable;
        }
    } else {
        // Every other target, and the crate without the feature `simd`. The tests run the
        // algorithms on lanes of their own.
        #[cfg(test)]
        mod generic;
        #[cfg(test)]
        mod vector;
        backends! {
            Portable = "portable" in portable;
        }
    }
}
