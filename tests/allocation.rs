//! No comparison allocates: two million calls of every function, counted by the allocator.
//!
//! The control is a model of the helper that memdiff replaces, as a memory-safe C compiles it: the
//! two words whose addresses it takes are heap objects, and it is inlined four times, so every call
//! allocates eight.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use memdiff::{Backend, portable, raw, word};

/// The system's allocator, counting what this thread allocates.
struct Counting;

std::thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: `System` does the work; a const-initialised thread-local without a destructor allocates
// nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Two million; fewer where an unoptimised test most likely runs in an emulator.
const CALLS: usize = if cfg!(all(debug_assertions, not(target_arch = "x86_64"))) {
    100_000
} else {
    2_000_000
};
const PAGE: usize = 4096;

/// Two buffers that are equal up to the last byte, which is 3 less in the first.
struct Buffers {
    a: Vec<u8>,
    b: Vec<u8>,
}

impl Buffers {
    fn new() -> Self {
        let bytes: Vec<u8> = (0..PAGE + 64).map(|i| (i % 251) as u8).collect();
        let mut this = Buffers {
            a: bytes.clone(),
            b: bytes,
        };
        *this.a.last_mut().unwrap() = 4;
        *this.b.last_mut().unwrap() = 7;
        this
    }

    /// Two ranges of up to 71 bytes and any offset; every other pair ends with the difference, and
    /// one pair in 100 is a whole page.
    fn pair(&self, i: usize) -> (&[u8], &[u8]) {
        let n = if i.is_multiple_of(100) { PAGE } else { i % 72 };
        let end = if i.is_multiple_of(2) {
            self.a.len()
        } else {
            n + i % 64
        };
        let end = end.max(n);
        (&self.a[end - n..end], &self.b[end - n..end])
    }
}

/// The number of allocations in `CALLS` calls, and the sum of their results.
fn count(mut call: impl FnMut(&[u8], &[u8]) -> i64) -> (u64, i64) {
    let buffers = Buffers::new();
    let before = ALLOCATIONS.get();
    let mut sum = 0;
    for i in 0..CALLS {
        let (a, b) = buffers.pair(black_box(i));
        sum += black_box(call(a, b));
    }
    (ALLOCATIONS.get() - before, sum)
}

/// The old helper: the words live where their addresses can be taken.
fn old_helper(a: u64, b: u64) -> (Box<[u8; 8]>, Box<[u8; 8]>) {
    black_box((Box::new(a.to_ne_bytes()), Box::new(b.to_ne_bytes())))
}

/// `memcmp` on the old helper, inlined four times: its objects are made when the call begins.
fn old_memcmp(a: &[u8], b: &[u8]) -> i32 {
    let mut helpers = [(); 4].map(|()| old_helper(0, 0));
    let (mut words, mut others) = (a.chunks_exact(8), b.chunks_exact(8));
    for (i, (x, y)) in words.by_ref().zip(others.by_ref()).enumerate() {
        let (p, q) = &mut helpers[i % 4];
        p.copy_from_slice(x);
        q.copy_from_slice(y);
        if let Some((x, y)) = p.iter().zip(q.iter()).find(|(x, y)| x != y) {
            return i32::from(*x) - i32::from(*y);
        }
    }
    let tail = words.remainder().iter().zip(others.remainder());
    tail.map(|(x, y)| i32::from(*x) - i32::from(*y))
        .find(|&d| d != 0)
        .unwrap_or(0)
}

