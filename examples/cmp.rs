//! `cmp`: where do two files first differ? [`memdiff::mismatch`] over blocks of both.
//!
//! ```text
//! cargo run --release --example cmp -- FILE1 [FILE2 [SKIP1 [SKIP2]]]
//! ```
//!
//! Options, output and exit status (0 same, 1 different, 2 trouble) are those of GNU cmp 3.8;
//! `--help`, `--version` and some complaints about options have words of their own. One answer
//! differs on purpose: `-s` does not take the size 0 of a file in Linux's `/proc` for its length.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use lexopt::prelude::*;

const HELP: &str = "\
Usage: cmp [OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]
Compare two files byte by byte and say where they first differ.

  -b, --print-bytes         show the differing bytes
  -i, --ignore-initial=N    skip the first N bytes of both files
  -i, --ignore-initial=N:M  skip N bytes of FILE1 and M bytes of FILE2
  -l, --verbose             list every difference: byte number and both values in octal
  -n, --bytes=N             compare at most N bytes
  -s, --quiet, --silent     print nothing, only set the exit status
      --help                show this help
  -v, --version             show the version

SKIP1 and SKIP2 mean the same as -i SKIP1:SKIP2. Without FILE2, or where a FILE is -,
standard input is read. A number may be octal (017) or hexadecimal (0xf) and may have a suffix:
kB 1000, K 1024, MB 1000*1000, M 1024*1024, and so on for G, T, P, E, Z, Y.
The exit status is 0 if the files are the same, 1 if they differ, 2 in case of trouble.
";

const VERSION: &str = concat!("cmp (memdiff) ", env!("CARGO_PKG_VERSION"), "\n");

fn main() -> ExitCode {
    match run(lexopt::Parser::from_env(), io::stdout()) {
        Ok(Verdict::Same) => ExitCode::from(0),
        Ok(Verdict::Different) => ExitCode::from(1),
        Err(trouble) => {
            trouble.report();
            ExitCode::from(2)
        }
    }
}

/// The program, but for the exit status and the report of trouble: the fuzz target calls this.
pub fn run(arguments: lexopt::Parser, mut out: impl Write) -> Result<Verdict, Trouble> {
    match parse(arguments)? {
        Request::Compare(options) => compare(&options, out),
        Request::Print(text) => {
            out.write_all(text.as_bytes())?;
            out.flush()?;
            Ok(Verdict::Same)
        }
    }
}

/// What the files turned out to be.
#[derive(Clone, Copy)]
pub enum Verdict {
    /// No byte differs.
    Same,
    /// Some byte differs, or one file ends first.
    Different,
}

fn compare(options: &Options, out: impl Write) -> Result<Verdict, Trouble> {
    let Some(inputs) = open_both(options)? else {
        return Ok(Verdict::Same);
    };
    if options.mode == Mode::Silent && sizes_differ(&inputs, options.limit) {
        return Ok(Verdict::Different);
    }
    let mut report = Report::new(options, &inputs, out);
    let mut blocks = Blocks::new(inputs, options.limit);
    loop {
        let chunk = blocks.next()?;
        if report.chunk(chunk.a, chunk.b)?.is_break() {
            break;
        }
        match chunk.end {
            None => {}
            Some(End::Both) => break,
            Some(End::Only(which)) => {
                report.end_of_file(&options.names[which])?;
                break;
            }
        }
    }
    report.finish()
}

// ---- What went wrong ----

/// Why the files could not be compared.
pub enum Trouble {
    /// The command line makes no sense.
    Usage(String),
    /// A file, by its name, and why it cannot be compared.
    File(OsString, String),
    /// Standard output cannot be written.
    Output(io::Error),
    /// With `-s`, a file that cannot be opened shows in the exit status alone.
    Unsaid,
}

/// For `?` where output is written. An error of a file needs the file's name: see `file_trouble`.
impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble::Output(error)
    }
}

impl From<lexopt::Error> for Trouble {
    fn from(error: lexopt::Error) -> Self {
        Trouble::Usage(error.to_string())
    }
}

fn file_trouble(name: &OsStr, error: &io::Error) -> Trouble {
    Trouble::File(name.to_owned(), reason(error))
}

/// What the system says about an error, without the " (os error 2)" that std appends.
fn reason(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let Some(code) = text.find(" (os error") {
        text.truncate(code);
    }
    text
}

