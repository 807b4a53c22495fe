//! The idea of memdiff on one screen: the first differing byte of two words, found in `a ^ b`.
//!
//! `cargo run --example try_it -- wordpress wordprose` shows it for two strings; without strings
//! it reads pairs of lines from standard input.

use std::error::Error;
use std::ffi::OsStr;
use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use memdiff::{Backend, word};

const HELP: &str = r#"Shows how the first differing byte of two words is found in a ^ b.

Usage: try_it [--] STRING1 STRING2
       try_it                  reads pairs of lines from standard input

Escapes in the strings: \xHH (any byte), \n \r \t \0 \\ \" \'
For example: try_it '\x01\0\0\x80' '\x01\0\0\x7f'

Options:
  -h, --help   print this help

Colour is used on a terminal only, and nowhere if NO_COLOR is set.
"#;

const LITTLE_ENDIAN: bool = cfg!(target_endian = "little");
/// Bytes in a word.
const WORD: usize = 8;

const HEADING: Style = Style::new().bold();
const FIRST: Style = AnsiColor::Red.on_default().bold();
const LATER: Style = AnsiColor::Magenta.on_default();
const PLAIN: Style = Style::new();
const RESULT: Style = AnsiColor::Green.on_default().bold();

fn main() -> ExitCode {
    let Err(error) = run() else {
        return ExitCode::SUCCESS;
    };
    if error
        .downcast_ref()
        .is_some_and(|e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe)
    {
        // The reader has seen enough.
        return ExitCode::SUCCESS;
    }
    // If standard error is closed too, the exit code still tells.
    let _ = writeln!(io::stderr(), "try_it: {error}");
    ExitCode::from(2)
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut out = anstream::stdout().lock();
    let mut strings = Vec::new();
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            lexopt::Arg::Short('h') | lexopt::Arg::Long("help") => {
                return Ok(out.write_all(HELP.as_bytes())?);
            }
            lexopt::Arg::Value(string) => strings.push(string),
            option => return Err(option.unexpected().into()),
        }
    }
    match strings.as_slice() {
        [] => show_lines(&mut out),
        [first, second] => {
            let unescape = |string: &OsStr| unescape(string.as_encoded_bytes());
            Ok(show(&mut out, &unescape(first)?, &unescape(second)?)?)
        }
        _ => Err(format!("two strings are needed, not {} (see --help)", strings.len()).into()),
    }
}

/// Shows pairs of lines until the input ends. A terminal gets a prompt, and may mistype.
fn show_lines(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let input = io::stdin().lock();
    let prompting = input.is_terminal();
    let mut lines = input.split(b'\n').zip(1..);
    let mut first = None;
    loop {
        if prompting {
            // On standard error: redirected output then holds the demonstrations alone.
            let which = if first.is_none() { "first" } else { "second" };
            write!(io::stderr(), "{which} string: ")?;
        }
        let Some((line, number)) = lines.next() else {
            break;
        };
        let line = line?;
        let string = match unescape(line.strip_suffix(b"\r").unwrap_or(&line)) {
            Ok(string) => string,
            Err(message) if prompting => {
                writeln!(io::stderr(), "{message}")?;
                continue;
            }
            Err(message) => return Err(format!("line {number}: {message}").into()),
        };
        let Some(first) = first.take() else {
            first = Some(string);
            continue;
        };
        if prompting || number > 2 {
            writeln!(out)?;
        }
        show(out, &first, &string)?;
    }
    if prompting {
        // The end of input leaves the cursor behind the prompt.
        writeln!(io::stderr())?;
    } else if first.is_some() {
        return Err("the last line has no partner: lines are taken in pairs".into());
    }
    Ok(())
}

/// Replaces the escapes that the help lists by the bytes they stand for.
fn unescape(mut text: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    while let Some((&byte, rest)) = text.split_first() {
        let escaped = if byte == b'\\' {
            escaped(rest)
        } else {
            Some((byte, rest))
        };
        let Some((byte, rest)) = escaped else {
            let shown = if rest.starts_with(b"x") { 3 } else { 1 };
            let shown = rest[..shown.min(rest.len())].escape_ascii();
            return Err(format!(
                r"bad escape \{shown} (\\ is a backslash, see --help)"
            ));
        };
        bytes.push(byte);
        text = rest;
    }
    Ok(bytes)
}

/// The byte that the text behind a backslash stands for, and what follows it.
fn escaped(text: &[u8]) -> Option<(u8, &[u8])> {
    let hex = |digit: u8| char::from(digit).to_digit(16);
    Some(match *text {
        [b'x', high, low, ref rest @ ..] => ((hex(high)? << 4 | hex(low)?) as u8, rest),
        [b'n', ref rest @ ..] => (b'\n', rest),
        [b'r', ref rest @ ..] => (b'\r', rest),
        [b't', ref rest @ ..] => (b'\t', rest),
        [b'0', ref rest @ ..] => (b'\0', rest),
        [same @ (b'\\' | b'"' | b'\''), ref rest @ ..] => (same, rest),
        _ => return None,
    })
}

