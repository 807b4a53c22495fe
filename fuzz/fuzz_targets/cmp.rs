//! The program `cmp`: its options, numbers and blocks, against a byte loop over both files.
#![no_main]

#[path = "../../examples/cmp.rs"]
#[allow(dead_code)] // its `main`
mod cmp;

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, process};

use arbitrary::Arbitrary;
use cmp::Verdict;
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    mode: Mode,
    print_bytes: bool,
    skip: Skip,
    limit: Option<Number>,
    /// The files: `bytes` over and over, cut to these lengths; the second one with flips.
    lens: [u32; 2],
    flips: [(u32, u8); 2],
    periods: u8,
    bytes: &'a [u8],
}

#[derive(Arbitrary, Debug, Clone, Copy, PartialEq)]
enum Mode {
    First,
    All,
    Silent,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
enum Skip {
    None,
    Both(Number),
    Each(Number, Number),
    Operands(Number, Number),
}

/// A number on the command line.
#[derive(Arbitrary, Debug, Clone, Copy)]
struct Number {
    digits: u32,
    radix: Radix,
    unit: Unit,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
enum Radix {
    Octal,
    Decimal,
    Hexadecimal,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
enum Unit {
    One,
    Kilobytes,
    Kibibytes,
}

impl Number {
    fn text(self) -> String {
        let digits = match self.radix {
            Radix::Octal => format!("0{:o}", self.digits),
            Radix::Decimal => self.digits.to_string(),
            Radix::Hexadecimal => format!("0x{:x}", self.digits),
        };
        digits
            + match self.unit {
                Unit::One => "",
                Unit::Kilobytes => "kB",
                Unit::Kibibytes => "K",
            }
    }

    fn value(self) -> usize {
        let unit = match self.unit {
            Unit::One => 1,
            Unit::Kilobytes => 1000,
            Unit::Kibibytes => 1024,
        };
        self.digits as usize * unit
    }
}

static FILES: LazyLock<[PathBuf; 2]> = LazyLock::new(|| {
    ["a", "b"].map(|name| env::temp_dir().join(format!("memdiff-fuzz-{}-{name}", process::id())))
});

fuzz_target!(|input: Input| {
    let contents = input.contents();
    let arguments = input.arguments();
    for (path, content) in FILES.iter().zip(&contents) {
        write(path, content).unwrap();
    }

    let mut printed = Vec::new();
    let verdict = cmp::run(lexopt::Parser::from_args(&arguments), &mut printed);
    // The word depends on the locale.
    let printed = String::from_utf8(printed).unwrap();
    let printed = printed.replace(" differ: char ", " differ: byte ");

    let [a, b] = &contents;
    let (expected, same) = input.expected(a, b);
    assert!(printed == expected, "{arguments:?}: {printed:?}");
    match verdict {
        Ok(Verdict::Same) => assert!(same, "{arguments:?}"),
        Ok(Verdict::Different) => assert!(!same, "{arguments:?}"),
        Err(_) => panic!("trouble with {arguments:?}"),
    }
});

/// Writes over the file: a new one, or one cut to nothing first, is flushed to the disk each time.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut options = File::options();
    let mut file = options
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    file.write_all(content)?;
    file.set_len(content.len() as u64)
}

impl Input<'_> {
    /// A little more than one block of `cmp` each, at most: `-l` can list every byte.
    fn contents(&self) -> [Vec<u8>; 2] {
        let bytes = &self.bytes[..self.bytes.len().min(4096)];
        let whole = bytes.repeat(1 + usize::from(self.periods % 18));
        let [mut a, mut b] = [whole.clone(), whole];
        for (at, flip) in self.flips {
            if let Some(byte) = b.get_mut(at as usize) {
                *byte ^= flip;
            }
        }
        a.truncate(self.lens[0] as usize);
        b.truncate(self.lens[1] as usize);
        [a, b]
    }

    fn arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        match self.mode {
            Mode::First => {}
            Mode::All => arguments.push("-l".into()),
            Mode::Silent => arguments.push("--quiet".into()),
        }
        if self.print_bytes {
            arguments.push("-b".into());
        }
        if let Some(limit) = self.limit {
            arguments.push(format!("--bytes={}", limit.text()));
        }
        let files = FILES.iter().map(|path| path.to_str().unwrap().to_owned());
        match self.skip {
            Skip::None => arguments.extend(files),
            Skip::Both(n) => {
                arguments.extend(files);
                arguments.extend(["-i".into(), n.text()]);
            }
            Skip::Each(n, m) => {
                arguments.push(format!("--ignore-initial={}:{}", n.text(), m.text()));
                arguments.extend(files);
            }
            Skip::Operands(n, m) => {
                arguments.extend(files);
                arguments.extend([n.text(), m.text()]);
            }
        }
        arguments
    }

    /// What is printed on standard output, and whether the files are the same.
    fn expected(&self, a: &[u8], b: &[u8]) -> (String, bool) {
        let (n, m) = match self.skip {
            Skip::None => (0, 0),
            Skip::Both(n) => (n.value(), n.value()),
            Skip::Each(n, m) | Skip::Operands(n, m) => (n.value(), m.value()),
        };
        let (a, b) = (&a[n.min(a.len())..], &b[m.min(b.len())..]);
        let limit = self.limit.map_or(usize::MAX, Number::value);
        let width = limit.min(a.len()).min(b.len()).to_string().len();
        let (a, b) = (&a[..limit.min(a.len())], &b[..limit.min(b.len())]);

        let mut differences = (0..a.len().min(b.len())).filter(|&i| a[i] != b[i]);
        let mut text = String::new();
        let difference = match self.mode {
            Mode::First => differences.next().inspect(|&i| {
                let (x, y) = (a[i], b[i]);
                let [first, second] = FILES.each_ref().map(|path| path.display());
                let line = 1 + a[..i].iter().filter(|&&byte| byte == b'\n').count();
                write!(text, "{first} {second} differ: byte {}, line {line}", i + 1).unwrap();
                if self.print_bytes {
                    write!(text, " is {x:3o} {} {y:3o} {}", visible(x), visible(y)).unwrap();
                }
                text.push('\n');
            }),
            Mode::All => differences
                .inspect(|&i| {
                    let (x, y) = (a[i], b[i]);
                    write!(text, "{:width$} {x:3o}", i + 1).unwrap();
                    if self.print_bytes {
                        write!(text, " {:4} {y:3o} {}", visible(x), visible(y)).unwrap();
                    } else {
                        write!(text, " {y:3o}").unwrap();
                    }
                    text.push('\n');
                })
                .last(),
            Mode::Silent => differences.next(),
        };
        (text, difference.is_none() && a.len() == b.len())
    }
}

/// A byte as `cat -v` shows it.
fn visible(byte: u8) -> String {
    let (meta, byte) = (byte >= 0x80, byte & 0x7f);
    let shown = match byte {
        0x7f => "^?".into(),
        0..0x20 => format!("^{}", char::from(byte + b'@')),
        _ => char::from(byte).to_string(),
    };
    if meta { format!("M-{shown}") } else { shown }
}
