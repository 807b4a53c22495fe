//! The work, in groups.

use std::{fmt, ptr, slice};

use memdiff_bench::calls::{Calls, LastByte, Row};
use memdiff_bench::traces;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect};

use crate::contenders::{Contender, Operation, Origin};
use crate::keys;
use crate::task::Task;

/// Work of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// What real programs called.
    Traces,
    /// Lengths that no processor predicts.
    Random,
    /// One length after the other, with no difference.
    Fixed,
    /// Short lengths, each call waiting for the one before.
    Latency,
    /// The calls of glibc's own benchmark of `memcmp`.
    Grid,
    /// Short ranges that end where a page begins that cannot be accessed.
    PageEnd,
    /// Sorting, searching and looking up keys of several kinds.
    Keys,
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Group::Traces => "traces",
            Group::Random => "random",
            Group::Fixed => "fixed",
            Group::Latency => "latency",
            Group::Grid => "grid",
            Group::Keys => "keys",
            Group::PageEnd => "page end",
        })
    }
}

impl Group {
    /// Whether a contender has a say in this group.
    fn admits(self, contender: &Contender) -> bool {
        match contender.origin {
            Origin::Memdiff => true,
            Origin::Library | Origin::Crate => true,
            Origin::Loop => ![Group::Grid, Group::Keys, Group::PageEnd].contains(&self),
            Origin::Limit => self == Group::Fixed,
        }
    }
}

/// One task and who takes it on.
pub struct Workload {
    pub group: Group,
    pub name: String,
    /// How long each comparison is, if they are all as long.
    pub size: Option<usize>,
    operations: &'static [Operation],
    make: Box<dyn Fn() -> Task>,
}

impl Workload {
    fn new(
        group: Group,
        name: String,
        size: Option<usize>,
        operations: &'static [Operation],
        make: impl Fn() -> Task + 'static,
    ) -> Workload {
        let make = Box::new(make);
        Workload {
            group,
            name,
            size,
            operations,
            make,
        }
    }

    /// The task itself: built when its turn comes, for the memory it takes.
    pub fn task(&self) -> Task {
        (self.make)()
    }

    /// The contenders for an operation, memdiff first; none if the operation is no part of it.
    pub fn contenders<'a>(&self, operation: Operation, all: &'a [Contender]) -> Vec<&'a Contender> {
        all.iter()
            .filter(|contender| contender.operation == operation)
            .filter(|contender| {
                self.operations.contains(&operation) && self.group.admits(contender)
            })
            .collect()
    }
}

/// All the work; less of it if it must be quick.
pub fn all(quick: bool) -> Vec<Workload> {
    let largest = if quick { 64 << 10 } else { 16 << 20 };
    let mut all = traces();
    all.extend(random());
    all.extend(fixed(largest));
    all.extend(latency());
    all.extend(keys());
    all.extend(grid());
    all.extend(page_end());
    all
}

fn traces() -> Vec<Workload> {
    traces::all()
        .map(|(name, rows)| {
            let make = move || Task::Throughput(Calls::replay(&rows));
            Workload::new(Group::Traces, name.into(), None, &Operation::ALL, make)
        })
        .collect()
}

fn page_end() -> Vec<Workload> {
    [8, 16, 32, 48, 64]
        .map(|size| {
            let make = move || Task::Throughput(Calls::at_the_end(guarded_page(), size, 256));
            let operations = &[Operation::Memcmp, Operation::Equal];
            let name = size.to_string();
            Workload::new(Group::PageEnd, name, Some(size), operations, make)
        })
        .into()
}

/// A page before one that cannot be accessed. Neither is ever unmapped.
fn guarded_page() -> &'static mut [u8] {
    let page = rustix::param::page_size();
    let none = ProtFlags::empty();
    // SAFETY: the mapping is new, and the page that is used made accessible and filled with zeros.
    unsafe {
        let pages = mmap_anonymous(ptr::null_mut(), 2 * page, none, MapFlags::PRIVATE);
        let pages = pages.expect("two pages of memory");
        mprotect(pages, page, MprotectFlags::READ | MprotectFlags::WRITE).expect("access to one");
        slice::from_raw_parts_mut(pages.cast(), page)
    }
}

/// How the pairs of a random workload differ.
#[derive(Clone, Copy)]
enum Difference {
    Never,
    Once,
    CoinFlip,
}

fn random() -> Vec<Workload> {
    let uniform = |least, most| move |random: &mut fastrand::Rng| random.usize(least..=most);
    let mut all = Vec::new();
    for (least, most) in [(0, 16), (1, 32), (1, 64), (1, 128), (1, 256)] {
        all.extend(random_lengths(
            format!("{least}-{most}"),
            uniform(least, most),
        ));
    }
    all.extend(random_lengths("log 1-1024".into(), |random| {
        2_f64.powf(10.0 * random.f64()).round() as usize
    }));
    all
}

/// 32,768 calls with lengths out of `length`, in each of the ways to differ.
fn random_lengths(
    name: String,
    length: impl Fn(&mut fastrand::Rng) -> usize + Copy + 'static,
) -> Vec<Workload> {
    let ways = [
        ("equal", Difference::Never),
        ("one difference", Difference::Once),
        ("coin flip", Difference::CoinFlip),
    ];
    ways.map(|(way, difference)| {
        let make = move || {
            let mut random = fastrand::Rng::with_seed(2);
            let row = |_| random_row(&mut random, length, difference);
            let rows: Vec<Row> = (0..32_768).map(row).collect();
            Task::Random(Calls::replay(&rows))
        };
        let name = format!("{name} {way}");
        Workload::new(Group::Random, name, None, &Operation::ALL, make)
    })
    .into()
}