impl Trouble {
    fn report(self) {
        match self {
            Trouble::Usage(message) => {
                complain(message);
                complain("Try 'cmp --help' for more information.");
            }
            Trouble::File(mut line, reason) => {
                line.push(": ");
                line.push(reason);
                complain(line);
            }
            // The reader of a pipe has seen enough. GNU cmp, too, ends without a word.
            Trouble::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Trouble::Output(error) => complain(format!("standard output: {}", reason(&error))),
            Trouble::Unsaid => {}
        }
    }
}

/// Writes one line to standard error. If that fails there is nobody left to tell.
fn complain(message: impl AsRef<OsStr>) {
    let line = [b"cmp: ", message.as_ref().as_encoded_bytes(), b"\n"].concat();
    let _ = io::stderr().write_all(&line);
}

// ---- The command line ----

enum Request {
    Compare(Options),
    Print(&'static str),
}

struct Options {
    names: [OsString; 2],
    skip: [u64; 2],
    limit: u64,
    mode: Mode,
    print_bytes: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    First,
    All,
    Silent,
}

/// GNU cmp's long options; an unambiguous beginning will do.
const LONG_OPTIONS: [&str; 9] = [
    "bytes",
    "help",
    "ignore-initial",
    "print-bytes",
    "print-chars",
    "quiet",
    "silent",
    "verbose",
    "version",
];

/// The largest number accepted: a file's offset is signed.
const NO_LIMIT: u64 = i64::MAX as u64;

fn parse(mut parser: lexopt::Parser) -> Result<Request, Trouble> {
    let mut options = Options {
        names: ["-".into(), "-".into()],
        skip: [0, 0],
        limit: NO_LIMIT,
        mode: Mode::First,
        print_bytes: false,
    };
    let mut operands = Vec::new();
    while let Some(arg) = parser.next()? {
        let option = match arg {
            Short('b' | 'c') => "print-bytes",
            Short('i') => "ignore-initial",
            Short('l') => "verbose",
            Short('n') => "bytes",
            Short('s') => "silent",
            Short('v') => "version",
            Long(name) => full_name(name)?,
            Value(operand) => {
                operands.push(operand);
                continue;
            }
            other => return Err(other.unexpected().into()),
        };
        match option {
            "bytes" => {
                let limit = parse_size(&parser.value()?.to_string_lossy(), "--bytes")?;
                options.limit = options.limit.min(limit);
            }
            "ignore-initial" => skip_more(&mut options.skip, &parser.value()?.to_string_lossy())?,
            "print-bytes" | "print-chars" => options.print_bytes = true,
            "quiet" | "silent" => set_mode(&mut options.mode, Mode::Silent)?,
            "verbose" => set_mode(&mut options.mode, Mode::All)?,
            "version" => return Ok(Request::Print(VERSION)),
            _ => return Ok(Request::Print(HELP)),
        }
    }
    take_operands(&mut options, operands)?;
    Ok(Request::Compare(options))
}

fn full_name(given: &str) -> Result<&'static str, Trouble> {
    let mut candidates = LONG_OPTIONS
        .into_iter()
        .filter(|name| name.starts_with(given));
    match (candidates.next(), candidates.next()) {
        (Some(name), None) => Ok(name),
        (None, _) => Err(Trouble::Usage(format!("unrecognized option '--{given}'"))),
        (Some(one), Some(other)) => Err(Trouble::Usage(format!(
            "option '--{given}' is ambiguous; possibilities: '--{one}' '--{other}'"
        ))),
    }
}

fn set_mode(mode: &mut Mode, new: Mode) -> Result<(), Trouble> {
    if *mode != Mode::First && *mode != new {
        return Err(Trouble::Usage("options -l and -s are incompatible".into()));
    }
    *mode = new;
    Ok(())
}

fn take_operands(options: &mut Options, operands: Vec<OsString>) -> Result<(), Trouble> {
    if operands.is_empty() {
        let last = env::args_os().skip(1).last().unwrap_or("cmp".into());
        let last = last.to_string_lossy();
        return Err(Trouble::Usage(format!("missing operand after '{last}'")));
    }
    for (i, operand) in operands.into_iter().enumerate() {
        match i {
            0 | 1 => options.names[i] = operand,
            2 | 3 => {
                let skip = parse_size(&operand.to_string_lossy(), "--ignore-initial")?;
                options.skip[i - 2] = options.skip[i - 2].max(skip);
            }
            _ => {
                let operand = operand.to_string_lossy();
                return Err(Trouble::Usage(format!("extra operand '{operand}'")));
            }
        }
    }
    Ok(())
}

