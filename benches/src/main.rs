//! memdiff against its peers, interleaved in one process, as ratios of times.

mod cells;
mod charts;
mod contenders;
mod glibc;
mod keys;
mod loops;
mod measure;
mod options;
mod report;
mod setups;
mod targets;
mod task;
mod workloads;

use std::env;
use std::fs;

use anyhow::{Context, Result};

use crate::options::Options;
use crate::targets::Setup;

fn main() -> Result<()> {
    let Some(options) = options::parse(env::args_os().skip(1))? else {
        print!("{}", options::HELP);
        return Ok(());
    };
    if cfg!(debug_assertions) {
        eprintln!("built without optimisation: use cargo run --release");
    }
    if let Some(pin) = options.glibc {
        pin.apply()?;
    }
    if options.targets {
        let mut lines = setups::run(&options)?;
        lines.extend(targets::neon()?);
        targets::print(lines);
        Ok(())
    } else {
        ratios(&options)
    }
}

/// Measures in this process and prints, and writes, what was found.
fn ratios(options: &Options) -> Result<()> {
    let contenders = contenders::all(options.backend);
    let workloads = workloads::all(options.quick);
    let cells = measure::all(&workloads, &contenders, &options.filter, options.effort);
    let backend = options.backend.unwrap_or_else(memdiff::Backend::active);
    println!(
        "memdiff's backend: {backend}; 25th percentile of {} rounds, of random calls and 4 MiB on \
         {}",
        options.effort.rounds,
        options.effort.rounds * measure::FEW,
    );
    println!("in brackets: 10th to 90th percentile of the ratios within a round");
    report::print(&cells);
    if let Some(folder) = &options.out {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        cells::write(&folder.join("cells.csv"), &cells)?;
        charts::draw(folder, &cells)?;
    }
    if options.backend.is_none() {
        targets::print(targets::lines(Setup::Default, &Ok(cells))?);
    }
    Ok(())
}
