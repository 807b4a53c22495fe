//! What memdiff is meant to reach, and whether it does.

use std::collections::HashMap;

use anyhow::Result;
use regex::Regex;

use crate::cells::{Cell, geometric_mean};
use crate::report;

/// How programs are built and started for a line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setup {
    /// As users build it.
    Default,
    /// memdiff's AVX2 kernels, and glibc's.
    Avx2,
    /// memdiff's SSE2 kernels, and glibc's.
    Sse2,
    /// Compiled for this processor.
    Native,
    /// memdiff without its features.
    Portable,
}

impl Setup {
    pub const ALL: [Setup; 5] = [
        Setup::Default,
        Setup::Avx2,
        Setup::Sse2,
        Setup::Native,
        Setup::Portable,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Setup::Default => "default",
            Setup::Avx2 => "avx2",
            Setup::Sse2 => "sse2",
            Setup::Native => "native",
            Setup::Portable => "portable",
        }
    }
}

/// How many cells become one figure.
#[derive(Clone, Copy)]
enum Figure {
    /// The geometric mean of the ratios.
    Mean,
    /// The lowest ratio must be at least this, the geometric mean is to be that.
    EachThenMean,
    /// The lowest geometric mean of those with the same size.
    EachSize,
    /// The ratio; the bytes a cycle are told too.
    BytesACycle,
}

/// A line of the table.
struct Target {
    what: &'static str,
    against: &'static str,
    setup: Setup,
    /// Matches the cells that count.
    cells: &'static str,
    figure: Figure,
    at_least: f64,
    aim: f64,
}

const TARGETS: &[Target] = &[
    Target {
        what: "`equal`, random lengths",
        against: "`==`",
        setup: Setup::Default,
        cells: "^random/.*/equal/==$",
        figure: Figure::Mean,
        at_least: 1.9,
        aim: 2.3,
    },
    Target {
        what: "`equal`, random lengths",
        against: "`sz_equal`",
        setup: Setup::Default,
        cells: "^random/.*/equal/sz_equal$",
        figure: Figure::Mean,
        at_least: 1.4,
        aim: 1.6,
    },
    Target {
        what: "`memcmp`, random lengths",
        against: "glibc",
        setup: Setup::Default,
        cells: "^random/.*/memcmp/libc memcmp$",
        figure: Figure::Mean,
        at_least: 1.15,
        aim: 1.4,
    },
    Target {
        what: "`compare`, random lengths",
        against: "`cmp`",
        setup: Setup::Default,
        cells: "^random/.*/compare/cmp$",
        figure: Figure::Mean,
        at_least: 1.15,
        aim: 1.4,
    },
    Target {
        what: "`common_prefix_len`, random lengths",
        against: "`zip().take_while()`",
        setup: Setup::Default,
        cells: r"^random/.*/common_prefix_len/zip\(\)",
        figure: Figure::Mean,
        at_least: 6.0,
        aim: 7.5,
    },
    Target {
        what: "`mismatch`, random lengths",
        against: "`zip().position()`",
        setup: Setup::Default,
        cells: r"^random/.*/mismatch/zip\(\)",
        figure: Figure::Mean,
        at_least: 6.0,
        aim: 7.5,
    },
    Target {
        what: "both, random lengths",
        against: "u64 loop",
        setup: Setup::Default,
        cells: "^random/.*/(common_prefix_len|mismatch)/u64 loop$",
        figure: Figure::Mean,
        at_least: 3.5,
        aim: 4.5,
    },
    Target {
        what: "`common_prefix_len`, random lengths",
        against: "fast-slice-utils, both compiled for this processor",
        setup: Setup::Native,
        cells: "^random/.*/common_prefix_len/fast-slice-utils$",
        figure: Figure::Mean,
        at_least: 1.0,
        aim: 1.15,
    },
    Target {
        what: "`common_suffix_len`, random lengths",
        against: "`rev().zip()`",
        setup: Setup::Default,
        cells: r"^random/.*/common_suffix_len/rev\(\)",
        figure: Figure::Mean,
        at_least: 6.0,
        aim: 7.0,
    },
    Target {
        what: "every operation, every trace",
        against: "std and libc: at least on each, aim as a mean",
        setup: Setup::Default,
        cells: "^traces/.*/(libc .*|cmp|==|zip.*|rev.*)$",
        figure: Figure::EachThenMean,
        at_least: 1.0,
        aim: 1.5,
    },
    Target {
        what: "512 bytes to 16 MiB, each size",
        against: "glibc",
        setup: Setup::Default,
        cells: r"^fixed/(512|768|\d{4,}) .*/(memcmp|equal)/libc ",
        figure: Figure::EachSize,
        at_least: 0.97,
        aim: 1.0,
    },
    Target {
        // 29 and 30 of 30.4 bytes a cycle. What else runs on the core slows both.
        what: "4 KiB in L1, aligned",
        against: "loads only",
        setup: Setup::Default,
        cells: "^fixed/4096 aligned/equal/loads only$",
        figure: Figure::BytesACycle,
        at_least: 0.954,
        aim: 0.987,
    },
    Target {
        what: "AVX2 backend, random lengths and traces",
        against: "glibc's AVX2",
        setup: Setup::Avx2,
        cells: "^(random|traces)/.*/(memcmp|equal)/libc ",
        figure: Figure::Mean,
        at_least: 1.0,
        aim: 1.2,
    },
    Target {
        what: "SSE2 backend, random lengths and traces",
        against: "glibc's SSE2",
        setup: Setup::Sse2,
        cells: "^(random|traces)/.*/(memcmp|equal)/libc ",
        figure: Figure::Mean,
        at_least: 1.0,
        aim: 1.2,
    },
    Target {
        what: "latency of `memcmp`, 1 to 64 bytes, last byte",
        against: "glibc",
        setup: Setup::Default,
        // Of equal ranges the processor predicts the result, so that nothing waits for it.
        cells: r"^latency/(\d|[1-5]\d|6[0-4]) last byte/memcmp/libc memcmp$",
        figure: Figure::Mean,
        at_least: 0.95,
        aim: 1.05,
    },
    Target {
        what: "portable, no features, traces",
        against: "byte loop",
        setup: Setup::Portable,
        cells: "^traces/.*/(byte loop|zip.*|rev.*)$",
        figure: Figure::Mean,
        at_least: 1.0,
        aim: 1.3,
    },
    Target {
        what: "portable, no features, traces",
        against: "u64 loop",
        setup: Setup::Portable,
        cells: "^traces/.*/u64 loop$",
        figure: Figure::Mean,
        at_least: 1.0,
        aim: 1.3,
    },
];

