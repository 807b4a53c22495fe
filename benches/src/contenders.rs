//! The table of operations and of everybody who offers them.

use std::ffi::{c_int, c_void};
use std::fmt;

use memdiff::Backend;
use stringzilla as _;

use crate::loops::{self, words};
use crate::task::{Outcome, Task};

/// What memdiff does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Memcmp,
    Compare,
    Equal,
    Mismatch,
    Prefix,
    Suffix,
}

impl Operation {
    pub const ALL: [Operation; 6] = [
        Operation::Memcmp,
        Operation::Compare,
        Operation::Equal,
        Operation::Mismatch,
        Operation::Prefix,
        Operation::Suffix,
    ];
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Operation::Memcmp => "memcmp",
            Operation::Compare => "compare",
            Operation::Equal => "equal",
            Operation::Mismatch => "mismatch",
            Operation::Prefix => "common_prefix_len",
            Operation::Suffix => "common_suffix_len",
        })
    }
}

/// Where a contender comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This crate.
    Memdiff,
    /// The standard library, where it has the operation, and libc behind it.
    Library,
    /// Another crate.
    Crate,
    /// A loop written by hand.
    Loop,
    /// Not a comparison but a bound of what one can reach.
    Limit,
}

/// One implementation of one operation.
pub struct Contender {
    pub operation: Operation,
    pub name: &'static str,
    pub origin: Origin,
    run: Box<dyn Fn(&Task)>,
    checksum: Box<dyn Fn(&Task) -> u64>,
}

impl Contender {
    fn new<R: Outcome>(
        operation: Operation,
        origin: Origin,
        name: &'static str,
        f: impl Fn(&[u8], &[u8]) -> R + Copy + 'static,
    ) -> Contender {
        Contender {
            operation,
            name,
            origin,
            run: Box::new(move |task| task.run(&f)),
            checksum: Box::new(move |task| task.checksum(&f)),
        }
    }

    /// Does the task once.
    pub fn run(&self, task: &Task) {
        (self.run)(task);
    }

    /// A number that contenders share if their results are the same.
    pub fn checksum(&self, task: &Task) -> u64 {
        (self.checksum)(task)
    }
}

unsafe extern "C" {
    fn bcmp(a: *const c_void, b: *const c_void, n: usize) -> c_int;
    fn sz_equal(a: *const c_void, b: *const c_void, n: usize) -> c_int;
    fn sz_order(a: *const c_void, m: usize, b: *const c_void, n: usize) -> c_int;
}

/// libc's, of the shorter length.
#[inline(always)]
fn libc_memcmp(a: &[u8], b: &[u8]) -> i32 {
    let n = a.len().min(b.len());
    // SAFETY: both slices have at least `n` bytes.
    unsafe { libc::memcmp(a.as_ptr().cast(), b.as_ptr().cast(), n) }
}

#[inline(always)]
fn libc_bcmp(a: &[u8], b: &[u8]) -> bool {
    // SAFETY: both slices have `a.len()` bytes where it is called.
    a.len() == b.len() && unsafe { bcmp(a.as_ptr().cast(), b.as_ptr().cast(), a.len()) == 0 }
}

#[inline(always)]
fn stringzilla_equal(a: &[u8], b: &[u8]) -> bool {
    // SAFETY: both slices have `a.len()` bytes where it is called.
    a.len() == b.len() && unsafe { sz_equal(a.as_ptr().cast(), b.as_ptr().cast(), a.len()) != 0 }
}

#[inline(always)]
fn stringzilla_order(a: &[u8], b: &[u8]) -> i32 {
    // SAFETY: the slices have as many bytes as it is told.
    unsafe { sz_order(a.as_ptr().cast(), a.len(), b.as_ptr().cast(), b.len()) }
}

/// memdiff as its users call it, or one of its backends, and then everybody else: for each
/// operation memdiff comes first.
pub fn all(backend: Option<Backend>) -> Vec<Contender> {
    let mut all = match backend {
        None => memdiff(),
        Some(backend) => by_backend(backend),
    };
    all.extend(peers());
    all
}

