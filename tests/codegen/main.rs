//! What the compiler makes of the crate: nothing in memory whose address is taken, no call of a C
//! function, and the instructions that each kernel is named for.
//!
//! The tests compile the crate themselves, with the cargo that built them, for the host or for
//! `MEMDIFF_CODEGEN_TARGET`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

/// The text of a compilation: LLVM IR and assembly of the crate and of `probe.rs`.
struct Output {
    ir: String,
    assembly: String,
}

/// The target to compile for, or `None` if this test runs in an emulator: the compiler is not
/// there.
fn target() -> Option<String> {
    if let Ok(target) = env::var("MEMDIFF_CODEGEN_TARGET") {
        return Some(target);
    }
    let version = run(Command::new("rustc").arg("-vV"))?;
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))?;
    let native = host.starts_with(env::consts::ARCH);
    if !native {
        println!("skipped: the tests run on another architecture than the compiler");
    }
    native.then(|| host.to_owned())
}

fn run(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{errors}");
    Some(String::from_utf8(output.stdout).unwrap())
}

const LEVELS: [&str; 5] = ["0", "1", "2", "3", "\"s\""];

/// The crate, and the probes against it, at an optimisation level. Each is compiled once.
fn at_level(target: &str, level: &str) -> &'static Output {
    static OUTPUTS: [OnceLock<Output>; LEVELS.len()] = [const { OnceLock::new() }; LEVELS.len()];
    let index = LEVELS.iter().position(|&l| l == level).unwrap();
    OUTPUTS[index].get_or_init(|| compile(target, level))
}

fn compile(target: &str, level: &str) -> Output {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("codegen")
        .join(level);
    let _ = fs::remove_dir_all(&dir);
    run(Command::new(env!("CARGO"))
        .args([
            "rustc",
            "--quiet",
            "--lib",
            "--release",
            "--target",
            target,
            "--manifest-path",
        ])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&dir)
        .args(["--config", &format!("profile.release.opt-level = {level}")])
        .args(["--", "--emit=link,llvm-ir,asm", "-Ccodegen-units=1"])
        // Flags for the tests, a sanitizer say, are not for this.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS"))
    .unwrap();
    let deps = dir.join(target).join("release/deps");
    run(Command::new("rustc")
        .args([
            "--edition=2024",
            "--crate-type=lib",
            "--emit=llvm-ir,asm",
            "-Ccodegen-units=1",
        ])
        .arg(format!("-Copt-level={}", level.trim_matches('"')))
        .args(["--target", target, "-L"])
        .arg(&deps)
        .arg("--extern")
        .arg(format!(
            "memdiff={}",
            find(&deps, "libmemdiff-", "rlib").display()
        ))
        .arg("--out-dir")
        .arg(&deps)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/codegen/probe.rs")))
    .unwrap();
    let read = |extension| {
        ["memdiff-", "probe"]
            .map(|stem| fs::read_to_string(find(&deps, stem, extension)).unwrap())
            .concat()
    };
    Output {
        ir: read("ll"),
        assembly: read("s"),
    }
}

fn find(dir: &Path, stem: &str, extension: &str) -> PathBuf {
    let mut paths = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let wanted = |path: &PathBuf| {
        path.extension().is_some_and(|e| e == extension)
            && path
                .file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with(stem)
    };
    paths
        .find(wanted)
        .unwrap_or_else(|| panic!("no {stem}*.{extension} in {}", dir.display()))
}

/// The functions of LLVM IR: name and body.
fn ir_functions(ir: &str) -> Vec<(&str, &str)> {
    ir.split("\ndefine ")
        .skip(1)
        .map(|text| {
            let name = text.split('@').nth(1).unwrap().split('(').next().unwrap();
            (name, text.split("\n}").next().unwrap())
        })
        .collect()
}

/// The functions of assembly: name and body.
fn assembly_functions(assembly: &str) -> Vec<(&str, &str)> {
    let mut functions = Vec::new();
    let mut rest = assembly;
    while let Some(at) = rest
        .find("@function\n")
        .or_else(|| rest.find("%function\n"))
    {
        rest = &rest[at..];
        rest = &rest[rest.find('\n').unwrap() + 1..];
        let name = rest.split(':').next().unwrap();
        let end = rest.find("\n.Lfunc_end").unwrap_or(rest.len());
        functions.push((name, &rest[..end]));
    }
    functions
}

/// Whether it compares: a kernel, its choice, or a probe.
fn compares(name: &str) -> bool {
    name.starts_with("probe_")
        || ["7memdiff4arch", "6memcmp", "5equal", "6prefix", "6suffix"]
            .iter()
            .any(|part| {
                name.contains("7memdiff") && name.contains(part) && !name.contains("is_available")
            })
}

/// The name of a kernel within a symbol, mangled in either way: `avx2`, `prefix` is `4avx26prefix`.
fn mangled(path: &[&str]) -> String {
    path.iter()
        .map(|part| format!("{}{part}", part.len()))
        .collect()
}

const KERNELS: [&str; 4] = ["memcmp", "equal", "prefix", "suffix"];

/// The backends with vectors that the target has with all features, and where their modules are.
fn backends(target: &str) -> &'static [[&'static str; 2]] {
    match target.split('-').next().unwrap() {
        "x86_64" => &[["x86_64", "sse2"], ["x86_64", "avx2"], ["x86_64", "avx512"]],
        "aarch64" => &[["aarch64", "neon"]],
        _ => &[],
    }
}

