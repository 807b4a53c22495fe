//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Result, bail};
use lexopt::prelude::*;
use memdiff::Backend;
use regex::Regex;

use crate::glibc::Pin;
use crate::measure::Effort;

pub const HELP: &str = "\
Times memdiff against its peers and prints ratios: time of the peer / time of memdiff.

Usage: cargo run --release -p memdiff-bench -- [FILTER] [OPTIONS]
       cargo run --release -p memdiff-bench -- targets [OPTIONS]

FILTER is a regular expression over group/workload/operation/peer, such as
'random/.*/equal/==' or 'traces/.*/libc'. Groups: traces, random, fixed, latency, keys, grid,
page end.
`targets` runs all builds and pins that the table of targets needs, and prints the table.

Options:
  --backend NAME   time this backend, not the functions that choose one
  --glibc NAME     pin glibc to its avx2 or sse2 functions (starts this program again)
  --rounds N       how many rounds count (default 15)
  --quick          a few seconds: short rounds, few of them, nothing above 64 KiB
  --out DIR        write cells.csv and the charts there
  --help           this
";

pub struct Options {
    pub targets: bool,
    pub filter: Regex,
    pub backend: Option<Backend>,
    pub glibc: Option<Pin>,
    pub quick: bool,
    pub effort: Effort,
    pub out: Option<PathBuf>,
}

/// The options of this process; `None` if only help was asked for.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Option<Options>> {
    let mut filter = None;
    let mut rounds = None;
    let mut options = Options {
        targets: false,
        filter: Regex::new("")?,
        backend: None,
        glibc: None,
        quick: false,
        effort: Effort {
            rounds: 15,
            round_ns: 1.5e6,
        },
        out: None,
    };
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Value(value) if filter.is_none() => filter = Some(value.string()?),
            Long("backend") => options.backend = Some(parser.value()?.parse()?),
            Long("glibc") => options.glibc = Some(parser.value()?.parse()?),
            Long("rounds") => rounds = Some(parser.value()?.parse()?),
            Long("quick") => options.quick = true,
            Long("out") => options.out = Some(parser.value()?.into()),
            Long("help") | Short('h') => return Ok(None),
            _ => return Err(argument.unexpected().into()),
        }
    }
    if options.quick {
        options.effort = Effort {
            rounds: 3,
            round_ns: 1e5,
        };
    }
    if let Some(rounds) = rounds {
        options.effort.rounds = rounds;
    }
    if options.effort.rounds == 0 {
        bail!("--rounds must be at least 1");
    }
    match filter.as_deref() {
        Some("targets") => options.targets = true,
        Some(filter) => options.filter = Regex::new(filter)?,
        None => {}
    }
    if options.targets && (options.backend.is_some() || options.glibc.is_some()) {
        bail!("`targets` chooses backends and glibc's functions itself");
    }
    Ok(Some(options))
}
