//! Pins glibc to slower functions than the processor could run, to hold a backend against its like.

use std::env;
use std::process::Command;
use std::str::FromStr;

use anyhow::{Result, bail};

/// Tells a process that it has been started with the tunable.
const PINNED: &str = "MEMDIFF_BENCH_PINNED";

/// Which functions glibc may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    Avx2,
    Sse2,
}

impl FromStr for Pin {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> Result<Pin> {
        match name {
            "avx2" => Ok(Pin::Avx2),
            "sse2" => Ok(Pin::Sse2),
            _ => bail!("glibc can be pinned to avx2 or sse2, not to {name}"),
        }
    }
}

impl Pin {
    fn tunable(self) -> &'static str {
        match self {
            Pin::Avx2 => "glibc.cpu.hwcaps=-AVX512VL",
            Pin::Sse2 => "glibc.cpu.hwcaps=-AVX512VL,-AVX2,-SSE4_1",
        }
    }

    /// Replaces this process by one in which glibc is pinned; returns in that one.
    pub fn apply(self) -> Result<()> {
        if env::var_os(PINNED).is_some() {
            return Ok(());
        }
        let mut command = Command::new(env::current_exe()?);
        command
            .args(env::args_os().skip(1))
            .env("GLIBC_TUNABLES", self.tunable())
            .env(PINNED, "1");
        replace(command)
    }
}

#[cfg(unix)]
fn replace(mut command: Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec().into())
}

#[cfg(not(unix))]
fn replace(_: Command) -> Result<()> {
    bail!("there is no glibc here to pin")
}