#[test]
fn two_million_calls_of_everything() {
    let index = |found: Option<usize>| found.map_or(-1, |i| i as i64);
    let (old, sum) = count(|a, b| i64::from(old_memcmp(a, b)));
    let level = if cfg!(debug_assertions) {
        "debug"
    } else {
        "release"
    };
    println!("| build | function | allocations in {CALLS} calls | sum of the results |");
    println!("|---|---|---|---|");
    println!("| {level} | model of the old helper | {old} | {sum} |");
    assert_eq!(
        old,
        8 * CALLS as u64,
        "the control allocates eight objects a call"
    );

    let check = |name: &str, expected: Option<i64>, (allocations, got): (u64, i64)| {
        println!("| {level} | {name} | {allocations} | {got} |");
        assert_eq!(allocations, 0, "{name}");
        assert!(
            expected.is_none_or(|sum| sum == got),
            "{name}: {got} instead of {expected:?}"
        );
    };
    let order = Some(sum);
    check("memcmp", order, count(|a, b| memdiff::memcmp(a, b).into()));
    check("equal", None, count(|a, b| memdiff::equal(a, b).into()));
    check("compare", None, count(|a, b| memdiff::compare(a, b) as i64));
    check(
        "mismatch",
        None,
        count(|a, b| index(memdiff::mismatch(a, b))),
    );
    check(
        "common_prefix_len",
        None,
        count(|a, b| memdiff::common_prefix_len(a, b) as i64),
    );
    check(
        "common_suffix_len",
        None,
        count(|a, b| memdiff::common_suffix_len(a, b) as i64),
    );
    check(
        "portable::memcmp",
        order,
        count(|a, b| portable::memcmp(a, b).into()),
    );
    check(
        "portable::equal",
        None,
        count(|a, b| portable::equal(a, b).into()),
    );
    check(
        "portable::compare",
        None,
        count(|a, b| portable::compare(a, b) as i64),
    );
    check(
        "portable::mismatch",
        None,
        count(|a, b| index(portable::mismatch(a, b))),
    );
    let prefix = count(|a, b| portable::common_prefix_len(a, b) as i64);
    check("portable::common_prefix_len", None, prefix);
    let suffix = count(|a, b| portable::common_suffix_len(a, b) as i64);
    check("portable::common_suffix_len", None, suffix);

    // SAFETY: the ranges of a pair have the same length.
    check(
        "raw::memcmp",
        order,
        count(|a, b| unsafe { raw::memcmp(a.as_ptr(), b.as_ptr(), a.len()).into() }),
    );
    // SAFETY: as above.
    check(
        "raw::bcmp",
        None,
        count(|a, b| unsafe { raw::bcmp(a.as_ptr(), b.as_ptr(), a.len()).into() }),
    );
    // SAFETY: as above.
    check(
        "raw::mismatch",
        None,
        count(|a, b| unsafe { raw::mismatch(a.as_ptr(), b.as_ptr(), a.len()) as i64 }),
    );
    // SAFETY: as above.
    check(
        "raw::rmismatch",
        None,
        count(|a, b| unsafe { raw::rmismatch(a.as_ptr(), b.as_ptr(), a.len()) as i64 }),
    );

    macro_rules! word {
        ($($word:ident: $memcmp:ident, $mismatch:ident;)+) => {$(
            let words = |a: &[u8], b: &[u8]| {
                [a, b].map(|s| $word::from_ne_bytes(*s.last_chunk().unwrap_or(&[0; _])))
            };
            check(concat!("word::", stringify!($memcmp)), None, count(|a, b| {
                let [a, b] = words(a, b);
                word::$memcmp(a, b).into()
            }));
            check(concat!("word::", stringify!($mismatch)), None, count(|a, b| {
                let [a, b] = words(a, b);
                index(word::$mismatch(a, b))
            }));
        )+};
    }
    word! {
        u16: memcmp_u16, mismatch_u16;
        u32: memcmp_u32, mismatch_u32;
        u64: memcmp_u64, mismatch_u64;
        u128: memcmp_u128, mismatch_u128;
        usize: memcmp_usize, mismatch_usize;
    }

    for x in Backend::available() {
        check(
            &format!("{x} memcmp"),
            order,
            count(|a, b| x.memcmp(a, b).into()),
        );
        check(
            &format!("{x} equal"),
            None,
            count(|a, b| x.equal(a, b).into()),
        );
        check(
            &format!("{x} compare"),
            None,
            count(|a, b| x.compare(a, b) as i64),
        );
        check(
            &format!("{x} mismatch"),
            None,
            count(|a, b| index(x.mismatch(a, b))),
        );
        let prefix = count(|a, b| x.common_prefix_len(a, b) as i64);
        check(&format!("{x} common_prefix_len"), None, prefix);
        let suffix = count(|a, b| x.common_suffix_len(a, b) as i64);
        check(&format!("{x} common_suffix_len"), None, suffix);
    }
}

/// The page that a program compares to see whether anything changed. Unoptimised it takes too long.
#[test]
fn two_million_whole_pages() {
    let (a, b) = (vec![7; PAGE], vec![7; PAGE]);
    let before = ALLOCATIONS.get();
    for _ in 0..if cfg!(debug_assertions) {
        CALLS / 100
    } else {
        CALLS
    } {
        assert!(memdiff::equal(black_box(&a[..]), black_box(&b[..])));
    }
    assert_eq!(ALLOCATIONS.get(), before);
}
