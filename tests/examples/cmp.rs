//! `examples/cmp.rs` against GNU cmp, where there is one, and against literal expectations.

use crate::{Outcome, example, run, runner, scratch};
use std::env;
use std::fs;
#[cfg(unix)]
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// The files of the table. The names are what the options below and the messages use.
const FILES: [(&str, &[u8]); 13] = [
    ("empty", b""),
    ("newline", b"\n"),
    ("hel", b"hel"),
    ("hello", b"hello\n"),
    ("world", b"hello\nworld\n"),
    ("wurld", b"hello\nwurld\n"),
    ("wurl", b"hello\nwurl"),
    ("more", b"hello\nwurld\nand more\n"),
    ("lines", b"\n\n\n\n\n\n\n\n\n\n\n\nx"),
    ("control", b"\0\x01\x1f \x7f\x80\x81\x9f\xa0\xff\n\t~"),
    ("letters", b"abcdefghijklm"),
    ("two words", b"hello\nwirld\n"),
    ("-dash", b"dash"),
];

/// Options for every pair of files.
const OPTIONS: &[&[&str]] = &[
    &[],
    &["-b"],
    &["-l"],
    &["-s"],
    &["-lb"],
    &["-bl", "-n", "9"],
    &["-n", "0"],
    &["-n3"],
    &["-n", "6", "-b"],
    &["-n", "7", "-l"],
    &["-i", "1"],
    &["-i", "3:6", "-l"],
    &["-i", "6:0", "-s"],
    &["-i", "100"],
    &["-i", "6", "-n", "6"],
    &["-s", "-n", "5"],
];