fn random_row(
    random: &mut fastrand::Rng,
    length: impl Fn(&mut fastrand::Rng) -> usize,
    difference: Difference,
) -> Row {
    let len = length(random);
    let differs = match difference {
        Difference::Never => false,
        Difference::Once => len > 0,
        Difference::CoinFlip => len > 0 && random.bool(),
    };
    Row {
        len,
        pos: if differs { random.usize(..len) } else { len },
        a64: random.usize(..64),
        b64: random.usize(..64),
    }
}

/// Calls enough to make the time between them not matter.
fn times(size: usize) -> usize {
    (64 * 1024 / size.max(1)).clamp(1, 1024)
}

fn fixed(largest: usize) -> Vec<Workload> {
    let small = [
        0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768,
    ];
    let large = (10..)
        .map(|power| 1 << power)
        .take_while(|&size| size <= largest);
    let sides = [("aligned", 0, 0), ("a + 1", 1, 0), ("b + 1", 0, 1)];
    small
        .into_iter()
        .chain(large)
        .flat_map(|size| sides.map(|side| (size, side)))
        .map(|(size, (side, a, b))| {
            let make =
                move || Task::Throughput(Calls::repeat(a, b, size, LastByte::Equal, times(size)));
            let name = format!("{size} {side}");
            Workload::new(Group::Fixed, name, Some(size), &Operation::ALL, make)
        })
        .collect()
}

fn latency() -> Vec<Workload> {
    let sizes = [
        1, 2, 3, 4, 6, 8, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 96, 128, 256,
    ];
    let ways = [("equal", LastByte::Equal), ("last byte", LastByte::Greater)];
    sizes
        .into_iter()
        .flat_map(|size| ways.map(|way| (size, way)))
        .map(|(size, (way, last))| {
            let make = move || Task::Latency(Calls::repeat(0, 0, size, last, 1024));
            let name = format!("{size} {way}");
            Workload::new(Group::Latency, name, Some(size), &Operation::ALL, make)
        })
        .collect()
}

/// The cells of glibc's benchmark: both offsets from the start of a page, the length, the last
/// byte.
fn grid() -> Vec<Workload> {
    use LastByte::{Equal, Greater, Less};
    let mut cells = Vec::new();
    let mut cell = |a: usize, b: usize, n: usize, ways: &[LastByte]| {
        cells.extend(ways.iter().map(|&last| (a, b, n, last)));
    };
    let each = &[Equal, Greater, Less];
    for i in 0..32 {
        cell(i, i, i, each);
    }
    for i in 0..32 {
        cell(0, 0, i, each);
        cell(4096 - i, 0, i, each);
    }
    for i in (33..385).step_by(32) {
        cell(0, 0, i, each);
        cell(i, 0, i, &[Equal]);
        cell(0, i, i, &[Greater]);
        cell(i, i, i, &[Less]);
    }
    for i in 1..10 {
        cell(0, 0, 2 << i, each);
        if let Some(a) = 8_usize.checked_sub(i) {
            cell(a, 2 * i, 16 << i, &[Equal]);
        }
        cell(0, 0, 16 << i, each);
        for n in [2 << i, 16 << i] {
            cell(i, 0, n, &[Equal]);
            cell(0, i, n, &[Greater]);
            cell(i, i, n, &[Less]);
        }
        cell(i, 2 * i, 8 << i, each);
    }
    cells
        .into_iter()
        // Nothing can differ in no byte.
        .filter(|&(_, _, n, last)| n > 0 || last == Equal)
        .map(|(a, b, n, last)| {
            let make = move || Task::Throughput(Calls::repeat(a, b, n, last, 256));
            let name = format!("{a} {b} {n} {last:?}");
            let operations = &[Operation::Memcmp, Operation::Equal];
            Workload::new(Group::Grid, name, Some(n), operations, make)
        })
        .collect()
}

fn keys() -> Vec<Workload> {
    const ORDER: &[Operation] = &[Operation::Compare];
    const EQUAL: &[Operation] = &[Operation::Equal];
    let mut all = Vec::new();
    for (kind, keys) in keys::KINDS {
        let mut work = |what, operations, make: fn(&[keys::Key]) -> Task| {
            let make = move || make(&keys());
            let name = format!("{what} {kind}");
            all.push(Workload::new(Group::Keys, name, None, operations, make));
        };
        work("sort", ORDER, keys::sort);
        work("search", ORDER, keys::search);
        work("look up", EQUAL, keys::look_up);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_is_whole() {
        assert_eq!(grid().len(), 491);
    }

    #[test]
    fn contenders_agree_on_all_that_is_quick() {
        let all_contenders = crate::contenders::all(None);
        for workload in all(true) {
            let task = workload.task();
            for operation in Operation::ALL {
                let contenders = workload.contenders(operation, &all_contenders);
                let Some((memdiff, peers)) = contenders.split_first() else {
                    continue;
                };
                assert_eq!(memdiff.origin, Origin::Memdiff);
                for peer in peers {
                    let (found, expected) = (peer.checksum(&task), memdiff.checksum(&task));
                    let (workload, peer) = (&workload.name, peer.name);
                    assert_eq!(found, expected, "{workload} {operation} {peer}");
                }
            }
        }
    }
}