/// Applies `-i N[:M]`. Of several skips the largest counts; one without M raises that of FILE2 to
/// that of FILE1.
fn skip_more(skip: &mut [u64; 2], value: &str) -> Result<(), Trouble> {
    const OPTION: &str = "--ignore-initial";
    let (first, second) = match value.split_once(':') {
        Some((first, second)) if size(first).is_some() => (first, Some(second)),
        _ => (value, None),
    };
    skip[0] = skip[0].max(parse_size(first, OPTION)?);
    let second = second.map_or(Ok(skip[0]), |second| parse_size(second, OPTION))?;
    skip[1] = skip[1].max(second);
    Ok(())
}

fn parse_size(text: &str, option: &str) -> Result<u64, Trouble> {
    size(text).ok_or_else(|| Trouble::Usage(format!("invalid {option} value '{text}'")))
}

/// A number as C writes it (decimal, `0` octal, `0x` hexadecimal) and a suffix, which alone means
/// one of it.
fn size(text: &str) -> Option<u64> {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix('+').unwrap_or(text);
    let (radix, text) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(hexadecimal) => (16, hexadecimal),
        None if text.starts_with('0') => (8, text),
        None => (10, text),
    };
    let digits = text
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(text.len());
    let (digits, suffix) = text.split_at(digits);
    let number = match digits {
        "" if radix == 10 && !suffix.is_empty() => 1,
        _ => u128::from_str_radix(digits, radix).ok()?,
    };
    let size = u64::try_from(number.checked_mul(unit(suffix)?)?).ok()?;
    (size <= NO_LIMIT).then_some(size)
}

/// `K` and `KiB` are 1024, `kB` is 1000, `M` is 1024 * 1024 and so on.
fn unit(suffix: &str) -> Option<u128> {
    let Some(letter) = suffix.chars().next() else {
        return Some(1);
    };
    let power = match letter {
        'k' => 0,
        _ => "KMGTPEZY".find(letter)?,
    };
    let base: u128 = match &suffix[1..] {
        "" | "iB" => 1024,
        "B" | "D" => 1000,
        _ => return None,
    };
    Some(base.pow(power as u32 + 1))
}

// ---- The files ----

struct Input {
    name: OsString,
    file: File,
    metadata: Metadata,
    /// Where the bytes to compare start, if the file could be positioned there.
    start: Option<u64>,
}

/// Opens both files where the bytes to compare start. `None` if that is one place in one file.
fn open_both(options: &Options) -> Result<Option<[Input; 2]>, Trouble> {
    let [name_a, name_b] = &options.names;
    let [skip_a, skip_b] = options.skip;
    let a = Input::open(name_a, skip_a, options.mode)?;
    if name_a == name_b && skip_a == skip_b {
        return Ok(None);
    }
    let b = Input::open(name_b, skip_b, options.mode)?;
    if same_file(&a.metadata, &b.metadata) && a.start == b.start {
        return Ok(None);
    }
    let mut inputs = [a, b];
    for (input, skip) in inputs.iter_mut().zip(options.skip) {
        input.skip(skip)?;
    }
    Ok(Some(inputs))
}

impl Input {
    fn open(name: &OsStr, skip: u64, mode: Mode) -> Result<Self, Trouble> {
        let opened = if name == "-" {
            standard_input()
        } else {
            File::open(name)
        };
        let opened = opened.and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, mut file) = opened.map_err(|error| match mode {
            Mode::Silent => Trouble::Unsaid,
            _ => file_trouble(name, &error),
        })?;
        let start = if metadata.is_file() || metadata.is_dir() {
            file.seek(SeekFrom::Current(skip.cast_signed())).ok()
        } else {
            None
        };
        Ok(Input {
            name: name.to_owned(),
            file,
            metadata,
            start,
        })
    }

    /// Makes the next read start at the first byte to compare.
    fn skip(&mut self, skip: u64) -> Result<(), Trouble> {
        if self.metadata.is_dir() {
            return Err(Trouble::File(self.name.clone(), "Is a directory".into()));
        }
        if self.start.is_none() {
            io::copy(&mut (&self.file).take(skip), &mut io::sink())
                .map_err(|error| file_trouble(&self.name, &error))?;
        }
        Ok(())
    }

    /// How many bytes there are to compare, where the size of the file tells.
    fn len(&self) -> Option<u64> {
        Some(self.metadata.len().saturating_sub(self.start?))
    }

    /// Fills the buffer, in several reads if need be: a pipe gives less than was asked for.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Trouble> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.file.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(file_trouble(&self.name, &error)),
            }
        }
        Ok(filled)
    }
}

