//! `memcmp` of every backend, of the crate, `raw` and `portable`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memdiff::Backend;
use memdiff_fuzz::Ranges;

fuzz_target!(|ranges: Ranges| ranges.check(|a, b| {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let expected = memdiff_fuzz::memcmp(a, b);
    for backend in Backend::available() {
        assert_eq!(backend.memcmp(a, b), expected, "{backend}");
    }
    assert_eq!(memdiff::memcmp(a, b), expected);
    assert_eq!(memdiff::portable::memcmp(a, b), expected);
    // SAFETY: both slices are `n` bytes long.
    let raw = unsafe { memdiff::raw::memcmp(a.as_ptr(), b.as_ptr(), n) };
    assert_eq!(raw, expected);
}));