/// What was measured for a target.
struct Measured {
    /// To be held against `at_least`.
    least: f64,
    /// To be held against `aim`.
    mean: f64,
    text: String,
}

impl Target {
    fn measured(&self, cells: &[Cell]) -> Result<Option<Measured>> {
        let filter = Regex::new(self.cells)?;
        let chosen: Vec<&Cell> = cells
            .iter()
            .filter(|cell| filter.is_match(&cell.id()))
            .collect();
        let mean = |value: fn(&Cell) -> f64| geometric_mean(chosen.iter().map(|cell| value(cell)));
        let (Some(ratio), Some(low), Some(high)) = (
            mean(|cell| cell.ratio),
            mean(|cell| cell.low),
            mean(|cell| cell.high),
        ) else {
            return Ok(None);
        };
        let one = |value: f64, text| Measured {
            least: value,
            mean: value,
            text,
        };
        Ok(match self.figure {
            Figure::Mean => Some(one(ratio, format!("{ratio:.2} ({low:.2}..{high:.2})"))),
            Figure::EachThenMean => chosen
                .iter()
                .min_by(|a, b| a.ratio.total_cmp(&b.ratio))
                .map(|worst| Measured {
                    least: worst.ratio,
                    mean: ratio,
                    text: format!(
                        "{ratio:.2}; least {:.2}, {} {} {}; {} of {} below 1",
                        worst.ratio,
                        worst.workload,
                        worst.operation,
                        worst.peer,
                        chosen.iter().filter(|cell| cell.ratio < 1.0).count(),
                        chosen.len(),
                    ),
                }),
            Figure::EachSize => chosen
                .chunk_by(|a, b| a.size == b.size)
                .filter_map(|cells| {
                    let mean = geometric_mean(cells.iter().map(|cell| cell.ratio))?;
                    Some((mean, cells[0].size?))
                })
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(least, size)| {
                    one(
                        least,
                        format!("{least:.2} at {size} bytes; mean {ratio:.2}"),
                    )
                }),
            Figure::BytesACycle => chosen[0].bytes_a_cycle().map(|(memdiff, loads)| {
                let text = format!("{ratio:.3}: {memdiff:.1} of {loads:.1} bytes a cycle");
                one(ratio, text)
            }),
        })
    }
}

