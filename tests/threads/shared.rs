//! Memory that is mapped twice: once to be read, with inaccessible pages around it, and once to be
//! written. Writes through the second mapping change what the first one reads behind the compiler's
//! back, as another process would.

use std::fs::{self, File};
use std::io::Error;
use std::os::fd::AsRawFd;
use std::{env, process, ptr};

use libc::{MAP_ANON, MAP_FIXED, MAP_PRIVATE, MAP_SHARED, PROT_NONE, PROT_READ, PROT_WRITE};

/// A multiple of any page size up to 64 KiB.
const LEN: usize = 1 << 16;

pub struct Shared {
    /// Three times `LEN`; the middle third is the memory.
    around: *mut u8,
    writable: *mut u8,
}

// SAFETY: the pointers are to mappings, which belong to the process; the methods read no memory and
// write it only with volatile writes.
unsafe impl Sync for Shared {}

impl Shared {
    /// Zeros.
    pub fn new() -> Shared {
        let path = env::temp_dir().join(format!("memdiff-threads-{}", process::id()));
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)
            .unwrap();
        fs::remove_file(&path).unwrap();
        file.set_len(LEN as u64).unwrap();
        let fd = file.as_raw_fd();

        // SAFETY: new mappings, and one that replaces the middle third of the first of them.
        unsafe {
            let around = map(
                ptr::null_mut(),
                3 * LEN,
                PROT_NONE,
                MAP_PRIVATE | MAP_ANON,
                -1,
            );
            let middle = around.add(LEN);
            map(middle, LEN, PROT_READ, MAP_SHARED | MAP_FIXED, fd);
            let writable = map(ptr::null_mut(), LEN, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
            Shared { around, writable }
        }
    }

    pub fn len(&self) -> usize {
        LEN
    }

    /// A pointer to byte `at` of the mapping that is read.
    pub fn read_at(&self, at: usize) -> *const u8 {
        assert!(at <= LEN);
        // SAFETY: inside the mapping, or at its end.
        unsafe { self.around.add(LEN + at) }
    }

    /// Writes byte `at` through the other mapping.
    pub fn write(&self, at: usize, value: u8) {
        assert!(at < LEN);
        // SAFETY: inside the mapping; no reference to it exists.
        unsafe { self.writable.add(at).write_volatile(value) };
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: the mappings made in `new`.
        unsafe {
            libc::munmap(self.around.cast(), 3 * LEN);
            libc::munmap(self.writable.cast(), LEN);
        }
    }
}

/// # Safety
/// * As `mmap`: with `MAP_FIXED`, nothing else uses what `at` replaces.
unsafe fn map(at: *mut u8, len: usize, protection: i32, flags: i32, fd: i32) -> *mut u8 {
    // SAFETY: the caller's.
    let start = unsafe { libc::mmap(at.cast(), len, protection, flags, fd, 0) };
    assert_ne!(start, libc::MAP_FAILED, "{}", Error::last_os_error());
    start.cast()
}
