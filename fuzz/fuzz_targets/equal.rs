//! `equal` of every backend, of the crate and `portable`, and `raw::bcmp`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memdiff::Backend;
use memdiff_fuzz::{Ranges, first_difference};

fuzz_target!(|ranges: Ranges| ranges.check(|a, b| {
    // Unequal lengths are half of the contract, but would hide most of the bytes.
    check(a, b);
    let n = a.len().min(b.len());
    check(&a[..n], &b[..n]);
}));

fn check(a: &[u8], b: &[u8]) {
    let expected = a.len() == b.len() && first_difference(a, b).is_none();
    for backend in Backend::available() {
        assert_eq!(backend.equal(a, b), expected, "{backend}");
    }
    assert_eq!(memdiff::equal(a, b), expected);
    assert_eq!(memdiff::portable::equal(a, b), expected);
    if a.len() == b.len() {
        // SAFETY: both slices are `a.len()` bytes long.
        let raw = unsafe { memdiff::raw::bcmp(a.as_ptr(), b.as_ptr(), a.len()) };
        assert_eq!(raw == 0, expected);
    }
}
