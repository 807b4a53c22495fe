//! No byte outside the ranges is read: an access to the pages around them kills the process.

use std::{ptr, slice};

use crate::support::{AROUND, Random, check, place};

/// Three pages between two that cannot be accessed. They are never unmapped.
fn guarded() -> &'static mut [u8] {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANON;
    let page = page_size();
    // SAFETY: the mapping is new; the three pages inside it are accessible and zeroed.
    unsafe {
        let map = libc::mmap(ptr::null_mut(), 5 * page, libc::PROT_NONE, kind, -1, 0);
        assert_ne!(map, libc::MAP_FAILED, "mmap");
        let pages = map.byte_add(page);
        assert_eq!(libc::mprotect(pages, 3 * page, access), 0, "mprotect");
        slice::from_raw_parts_mut(pages.cast(), 3 * page)
    }
}

fn page_size() -> usize {
    // SAFETY: always allowed.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}

/// Where ranges of `n` bytes start that are `distance` bytes from a border: after the guard page in
/// front, across the border of two accessible pages, before the guard page behind.
fn starts(n: usize, distance: usize) -> [usize; 3] {
    let page = page_size();
    [distance, page - distance, 3 * page - n - distance]
}

/// Ranges at every pair of those places, so beside a guard page one at a time and both; equal,
/// different in the last byte, different in the first.
fn check_places(pages: &mut [&mut [u8]; 2], n: usize, distance: usize) {
    let mut content = vec![0; n];
    Random(n as u64).fill(&mut content);
    let [left, right] = pages;
    for start in starts(n, distance) {
        let a = place(left, AROUND[0], start, n);
        a.copy_from_slice(&content);
        for start in starts(n, distance) {
            let b = place(right, AROUND[1], start, n);
            b.copy_from_slice(a);
            check(a, b);
            for position in [n.saturating_sub(1), 0] {
                if let Some(byte) = b.get_mut(position) {
                    *byte ^= 0xff;
                    check(a, b);
                }
            }
        }
    }
}

/// glibc bug 15674, jetscii#55, libpmemobj-cpp#1262: every length, at the very border.
#[test]
fn at_the_border() {
    let mut pages = [guarded(), guarded()];
    for n in (0..=300).chain(4096 - 8..=4096 + 8) {
        check_places(&mut pages, n, 0);
    }
}

/// Near enough for a vector to cross the border, at the edges of the size classes.
#[test]
fn near_the_border() {
    let mut pages = [guarded(), guarded()];
    for edge in [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048] {
        for n in edge - 1..=edge + 1 {
            for distance in 1..=64 {
                check_places(&mut pages, n, distance);
            }
        }
    }
}
