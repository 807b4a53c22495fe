//! C's `memcmp`, BSD's `bcmp` and glibc's `__memcmpeq`, by memdiff.
//!
//! There is nothing to set up: no constructor, no allocation, no lock, no thread-local, no call of
//! any other library. The functions may be called before `main`, by signal handlers and by every
//! thread at once. The first call chooses the kernels; later ones read one byte for that.

// `no_std` needs a profile without unwinding: the workspace's `preload`. Others, where nothing but
// lints look at this, have std.
#![cfg_attr(panic = "abort", no_std)]

use core::ffi::{c_int, c_void};

/// C's `memcmp`, exact: `a[i] - b[i]` at the first byte `i` that differs, 0 if there is none.
///
/// # Safety
/// * All `n` bytes of both ranges are readable, also those behind the first difference; any
///   pointers will do if `n` is 0.
/// * `n` is at most `isize::MAX`, which no object exceeds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memcmp(a: *const c_void, b: *const c_void, n: usize) -> c_int {
    // SAFETY: the caller's.
    unsafe { memdiff::raw::memcmp(a.cast(), b.cast(), n) }
}

/// BSD's `bcmp`: 0 if all bytes are equal, something else if not.
///
/// # Safety
/// * As for [`memcmp`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bcmp(a: *const c_void, b: *const c_void, n: usize) -> c_int {
    // SAFETY: the caller's.
    unsafe { memdiff::raw::bcmp(a.cast(), b.cast(), n) }
}

/// glibc's name for [`bcmp`], which compilers call where only equality is asked for.
///
/// # Safety
/// * As for [`memcmp`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __memcmpeq(a: *const c_void, b: *const c_void, n: usize) -> c_int {
    // SAFETY: the caller's.
    unsafe { memdiff::raw::bcmp(a.cast(), b.cast(), n) }
}

/// Only a backend that is pinned panics, where the CPU lacks it: the process is trapped.
#[cfg(panic = "abort")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: it does not return.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        core::arch::asm!("ud2", options(noreturn));
        #[cfg(target_arch = "aarch64")]
        core::arch::asm!("brk #1", options(noreturn));
    }
}
