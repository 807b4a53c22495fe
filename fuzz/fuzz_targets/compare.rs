//! `compare` of every backend, of the crate and `portable`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memdiff::Backend;
use memdiff_fuzz::{Ranges, first_difference};

fuzz_target!(|ranges: Ranges| ranges.check(|a, b| {
    let expected = match first_difference(a, b) {
        Some(i) => a[i].cmp(&b[i]),
        None => a.len().cmp(&b.len()),
    };
    for backend in Backend::available() {
        assert_eq!(backend.compare(a, b), expected, "{backend}");
    }
    assert_eq!(memdiff::compare(a, b), expected);
    assert_eq!(memdiff::portable::compare(a, b), expected);
}));