/// Standard input as a file: it may be one, can then be positioned, and needs no second buffer.
fn standard_input() -> io::Result<File> {
    #[cfg(not(windows))]
    use std::os::fd::AsFd;
    #[cfg(windows)]
    use std::os::windows::io::AsHandle;

    let stdin = io::stdin();
    #[cfg(not(windows))]
    let input = stdin.as_fd().try_clone_to_owned()?;
    #[cfg(windows)]
    let input = stdin.as_handle().try_clone_to_owned()?;
    Ok(File::from(input))
}

#[cfg(unix)]
fn same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// std tells no identity of a file here: then it is compared with itself.
#[cfg(not(unix))]
fn same_file(_: &Metadata, _: &Metadata) -> bool {
    false
}

/// Whether the sizes alone prove a difference. A 0 proves nothing: files in `/proc` have it.
fn sizes_differ([a, b]: &[Input; 2], limit: u64) -> bool {
    match (a.len(), b.len()) {
        (Some(a), Some(b)) => a != b && (1..limit).contains(&a.min(b)),
        _ => false,
    }
}

// ---- Two files, block by block ----

const BLOCK: usize = 64 * 1024;

struct Blocks {
    inputs: [Input; 2],
    buffers: [Vec<u8>; 2],
    /// How many bytes may still be compared.
    remaining: u64,
}

/// Bytes of both files at the same place: two slices of one length.
struct Chunk<'a> {
    a: &'a [u8],
    b: &'a [u8],
    end: Option<End>,
}

/// What ends behind a chunk.
enum End {
    Both,
    Only(usize),
}

impl Blocks {
    fn new(inputs: [Input; 2], limit: u64) -> Self {
        Blocks {
            inputs,
            buffers: [vec![0; BLOCK], vec![0; BLOCK]],
            remaining: limit,
        }
    }

    fn next(&mut self) -> Result<Chunk<'_>, Trouble> {
        let wanted = usize::try_from(self.remaining).map_or(BLOCK, |n| n.min(BLOCK));
        let [a, b] = &mut self.buffers;
        let len_a = self.inputs[0].fill(&mut a[..wanted])?;
        let len_b = self.inputs[1].fill(&mut b[..wanted])?;
        let len = len_a.min(len_b);
        self.remaining -= len as u64;
        let end = if len_a != len_b {
            Some(End::Only(usize::from(len_b < len_a)))
        } else if len < wanted || self.remaining == 0 {
            Some(End::Both)
        } else {
            None
        };
        Ok(Chunk {
            a: &a[..len],
            b: &b[..len],
            end,
        })
    }
}

// ---- What is printed ----

struct Report<'a, W: Write> {
    options: &'a Options,
    out: BufWriter<W>,
    verdict: Verdict,
    /// Bytes compared before the current chunk.
    bytes: u64,
    /// Newlines among them, and whether the last of them was one; only `Mode::First` asks.
    newlines: u64,
    line_start: bool,
    /// Width of the column of byte numbers in `Mode::All`.
    width: usize,
}

impl<'a, W: Write> Report<'a, W> {
    fn new(options: &'a Options, inputs: &[Input; 2], out: W) -> Self {
        let last = inputs
            .iter()
            .filter_map(Input::len)
            .fold(options.limit, u64::min);
        Report {
            options,
            out: BufWriter::with_capacity(BLOCK, out),
            verdict: Verdict::Same,
            bytes: 0,
            newlines: 0,
            line_start: true,
            width: last.to_string().len(),
        }
    }

