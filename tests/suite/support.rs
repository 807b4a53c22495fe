//! The oracle, the subjects, and the check of all subjects against the oracle.

use std::cmp::Ordering;
use std::fmt;
use std::sync::LazyLock;

use memdiff::{Backend, portable, raw};

/// What each function says of two ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answers {
    /// Of the ranges cut to the shorter length.
    pub memcmp: i32,
    pub equal: bool,
    pub compare: Ordering,
    pub mismatch: Option<usize>,
    pub common_prefix_len: usize,
    pub common_suffix_len: usize,
}

impl Answers {
    /// The answers for the same ranges in the other order.
    pub fn swapped(self) -> Answers {
        Answers {
            memcmp: -self.memcmp,
            compare: self.compare.reverse(),
            ..self
        }
    }

    /// The functions whose answers differ.
    fn different(self, other: Answers) -> Vec<&'static str> {
        [
            ("memcmp", self.memcmp != other.memcmp),
            ("equal", self.equal != other.equal),
            ("compare", self.compare != other.compare),
            ("mismatch", self.mismatch != other.mismatch),
            (
                "common_prefix_len",
                self.common_prefix_len != other.common_prefix_len,
            ),
            (
                "common_suffix_len",
                self.common_suffix_len != other.common_suffix_len,
            ),
        ]
        .into_iter()
        .filter_map(|(name, differs)| differs.then_some(name))
        .collect()
    }
}

/// What is right: one byte after the other.
pub fn oracle(a: &[u8], b: &[u8]) -> Answers {
    let n = a.len().min(b.len());
    let mut prefix = 0;
    while prefix < n && a[prefix] == b[prefix] {
        prefix += 1;
    }
    let mut suffix = 0;
    while suffix < n && a[a.len() - 1 - suffix] == b[b.len() - 1 - suffix] {
        suffix += 1;
    }
    let equal = prefix == a.len() && prefix == b.len();
    let memcmp = if prefix < n {
        i32::from(a[prefix]) - i32::from(b[prefix])
    } else {
        0
    };
    Answers {
        memcmp,
        equal,
        compare: memcmp.cmp(&0).then(a.len().cmp(&b.len())),
        mismatch: (!equal).then_some(prefix),
        common_prefix_len: prefix,
        common_suffix_len: suffix,
    }
}

/// Something that answers.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    Crate,
    Raw,
    Portable,
    Backend(Backend),
}

/// Every subject that this machine has.
pub static SUBJECTS: LazyLock<Vec<Subject>> = LazyLock::new(|| {
    [Subject::Crate, Subject::Raw, Subject::Portable]
        .into_iter()
        .chain(Backend::available().map(Subject::Backend))
        .collect()
});

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Crate => f.write_str("the crate's"),
            Subject::Raw => f.write_str("raw"),
            Subject::Portable => f.write_str("portable"),
            Subject::Backend(backend) => write!(f, "backend {backend}"),
        }
    }
}

/// The answers of six functions: of a module, or the methods of a value.
macro_rules! answers {
    ($a:ident, $b:ident, $($of:tt)+) => {{
        let n = $a.len().min($b.len());
        Answers {
            memcmp: $($of)+ memcmp(&$a[..n], &$b[..n]),
            equal: $($of)+ equal($a, $b),
            compare: $($of)+ compare($a, $b),
            mismatch: $($of)+ mismatch($a, $b),
            common_prefix_len: $($of)+ common_prefix_len($a, $b),
            common_suffix_len: $($of)+ common_suffix_len($a, $b),
        }
    }};
}

impl Subject {
    pub fn answers(self, a: &[u8], b: &[u8]) -> Answers {
        match self {
            Subject::Crate => answers!(a, b, memdiff::),
            Subject::Raw => raw_answers(a, b),
            Subject::Portable => answers!(a, b, portable::),
            Subject::Backend(backend) => answers!(a, b, backend.),
        }
    }