/// What to measure in a setup: by default everything, else what a target needs.
pub fn filter(setup: Setup) -> String {
    if setup == Setup::Default {
        return String::new();
    }
    let targets = TARGETS.iter().filter(|target| target.setup == setup);
    let filters: Vec<String> = targets
        .map(|target| format!("(?:{})", target.cells))
        .collect();
    filters.join("|")
}

/// A line of the table as it is printed.
type Line = Vec<String>;

/// Prints the table, or nothing if it has no line.
pub fn print(lines: Vec<Line>) {
    if !lines.is_empty() {
        let header = ["what", "against", "at least", "aim", "measured", "verdict"];
        println!("\n{}", report::table(&header, 6, lines));
    }
}

/// The lines for what a setup has measured, or else why it could not.
pub fn lines(setup: Setup, measured: &Result<Vec<Cell>>) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for target in TARGETS.iter().filter(|target| target.setup == setup) {
        let (text, verdict) = match measured {
            Err(error) => (format!("{error:#}"), ""),
            Ok(cells) => match target.measured(cells)? {
                None => continue,
                Some(Measured { least, mean, text }) => {
                    (text, verdict(least >= target.at_least, mean >= target.aim))
                }
            },
        };
        lines.push(vec![
            target.what.to_owned(),
            target.against.to_owned(),
            target.at_least.to_string(),
            target.aim.to_string(),
            text,
            verdict.to_owned(),
        ]);
    }
    Ok(lines)
}

fn verdict(holds: bool, aim_reached: bool) -> &'static str {
    match (holds, aim_reached) {
        (false, _) => "below",
        (true, false) => "holds",
        (true, true) => "aim reached",
    }
}

/// What `benches/mca` has found for the loops of the NEON kernels: of all four the slowest.
pub fn neon() -> Result<Vec<Line>> {
    const AIMS: [(&str, f64); 4] = [
        ("neoverse-n1", 4.1),
        ("neoverse-v2", 2.6),
        ("apple-m1", 3.7),
        ("cortex-a72", 8.6),
    ];
    let mut reader = csv::Reader::from_reader(include_str!("../mca.csv").as_bytes());
    let rows: Vec<HashMap<String, String>> = reader.deserialize().collect::<Result<_, _>>()?;
    let loops = || rows.iter().filter(|row| row["cycles"] == "64 bytes");
    AIMS.iter()
        .map(|&(processor, aim)| {
            let cycles = |row: &HashMap<String, String>| row[processor].parse::<f64>();
            let (mut slowest, mut libc) = (0_f64, f64::NAN);
            for row in loops() {
                match &*row["kernel"] {
                    "libc" => libc = cycles(row)?,
                    _ => slowest = slowest.max(cycles(row)?),
                }
            }
            Ok(vec![
                format!("NEON loops, cycles for 64 bytes, {processor}"),
                "Arm's in glibc".to_owned(),
                libc.to_string(),
                aim.to_string(),
                format!("{slowest:.2} by mca.csv"),
                verdict(slowest <= libc, slowest <= aim).to_owned(),
            ])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells;
    use crate::contenders::{self, Operation};
    use crate::workloads;

    /// A target whose filter matches no cell, for a name has changed, would never fail.
    #[test]
    fn every_target_has_cells() {
        let contenders = contenders::all(None);
        let mut ids = Vec::new();
        for workload in workloads::all(true) {
            for operation in Operation::ALL {
                for peer in workload.contenders(operation, &contenders).iter().skip(1) {
                    let (group, operation) = (workload.group.to_string(), operation.to_string());
                    ids.push(cells::id(&group, &workload.name, &operation, peer.name));
                }
            }
        }
        for target in TARGETS {
            let filter = Regex::new(target.cells).unwrap();
            if target.against == "loads only" && !cfg!(target_arch = "x86_64") {
                continue;
            }
            assert!(ids.iter().any(|id| filter.is_match(id)), "{}", target.cells);
        }
    }
}
