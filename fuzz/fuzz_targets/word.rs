//! The functions on words, of two words that are equal but for the bits of a third.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memdiff::word;
use memdiff_fuzz::{first_difference, memcmp};

fuzz_target!(|input: (u128, u128)| {
    let (x, difference) = input;
    macro_rules! words {
        ($($word:ident: $memcmp:ident, $mismatch:ident;)+) => {$(
            let (a, b) = (x as $word, (x ^ difference) as $word);
            let (left, right) = (a.to_ne_bytes(), b.to_ne_bytes());
            assert_eq!(word::$memcmp(a, b), memcmp(&left, &right));
            assert_eq!(word::$mismatch(a, b), first_difference(&left, &right));
        )+};
    }
    words! {
        u16: memcmp_u16, mismatch_u16;
        u32: memcmp_u32, mismatch_u32;
        u64: memcmp_u64, mismatch_u64;
        u128: memcmp_u128, mismatch_u128;
        usize: memcmp_usize, mismatch_usize;
    }
});