/// Whole command lines, each with a standard input. The names of the files of the table are there.
const COMMANDS: &[(&[&str], &[u8])] = &[
    // Standard input, named, left out, twice, shorter, longer, skipped.
    (&["world", "-"], b"hello\nwurld\n"),
    (&["-", "world"], b"hello\nwurld\n"),
    (&["world"], b"hello\nworld\n"),
    (&["-l", "world"], b"hello\nwurl"),
    (&["-lb", "-", "world"], b"hello\nwurld\nand more\n"),
    (&["-s", "-", "world"], b"hello\nworld\n"),
    (&["-s", "-", "world"], b"hello\nworl"),
    (&["-"], b"x"),
    (&["-", "-"], b"x"),
    (&["-i", "0:1", "-", "-"], b"x"),
    (&["-i", "2", "-", "world"], b"xxllo\nworld\n"),
    (&["-i", "2:4", "-l", "-", "world"], b"abcdefgh"),
    (&["-i", "100", "-", "world"], b"hello"),
    (&["-i", "100", "-", "empty"], b"hello"),
    (&["-", "world", "6", "6"], b"mellowworld\n"),
    (&["-n", "5", "-", "world"], b"hello"),
    (&["-n", "6", "-", "world"], b"hello"),
    (&["empty", "-"], b""),
    // Operands, wherever they stand.
    (&["world", "wurld", "8"], b""),
    (&["world", "wurld", "0", "6"], b""),
    (&["world", "wurld", "8", "8"], b""),
    (&["world", "wurld", "-l"], b""),
    (&["world", "-b", "wurld"], b""),
    (&["--", "world", "wurld"], b""),
    (&["--", "-dash", "world"], b""),
    (&["world", "--", "-dash"], b""),
    (&["./-dash", "world"], b""),
    (&["world", "./world"], b""),
    (&["-i", "0:6", "world", "world"], b""),
    (&["world", "world", "6"], b""),
    // Options: long, shortened, clustered, repeated.
    (&["--verbose", "--print-bytes", "world", "wurld"], b""),
    (&["--verb", "world", "wurld"], b""),
    (&["--quiet", "world", "wurld"], b""),
    (&["--silent", "world", "wurld"], b""),
    (&["--s", "world", "wurld"], b""),
    (&["--print-chars", "world", "wurld"], b""),
    (&["-c", "world", "wurld"], b""),
    (&["-bb", "world", "wurld"], b""),
    (&["-bs", "world", "wurld"], b""),
    (&["-ll", "world", "wurld"], b""),
    (&["--bytes=7", "world", "wurld"], b""),
    (&["--bytes", "8", "world", "wurld"], b""),
    (&["--by=8", "world", "wurld"], b""),
    (&["-bn8", "world", "wurld"], b""),
    (&["-n", "3", "-n", "8", "world", "wurld"], b""),
    (&["-n", "8", "-n", "3", "world", "wurld"], b""),
    (&["--ignore-initial=3", "world", "wurld"], b""),
    (&["--ig=3:3", "world", "wurld"], b""),
    (&["-i", "3", "-i", "2:8", "world", "wurld"], b""),
    (&["-i", "6:0", "-i", "3", "world", "wurld"], b""),
    (&["-i", "0:6", "-i", "3", "world", "wurld"], b""),
    (&["-i", "6", "-i", "3:0", "world", "wurld"], b""),
    (&["-i", "8", "world", "wurld", "3"], b""),
    (&["-i", "3", "world", "wurld", "8"], b""),
    // Trouble.
    (&["world", "missing"], b""),
    (&["missing", "world"], b""),
    (&["missing", "missing too"], b""),
    (&["-s", "missing", "world"], b""),
    (&["-l", "missing", "world"], b""),
    (&["folder", "world"], b""),
    (&["world", "folder"], b""),
    (&["-s", "folder", "world"], b""),
    (&["-n", "0", "folder", "world"], b""),
    (&["-i", "1", "folder", "world"], b""),
    (&["folder", "missing"], b""),
    (&["folder", "folder"], b""),
    (&["folder", "folder", "1"], b""),
    (&["folder", "./folder"], b""),
    (&["", "world"], b""),
    (&[], b""),
    (&["-s"], b""),
    (&["--"], b""),
    (&["-s", "-l", "world", "wurld"], b""),
    (&["-ls", "world", "world"], b""),
    (&["-sl", "--help"], b""),
    (&["world", "wurld", "1", "2", "3"], b""),
    (&["world", "wurld", "x"], b""),
    (&["world", "wurld", "1", "1:2"], b""),
    (&["--", "world", "wurld", "-l"], b""),
    (&["--nonsense", "world", "wurld"], b""),
    (&["--ver"], b""),
    (&["--pri", "world", "wurld"], b""),
    (&["-n", "x", "--help"], b""),
];

/// Values for `-n` and `-i`: suffixes, bases, limits, nonsense.
const NUMBERS: &[&str] = &[
    "1",
    "7",
    "8",
    "+7",
    " 7",
    "7 ",
    "",
    "-1",
    "x",
    "1.5",
    "1,5",
    "010",
    "08",
    "0x7",
    "0x8",
    "0X8",
    "0x",
    "0xg",
    "0x1K",
    "K",
    "k",
    "1K",
    "1k",
    "1kB",
    "1KB",
    "1KiB",
    "1kiB",
    "1kD",
    "kB",
    "M",
    "1MB",
    "1MiB",
    "1m",
    "1G",
    "1GB",
    "1g",
    "1T",
    "1TB",
    "1P",
    "1PB",
    "1E",
    "7E",
    "8E",
    "9EB",
    "10EB",
    "1Z",
    "1Y",
    "0Z",
    "0YB",
    "1R",
    "0R",
    "1B",
    "1b",
    "1c",
    "1w",
    "1KK",
    "1kBB",
    "1Ki",
    "1iB",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "999999999999999999999999999999999999999999",
    "1:2",
    "1:",
    ":1",
    "1:x",
    "x:1",
    "1:2:3",
    "7:7",
    "1K:1kB",
    "8:010",
    "0:0Y",
    "\u{e9}",
    "1\u{e9}",
];

fn write_files(folder: &Path) {
    for (name, bytes) in FILES {
        fs::write(folder.join(name), bytes).unwrap();
    }
    fs::create_dir(folder.join("folder")).unwrap();
}