    /// Compares one chunk. Breaks off if nothing behind it matters.
    fn chunk(&mut self, a: &[u8], b: &[u8]) -> Result<ControlFlow<()>, Trouble> {
        let mut start = 0;
        while let Some(equal) = memdiff::mismatch(&a[start..], &b[start..]) {
            let i = start + equal;
            self.verdict = Verdict::Different;
            match self.options.mode {
                Mode::Silent => return Ok(ControlFlow::Break(())),
                Mode::First => {
                    self.advance(&a[..i]);
                    self.first_difference(a[i], b[i])?;
                    return Ok(ControlFlow::Break(()));
                }
                Mode::All => self.list_difference(self.bytes + i as u64 + 1, a[i], b[i])?,
            }
            start = i + 1;
        }
        self.advance(a);
        Ok(ControlFlow::Continue(()))
    }

    fn advance(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        if self.options.mode == Mode::First {
            self.newlines += count_newlines(bytes);
            self.line_start = bytes.last().map_or(self.line_start, |&byte| byte == b'\n');
        }
    }

    fn first_difference(&mut self, a: u8, b: u8) -> io::Result<()> {
        let [name_a, name_b] = self
            .options
            .names
            .each_ref()
            .map(|name| name.as_encoded_bytes());
        self.out.write_all(&[name_a, b" ", name_b].concat())?;
        let (byte, line) = (self.bytes + 1, self.newlines + 1);
        if self.options.print_bytes {
            let (shown_a, shown_b) = (visible(a), visible(b));
            let out = &mut self.out;
            writeln!(
                out,
                " differ: byte {byte}, line {line} is {a:3o} {shown_a} {b:3o} {shown_b}"
            )
        } else {
            writeln!(self.out, " differ: {} {byte}, line {line}", word_for_byte())
        }
    }

    fn list_difference(&mut self, number: u64, a: u8, b: u8) -> io::Result<()> {
        let width = self.width;
        if self.options.print_bytes {
            let (shown_a, shown_b) = (visible(a), visible(b));
            writeln!(
                self.out,
                "{number:width$} {a:3o} {shown_a:4} {b:3o} {shown_b}"
            )
        } else {
            writeln!(self.out, "{number:width$} {a:3o} {b:3o}")
        }
    }

    /// Says, on standard error, that the file of this name ends where the other one goes on.
    fn end_of_file(&mut self, name: &OsStr) -> Result<(), Trouble> {
        self.verdict = Verdict::Different;
        let place = match (self.options.mode, self.bytes) {
            (Mode::Silent, _) => return Ok(()),
            (_, 0) => " which is empty".to_owned(),
            (Mode::All, bytes) => format!(" after byte {bytes}"),
            (Mode::First, bytes) if self.line_start => {
                format!(" after byte {bytes}, line {}", self.newlines)
            }
            (Mode::First, bytes) => format!(" after byte {bytes}, in line {}", self.newlines + 1),
        };
        // The differences come first where both streams end up in one place.
        self.out.flush()?;
        let mut line = OsString::from("EOF on ");
        line.push(name);
        line.push(place);
        complain(line);
        Ok(())
    }

    fn finish(mut self) -> Result<Verdict, Trouble> {
        self.out.flush()?;
        Ok(self.verdict)
    }
}

/// In the POSIX locale the word is "char", as POSIX demands; GNU cmp has "byte" in all others.
fn word_for_byte() -> &'static str {
    let variables = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter();
    match variables
        .filter_map(env::var_os)
        .find(|value| !value.is_empty())
    {
        Some(locale) if locale != "C" && locale != "POSIX" => "byte",
        _ => "char",
    }
}

/// Sums of at most 255, because a sum in bytes is what the compiler turns into vector code.
fn count_newlines(bytes: &[u8]) -> u64 {
    let short = |part: &[u8]| part.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>();
    bytes.chunks(255).map(|part| u64::from(short(part))).sum()
}

/// A byte as `cat -v` shows it: `^A`, `M-b`, `^?`.
fn visible(byte: u8) -> String {
    let mut text = String::with_capacity(4);
    if byte >= 0x80 {
        text.push_str("M-");
    }
    match byte & 0x7f {
        control @ (0..0x20 | 0x7f) => {
            text.push('^');
            text.push(char::from(control ^ 0x40));
        }
        printable => text.push(char::from(printable)),
    }
    text
}
