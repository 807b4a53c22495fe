//! What turns a ladder of size classes into the functions of a backend.

/// The outermost functions of a backend: the kernels of a ladder, compiled with the listed CPU
/// features. The same list is what `STATIC` and `is_available` ask for. They are not `#[inline]`: a
/// caller would hold the kernels of every backend.
///
/// Where the backend is static, callers use the functions in `inlined` instead: a ladder of the
/// shortest ranges, with [`Outlined`] above it for all others.
macro_rules! kernels {
    ($ladder:ty, inlined $short:ty, [$($feature:tt),+]) => {
        /// Whether the target promises these instructions at compile time.
        pub(crate) const STATIC: bool = cfg!(all($(target_feature = $feature),+));

        /// Whether this CPU has these instructions.
        pub(crate) fn is_available() -> bool {
            STATIC || $crate::arch::kernels::detected!($($feature),+)
        }

        kernels! { @all () $ladder, [$($feature),+] }

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

            kernels! { @all (#[inline]) $short, [$($feature),+] }
        }
    };
    (@all $inline:tt $ladder:ty, $features:tt) => {
        kernels! { @function $inline $ladder, $features, memcmp -> i32 }
        kernels! { @function $inline $ladder, $features, equal -> bool }
        kernels! { @function $inline $ladder, $features, prefix -> usize }
        kernels! { @function $inline $ladder, $features, suffix -> usize }
    };
    (@function ($($inline:tt)*) $ladder:ty, [$($feature:tt),+], $name:ident -> $result:ty) => {
        #[doc = concat!("`Kernel::", stringify!($name), "` of this backend.")]
        ///
        /// # Safety
        /// * `a` and `b` are valid for reads of `n` bytes; any pointer will do if `n` is 0.
        /// * `n` is at most `isize::MAX`.
        /// * The CPU has the features.
        $($inline)*
        #[target_feature($(enable = $feature),+)]
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