fn run_in(folder: &Path, mut command: Command, args: &[&str], stdin: &[u8]) -> Outcome {
    run(
        command.current_dir(folder).env("LC_ALL", "C").args(args),
        stdin,
    )
}

fn ours(folder: &Path, args: &[&str], stdin: &[u8]) -> Outcome {
    run_in(folder, example("cmp"), args, stdin)
}

/// GNU cmp's version, or `None` with a note. `MEMDIFF_REQUIRE_GNU_CMP` makes its absence a failure.
fn gnu_cmp() -> Option<String> {
    let output = Command::new("cmp")
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    let version = output.map_or(String::new(), |it| {
        String::from_utf8_lossy(&it.stdout).into()
    });
    // On Windows a GNU cmp has the messages of another C library.
    if cfg!(unix) && version.contains("GNU diffutils") {
        return version.lines().next().map(str::to_owned);
    }
    assert!(
        env::var_os("MEMDIFF_REQUIRE_GNU_CMP").is_none(),
        "there is no GNU cmp here"
    );
    eprintln!("skipped: there is no GNU cmp here to compare with");
    None
}

/// Both programs must print the same and end the same.
fn assert_same(folder: &Path, version: &str, args: &[&str], stdin: &[u8]) {
    let ours = ours(folder, args, stdin);
    let gnu = run_in(folder, Command::new("cmp"), args, stdin);
    assert_eq!(
        ours, gnu,
        "ours is on the left, {version} on the right: cmp {args:?}"
    );
}

/// A process takes an emulator a tenth of a second: there a sample of the long tables must do.
fn step() -> usize {
    if runner().is_empty() { 1 } else { 13 }
}

#[test]
fn every_pair_of_files_with_every_option_equals_gnu_cmp() {
    let Some(version) = gnu_cmp() else { return };
    let folder = scratch("cmp-pairs");
    write_files(&folder);
    let names = FILES.map(|(name, _)| if name == "-dash" { "./-dash" } else { name });
    let pairs = names.iter().flat_map(|&a| names.map(|b| [a, b]));
    let table = pairs.flat_map(|pair| {
        OPTIONS
            .iter()
            .map(move |options| [options, &pair[..]].concat())
    });
    for args in table.step_by(step()) {
        assert_same(&folder, &version, &args, b"");
    }
}

#[test]
fn command_lines_equal_gnu_cmp() {
    let Some(version) = gnu_cmp() else { return };
    let folder = scratch("cmp-commands");
    write_files(&folder);
    for (args, stdin) in COMMANDS.iter().step_by(step()) {
        assert_same(&folder, &version, args, stdin);
    }
}

#[test]
fn numbers_equal_gnu_cmp() {
    let Some(version) = gnu_cmp() else { return };
    let folder = scratch("cmp-numbers");
    write_files(&folder);
    // A difference before, at and after each unit tells 1000 from 1024, and both from nothing.
    let mut long = vec![b'a'; 1_100_000];
    fs::write(folder.join("long"), &long).unwrap();
    for at in [
        999, 1000, 1023, 1024, 999_999, 1_000_000, 1_048_575, 1_048_576,
    ] {
        long[at] = b'b';
    }
    fs::write(folder.join("other"), &long).unwrap();
    for number in NUMBERS.iter().step_by(step()) {
        for files in [["world", "wurld"], ["long", "other"]] {
            for option in ["-n", "-i"] {
                let args = [&[option, number, "-l"], &files[..]].concat();
                assert_same(&folder, &version, &args, b"");
            }
        }
    }
}