/// Every kernel of the target is among the functions, so that no check is vacuous.
fn assert_complete(target: &str, functions: &[(&str, &str)]) {
    if cfg!(not(feature = "avx512")) {
        return;
    }
    for backend in backends(target) {
        for kernel in KERNELS {
            let symbol = mangled(&["memdiff", "arch", backend[0], backend[1], kernel]);
            assert!(
                functions.iter().any(|(name, _)| name.contains(&symbol)),
                "no {symbol}"
            );
        }
    }
    assert!(
        functions
            .iter()
            .filter(|(name, _)| name.starts_with("probe_"))
            .count()
            > 20
    );
}

#[test]
fn nothing_is_kept_in_memory() {
    let Some(target) = target() else { return };
    for level in &LEVELS[1..] {
        let output = at_level(&target, level);
        let functions = ir_functions(&output.ir);
        assert_complete(&target, &functions);
        for (name, body) in &functions {
            let slots = body.matches(" = alloca ").count();
            if compares(name) {
                assert_eq!(slots, 0, "{name} at level {level}:\n{body}");
            }
            if *name == "control_old_helper" {
                assert!(
                    slots > 0,
                    "the control has no slots at level {level}: it shows nothing"
                );
                println!("level {level}: {slots} slots in the control, 0 in memdiff");
            }
        }
    }
}

#[test]
fn nothing_of_libc_is_called() {
    const FORBIDDEN: [&str; 6] = ["memcmp", "bcmp", "memcpy", "memmove", "memset", "malloc"];
    let Some(target) = target() else { return };
    for level in ["0", "2", "\"s\""] {
        let output = at_level(&target, level);
        let functions = assembly_functions(&output.assembly);
        let mut calls = 0;
        for (name, body) in functions.iter().filter(|(name, _)| compares(name)) {
            for line in body.lines() {
                let mut words = line.split_whitespace();
                let is_call = words.next().is_some_and(|operation| {
                    operation.starts_with("call")
                        || operation.starts_with("jmp")
                        || matches!(operation, "b" | "bl" | "brasl" | "jg")
                });
                let callee = words.last().unwrap_or("").trim_start_matches('*');
                let callee = callee.split(['@', '(']).next().unwrap();
                calls += usize::from(is_call);
                assert!(
                    !(is_call && FORBIDDEN.contains(&callee)),
                    "{name} at {level}: {line}"
                );
            }
        }
        assert!(
            calls > 20,
            "only {calls} calls and jumps were seen at level {level}"
        );
    }
}

/// What stands in the body of each of these functions, in any of the alternatives.
fn expect(functions: &[(&str, &str)], symbol: &str, instructions: &[&[&str]]) {
    let bodies: Vec<&str> = functions
        .iter()
        .filter(|(name, _)| name.contains(symbol))
        .map(|(_, body)| *body)
        .collect();
    assert!(!bodies.is_empty(), "no function {symbol}");
    for alternatives in instructions {
        let found = |body: &&str| alternatives.iter().any(|text| body.contains(text));
        assert!(
            bodies.iter().any(found),
            "{symbol} has no {alternatives:?}:\n{}",
            bodies[0]
        );
    }
}

#[test]
fn the_kernels_are_what_they_say() {
    let Some(target) = target() else { return };
    let output = at_level(&target, "3");
    let functions = assembly_functions(&output.assembly);
    let (count, rcount, word): (&[&str], &[&str], &[&[&str]]) = match backends(&target) {
        [] => return println!("skipped: the target has no vector backend"),
        [["aarch64", _]] => (&["clz"], &["clz"], &[&["rbit"], &["clz"]]),
        _ => (
            &["tzcnt", "rep\t\tbsf"],
            &["lzcnt", "bsr"],
            &[&["tzcnt", "rep\t\tbsf"]],
        ),
    };
    for probe in ["probe_word_u64", "probe_word_u128", "probe_word_index"] {
        expect(&functions, probe, word);
    }
    expect(&functions, "probe_portable_memcmp", word);
    for [module, name] in backends(&target) {
        let mask: &[&str] = match *name {
            "sse2" => &["\tpmovmskb"],
            "avx2" => &["vpmovmskb"],
            "avx512" => &["kmov"],
            _ => &["shrn"],
        };
        if *name == "avx512" && cfg!(feature = "avx512") {
            // The shortest ranges are compared in the caller's code.
            for kernel in KERNELS {
                let caller = format!("probe_{kernel}");
                expect(&functions, &caller, &[&["vpcmp"], &["kmov"]]);
            }
            expect(&functions, "probe_memcmp", &[&["%ymm16"], &["\n\tbsfq"]]);
            expect(&functions, "probe_prefix", &[&["\n\tbsfq"]]);
            expect(&functions, "probe_suffix", &[&["\n\tbsrq"]]);
        }
        for (kernel, count) in [("prefix", count), ("memcmp", count), ("suffix", rcount)] {
            if cfg!(feature = "avx512") {
                let symbol = mangled(&["memdiff", "arch", module, name, kernel]);
                expect(&functions, &symbol, &[mask, count]);
            }
        }
    }
}

/// Equal words give 0 without a branch, and the index keeps no bounds check.
#[test]
fn no_branch_and_no_bounds_check() {
    let Some(target) = target() else { return };
    let output = at_level(&target, "3");
    let functions = ir_functions(&output.ir);
    let body = |wanted| {
        functions
            .iter()
            .find(|(name, _)| *name == wanted)
            .unwrap()
            .1
    };
    assert!(
        !body("probe_word_u64").contains("br "),
        "{}",
        body("probe_word_u64")
    );
    assert!(
        !body("probe_word_u128").contains("br "),
        "{}",
        body("probe_word_u128")
    );
    assert!(
        !body("probe_bounds").contains("panicking"),
        "{}",
        body("probe_bounds")
    );
    assert!(
        !body("probe_bounds").contains("slice_"),
        "{}",
        body("probe_bounds")
    );
}