fn memdiff() -> Vec<Contender> {
    use Operation::*;
    let (origin, name) = (Origin::Memdiff, "memdiff");
    vec![
        Contender::new(Memcmp, origin, name, memdiff::memcmp),
        Contender::new(Compare, origin, name, memdiff::compare),
        Contender::new(Equal, origin, name, memdiff::equal),
        Contender::new(Mismatch, origin, name, memdiff::mismatch),
        Contender::new(Prefix, origin, name, memdiff::common_prefix_len),
        Contender::new(Suffix, origin, name, memdiff::common_suffix_len),
    ]
}

fn by_backend(backend: Backend) -> Vec<Contender> {
    use Operation::*;
    let (origin, name) = (Origin::Memdiff, backend.name());
    vec![
        Contender::new(Memcmp, origin, name, move |a, b| backend.memcmp(a, b)),
        Contender::new(Compare, origin, name, move |a, b| backend.compare(a, b)),
        Contender::new(Equal, origin, name, move |a, b| backend.equal(a, b)),
        Contender::new(Mismatch, origin, name, move |a, b| backend.mismatch(a, b)),
        Contender::new(Prefix, origin, name, move |a, b| {
            backend.common_prefix_len(a, b)
        }),
        Contender::new(Suffix, origin, name, move |a, b| {
            backend.common_suffix_len(a, b)
        }),
    ]
}

fn peers() -> Vec<Contender> {
    use Operation::*;
    use Origin::{Crate, Library, Loop};
    let prefix_by_words =
        |a: &[u8], b: &[u8]| words::position(a, b).unwrap_or(a.len().min(b.len()));
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
    let mut peers = vec![
        Contender::new(Memcmp, Library, "libc memcmp", libc_memcmp),
        Contender::new(Memcmp, Crate, "sz_order", stringzilla_order),
        Contender::new(Memcmp, Loop, "byte loop", loops::memcmp),
        Contender::new(Memcmp, Loop, "u64 loop", words::memcmp),
        Contender::new(Compare, Library, "cmp", |a, b| a.cmp(b)),
        Contender::new(Compare, Library, "libc memcmp", |a, b| {
            loops::order(libc_memcmp(a, b), a, b)
        }),
        Contender::new(Compare, Crate, "sz_order", stringzilla_order),
        Contender::new(Compare, Loop, "byte loop", |a, b| {
            loops::order(loops::memcmp(a, b), a, b)
        }),
        Contender::new(Compare, Loop, "u64 loop", |a, b| {
            loops::order(words::memcmp(a, b), a, b)
        }),
        Contender::new(Equal, Library, "==", |a, b| a == b),
        Contender::new(Equal, Library, "libc bcmp", libc_bcmp),
        Contender::new(Equal, Crate, "sz_equal", stringzilla_equal),
        Contender::new(Equal, Crate, "memchr is_equal", |a, b| {
            memchr::arch::all::is_equal(a, b)
        }),
        Contender::new(Equal, Loop, "byte loop", |a, b| {
            a.len() == b.len() && loops::position(a, b).is_none()
        }),
        Contender::new(Equal, Loop, "u64 loop", words::equal),
        Contender::new(Mismatch, Library, "zip().position()", loops::position),
        Contender::new(Mismatch, Loop, "u64 loop", words::position),
        Contender::new(Prefix, Library, "zip().take_while()", |a, b| {
            a.iter().zip(b).take_while(|(x, y)| x == y).count()
        }),
        Contender::new(Prefix, Loop, "u64 loop", prefix_by_words),
        Contender::new(
            Prefix,
            Crate,
            "fast-slice-utils",
            fast_slice_utils::find_prefix_overlap,
        ),
        Contender::new(Suffix, Library, "rev().zip()", loops::suffix_len),
        Contender::new(Suffix, Loop, "u64 loop", words::suffix_len),
    ];
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        peers.push(Contender::new(
            Equal,
            Origin::Limit,
            "loads only",
            |a, b| {
                // SAFETY: the processor has AVX2.
                unsafe { loops::loads_only(a, b) };
                true
            },
        ));
    }
    peers
}
