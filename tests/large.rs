//! Ranges of more than 4 GiB: no length and no index is ever cut to 32 bits.
//!
//! Both sides are mappings of the kernel's page of zeros, so they take address space and page
//! tables but hardly any memory. Linux only: other systems would fill the pages.
//!
//! Ignored, as it takes seconds and wants an optimised build:
//! `cargo test --release --test large -- --ignored --nocapture`
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use core::cmp::Ordering;
use core::{ptr, slice};
use std::io;

use memdiff::{Backend, portable, raw};

const FOUR_GIB: usize = 1 << 32;
const LEN: usize = FOUR_GIB + 12_345;

/// `LEN` zeros.
struct Zeros(*mut u8);

impl Zeros {
    fn map() -> io::Result<Zeros> {
        let (protection, flags) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
        );
        // SAFETY: a new mapping, at an address that the kernel chooses.
        let start = unsafe { libc::mmap(ptr::null_mut(), LEN, protection, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Zeros(start.cast()))
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping has `LEN` bytes, zeros until written, and lives as long as `self`.
        unsafe { slice::from_raw_parts(self.0, LEN) }
    }

    fn set(&mut self, at: usize, byte: u8) {
        assert!(at < LEN);
        // SAFETY: inside the mapping, which `self` borrows mutably.
        unsafe { *self.0.add(at) = byte };
    }
}

impl Drop for Zeros {
    fn drop(&mut self) {
        // SAFETY: the mapping is whole and nothing borrows it.
        unsafe { libc::munmap(self.0.cast(), LEN) };
    }
}

#[test]
#[ignore = "reads 4 GiB some thirty times: seconds in release, minutes in debug"]
fn beyond_four_gib() {
    let (mut a, b) = match (Zeros::map(), Zeros::map()) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(error), _) | (_, Err(error)) => {
            println!("SKIPPED: no address space for two ranges of {LEN} bytes: {error}");
            return;
        }
    };

    for backend in Backend::available() {
        let (x, y) = (a.bytes(), b.bytes());
        assert!(backend.equal(x, y), "{backend}");
        assert_eq!(backend.memcmp(x, y), 0, "{backend}");
        // The end of the shorter one is the difference.
        assert_eq!(backend.mismatch(x, &y[..LEN - 1]), Some(LEN - 1));

        let at = FOUR_GIB + 77;
        a.set(at, 200);
        let x = a.bytes();
        assert!(!backend.equal(x, y), "{backend}");
        assert_eq!(backend.memcmp(x, y), 200, "{backend}");
        assert_eq!(backend.compare(x, y), Ordering::Greater, "{backend}");
        assert_eq!(backend.common_prefix_len(x, y), at, "{backend}");
        a.set(at, 0);

        a.set(77, 1);
        assert_eq!(backend.common_suffix_len(a.bytes(), y), LEN - 78);
        a.set(77, 0);
        println!("{backend}: ranges of {LEN} bytes");
    }

    let at = FOUR_GIB + 78;
    a.set(at, 200);
    let (x, y) = (a.bytes(), b.bytes());
    assert_eq!(memdiff::mismatch(x, y), Some(at));
    assert_eq!(portable::mismatch(x, y), Some(at));
    // SAFETY: both ranges have `LEN` bytes.
    assert_eq!(unsafe { raw::memcmp(x.as_ptr(), y.as_ptr(), LEN) }, 200);
    // SAFETY: pages are aligned and any bytes make a `u16`; the index counts elements.
    let (x, y) = unsafe { (x.align_to::<u16>().1, y.align_to::<u16>().1) };
    assert_eq!(memdiff::mismatch(x, y), Some(at / 2));
}
