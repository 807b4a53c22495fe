//! What turns a ladder of size classes into the functions of a backend.

/// A ladder as functions, compiled with the listed CPU features. They are not `#[inline]`: a caller
/// would hold the kernels of every backend.
macro_rules! outlined {
    ($ladder:ty, [$($feature:tt),+]) => {
        $crate::arch::kernels::outlined! { @function $ladder, [$($feature),+], memcmp -> i32 }
        $crate::arch::kernels::outlined! { @function $ladder, [$($feature),+], equal -> bool }
        $crate::arch::kernels::outlined! { @function $ladder, [$($feature),+], prefix -> usize }
        $crate::arch::kernels::outlined! { @function $ladder, [$($feature),+], suffix -> usize }

        /// The class of a ladder that calls these functions.
        pub(crate) struct Outlined;

        impl $crate::arch::generic::Kernel for Outlined {
            $crate::arch::kernels::outlined! { @call memcmp -> i32 }
            $crate::arch::kernels::outlined! { @call equal -> bool }
            $crate::arch::kernels::outlined! { @call prefix -> usize }
            $crate::arch::kernels::outlined! { @call suffix -> usize }
        }
    };
    (@function $ladder:ty, [$($feature:tt),+], $name:ident -> $result:ty) => {
        #[doc = concat!("`Kernel::", stringify!($name), "` of this ladder.")]
        ///
        /// # Safety
        /// * `a` and `b` are valid for reads of `n` bytes.
        /// * `n` is a size that the ladder is for, and at most `isize::MAX`.
        /// * The CPU has the features.
        #[target_feature($(enable = $feature),+)]
        pub(crate) unsafe fn $name(a: *const u8, b: *const u8, n: usize) -> $result {
            // SAFETY: the caller's.
            unsafe { <$ladder as $crate::arch::generic::Kernel>::$name(a, b, n) }
        }
    };
    (@call $name:ident -> $result:ty) => {
        #[inline(always)]
        unsafe fn $name(a: *const u8, b: *const u8, n: usize) -> $result {
            // SAFETY: the caller's.
            unsafe { $name(a, b, n) }
        }
    };
}
pub(crate) use outlined;

/// A backend: the functions of a ladder, [`outlined`]. The same list of CPU features is what `STATIC`
/// and `is_available` ask for.
///
/// Others call them through `inlined`: a ladder for every size that is compiled into the caller,
/// whatever features that has, and of which [`Outlined`] is the class that calls the functions. Their
/// ladder may be for the sizes only that are left to it.
macro_rules! kernels {
    ($ladder:ty, inlined $inlined:ty, [$($feature:tt),+]) => {
        /// Whether the target promises these instructions at compile time.
        pub(crate) const STATIC: bool = cfg!(all($(target_feature = $feature),+));

        /// Whether this CPU has these instructions.
        pub(crate) fn is_available() -> bool {
            STATIC || $crate::arch::kernels::detected!($($feature),+)
        }

        $crate::arch::kernels::outlined!($ladder, [$($feature),+]);

        pub(crate) mod inlined {
            use super::*;

            kernels! { @inlined $inlined, memcmp -> i32 }
            kernels! { @inlined $inlined, equal -> bool }
            kernels! { @inlined $inlined, prefix -> usize }
            kernels! { @inlined $inlined, suffix -> usize }
        }
    };
    (@inlined $ladder:ty, $name:ident -> $result:ty) => {
        #[doc = concat!("`Kernel::", stringify!($name), "` of this backend.")]
        ///
        /// # Safety
        /// * `a` and `b` are valid for reads of `n` bytes; any pointer will do if `n` is 0.
        /// * `n` is at most `isize::MAX`.
        /// * The CPU has the features.
        #[inline(always)]
        pub(crate) unsafe fn $name(a: *const u8, b: *const u8, n: usize) -> $result {
            // SAFETY: the caller's; the ladder is for every size.
            unsafe { <$ladder as $crate::arch::generic::Kernel>::$name(a, b, n) }
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
