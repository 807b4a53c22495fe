//! Writes the first inputs of every target: the edges of each size class, both ranges aligned and
//! not, equal or different in the first, a middle or the last byte.
//!
//! Usage: `cargo run --example seeds -- DIR`, which makes one folder a target in `DIR`.

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

use memdiff_fuzz::{Range, Ranges};

/// Around the edges of the classes and rounds of all backends.
const LENGTHS: [u16; 24] = [
    0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 255, 257, 513, 1025, 2048,
];

/// The targets that take two ranges.
const TARGETS: [&str; 6] = ["memcmp", "equal", "compare", "prefix", "suffix", "elements"];

fn main() -> io::Result<()> {
    let Some(corpus) = env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: seeds DIR");
        process::exit(2);
    };
    let ranges = ranges();
    for target in TARGETS {
        write(&corpus.join(target), &ranges)?;
    }
    write(&corpus.join("word"), &words())?;
    write(&corpus.join("cmp"), &files())
}

/// Every length, three alignments, four differences.
fn ranges() -> Vec<Vec<u8>> {
    // The ranges stand one period apart in the buffer, so they are equal but for the flip.
    let bytes: Vec<u8> = (0..2080_u16).map(|i| (i * 7) as u8).collect();
    let period = bytes.len() as u16;
    let mut inputs = Vec::new();
    for len in LENGTHS {
        for start in [0, 1, 31] {
            let flip_at = |i: u16| if i < len { (start + i, 0x81) } else { (0, 0) };
            for flip in [
                (0, 0),
                flip_at(0),
                flip_at(len / 2),
                flip_at(len.wrapping_sub(1)),
            ] {
                let ranges = Ranges {
                    a: Range { start, len },
                    b: Range {
                        start: start + period,
                        len,
                    },
                    flips: [flip, (0, 0)],
                    periods: 1,
                    bytes: &bytes,
                };
                inputs.push(ranges.encode());
            }
        }
    }
    inputs
}

/// Equal words, and a difference in each byte of the longest.
fn words() -> Vec<Vec<u8>> {
    let word = 0x00ff_7f80_0102_0304_0506_0708_090a_0b0c_u128;
    let differences = [0, !0].into_iter().chain((0..16).map(|i| 0x81 << (8 * i)));
    differences
        .map(|difference: u128| [word.to_le_bytes(), difference.to_le_bytes()].concat())
        .collect()
}

/// Two files of about one block of `cmp`, equal or different at its edge, in every mode, whole or one
/// of them from byte 4096 on.
fn files() -> Vec<Vec<u8>> {
    const BLOCK: u32 = 64 * 1024;
    // How `Arbitrary` reads one of `of` variants.
    let variant = |i: u64, of: u64| ((i << 32) / of + 1) as u32;
    let number = |digits, unit| [digits, variant(1, 3), variant(unit, 3)];
    let bytes: Vec<u8> = (0..4096_u32).map(|i| (i * 7) as u8).collect();
    let mut inputs = Vec::new();
    for mode in 0..3 {
        for skip in [
            vec![variant(0, 4)],
            [
                vec![variant(2, 4)],
                number(4, 2).into(),
                number(0, 0).into(),
            ]
            .concat(),
        ] {
            for lens in [
                [0, 0],
                [BLOCK, BLOCK],
                [BLOCK + 1, BLOCK],
                [BLOCK + 5000, BLOCK + 5000],
            ] {
                for flip in [None, Some(BLOCK - 1), Some(BLOCK)] {
                    let mut input = variant(mode, 3).to_le_bytes().to_vec();
                    input.push(0); // no -b
                    input.extend(skip.iter().flat_map(|word| word.to_le_bytes()));
                    input.push(0); // no limit
                    input.extend(lens.iter().flat_map(|len| len.to_le_bytes()));
                    for (at, xor) in [(flip.unwrap_or(0), flip.map_or(0, |_| 0x81)), (0, 0)] {
                        input.extend(at.to_le_bytes());
                        input.push(xor);
                    }
                    input.push(17); // periods: 18 times 4096 bytes
                    input.extend(&bytes);
                    inputs.push(input);
                }
            }
        }
    }
    inputs
}

fn write(folder: &Path, inputs: &[Vec<u8>]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (i, input) in inputs.iter().enumerate() {
        fs::write(folder.join(format!("seed-{i:03}")), input)?;
    }
    Ok(())
}
