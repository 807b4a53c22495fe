//! Replays one trace with one function of one backend, for its instructions to be counted.
//!
//! `benches/counts` runs it. Without arguments it lists what there is to run.

use std::env;
use std::hint::black_box;

use memdiff::Backend;
use memdiff_bench::calls::{Calls, LastByte};
use memdiff_bench::traces;

/// The functions; `none` replays without comparing, and what it takes is subtracted.
const FUNCTIONS: [&str; 7] = [
    "none",
    "memcmp",
    "compare",
    "equal",
    "mismatch",
    "common_prefix_len",
    "common_suffix_len",
];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => list(),
        [backend, function, work] => {
            let backend = backend
                .parse()
                .unwrap_or_else(|error| fail(&format!("{error}")));
            run(backend, function, &calls(work));
        }
        _ => fail("usage: counts [BACKEND FUNCTION TRACE|SIZE]"),
    }
}

fn list() {
    for backend in Backend::available() {
        for function in FUNCTIONS {
            for (trace, rows) in traces::all() {
                println!("{backend} {function} {trace} {}", rows.len());
            }
        }
    }
}

/// The calls of a trace, or a single one of some size that differs in the last byte.
fn calls(work: &str) -> Calls {
    if let Ok(size) = work.parse() {
        return Calls::repeat(0, 0, size, LastByte::Greater, 1);
    }
    match traces::all().find(|(name, _)| *name == work) {
        Some((_, rows)) => Calls::replay(&rows),
        None => fail(&format!("there is no trace {work}")),
    }
}

fn run(backend: Backend, function: &str, calls: &Calls) {
    match function {
        "none" => each(calls, |a, _| a.len()),
        "memcmp" => each(calls, |a, b| backend.memcmp(a, b)),
        "compare" => each(calls, |a, b| backend.compare(a, b)),
        "equal" => each(calls, |a, b| backend.equal(a, b)),
        "mismatch" => each(calls, |a, b| backend.mismatch(a, b)),
        "common_prefix_len" => each(calls, |a, b| backend.common_prefix_len(a, b)),
        "common_suffix_len" => each(calls, |a, b| backend.common_suffix_len(a, b)),
        _ => fail(&format!("there is no function {function}")),
    }
}

#[inline(always)]
fn each<R>(calls: &Calls, f: impl Fn(&[u8], &[u8]) -> R) {
    for (a, b) in calls.pairs() {
        black_box(f(a, b));
    }
}

fn fail(message: &str) -> ! {
    eprintln!("counts: {message}");
    std::process::exit(2);
}
