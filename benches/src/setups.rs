//! Runs this program in every setup that the table of targets needs.

use std::env;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use memdiff::Backend;

use crate::cells::{self, Cell};
use crate::options::Options;
use crate::targets::{self, Setup};

/// Runs them all, one after the other; the lines of the table that they give.
pub fn run(options: &Options) -> Result<Vec<Vec<String>>> {
    let temporary = tempfile::tempdir()?;
    let out = options.out.as_deref().unwrap_or(temporary.path());
    let mut lines = Vec::new();
    for setup in Setup::ALL {
        let measured = run_one(setup, options, &out.join(setup.name()));
        lines.extend(targets::lines(setup, &measured)?);
    }
    Ok(lines)
}

fn run_one(setup: Setup, options: &Options, out: &Path) -> Result<Vec<Cell>> {
    let filter = targets::filter(setup);
    let mut command = match setup {
        Setup::Default => Command::new(env::current_exe()?),
        Setup::Avx2 | Setup::Sse2 => {
            let name = setup.name();
            let _: Backend = name.parse()?;
            let mut command = cargo(setup, &[])?;
            command.env("RUSTFLAGS", format!("--cfg memdiff_backend=\"{name}\""));
            command.args(["--glibc", name]);
            command
        }
        Setup::Native => {
            let mut command = cargo(setup, &[])?;
            command.env("RUSTFLAGS", "-C target-cpu=native");
            command
        }
        Setup::Portable => cargo(setup, &["--no-default-features", "--features", "peers"])?,
    };
    eprintln!("{}:", setup.name());
    fs::create_dir_all(out)?;
    if options.quick {
        command.arg("--quick");
    }
    command
        .arg("--rounds")
        .arg(options.effort.rounds.to_string());
    command.arg("--out").arg(out).arg(filter);
    let ratios = File::create(out.join("ratios.md"))?;
    let status = command.stdout(ratios).status()?;
    if !status.success() {
        bail!("failed, see above");
    }
    cells::read(&out.join("cells.csv"))
}

/// cargo, to run this program in another build, which stays apart from the usual one.
fn cargo(setup: Setup, features: &[&str]) -> Result<Command> {
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).context("no target folder")?;
    let mut command = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    command
        .args([
            "run",
            "--quiet",
            "--release",
            "--bin",
            "memdiff-bench",
            "--manifest-path",
        ])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target.join("bench").join(setup.name()))
        .args(features)
        .arg("--");
    Ok(command)
}
