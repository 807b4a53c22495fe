//! Keys as programs have them, generated: the same in every run.

use fastrand::Rng;
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::collections::BTreeSet;
use std::hash::BuildHasher;

use crate::task::Task;

/// One key.
pub type Key = &'static [u8];

/// How many keys there are of each kind.
const COUNT: usize = 4096;

/// A name, and what makes the keys, in no order.
type Kind = (&'static str, fn() -> Vec<Key>);

/// All the kinds.
pub const KINDS: [Kind; 4] = [
    ("words", || generate(word)),
    ("paths", || generate(path)),
    ("UUIDs", || generate(uuid)),
    ("URLs", || generate(url)),
];

/// To sort the keys.
pub fn sort(keys: &[Key]) -> Task {
    Task::Sort(keys.to_vec())
}

/// To find every key among all of them by binary search.
pub fn search(keys: &[Key]) -> Task {
    let mut sorted = keys.to_vec();
    sorted.sort_unstable();
    let wanted = copies(keys);
    Task::Search { sorted, wanted }
}

/// To find every key in a hash table, by its hash and a comparison.
pub fn look_up(keys: &[Key]) -> Task {
    let hasher = FixedState::with_seed(3);
    let hash = |key: &Key| hasher.hash_one(key);
    let mut table = HashTable::with_capacity(keys.len());
    for &key in keys {
        table.insert_unique(hash(&key), key, hash);
    }
    let wanted = copies(keys)
        .into_iter()
        .map(|key| (hash(&key), key))
        .collect();
    Task::Lookup { table, wanted }
}

/// The same keys at other addresses, in another order.
fn copies(keys: &[Key]) -> Vec<Key> {
    let mut copies = leak(keys.iter().map(|key| key.to_vec()));
    Rng::with_seed(4).shuffle(&mut copies);
    copies
}

/// `COUNT` different keys in no order.
fn generate(one: impl Fn(&mut Rng) -> String) -> Vec<Key> {
    let mut random = Rng::with_seed(5);
    let mut keys = BTreeSet::new();
    while keys.len() < COUNT {
        keys.insert(one(&mut random));
    }
    let mut keys = leak(keys.into_iter().map(String::into_bytes));
    random.shuffle(&mut keys);
    keys
}

/// The keys, each allocated on its own as a program would have them, for as long as the program
/// runs.
fn leak(keys: impl Iterator<Item = Vec<u8>>) -> Vec<Key> {
    keys.map(|key| &*key.leak()).collect()
}

fn pick<'a>(random: &mut Rng, from: &[&'a str]) -> &'a str {
    random.choice(from).expect("a list that is not empty")
}

/// One to four syllables, and sometimes an ending.
fn word(random: &mut Rng) -> String {
    const ONSETS: &[&str] = &[
        "b", "c", "ch", "d", "f", "g", "h", "l", "m", "n", "p", "pr", "r", "s", "st", "t", "tr",
        "v",
    ];
    const NUCLEI: &[&str] = &["a", "e", "ea", "i", "io", "o", "ou", "u"];
    const CODAS: &[&str] = &["", "", "", "l", "n", "nt", "r", "s", "st", "t"];
    const ENDINGS: &[&str] = &["", "", "", "ing", "ed", "s", "er", "ly", "ness", "able"];
    let mut word = String::new();
    for _ in 0..random.usize(1..=4) {
        word += pick(random, ONSETS);
        word += pick(random, NUCLEI);
        word += pick(random, CODAS);
    }
    word + pick(random, ENDINGS)
}

/// A file of an installed program.
fn path(random: &mut Rng) -> String {
    const TOPS: &[&str] = &[
        "/usr/lib/python3/dist-packages/",
        "/usr/share/doc/",
        "/usr/include/x86_64-linux-gnu/",
        "/usr/lib/x86_64-linux-gnu/",
        "/home/user/projects/",
    ];
    const TYPES: &[&str] = &[".py", ".so", ".h", ".txt", ".json", ".rs"];
    // Few folders, so that many files share one.
    let mut path = pick(random, TOPS).to_owned();
    for _ in 0..random.usize(1..=3) {
        let mut folder = Rng::with_seed(random.u64(..12));
        path += &word(&mut folder);
        path.push('/');
    }
    path + &word(random) + pick(random, TYPES)
}

/// A random UUID, as text.
fn uuid(random: &mut Rng) -> String {
    let hex = format!("{:032x}", random.u128(..));
    let [a, b, c, d, e] = [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ];
    format!("{a}-{b}-{c}-{d}-{e}")
}

/// The address of a page of one of a few sites.
fn url(random: &mut Rng) -> String {
    const SITES: &[&str] = &[
        "https://www.example.com/",
        "https://docs.example.org/en/latest/",
        "https://shop.example.net/catalogue/",
    ];
    let (site, section, page) = (pick(random, SITES), word(random), word(random));
    let id = random.u32(..100_000);
    format!("{site}{section}/{page}.html?id={id}")
}
