//! What is timed: calls in a row, calls that wait for each other, and work on real keys.

use std::arch::asm;
use std::cmp::Ordering;
use std::hint::black_box;

use hashbrown::HashTable;
use memdiff_bench::calls::Calls;

type Key = &'static [u8];

/// Something to do with a comparison.
pub enum Task {
    /// Calls that do not depend on each other.
    Throughput(Calls),
    /// The same, in another order every round: a branch predictor learns the order of 32,768 random
    /// calls if it sees them twenty times in a row, and what is measured then is how well.
    Random(Calls),
    /// Calls that each wait for the result of the one before.
    Latency(Calls),
    /// To sort these.
    Sort(Vec<Key>),
    /// To find each of `wanted` among those that are sorted.
    Search { sorted: Vec<Key>, wanted: Vec<Key> },
    /// To find each of `wanted`, of which the hash is known, in a table.
    Lookup {
        table: HashTable<Key>,
        wanted: Vec<(u64, Key)>,
    },
}

/// The result of a comparison.
pub trait Outcome: Copy {
    /// What a caller makes of it: of an order whether it is "less", of the others everything.
    fn used(self) -> u64;
    /// All that peers agree on: of an order the sign.
    fn exact(self) -> u64;
    /// Equal or not, and which is less if the operation tells.
    fn order(self) -> Ordering;
}

impl Outcome for i32 {
    #[inline(always)]
    fn used(self) -> u64 {
        u64::from(self < 0)
    }

    fn exact(self) -> u64 {
        self.cmp(&0).exact()
    }

    #[inline(always)]
    fn order(self) -> Ordering {
        self.cmp(&0)
    }
}

impl Outcome for Ordering {
    #[inline(always)]
    fn used(self) -> u64 {
        u64::from(self.is_lt())
    }

    fn exact(self) -> u64 {
        (self as i8).cast_unsigned().into()
    }

    #[inline(always)]
    fn order(self) -> Ordering {
        self
    }
}

impl Outcome for bool {
    #[inline(always)]
    fn used(self) -> u64 {
        u64::from(self)
    }

    fn exact(self) -> u64 {
        u64::from(self)
    }

    #[inline(always)]
    fn order(self) -> Ordering {
        if self {
            Ordering::Equal
        } else {
            Ordering::Less
        }
    }
}

impl Outcome for usize {
    #[inline(always)]
    fn used(self) -> u64 {
        self as u64
    }

    fn exact(self) -> u64 {
        self as u64
    }

    fn order(self) -> Ordering {
        unreachable!("a length orders nothing")
    }
}

impl Outcome for Option<usize> {
    #[inline(always)]
    fn used(self) -> u64 {
        self.unwrap_or(0) as u64
    }

    fn exact(self) -> u64 {
        self.map_or(u64::MAX, |i| i as u64)
    }

    fn order(self) -> Ordering {
        unreachable!("an index orders nothing")
    }
}

impl Task {
    /// How many comparisons, or keys, the task has.
    pub fn len(&self) -> usize {
        match self {
            Task::Throughput(calls) | Task::Random(calls) | Task::Latency(calls) => calls.len(),
            Task::Sort(keys) => keys.len(),
            Task::Search { wanted, .. } => wanted.len(),
            Task::Lookup { wanted, .. } => wanted.len(),
        }
    }

    /// Shuffles the calls if their order must not be learned. Says whether it did, so that a round is
    /// to do them once.
    pub fn renew(&mut self, random: &mut fastrand::Rng) -> bool {
        match self {
            Task::Random(calls) => calls.shuffle(random),
            _ => return false,
        }
        true
    }

    /// Does it once, to be timed.
    #[inline(always)]
    pub fn run<R: Outcome>(&self, f: &impl Fn(&[u8], &[u8]) -> R) {
        match self {
            Task::Throughput(calls) | Task::Random(calls) => black_box(throughput(calls, f)),
            Task::Latency(calls) => black_box(latency(calls, f)),
            Task::Sort(keys) => black_box(sort(keys, f)).len() as u64,
            Task::Search { sorted, wanted } => black_box(search(sorted, wanted, f)),
            Task::Lookup { table, wanted } => black_box(lookup(table, wanted, f)),
        };
    }

    /// A number that tells whether two comparisons give the same results.
    pub fn checksum<R: Outcome>(&self, f: &impl Fn(&[u8], &[u8]) -> R) -> u64 {
        let fold = |sum: u64, result: u64| sum.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ result;
        match self {
            Task::Throughput(calls) | Task::Random(calls) | Task::Latency(calls) => {
                calls.pairs().map(|(a, b)| f(a, b).exact()).fold(0, fold)
            }
            Task::Sort(keys) => {
                let sorted = sort(keys, f);
                sorted
                    .iter()
                    .map(|key| key.as_ptr().addr() as u64)
                    .fold(0, fold)
            }
            Task::Search { sorted, wanted } => search(sorted, wanted, f),
            Task::Lookup { table, wanted } => lookup(table, wanted, f),
        }
    }
}

/// Lets the code that follows start on a cache line, for every contender and in every build: where it
/// falls, a loop of a few instructions takes one cycle or two.
#[inline(always)]
fn align() {
    // SAFETY: nothing but no-ops.
    unsafe { asm!(".p2align 6", options(nomem, nostack, preserves_flags)) };
}

#[inline(never)]
fn throughput<R: Outcome>(calls: &Calls, f: &impl Fn(&[u8], &[u8]) -> R) -> u64 {
    align();
    let results = calls.pairs().map(|(a, b)| f(a, b).used());
    results.fold(0, u64::wrapping_add)
}

#[inline(never)]
fn latency<R: Outcome>(calls: &Calls, f: &impl Fn(&[u8], &[u8]) -> R) -> u64 {
    align();
    calls.chain(|a, b| f(a, b).used())
}

#[inline(never)]
fn sort<R: Outcome>(keys: &[Key], f: &impl Fn(&[u8], &[u8]) -> R) -> Vec<Key> {
    let mut keys = keys.to_vec();
    keys.sort_unstable_by(|a, b| f(a, b).order());
    keys
}

/// The sum of the indices at which the keys are found.
#[inline(never)]
fn search<R: Outcome>(sorted: &[Key], wanted: &[Key], f: &impl Fn(&[u8], &[u8]) -> R) -> u64 {
    let find = |key| sorted.binary_search_by(|other| f(other, key).order());
    wanted
        .iter()
        .map(|key| find(key).map_or(0, |i| i as u64))
        .sum()
}

/// How many of the keys are found.
#[inline(never)]
fn lookup<R: Outcome>(
    table: &HashTable<Key>,
    wanted: &[(u64, Key)],
    f: &impl Fn(&[u8], &[u8]) -> R,
) -> u64 {
    let is_there = |hash, key| {
        table
            .find(hash, |other| f(other, key).order().is_eq())
            .is_some()
    };
    wanted
        .iter()
        .map(|&(hash, key)| u64::from(is_there(hash, key)))
        .sum()
}
