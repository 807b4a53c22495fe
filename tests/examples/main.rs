//! Runs the examples as their users do: what they print and how they end.
//!
//! `cargo test` builds the examples first. `cargo test --test examples` alone does not: run
//! `cargo build --examples` before it.

mod cmp;
mod try_it;

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

/// What a program did, in a form that a failed assertion shows well.
#[derive(Debug, PartialEq)]
struct Outcome {
    /// `None` if a signal ended it.
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        // Bytes that are not UTF-8 become escapes, so that no two outputs look the same.
        let text = |bytes: Vec<u8>| match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => error.as_bytes().escape_ascii().to_string(),
        };
        Outcome {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

/// A command that runs an example built along with this test.
fn example(name: &str) -> Command {
    let test = env::current_exe().unwrap();
    let target = test.parent().and_then(Path::parent).unwrap();
    let program = target
        .join("examples")
        .join(format!("{name}{}", env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "no {}: run `cargo build --examples`",
        program.display()
    );
    let mut runner = runner().into_iter();
    match runner.next() {
        Some(emulator) => {
            let mut command = Command::new(emulator);
            command.args(runner).arg(program);
            command
        }
        None => Command::new(program),
    }
}

/// The emulator that cargo runs this test with, if any: a child process needs it named as well.
fn runner() -> Vec<String> {
    let prefix = format!("CARGO_TARGET_{}_", env::consts::ARCH.to_uppercase());
    env::vars()
        .find(|(name, _)| name.starts_with(&prefix) && name.ends_with("_RUNNER"))
        .map(|(_, runner)| runner.split_whitespace().map(str::to_owned).collect())
        .unwrap_or_default()
}

/// Runs the command to its end with these bytes on a pipe as its standard input.
fn run(command: &mut Command, stdin: &[u8]) -> Outcome {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut pipe = child.stdin.take().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || match pipe.write_all(stdin) {
            // The program may end before it has read everything.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            result => result.unwrap(),
        });
        child.wait_with_output().unwrap().into()
    })
}

/// A new, empty folder for one test.
fn scratch(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => panic!("{error}"),
        _ => fs::create_dir_all(&folder).unwrap(),
    }
    folder
}
