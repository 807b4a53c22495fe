//! What turns a ladder of size classes into the functions of a backend.

/// The functions of a backend: the kernels of a ladder, compiled with the listed CPU features. The
/// same list is what `STATIC` and `is_available` ask for. They are not `#[inline]`: a caller would
/// hold the kernels of every backend.
///
/// Others call them through `inlined`: a ladder that is compiled into the caller, whatever features
/// that has, and of which [`Outlined`] is the class that calls those functions.
macro_rules! kernels {
    ($ladder:ty, inlined $inlined:ty, [$($feature:tt),+]) => {
        /// Whether the target promises these instructions at compile time.
        pub(crate) const STATIC: bool = cfg!(all($(target_feature = $feature),+));

        /// Whether this CPU has these instructions.
        pub(crate) fn is_available() -> bool {
            STATIC || $crate::arch::kernels::detected!($($feature),+)
        }

        kernels! { @function $ladder, [$($feature),+], memcmp -> i32 }
        kernels! { @function $ladder, [$($feature),+], equal -> bool }
        kernels! { @function $ladder, [$($feature),+], prefix -> usize }
        kernels! { @function $ladder, [$($feature),+], suffix -> usize }

        /// The functions of this backend as a class of a ladder.
        pub(crate) struct Outlined;

        impl $crate::arch::generic::Kernel for Outlined {
            kernels! { @outlined memcmp -> i32 }
            kernels! { @outlined equal -> bool }
            kernels! { @outlined prefix -> usize }
            kernels! { @outlined suffix -> usize }
        }

        pub(crate) mod inlined {
            use super::*;

            kernels! { @inlined $inlined, memcmp -> i32 }
            kernels! { @inlined $inlined, equal -> bool }
            kernels! { @inlined $inlined, prefix -> usize }
            kernels! { @inlined $inlined, suffix -> usize }
        }
    };
    (@function $ladder:ty, [$($feature:tt),+], $name:ident -> $result:ty) => {
        #[doc = concat!("`Kernel::", stringify!($name), "` of the ladder.")]
        ///
        /// # Safety
        /// * `a` and `b` are valid for reads of `n` bytes; any pointer will do if `n` is 0.
        /// * `n` is at most `isize::MAX`.
        /// * The CPU has the features.
        #[target_feature($(enable = $feature),+)]
        pub(crate) unsafe fn $name(a: *const u8, b: *const u8, n: usize) -> $result {
            // SAFETY: the caller's.
            unsafe { <$ladder as $crate::arch::generic::Kernel>::$name(a, b, n) }
        }
    };
    (@inlined $ladder:ty, $name:ident -> $result:ty) => {
        #[doc = concat!("`Kernel::", stringify!($name), "` of this backend, to be called.")]
        ///
        /// # Safety
        /// * As for the function of this name outside.
        #[inline(always)]
        pub(crate) unsafe fn $name(a: *const u8, b: *const u8, n: usize) -> $result {
            // SAFETY: the caller's.
            unsafe { <$ladder as $crate::arch::generic::Kernel>::$name(a, b, n) }
        }
    };
    (@outlined $name:ident -> $result:ty) => {
        #[inline(always)]
        unsafe fn $name(a: *const u8, b: *const u8, n: usize) -> $result {
            // SAFETY: the caller's.
            unsafe { $name(a, b, n) }
        }
    };
}
pub(crate) use kernels;

/// Whether this CPU has all the features listed, found out at run time. `cpufeatures` works without
/// std.
#[cfg(all(feature = "avx2", target_arch = "x86_64"))]
macro_rules! detected {
    ($($feature:tt),+) => {{
        cpufeatures::new!(cpu, $($feature),+);
        cpu::get()
    }};
}

/// Without run-time detection nothing is found beyond what the target promises.
#[cfg(not(all(feature = "avx2", target_arch = "x86_64")))]
macro_rules! detected {
    ($($feature:tt),+) => {
        false
    };
}
pub(crate) use detected;
