//! What a user's crate makes of memdiff: compiled by `main.rs` beside it, not a test itself.

#![no_std]

use core::cmp::Ordering;

use memdiff::{portable, raw, word};

macro_rules! probes {
    ($($name:ident($($argument:ident: $type:ty),+) -> $result:ty $body:block)+) => {$(
        #[unsafe(no_mangle)]
        pub fn $name($($argument: $type),+) -> $result $body
    )+};
}

probes! {
    probe_memcmp(a: &[u8], b: &[u8]) -> i32 { memdiff::memcmp(a, b) }
    probe_equal(a: &[u8], b: &[u8]) -> bool { memdiff::equal(a, b) }
    probe_equal_wide(a: &[u128], b: &[u128]) -> bool { memdiff::equal(a, b) }
    probe_compare(a: &[u8], b: &[u8]) -> Ordering { memdiff::compare(a, b) }
    probe_compare_wide(a: &[i64], b: &[i64]) -> Ordering { memdiff::compare(a, b) }
    probe_mismatch(a: &[u8], b: &[u8]) -> Option<usize> { memdiff::mismatch(a, b) }
    probe_mismatch_wide(a: &[char], b: &[char]) -> Option<usize> { memdiff::mismatch(a, b) }
    probe_prefix(a: &[u8], b: &[u8]) -> usize { memdiff::common_prefix_len(a, b) }
    probe_suffix(a: &[u8], b: &[u8]) -> usize { memdiff::common_suffix_len(a, b) }
    probe_portable_memcmp(a: &[u8], b: &[u8]) -> i32 { portable::memcmp(a, b) }
    probe_portable_equal(a: &[u8], b: &[u8]) -> bool { portable::equal(a, b) }
    probe_portable_compare(a: &[u8], b: &[u8]) -> Ordering { portable::compare(a, b) }
    probe_portable_mismatch(a: &[u8], b: &[u8]) -> Option<usize> { portable::mismatch(a, b) }
    probe_portable_prefix(a: &[u8], b: &[u8]) -> usize { portable::common_prefix_len(a, b) }
    probe_portable_suffix(a: &[u8], b: &[u8]) -> usize { portable::common_suffix_len(a, b) }
    // SAFETY: the caller's.
    probe_raw(a: *const u8, b: *const u8, n: usize) -> i32 { unsafe { raw::memcmp(a, b, n) } }
    // SAFETY: the caller's.
    probe_bcmp(a: *const u8, b: *const u8, n: usize) -> i32 { unsafe { raw::bcmp(a, b, n) } }
    probe_word_u64(a: u64, b: u64) -> i32 { word::memcmp_u64(a, b) }
    probe_word_u128(a: u128, b: u128) -> i32 { word::memcmp_u128(a, b) }
    probe_word_index(a: u64, b: u64) -> Option<usize> { word::mismatch_u64(a, b) }
    // The index carries its bound: neither slicing nor indexing may keep a check.
    probe_bounds(a: &[u32], b: &[u32]) -> u32 {
        let i = memdiff::common_prefix_len(a, b);
        let j = memdiff::mismatch(a, b).unwrap_or(0);
        let k = memdiff::common_suffix_len(a, b);
        let ends = (&a[i..], &b[j..], &a[a.len() - k..]);
        ends.0.len() as u32 + ends.1.len() as u32 + ends.2.len() as u32
    }
}

/// The helper that memdiff replaces: it walks two words through pointers to its own parameters.
#[inline(always)]
fn old_helper(a: u64, b: u64) -> i32 {
    let (p, q) = ((&raw const a).cast::<u8>(), (&raw const b).cast::<u8>());
    let mut i = 0;
    loop {
        // SAFETY: the callers' words differ, so the walk ends inside them.
        let (x, y) = unsafe { (*p.add(i), *q.add(i)) };
        i += 1;
        if x != y {
            return i32::from(x) - i32::from(y);
        }
    }
}

/// The control: the old helper, inlined four times.
#[unsafe(no_mangle)]
pub fn control_old_helper(a: &[u64; 4], b: &[u64; 4]) -> i32 {
    if a[0] != b[0] {
        return old_helper(a[0], b[0]);
    }
    if a[1] != b[1] {
        return old_helper(a[1], b[1]);
    }
    if a[2] != b[2] {
        return old_helper(a[2], b[2]);
    }
    if a[3] != b[3] {
        old_helper(a[3], b[3])
    } else {
        0
    }
}