/// The demonstration for two strings, made for a screen of 80 columns and 24 lines.
fn show(out: &mut impl Write, first: &[u8], second: &[u8]) -> io::Result<()> {
    let len = first.len().min(second.len());
    for (name, string) in [("first ", first), ("second", second)] {
        writeln!(out, "{HEADING}{name}{HEADING:#} = {}", quote(string, len))?;
    }
    writeln!(
        out,
        "Where do they first differ, and by how much? Without a loop over bytes:"
    )?;

    // Whole words, and a last one moved back to end where the strings do. The bytes it shares with
    // the word before are equal, or that word would have been the one.
    let starts = (0..len.div_ceil(WORD)).map(|i| (i * WORD).min(len.saturating_sub(WORD)));
    let last = starts.clone().next_back();
    let words = |start| (load(&first[start..len]), load(&second[start..len]));
    let differ = |&start: &usize| words(start).0 != words(start).1;

    let (mut loaded, mut found) = (None, None);
    match starts.clone().find(differ).or(last) {
        Some(start) => {
            let (a, b) = words(start);
            show_words(out, a, b, start, len)?;
            found = show_trick(out, a, b, start)?;
            loaded = Some((a, b, start));
        }
        None => writeln!(out, "There is no byte to compare.")?,
    }
    show_crate(out, first, second, loaded, found)
}

/// The string in quotes and its length, in the 71 columns that its name leaves.
fn quote(string: &[u8], compared: usize) -> String {
    let plural = if string.len() == 1 { "" } else { "s" };
    let mut size = format!("({} byte{plural}", string.len());
    if compared < string.len() {
        size += &format!(", the first n = {compared} compared");
    }
    let room = 71 - size.len() - r#"""...) "#.len();
    let mut text = String::new();
    for &byte in string {
        let escape = byte.escape_ascii().to_string();
        if text.len() + escape.len() > room {
            return format!("\"{text}\"... {size})");
        }
        text += &escape;
    }
    format!("\"{text}\" {size})")
}

/// Up to eight bytes as the integer a load would give, zeros behind them.
fn load(bytes: &[u8]) -> u64 {
    let mut word = [0; WORD];
    let len = bytes.len().min(WORD);
    word[..len].copy_from_slice(&bytes[..len]);
    u64::from_ne_bytes(word)
}

/// How many bits precede the first difference: zeros on the side of the first byte.
fn zeros(xor: u64) -> u32 {
    if LITTLE_ENDIAN {
        xor.trailing_zeros()
    } else {
        xor.leading_zeros()
    }
}

/// How to show this byte of the words, and the mark below it.
fn mark(xor: u64, byte: usize) -> (Style, &'static str) {
    if xor.to_ne_bytes()[byte] == 0 {
        (PLAIN, "  ")
    } else if byte == zeros(xor) as usize / 8 {
        (FIRST, "^^")
    } else {
        (LATER, "~~")
    }
}

/// Step 1: the bytes in memory order, beside the integers they are loaded as.
fn show_words(out: &mut impl Write, a: u64, b: u64, start: usize, len: usize) -> io::Result<()> {
    let end = (start + WORD).min(len);
    writeln!(
        out,
        "{HEADING}1. Load a word of each{HEADING:#}: bytes {start}..{end} in memory order."
    )?;
    if len < WORD {
        let note = "Less than a word: padded with zeros here, gathered in bounds by memdiff.";
        writeln!(out, "   {note}")?;
    }
    if start > 0 {
        match start.div_ceil(WORD) {
            1 => write!(out, "   The word before is equal.")?,
            n => write!(out, "   The {n} words before are equal.")?,
        }
        if !start.is_multiple_of(WORD) {
            write!(out, " This last one overlaps, to stay in bounds.")?;
        }
        writeln!(out)?;
    }
    write!(out, "      ")?;
    for byte in 0..WORD {
        write!(out, "+{byte:<6}")?;
    }
    writeln!(out, "as u64")?;
    for (name, word) in [('a', a), ('b', b)] {
        write!(out, "   {name}  ")?;
        for (byte, value) in word.to_ne_bytes().into_iter().enumerate() {
            let (style, _) = mark(a ^ b, byte);
            let glyph = if start + byte < len {
                glyph(value)
            } else {
                String::new()
            };
            write!(out, "{style}{value:02x} {glyph:<2}{style:#}  ")?;
        }
        writeln!(out, "{word:#018x}")?;
    }
    if a != b {
        write!(out, "      ")?;
        for byte in 0..WORD {
            let (style, mark) = mark(a ^ b, byte);
            write!(out, "{style}{mark}{style:#}     ")?;
        }
        writeln!(out, "{FIRST}^^{FIRST:#} first, {LATER}~~{LATER:#} later")?;
    }
    Ok(())
}

/// A printable character as itself, the usual escapes, a dot for any other byte.
fn glyph(byte: u8) -> String {
    match byte {
        b'\0' => r"\0".into(),
        b'\n' | b'\r' | b'\t' => byte.escape_ascii().to_string(),
        b' '..=b'~' => char::from(byte).into(),
        _ => ".".into(),
    }
}

