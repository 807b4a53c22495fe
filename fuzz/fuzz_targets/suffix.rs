//! `common_suffix_len` of every backend, of the crate and `portable`, and `raw::rmismatch`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memdiff::{Backend, portable, raw};
use memdiff_fuzz::{Ranges, common_suffix_len};

fuzz_target!(|ranges: Ranges| ranges.check(|a, b| {
    let expected = common_suffix_len(a, b);
    for backend in Backend::available() {
        assert_eq!(backend.common_suffix_len(a, b), expected, "{backend}");
    }
    assert_eq!(memdiff::common_suffix_len(a, b), expected);
    assert_eq!(portable::common_suffix_len(a, b), expected);

    let n = a.len().min(b.len());
    let (a, b) = (&a[a.len() - n..], &b[b.len() - n..]);
    // SAFETY: both slices are `n` bytes long.
    assert_eq!(
        unsafe { raw::rmismatch(a.as_ptr(), b.as_ptr(), n) },
        expected
    );
}));
