//! `common_prefix_len` and `mismatch` of every backend, of the crate and `portable`, and
//! `raw::mismatch`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memdiff::{Backend, portable, raw};
use memdiff_fuzz::{Ranges, common_prefix_len};

fuzz_target!(|ranges: Ranges| ranges.check(|a, b| {
    let n = a.len().min(b.len());
    let common = common_prefix_len(a, b);
    let mismatch = (common < a.len().max(b.len())).then_some(common);
    for backend in Backend::available() {
        assert_eq!(backend.common_prefix_len(a, b), common, "{backend}");
        assert_eq!(backend.mismatch(a, b), mismatch, "{backend}");
    }
    assert_eq!(memdiff::common_prefix_len(a, b), common);
    assert_eq!(memdiff::mismatch(a, b), mismatch);
    assert_eq!(portable::common_prefix_len(a, b), common);
    assert_eq!(portable::mismatch(a, b), mismatch);
    // SAFETY: both slices have at least `n` bytes.
    assert_eq!(unsafe { raw::mismatch(a.as_ptr(), b.as_ptr(), n) }, common);
}));