/// Steps 2 to 4: the difference and the index of the first differing byte, if there is one.
fn show_trick(
    out: &mut impl Write,
    a: u64,
    b: u64,
    start: usize,
) -> io::Result<Option<(i32, usize)>> {
    let xor = a ^ b;
    let place = if LITTLE_ENDIAN {
        "Little endian: +0 is lowest"
    } else {
        "Big endian: +0 is highest"
    };
    writeln!(
        out,
        "{HEADING}2. a ^ b{HEADING:#} = {xor:#018x}: equal bits give 0. {place}."
    )?;
    // The most significant byte first, as numbers are written.
    let mut columns: [usize; WORD] = std::array::from_fn(|byte| byte);
    if LITTLE_ENDIAN {
        columns.reverse();
    }
    let names = columns.map(|byte| format!("   +{byte}   "));
    let bits = columns.map(|byte| {
        let (style, _) = mark(xor, byte);
        format!("{style}{:08b}{style:#}", xor.to_ne_bytes()[byte])
    });
    writeln!(out, "   {}", names.join(" ").trim_end())?;
    writeln!(out, "   {}", bits.join(" "))?;
    if xor == 0 {
        writeln!(
            out,
            "{HEADING}3. No bit is set{HEADING:#}: no byte differs, the result is 0."
        )?;
        return Ok(None);
    }

    let zeros = zeros(xor);
    let left = if LITTLE_ENDIAN { 63 - zeros } else { zeros };
    let bit = 63 - left;
    let indent = (left + left / 8) as usize;
    writeln!(out, "   {:indent$}{FIRST}^ bit {bit}{FIRST:#}", "")?;

    let byte = zeros as usize / 8;
    let (count, which, formula, rounded) = if LITTLE_ENDIAN {
        ("ctz", "trailing", "ctz & !7", "rounded down to where")
    } else {
        ("clz", "leading", "56 - (clz & !7)", "where")
    };
    let shift = if LITTLE_ENDIAN {
        zeros & !7
    } else {
        56 - (zeros & !7)
    };
    writeln!(
        out,
        "{HEADING}3. {count}(a ^ b) = {zeros}{HEADING:#} {which} zeros: \
         bit {bit} is in the first byte that differs."
    )?;
    writeln!(
        out,
        "   {HEADING}shift = {formula} = {shift}{HEADING:#}: \
         {rounded} that byte ({zeros} / 8 = {FIRST}+{byte}{FIRST:#}) begins."
    )?;

    let [x, y] = [a, b].map(|word| (word >> shift & 0xff) as i32);
    let (difference, index) = (x - y, start + byte);
    for (step, name, value, note) in [
        ("4.", 'a', x, "Both bytes come out of the words:"),
        ("  ", 'b', y, "memory is not read again."),
    ] {
        writeln!(
            out,
            "{HEADING}{step} ({name} >> {shift}) & 0xff{HEADING:#} = {value:#04x} = {value:<6}{note}"
        )?;
    }
    writeln!(
        out,
        "   {x} - {y} = {RESULT}{difference}{RESULT:#} is memcmp's result; \
         {start} + {byte} = {RESULT}{index}{RESULT:#} is the index."
    )?;
    Ok(Some((difference, index)))
}

/// What the crate's functions return for the same words and strings: what the steps found.
fn show_crate(
    out: &mut impl Write,
    first: &[u8],
    second: &[u8],
    loaded: Option<(u64, u64, usize)>,
    found: Option<(i32, usize)>,
) -> io::Result<()> {
    let backend = Backend::active().name();
    writeln!(
        out,
        "{HEADING}memdiff agrees{HEADING:#} (backend {backend}):"
    )?;
    let result = found.map_or(0, |(difference, _)| difference);
    let index = found.map(|(_, index)| index);
    if let Some((a, b, start)) = loaded {
        let (memcmp, mismatch) = (word::memcmp_u64(a, b), word::mismatch_u64(a, b));
        assert_eq!(
            (memcmp, mismatch),
            (result, index.map(|index| index - start))
        );
        let left = format!("word::memcmp_u64(a, b) = {memcmp}");
        writeln!(out, "   {left:<39}word::mismatch_u64(a, b) = {mismatch:?}")?;
    }

    let len = first.len().min(second.len());
    let memcmp = memdiff::memcmp(&first[..len], &second[..len]);
    let mismatch = memdiff::mismatch(first, second);
    let end = (first.len() != second.len()).then_some(len);
    assert_eq!((memcmp, mismatch), (result, index.or(end)));
    let part = if end.is_some() { "[..n]" } else { "" };
    let left = format!("memcmp(first{part}, second{part}) = {memcmp}");
    writeln!(out, "   {left:<39}mismatch(first, second) = {mismatch:?}")?;

    if end.is_some() {
        let order = memdiff::compare(first, second);
        assert_eq!(order, first.cmp(second));
        let prefix = if found.is_none() {
            " (a prefix is less, and differs at its end)"
        } else {
            ""
        };
        writeln!(out, "   compare(first, second) = {order:?}{prefix}")?;
    }
    Ok(())
}
