//! The generic functions on every `Element`: the index counts elements and the order is the type's.
#![no_main]

use std::fmt::Debug;

use libfuzzer_sys::fuzz_target;
use memdiff::Element;
use memdiff_fuzz::{Ranges, common_prefix_len, common_suffix_len};

fuzz_target!(|ranges: Ranges| {
    let buffer = ranges.buffer();
    macro_rules! integers {
        ($($type:ty)+) => {$({
            let all: Vec<$type> = buffer
                .chunks_exact(size_of::<$type>())
                .map(|bytes| <$type>::from_ne_bytes(bytes.try_into().unwrap()))
                .collect();
            check(&ranges, &all);
        })+};
    }
    integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

    let bools: Vec<bool> = buffer.iter().map(|byte| byte & 1 == 1).collect();
    check(&ranges, &bools);
    // Three bytes hold every char.
    let chars: Vec<char> = buffer
        .chunks_exact(3)
        .filter_map(|bytes| char::from_u32(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0])))
        .collect();
    check(&ranges, &chars);
});

fn check<T: Element + Ord + Debug>(ranges: &Ranges, all: &[T]) {
    let (a, b) = (ranges.a.of(all), ranges.b.of(all));
    let common = common_prefix_len(a, b);
    assert_eq!(memdiff::common_prefix_len(a, b), common);
    assert_eq!(memdiff::common_suffix_len(a, b), common_suffix_len(a, b));

    let mismatch = (common < a.len().max(b.len())).then_some(common);
    assert_eq!(memdiff::mismatch(a, b), mismatch);
    assert_eq!(memdiff::equal(a, b), mismatch.is_none());

    let order = a[common..].first().cmp(&b[common..].first());
    assert_eq!(memdiff::compare(a, b), order);
}