#[test]
fn every_byte_is_shown_as_gnu_cmp_shows_it() {
    let Some(version) = gnu_cmp() else { return };
    let folder = scratch("cmp-bytes");
    let all: Vec<u8> = (0..=255).collect();
    fs::write(folder.join("all"), &all).unwrap();
    fs::write(
        folder.join("reversed"),
        all.iter().rev().copied().collect::<Vec<u8>>(),
    )
    .unwrap();
    assert_same(&folder, &version, &["-lb", "all", "reversed"], b"");
    for skip in (0..=255).step_by(step()) {
        assert_same(
            &folder,
            &version,
            &["-b", "-i", &skip.to_string(), "all", "reversed"],
            b"",
        );
    }
}

#[test]
fn locales_equal_gnu_cmp() {
    let Some(version) = gnu_cmp() else { return };
    let folder = scratch("cmp-locales");
    write_files(&folder);
    // The locales that exist wherever GNU cmp does.
    for (variable, value) in [
        ("LC_ALL", "C"),
        ("LC_ALL", "POSIX"),
        ("LC_MESSAGES", "C"),
        ("LANG", "POSIX"),
        ("LANG", ""),
    ] {
        let [ours, gnu] = [example("cmp"), Command::new("cmp")].map(|mut command| {
            for unset in ["LC_ALL", "LC_MESSAGES", "LANG"] {
                command.env_remove(unset);
            }
            run(
                command
                    .current_dir(&folder)
                    .env(variable, value)
                    .args(["world", "wurld"]),
                b"",
            )
        });
        assert_eq!(ours, gnu, "{version}, {variable}={value}");
    }
}

/// Files of several blocks: the difference around every border, and the end of one file there.
#[test]
fn differences_and_ends_around_block_borders() {
    const BLOCK: usize = 64 * 1024;
    let folder = scratch("cmp-blocks");
    // A newline after every 99 letters.
    let a: Vec<u8> = (1..=2 * BLOCK + 5)
        .map(|i| if i % 100 == 0 { b'\n' } else { b'a' })
        .collect();
    fs::write(folder.join("a"), &a).unwrap();
    let places = [BLOCK, 2 * BLOCK]
        .into_iter()
        .flat_map(|border| border - 2..=border + 2);
    for at in places.step_by(step().min(3)) {
        let mut b = a.clone();
        b[at] = b'b';
        fs::write(folder.join("b"), &b).unwrap();
        let (byte, line) = (at + 1, at / 100 + 1);
        let found = format!("a b differ: char {byte}, line {line}\n");
        assert_eq!(ours(&folder, &["a", "b"], b""), outcome(1, &found, ""));
        let listed = format!("{byte:6} {:3o} 142\n", a[at]);
        assert_eq!(
            ours(&folder, &["-l", "a", "b"], b""),
            outcome(1, &listed, "")
        );
        assert_eq!(ours(&folder, &["-s", "a", "b"], b""), outcome(1, "", ""));
        assert_eq!(
            ours(&folder, &["-n", &at.to_string(), "a", "b"], b""),
            outcome(0, "", "")
        );
        let found = format!("a - differ: char {byte}, line {line}\n");
        assert_eq!(ours(&folder, &["a"], &b), outcome(1, &found, ""));

        let cut = &a[..at];
        let place = match at % 100 {
            0 => format!("after byte {at}, line {}", at / 100),
            _ => format!("after byte {at}, in line {}", at / 100 + 1),
        };
        let end = format!("cmp: EOF on - {place}\n");
        assert_eq!(ours(&folder, &["-", "a"], cut), outcome(1, "", &end));
        assert_eq!(ours(&folder, &["a", "-"], cut), outcome(1, "", &end));
        let end = format!("cmp: EOF on - after byte {at}\n");
        assert_eq!(ours(&folder, &["-l", "a", "-"], cut), outcome(1, "", &end));
        assert_eq!(ours(&folder, &["-s", "a", "-"], cut), outcome(1, "", ""));
    }
    assert_eq!(ours(&folder, &["a"], &a), outcome(0, "", ""));
}