    pub fn check(self, a: &[u8], b: &[u8], right: Answers) {
        let answers = self.answers(a, b);
        if answers != right {
            self.fail(a, b, answers, right);
        }
    }

    #[cold]
    fn fail(self, a: &[u8], b: &[u8], answers: Answers, right: Answers) -> ! {
        panic!(
            "{self} {}: wrong for lengths {} and {}, alignments {} and {} of 64, mismatch {:?}\n\
             wrong: {answers:?}\nright: {right:?}\na: {a:02x?}\nb: {b:02x?}",
            answers.different(right).join(", "),
            a.len(),
            b.len(),
            a.as_ptr().addr() % 64,
            b.as_ptr().addr() % 64,
            right.mismatch,
        );
    }
}

fn raw_answers(a: &[u8], b: &[u8]) -> Answers {
    let n = a.len().min(b.len());
    let (first_a, first_b) = (a.as_ptr(), b.as_ptr());
    // SAFETY: both slices have at least `n` bytes, at their start and at their end.
    let (memcmp, bcmp, prefix, suffix) = unsafe {
        let (last_a, last_b) = (first_a.add(a.len() - n), first_b.add(b.len() - n));
        (
            raw::memcmp(first_a, first_b, n),
            raw::bcmp(first_a, first_b, n),
            raw::mismatch(first_a, first_b, n),
            raw::rmismatch(last_a, last_b, n),
        )
    };
    let equal = bcmp == 0 && a.len() == b.len();
    Answers {
        memcmp,
        equal,
        compare: memcmp.cmp(&0).then(a.len().cmp(&b.len())),
        mismatch: (prefix < a.len().max(b.len())).then_some(prefix),
        common_prefix_len: prefix,
        common_suffix_len: suffix,
    }
}

/// Checks every subject on `a` and `b`, both ways round.
pub fn check(a: &[u8], b: &[u8]) {
    let right = oracle(a, b);
    for subject in SUBJECTS.iter() {
        subject.check(a, b, right);
        subject.check(b, a, right.swapped());
    }
}

/// Checks ranges of the same length that are equal, then with a mismatch at each of the positions.
/// Half of the mismatches are followed by bytes that differ the other way.
pub fn check_positions(
    random: &mut Random,
    a: &mut [u8],
    b: &mut [u8],
    positions: impl IntoIterator<Item = usize>,
) {
    random.fill(a);
    b.copy_from_slice(a);
    check(a, b);
    for first in positions {
        let followers = random.flip() * random.below(a.len() - first);
        let (x, y) = random.different_bytes();
        let rest = first + 1..first + 1 + followers;
        (a[first], b[first]) = (x, y);
        a[rest.clone()].fill(y);
        b[rest.clone()].fill(x);
        check(a, b);
        b[first..rest.end].copy_from_slice(&a[first..rest.end]);
    }
}

/// What surrounds the two ranges: a kernel that looked at it would find a difference.
pub const AROUND: [u8; 2] = [0x55, 0xaa];

/// The range of `n` bytes at `start`, the rest of the object filled with `around`.
pub fn place(object: &mut [u8], around: u8, start: usize, n: usize) -> &mut [u8] {
    object.fill(around);
    &mut object[start..start + n]
}

/// The bytes at which signs, carries and bit tricks go wrong.
pub const BYTES: [u8; 6] = [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff];

/// Random numbers, the same ones on every machine: SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.draw() % bound as u64) as usize
    }

    /// 0 or 1.
    pub fn flip(&mut self) -> usize {
        self.below(2)
    }

    /// One of [`BYTES`] or, every fourth time, any byte.
    pub fn byte(&mut self) -> u8 {
        match self.below(4) {
            0 => self.draw() as u8,
            _ => BYTES[self.below(BYTES.len())],
        }
    }

    pub fn different_bytes(&mut self) -> (u8, u8) {
        let (x, y) = (self.byte(), self.byte());
        (x, if x == y { !y } else { y })
    }

    pub fn fill(&mut self, bytes: &mut [u8]) {
        bytes.fill_with(|| self.byte());
    }
}
