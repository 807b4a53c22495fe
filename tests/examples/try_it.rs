//! The demonstration `examples/try_it.rs`, as a person and as a pipe see it.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};

use memdiff::Backend;

use crate::{Outcome, example, run};

/// The example, whatever the person who runs the tests thinks of colour.
fn command() -> Command {
    let mut command = example("try_it");
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

fn with_lines(lines: &[u8]) -> Outcome {
    run(&mut command(), lines)
}

fn with_arguments<S: AsRef<OsStr>>(arguments: &[S]) -> Outcome {
    run(command().args(arguments), b"")
}

/// The screen for two strings, which has to fit.
fn screen(first: &str, second: &str) -> String {
    let run = with_arguments(&["--", first, second]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.lines().count() <= 22, "{}", run.stdout);
    assert!(
        run.stdout.lines().all(|line| line.len() <= 80),
        "{}",
        run.stdout
    );
    run.stdout
}

#[track_caller]
fn assert_lines(screen: &str, lines: &[&str]) {
    for line in lines {
        assert!(
            screen.lines().any(|l| l.trim() == *line),
            "no line {line:?} in\n{screen}"
        );
    }
}

/// What the last steps and the crate say, on every target.
#[track_caller]
fn assert_result(screen: &str, pair: [i32; 2], result: i32, start: usize, byte: usize) {
    let ([x, y], index) = (pair, start + byte);
    assert_lines(
        screen,
        &[&format!(
            "{x} - {y} = {result} is memcmp's result; {start} + {byte} = {index} is the index."
        )],
    );
    for call in [
        format!("word::memcmp_u64(a, b) = {result} "),
        format!("word::mismatch_u64(a, b) = Some({byte})\n"),
        format!("mismatch(first, second) = Some({index})\n"),
    ] {
        assert!(screen.contains(&call), "no {call:?} in\n{screen}");
    }
}

#[test]
#[cfg(target_endian = "little")]
fn the_whole_screen() {
    let expected = format!(
        r#"first  = "wordpress" (9 bytes)
second = "wordprose" (9 bytes)
Where do they first differ, and by how much? Without a loop over bytes:
1. Load a word of each: bytes 0..8 in memory order.
      +0     +1     +2     +3     +4     +5     +6     +7     as u64
   a  77 w   6f o   72 r   64 d   70 p   72 r   65 e   73 s   0x7365727064726f77
   b  77 w   6f o   72 r   64 d   70 p   72 r   6f o   73 s   0x736f727064726f77
                                                ^^            ^^ first, ~~ later
2. a ^ b = 0x000a000000000000: equal bits give 0. Little endian: +0 is lowest.
      +7       +6       +5       +4       +3       +2       +1       +0
   00000000 00001010 00000000 00000000 00000000 00000000 00000000 00000000
                  ^ bit 49
3. ctz(a ^ b) = 49 trailing zeros: bit 49 is in the first byte that differs.
   shift = ctz & !7 = 48: rounded down to where that byte (49 / 8 = +6) begins.
4. (a >> 48) & 0xff = 0x65 = 101   Both bytes come out of the words:
   (b >> 48) & 0xff = 0x6f = 111   memory is not read again.
   101 - 111 = -10 is memcmp's result; 0 + 6 = 6 is the index.
memdiff agrees (backend {}):
   word::memcmp_u64(a, b) = -10           word::mismatch_u64(a, b) = Some(6)
   memcmp(first, second) = -10            mismatch(first, second) = Some(6)
"#,
        Backend::active()
    );
    assert_eq!(screen("wordpress", "wordprose"), expected);
}

#[test]
#[cfg(target_endian = "big")]
fn the_whole_screen() {
    let screen = screen("wordpress", "wordprose");
    assert_lines(
        &screen,
        &[
            "a  77 w   6f o   72 r   64 d   70 p   72 r   65 e   73 s   0x776f726470726573",
            "2. a ^ b = 0x0000000000000a00: equal bits give 0. Big endian: +0 is highest.",
            "+0       +1       +2       +3       +4       +5       +6       +7",
            "00000000 00000000 00000000 00000000 00000000 00000000 00001010 00000000",
            "^ bit 11",
            "3. clz(a ^ b) = 52 leading zeros: bit 11 is in the first byte that differs.",
            "shift = 56 - (clz & !7) = 8: where that byte (52 / 8 = +6) begins.",
            "4. (a >> 8) & 0xff = 0x65 = 101   Both bytes come out of the words:",
            "(b >> 8) & 0xff = 0x6f = 111   memory is not read again.",
            &format!("memdiff agrees (backend {}):", Backend::active()),
        ],
    );
    assert_result(&screen, [101, 111], -10, 0, 6);
}

#[test]
fn every_byte_of_the_word_can_be_the_first() {
    for byte in 0..8 {
        // The rest of the word differs the other way round, and must not matter.
        let string = |at: char, later: char| -> String {
            (0..8)
                .map(|i| {
                    if i < byte {
                        '='
                    } else if i == byte {
                        at
                    } else {
                        later
                    }
                })
                .collect()
        };
        let screen = screen(&string('z', 'a'), &string('j', 'b'));
        assert_result(&screen, [122, 106], 16, 0, byte);
        let marks = "       ".repeat(byte) + "^^     " + &"~~     ".repeat(7 - byte);
        assert_lines(
            &screen,
            &[&format!("{}^^ first, ~~ later", marks.trim_start())],
        );
        // The bit below the caret is the one that was counted to: the lines end in the same column.
        let lines: Vec<&str> = screen.lines().collect();
        let caret = lines
            .iter()
            .find(|line| line.trim().starts_with("^ bit"))
            .unwrap();
        let bits = lines.iter().find(|line| line.starts_with("   0")).unwrap();
        assert_eq!(bits.as_bytes()[caret.find('^').unwrap()], b'1', "{screen}");
    }
}

#[test]
fn bytes_that_no_keyboard_has() {
    let screen = screen(
        r"\x01\0\0\x80\t\n\r\\\'\x20",
        r"\x01\x00\0\x7f\t\n\r\\\'\x20",
    );
    assert_result(&screen, [128, 127], 1, 0, 3);
    let bytes = r"01 .   00 \0  00 \0  80 .   09 \t  0a \n  0d \r  5c \";
    assert!(screen.contains(bytes), "{screen}");
    assert_lines(
        &screen,
        &[r#"first  = "\x01\x00\x00\x80\t\n\r\\\' " (10 bytes)"#],
    );
}

#[test]
fn what_is_printed_can_be_typed() {
    // Every byte, four at a time, so that none is cut off.
    let mut strings: Vec<String> = (0..64)
        .map(|i| {
            (4 * i..4 * i + 4)
                .map(|byte| format!(r"\x{byte:02X}"))
                .collect()
        })
        .collect();
    strings.push(r#"\t\n\r\\\'\""#.into());
    // Pairs of one string and an empty one.
    let show = |strings: &[String]| with_lines((strings.join("\n\n") + "\n\n").as_bytes()).stdout;
    let once = show(&strings);
    let printed: Vec<String> = once
        .lines()
        .filter_map(|line| line.strip_prefix("first  = \""))
        .map(|line| line.rsplit_once('"').unwrap().0.into())
        .collect();
    assert_eq!(printed.len(), strings.len());
    assert_eq!(show(&printed), once);
    assert_eq!(printed[24], "`abc");
}

#[test]
fn equal_strings() {
    let screen = screen("0123456789abcdef", "0123456789abcdef");
    assert_lines(
        &screen,
        &[
            "1. Load a word of each: bytes 8..16 in memory order.",
            "The word before is equal.",
            "3. No bit is set: no byte differs, the result is 0.",
            "word::memcmp_u64(a, b) = 0             word::mismatch_u64(a, b) = None",
            "memcmp(first, second) = 0              mismatch(first, second) = None",
        ],
    );
    assert!(
        !screen.contains('^'.to_string().repeat(2).as_str()),
        "{screen}"
    );
    assert!(!screen.contains("compare("), "{screen}");
}

#[test]
fn a_prefix() {
    for (first, second, order) in [("abc", "abcdef", "Less"), ("abcdef", "abc", "Greater")] {
        let screen = screen(first, second);
        assert_lines(
            &screen,
            &[
                "1. Load a word of each: bytes 0..3 in memory order.",
                "Less than a word: padded with zeros here, gathered in bounds by memdiff.",
                "3. No bit is set: no byte differs, the result is 0.",
                "memcmp(first[..n], second[..n]) = 0    mismatch(first, second) = Some(3)",
                &format!(
                    "compare(first, second) = {order} (a prefix is less, and differs at its end)"
                ),
            ],
        );
        // The padding has no characters, which zeros of the string would have.
        let padded = "  a  61 a   62 b   63 c   00     00     00     00     00     0x";
        assert!(screen.contains(padded), "{screen}");
        assert!(
            screen.contains(r#" = "abcdef" (6 bytes, the first n = 3 compared)"#),
            "{screen}"
        );
    }
}

#[test]
fn empty_strings() {
    let both = screen("", "");
    assert_lines(
        &both,
        &[
            "There is no byte to compare.",
            "memcmp(first, second) = 0              mismatch(first, second) = None",
        ],
    );
    let one = screen("", "x");
    assert_lines(
        &one,
        &[
            r#"second = "x" (1 byte, the first n = 0 compared)"#,
            "memcmp(first[..n], second[..n]) = 0    mismatch(first, second) = Some(0)",
            "compare(first, second) = Less (a prefix is less, and differs at its end)",
        ],
    );
}

#[test]
fn the_word_in_which_it_happens() {
    let screen = screen(
        "a string of more than three words, to be cut short on the screen",
        "a string of more than three birds, to be cut short on the screen",
    );
    assert_lines(
        &screen,
        &[
            "1. Load a word of each: bytes 24..32 in memory order.",
            "The 3 words before are equal.",
        ],
    );
    assert_result(&screen, [0x77, 0x62], 21, 24, 4);
}

#[test]
fn the_last_word_overlaps() {
    let screen = screen(
        "The quick brown fox jumps",
        "The quick brown fox jumped over",
    );
    assert_lines(
        &screen,
        &[
            "1. Load a word of each: bytes 17..25 in memory order.",
            "The 3 words before are equal. This last one overlaps, to stay in bounds.",
            "compare(first, second) = Greater",
        ],
    );
    assert_result(&screen, [0x73, 0x65], 14, 17, 7);
}

#[test]
fn long_strings_are_cut_short() {
    let (first, second) = ("=".repeat(1000) + "a", "=".repeat(1000) + "bc");
    let screen = screen(&first, &second);
    assert_result(&screen, [97, 98], -1, 993, 7);
    let shown = "=".repeat(53);
    assert_lines(
        &screen,
        &[&format!(r#"first  = "{shown}"... (1001 bytes)"#)],
    );
}

#[test]
#[cfg(unix)]
fn strings_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let run = with_arguments(&[
        OsStr::from_bytes(b"\xff\xfe"),
        OsStr::from_bytes(b"\xff\x80"),
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_lines(&run.stdout, &[r#"first  = "\xff\xfe" (2 bytes)"#]);
    assert_result(&run.stdout, [0xfe, 0x80], 126, 0, 1);
}

#[test]
fn lines_from_a_pipe_are_taken_in_pairs() {
    let lines = with_lines(b"wordpress\nwordprose\r\n\xff\nA\\x80");
    let expected = screen("wordpress", "wordprose") + "\n" + &screen(r"\xff", r"A\x80");
    assert_eq!((lines.code, lines.stderr.as_str()), (Some(0), ""));
    assert_eq!(lines.stdout, expected);

    let nothing = with_lines(b"");
    assert_eq!(
        (
            nothing.code,
            nothing.stdout.as_str(),
            nothing.stderr.as_str()
        ),
        (Some(0), "", "")
    );
}

#[track_caller]
fn assert_error(run: &Outcome, message: &str) {
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), message));
}

#[test]
fn errors_are_one_line_and_exit_2() {
    for (string, escape) in [
        (r"\q", r"\q"),
        (r"a\", r"\"),
        (r"\x8", r"\x8"),
        (r"\x+1z", r"\x+1"),
        (r"\x0g", r"\x0g"),
    ] {
        let message = format!("bad escape {escape} (\\\\ is a backslash, see --help)\n");
        let run = with_arguments(&["fine", string]);
        assert_error(&run, &format!("try_it: {message}"));
        assert_eq!(run.stdout, "");
    }
    assert_error(
        &with_arguments(&["alone"]),
        "try_it: two strings are needed, not 1 (see --help)\n",
    );
    assert_error(
        &with_arguments(&["a", "b", "c"]),
        "try_it: two strings are needed, not 3 (see --help)\n",
    );
    assert_error(
        &with_arguments(&["--colour"]),
        "try_it: invalid option '--colour'\n",
    );

    let line = with_lines(b"a\nb\nc\n\\q\n");
    assert_error(
        &line,
        "try_it: line 4: bad escape \\q (\\\\ is a backslash, see --help)\n",
    );
    assert_eq!(line.stdout, screen("a", "b"));
    let odd = with_lines(b"a\nb\nc\n");
    assert_error(
        &odd,
        "try_it: the last line has no partner: lines are taken in pairs\n",
    );
    assert_eq!(odd.stdout, screen("a", "b"));
}

#[test]
fn help() {
    for option in ["-h", "--help"] {
        let run = with_arguments(&[option]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        assert!(
            run.stdout.contains("Usage: try_it [--] STRING1 STRING2\n"),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn colour_is_for_terminals_and_for_those_who_force_it() {
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = command();
        command
            .args(["wordpress", "wordprose"])
            .envs(variables.iter().copied());
        run(&mut command, b"").stdout
    };
    let plain = screen("wordpress", "wordprose");
    assert!(!plain.contains('\x1b'), "{plain}");
    assert_eq!(coloured(&[("NO_COLOR", "1")]), plain);
    assert_eq!(
        coloured(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]),
        plain
    );
    let forced = coloured(&[("CLICOLOR_FORCE", "1")]);
    assert!(forced.contains("\x1b[31m65 e \x1b[0m"), "{forced:?}");
    assert_eq!(anstream::adapter::strip_str(&forced).to_string(), plain);
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    let mut child = command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(b"a\nb\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}