/// One file is one block long and ends a line: the end is found with an empty chunk.
#[test]
fn an_end_at_a_border_remembers_the_line() {
    let folder = scratch("cmp-line");
    let mut bytes = vec![b'a'; 64 * 1024 + 1];
    bytes[64 * 1024 - 1] = b'\n';
    fs::write(folder.join("long"), &bytes).unwrap();
    let end = "cmp: EOF on - after byte 65536, line 1\n";
    assert_eq!(
        ours(&folder, &["-", "long"], &bytes[..64 * 1024]),
        outcome(1, "", end)
    );
}

/// A pipe that gives a file in pieces. The pauses let each piece be a read of its own.
#[test]
fn short_reads_are_not_the_end() {
    use std::io::Write;
    let folder = scratch("cmp-pieces");
    write_files(&folder);
    let mut command = example("cmp");
    command.current_dir(&folder).args(["-", "world"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    for piece in ["hel", "lo\nwo", "rld\n"] {
        pipe.write_all(piece.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(100));
    }
    drop(pipe);
    assert_eq!(
        Outcome::from(child.wait_with_output().unwrap()),
        outcome(0, "", "")
    );
}

fn outcome(code: i32, stdout: &str, stderr: &str) -> Outcome {
    Outcome {
        code: Some(code),
        stdout: stdout.into(),
        stderr: stderr.into(),
    }
}

/// What GNU cmp 3.8 prints, for machines without it.
#[test]
fn output_by_heart() {
    let folder = scratch("cmp-literal");
    write_files(&folder);
    let cases: &[(&[&str], &str, Outcome)] = &[
        (&["world", "world"], "", outcome(0, "", "")),
        (&["world"], "hello\nworld\n", outcome(0, "", "")),
        (
            &["world", "wurld"],
            "",
            outcome(1, "world wurld differ: char 8, line 2\n", ""),
        ),
        (
            &["-b", "world", "wurld"],
            "",
            outcome(1, "world wurld differ: byte 8, line 2 is 157 o 165 u\n", ""),
        ),
        (
            &["-l", "world", "wurld"],
            "",
            outcome(1, " 8 157 165\n", ""),
        ),
        (&["-l", "-n", "100", "-"], "", outcome(0, "", "")),
        (&["-s", "world", "wurld"], "", outcome(1, "", "")),
        (
            &["-lb", "control", "letters", "-n5"],
            "",
            outcome(
                1,
                "1   0 ^@   141 a\n2   1 ^A   142 b\n3  37 ^_   143 c\n4  40      144 d\n\
                 5 177 ^?   145 e\n",
                "",
            ),
        ),
        (
            &["-bi5", "control", "letters"],
            "",
            outcome(
                1,
                "control letters differ: byte 1, line 1 is 200 M-^@ 146 f\n",
                "",
            ),
        ),
        (&["-", "wurld", "3:"], "", outcome(2, "", INVALID_SKIP)),
        (&["-i", "6:0", "world", "-"], "world\n", outcome(0, "", "")),
        (
            &["hello", "world"],
            "",
            outcome(1, "", "cmp: EOF on hello after byte 6, line 1\n"),
        ),
        (
            &["hel", "world"],
            "",
            outcome(1, "", "cmp: EOF on hel after byte 3, in line 1\n"),
        ),
        (
            &["world", "empty"],
            "",
            outcome(1, "", "cmp: EOF on empty which is empty\n"),
        ),
        (
            &["-l", "more", "world"],
            "",
            outcome(1, " 8 165 157\n", "cmp: EOF on world after byte 12\n"),
        ),
        (&["world", "missing"], "", outcome(2, "", MISSING)),
        (&["-s", "world", "missing"], "", outcome(2, "", "")),
        #[cfg(unix)]
        (
            &["folder", "world"],
            "",
            outcome(2, "", "cmp: folder: Is a directory\n"),
        ),
        (&["-sl", "world", "wurld"], "", outcome(2, "", INCOMPATIBLE)),
        // The wording of these is lexopt's.
        (&["-z", "world"], "", outcome(2, "", UNKNOWN)),
        (&["world", "-n"], "", outcome(2, "", NO_VALUE)),
        (&["--quiet=3", "world"], "", outcome(2, "", A_VALUE)),
    ];
    for (args, stdin, expected) in cases {
        assert_eq!(
            ours(&folder, args, stdin.as_bytes()),
            *expected,
            "cmp {args:?}"
        );
    }
}

const INVALID_SKIP: &str = "cmp: invalid --ignore-initial value '3:'\n\
                            cmp: Try 'cmp --help' for more information.\n";
const INCOMPATIBLE: &str = "cmp: options -l and -s are incompatible\n\
                            cmp: Try 'cmp --help' for more information.\n";
const UNKNOWN: &str = "cmp: invalid option '-z'\n\
                       cmp: Try 'cmp --help' for more information.\n";
const NO_VALUE: &str = "cmp: missing argument for option '-n'\n\
                        cmp: Try 'cmp --help' for more information.\n";
const A_VALUE: &str = "cmp: unexpected argument for option '--quiet': \"3\"\n\
                       cmp: Try 'cmp --help' for more information.\n";
#[cfg(unix)]
const MISSING: &str = "cmp: missing: No such file or directory\n";
#[cfg(windows)]
const MISSING: &str = "cmp: missing: The system cannot find the file specified.\n";

#[test]
fn help_and_version_go_to_standard_output() {
    let folder = scratch("cmp-help");
    for args in [&["--help"][..], &["--help", "--nonsense"], &["-s", "--he"]] {
        let help = ours(&folder, args, b"");
        assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
        assert!(
            help.stdout
                .starts_with("Usage: cmp [OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]\n")
        );
        for option in ["-b", "-i", "-l", "-n", "-s", "--help", "-v", "--version"] {
            assert!(
                help.stdout.contains(option),
                "{option} is missing from\n{}",
                help.stdout
            );
        }
    }
    let version = format!("cmp (memdiff) {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(ours(&folder, &["--version"], b""), outcome(0, &version, ""));
    assert_eq!(ours(&folder, &["-v"], b""), outcome(0, &version, ""));
}

/// "byte" outside the POSIX locale. GNU cmp does the same if the locale is installed.
#[test]
fn the_locale_chooses_between_char_and_byte() {
    let folder = scratch("cmp-byte");
    write_files(&folder);
    let mut command = example("cmp");
    command
        .current_dir(&folder)
        .env("LC_ALL", "C.UTF-8")
        .args(["world", "wurld"]);
    let expected = outcome(1, "world wurld differ: byte 8, line 2\n", "");
    assert_eq!(run(&mut command, b""), expected);
}

/// A reader that has gone is no reason to panic, and no reason to speak.
#[test]
fn a_closed_pipe_ends_it_quietly() {
    let folder = scratch("cmp-closed");
    fs::write(folder.join("a"), vec![b'a'; 300_000]).unwrap();
    fs::write(folder.join("b"), vec![b'b'; 300_000]).unwrap();
    for args in [&["-l", "a", "b"][..], &["a", "b"], &["--help"]] {
        let mut command = example("cmp");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        command.current_dir(&folder).args(args).stdin(Stdio::null());
        let ended = Outcome::from(command.stdout(writer).output().unwrap());
        assert_eq!(ended, outcome(2, "", ""), "cmp {args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = scratch("cmp-full");
    write_files(&folder);
    for args in [
        &["-l", "world", "wurld"][..],
        &["world", "wurld"],
        &["--help"],
    ] {
        let mut command = example("cmp");
        command.current_dir(&folder).args(args).stdin(Stdio::null());
        let full = File::options().write(true).open("/dev/full").unwrap();
        let ended = Outcome::from(command.stdout(full).output().unwrap());
        let said = "cmp: standard output: No space left on device\n";
        assert_eq!(ended, outcome(2, "", said), "cmp {args:?}");
    }
}

/// A file as standard input may be read in part already, and can be positioned.
#[cfg(unix)]
#[test]
fn a_file_as_standard_input_is_read_from_where_it_stands() {
    use std::io::{Seek, SeekFrom};
    let folder = scratch("cmp-position");
    write_files(&folder);
    let run = |mut command: Command, args: &[&str]| {
        let mut stdin = File::open(folder.join("more")).unwrap();
        stdin.seek(SeekFrom::Start(6)).unwrap();
        command.current_dir(&folder).env("LC_ALL", "C").args(args);
        Outcome::from(command.stdin(stdin).output().unwrap())
    };
    let table: [(&[&str], Outcome); 4] = [
        (
            &["-i", "0:6", "-", "world"],
            outcome(1, "- world differ: char 2, line 1\n", ""),
        ),
        (
            &["-l", "-i", "1:6", "-n5", "-", "wurld"],
            outcome(1, EVERY_BYTE_SHIFTED, ""),
        ),
        (
            &["-", "more"],
            outcome(1, "- more differ: char 1, line 1\n", ""),
        ),
        (&["-s", "-i", "0:6", "-", "more"], outcome(0, "", "")),
    ];
    let gnu = gnu_cmp();
    for (args, expected) in table {
        assert_eq!(run(example("cmp"), args), expected, "cmp {args:?}");
        if gnu.is_some() {
            assert_eq!(run(Command::new("cmp"), args), expected, "{gnu:?} {args:?}");
        }
    }
}

#[cfg(unix)]
const EVERY_BYTE_SHIFTED: &str = "1 165 167\n2 162 165\n3 154 162\n4 144 154\n5  12 144\n";

/// A link to a file is that file, and names need not be UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn links_and_names_of_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = scratch("cmp-names");
    write_files(&folder);
    std::os::unix::fs::symlink("world", folder.join("link")).unwrap();
    assert_eq!(ours(&folder, &["link", "world"], b""), outcome(0, "", ""));
    assert_eq!(
        ours(&folder, &["-", "/dev/stdin"], b"x"),
        outcome(0, "", "")
    );

    let name = OsStr::from_bytes(b"\xff\n");
    for (bytes, expected) in [
        (
            "hello\nwurld\n",
            outcome(1, r"world \xff\n differ: char 8, line 2\n", ""),
        ),
        ("", outcome(1, "", r"cmp: EOF on \xff\n which is empty\n")),
    ] {
        fs::write(folder.join(name), bytes).unwrap();
        let mut command = example("cmp");
        command
            .current_dir(&folder)
            .env("LC_ALL", "C")
            .arg("world")
            .arg(name);
        assert_eq!(run(&mut command, b""), expected);
    }
}

/// Linux gives files in `/proc` the size 0, which must not be taken for their length.
#[cfg(target_os = "linux")]
#[test]
fn a_file_of_unknown_size_is_read() {
    let folder = scratch("cmp-proc");
    let version = fs::read("/proc/version").unwrap();
    fs::write(folder.join("version"), version).unwrap();
    for option in ["-s", "-l", "-b"] {
        let ended = ours(&folder, &[option, "/proc/version", "version"], b"");
        assert_eq!(ended, outcome(0, "", ""), "{option}");
    }
}

/// However long the files, memory stays the same.
#[cfg(target_os = "linux")]
#[test]
fn long_files_are_not_loaded() {
    use std::io::Write;
    const LEN: usize = 96 << 20;
    if !runner().is_empty() {
        return eprintln!("skipped: it would measure the emulator");
    }
    let folder = scratch("cmp-memory");
    File::create(folder.join("zeros"))
        .unwrap()
        .set_len(LEN as u64)
        .unwrap();
    let mut command = example("cmp");
    command
        .current_dir(&folder)
        .args(["-l", "-", "zeros"])
        .stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    for chunk in vec![0; LEN].chunks(1 << 20) {
        pipe.write_all(chunk).unwrap();
    }
    // It waits for more of standard input now, all but the last pipeful having been read.
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(pipe);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let peak: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak * 1024 < LEN * 3 / 4, "it held {peak} KiB at once");
}
