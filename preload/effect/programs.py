"""Programs that are not web applications, each under its usual work.

A program has input files, made once from seeded text, and work that returns its outputs. The work
is done in a fresh copy of the input files, always at the same path.
"""

import contextlib
import hashlib
import json
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import callgrind
from content import Text
from debian import install, version
from helpers import Counters, environment


@dataclass
class Launcher:
    """Starts commands in `folder` with these libraries preloaded, perhaps under a tool."""

    folder: Path
    preload: tuple = ()
    tool: tuple = ()
    variables: dict = field(default_factory=dict)

    def start(self, *argv, **pipes):
        return subprocess.Popen([*self.tool, *argv], cwd=self.folder, stderr=subprocess.PIPE,
                                env=environment(self.preload, **self.variables), **pipes)

    def run(self, *argv, stdin=b"", allowed=(0,)):
        process = self.start(*argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        output, errors = process.communicate(stdin, timeout=1800)
        if process.returncode not in allowed:
            raise SystemExit(f"{' '.join(argv)} failed ({process.returncode}):\n"
                             f"{errors.decode(errors='replace')}")
        return output


class Coreutils:
    name = "sort, uniq, comm"
    packages = ("coreutils",)

    def prepare(self, folder, size):
        """Two lists of paths: long common prefixes, some lines twice."""
        text = Text(21)
        for name in ("a", "b"):
            lines = (f"src/{text.phrase(1)}/{'/'.join(text.phrase(2).split())}.c:"
                     f"{text.between(1, 400)}\n" for _ in range(6000 * size))
            (folder / name).write_text("".join(lines))

    def work(self, launch):
        outputs = {}
        for name in ("a", "b"):
            outputs[f"sort {name}"] = launch.run("sort", "--parallel=1", name)
            (launch.folder / f"{name}.sorted").write_bytes(outputs[f"sort {name}"])
        outputs["uniq"] = launch.run("uniq", "-c", "a.sorted")
        outputs["comm"] = launch.run("comm", "a.sorted", "b.sorted")
        outputs["sort -k"] = launch.run("sort", "--parallel=1", "-u", "-t/", "-k3", "a")
        return outputs

    variables = {"LC_ALL": "C"}


class Diff:
    name = "diff"
    packages = ("diffutils",)
    variables = {}

    def prepare(self, folder, size):
        """Two trees of files that differ in one line in twenty."""
        text = Text(22)
        for tree in ("old", "new"):
            (folder / tree).mkdir()
        for number in range(6 * size):
            lines = [text.phrase(text.between(4, 12)) + "\n" for _ in range(1500)]
            (folder / "old" / f"{number}.txt").write_text("".join(lines))
            changed = [text.phrase(6) + "\n" if text.chance(0.05) else line for line in lines]
            (folder / "new" / f"{number}.txt").write_text("".join(changed))

    def work(self, launch):
        return {"diff": launch.run("diff", "-r", "-u", "--label=a", "--label=b", "old", "new",
                                   allowed=(1,)),
                "diff -w": launch.run("diff", "-r", "-w", "old", "new", allowed=(1,))}


class Git:
    name = "git"
    packages = ("git",)
    variables = {
        "GIT_CONFIG_NOSYSTEM": "1",
        # One thread, so that counts are the same in every run.
        "GIT_CONFIG_COUNT": "4",
        "GIT_CONFIG_KEY_0": "pack.threads", "GIT_CONFIG_VALUE_0": "1",
        "GIT_CONFIG_KEY_1": "grep.threads", "GIT_CONFIG_VALUE_1": "1",
        "GIT_CONFIG_KEY_2": "gc.auto", "GIT_CONFIG_VALUE_2": "0",
        "GIT_CONFIG_KEY_3": "core.fsyncMethod", "GIT_CONFIG_VALUE_3": "writeout-only",
        "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
        "GIT_PAGER": "cat",
    }

    def prepare(self, folder, size):
        """A history of edits to a few dozen files, whose paths have a long prefix in common."""
        text = Text(23)
        launch = Launcher(folder, variables=self.variables)
        launch.run("git", "init", "-q", "-b", "main")
        files = {}
        for _ in range(40):
            path = f"chapters-of-the-book/part-{text.phrase(1).lower()}/{text.phrase(1)}.txt"
            files[path] = [text.phrase(text.between(4, 12)) for _ in range(120)]
        for commit in range(12 * size):
            for path in files if commit == 0 else text.random.sample(sorted(files), 6):
                lines = files[path]
                for _ in range(8):
                    lines[text.between(0, len(lines) - 1)] = text.phrase(8)
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text("\n".join(lines) + "\n")
            launch.run("git", "add", ".")
            launch.run("git", "commit", "-q", "-m", text.phrase(6))

    def work(self, launch):
        def git(*argv):
            return launch.run("git", *argv)

        first, second = sorted(launch.folder.glob("**/*.txt"))[:2]
        first.write_text("changed\n")
        for name in ("b", "a", "ab"):
            (launch.folder / f"chapters-of-the-{name}.txt").write_text("new\n")
        git("add", ".")
        outputs = {
            "status": git("status", "--porcelain"),
            "diff": git("diff", "HEAD"),
            "log": git("log", "-p", "--stat", "-M"),
            "blame": git("blame", "HEAD", "--", str(second.relative_to(launch.folder))),
            "grep": git("grep", "-n", "-F", "ba"),
            "objects": git("rev-list", "--objects", "--all"),
            "fsck": git("fsck", "--full", "--no-progress"),
        }
        git("commit", "-q", "-m", "change")
        outputs["commit"] = (launch.folder / ".git/refs/heads/main").read_bytes()
        git("repack", "-a", "-d", "-f", "-q")
        outputs["packs"] = tree_of(launch.folder / ".git/objects/pack")
        git("clone", "-q", "--no-local", ".", "clone")
        outputs["clone"] = tree_of(launch.folder / "clone/.git/objects/pack")
        return outputs


class Sqlite:
    name = "sqlite3"
    packages = ("sqlite3",)
    variables = {}

    QUERIES = """
        CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, author TEXT, year INTEGER);
        CREATE INDEX by_title ON book(title);
        CREATE INDEX by_author ON book(author, year);
        .import --csv books.csv book
        SELECT * FROM book ORDER BY title DESC LIMIT 500;
        SELECT author, count(*), min(title) FROM book GROUP BY author ORDER BY author;
        SELECT a.title, b.year FROM book a JOIN book b USING (title) WHERE a.id < b.id;
        SELECT count(*) FROM book WHERE title LIKE 'Ba%' OR title >= 'Tu';
        SELECT DISTINCT substr(title, 1, 8) FROM book ORDER BY 1;
        UPDATE book SET author = author || '.' WHERE title BETWEEN 'Di' AND 'Gu';
        DELETE FROM book WHERE author IN (SELECT author FROM book WHERE year = 1950);
        PRAGMA integrity_check;
    """

    def prepare(self, folder, size):
        text = Text(24)
        rows = (f"{number},{text.phrase(3)},{text.phrase(1)},{text.between(1900, 2020)}\n"
                for number in range(5000 * size))
        (folder / "books.csv").write_text("".join(rows))
        # The shell's own commands, such as .import, start at the first column.
        (folder / "queries.sql").write_text("".join(
            line.strip() + "\n" for line in self.QUERIES.splitlines()))

    def work(self, launch):
        with open(launch.folder / "queries.sql", "rb") as queries:
            answers = launch.run("sqlite3", "-batch", "books.db", stdin=queries.read())
        return {"answers": answers, "database": (launch.folder / "books.db").read_bytes()}


class Python:
    name = "python3"
    packages = ("python3-minimal", "libpython3-stdlib")
    variables = {"PYTHONHASHSEED": "0"}

    SCRIPT = """
import collections, difflib, json
lines = open("lines.txt").read().splitlines()
words = [word for line in lines for word in line.split()]
print(sorted(lines)[::7], sorted(line.encode() for line in lines)[::11])
print(collections.Counter(words).most_common(300), len(set(lines)))
text = json.dumps([{"line": line, "words": line.split()} for line in lines])
again = json.loads(text)
print(text == json.dumps(again), again == json.loads(json.dumps(again)), len(text))
print("".join(line for line in lines if line.startswith("Ba") or line.endswith("tu")))
print(list(difflib.unified_diff(lines[:400], sorted(lines[:400])))[:200])
"""

    def prepare(self, folder, size):
        text = Text(25)
        lines = (text.phrase(text.between(3, 12)) + "\n" for _ in range(5000 * size))
        (folder / "lines.txt").write_text("".join(lines))
        (folder / "work.py").write_text(self.SCRIPT)

    def work(self, launch):
        return {"output": launch.run("/usr/bin/python3", "-I", "-B", "-S", "work.py")}


class Perl:
    name = "perl"
    packages = ("perl-base",)
    variables = {"PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0"}

    SCRIPT = """
open my $file, '<', 'lines.txt' or die; my @lines = <$file>; my (%count, %first);
for (@lines) { $count{$_}++ for split; $first{substr $_, 0, 12} //= $_; }
print sort @lines; print "$_ $count{$_}\\n" for sort keys %count;
print grep { $_ lt 'Ki' && $_ ne $first{substr $_, 0, 12} } reverse sort @lines;
"""

    def prepare(self, folder, size):
        Python.prepare(self, folder, size)

    def work(self, launch):
        return {"output": launch.run("perl", "-e", self.SCRIPT)}


class Redis:
    """A server on a socket of its own, no network; one client, a fixed list of commands."""

    name = "redis-server"
    packages = ("redis-server",)
    variables = {}
    OPTIONS = ("--port", "0", "--unixsocket", "socket", "--save", "", "--appendonly", "no",
               "--hz", "1", "--activerehashing", "no")

    def prepare(self, folder, size):
        """Every reply is in a fixed order: nothing iterates a hash table, whose seed is random."""
        text, commands = Text(26), []
        for number in range(800 * size):
            key, member = text.phrase(2), text.phrase(3)
            commands += [
                ["SET", f"page:{key}", member], ["GET", f"page:{key}"],
                ["HSET", f"user:{number % 97}", key, member], ["HGET", f"user:{number % 89}", key],
                ["ZADD", "index", "0", f"{key}/{member}"], ["ZRANK", "index", f"{key}/{member}"],
                ["LPUSH", "queue", member], ["SADD", "tags", key], ["SISMEMBER", "tags", member],
                ["PFADD", "visitors", member], ["APPEND", f"page:{key}", member],
            ]
            if number % 100 == 0:
                commands += [
                    ["ZRANGEBYLEX", "index", f"[{key}", "+", "LIMIT", "0", "50"],
                    ["SORT", "queue", "ALPHA", "LIMIT", "0", "50"], ["LRANGE", "queue", "0", "20"],
                    ["ZREMRANGEBYLEX", "index", f"[{member[:4]}", f"[{member[:4]}z"],
                    ["LREM", "queue", "2", member],
                ]
        commands += [["DBSIZE"], ["ZCARD", "index"], ["SCARD", "tags"], ["PFCOUNT", "visitors"]]
        (folder / "commands.json").write_text(json.dumps(commands))

    def work(self, launch):
        commands = json.loads((launch.folder / "commands.json").read_text())
        server = launch.start("redis-server", *self.OPTIONS, stdout=subprocess.DEVNULL)
        try:
            replies = self.converse(server, commands)
            server.communicate(timeout=120)
            return {"replies": replies}
        finally:
            if server.poll() is None:
                server.kill()
                server.wait()

    def converse(self, server, commands):
        """Send the commands in batches; all replies, as bytes. SHUTDOWN closes the connection."""
        # Not by its own path: that of a socket has at most 107 bytes.
        with connect(server, f"/proc/{server.pid}/cwd/socket") as client:
            reader = client.makefile("rb")
            replies = []
            for start in range(0, len(commands), 64):
                batch = commands[start:start + 64]
                client.sendall(b"".join(map(request, batch)))
                replies += [reply(reader) for _ in batch]
            client.sendall(request(["SHUTDOWN", "NOSAVE"]))
            reader.read()
        return b"".join(replies)


def connect(server, path):
    """Connect to the server's socket as soon as it is there."""
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(600)
    deadline = time.monotonic() + 120
    while True:
        with contextlib.suppress(OSError):
            client.connect(path)
            return client
        if server.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"{server.args} did not open {path}")
        time.sleep(0.02)


def request(words):
    """A command in Redis's protocol."""
    parts = [word.encode() for word in words]
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(p), p) for p in parts)


def reply(reader):
    """One reply, unparsed."""
    line = reader.readline()
    kind, rest = line[:1], line[1:]
    if kind == b"$" and int(rest) >= 0:
        return line + reader.read(int(rest) + 2)
    if kind == b"*":
        return line + b"".join(reply(reader) for _ in range(int(rest)))
    if not line:
        raise SystemExit("redis-server closed the connection")
    return line


def tree_of(folder):
    """Names and digests of the files in a folder."""
    return "".join(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n"
                   for path in sorted(folder.iterdir())).encode()


PROGRAMS = (Coreutils(), Diff(), Git(), Sqlite(), Python(), Perl(), Redis())


class Bench:
    """Runs one program's work, plain or with a preload, counted or profiled."""

    def __init__(self, program, folder, size):
        self.program, self.folder = program, folder
        shutil.rmtree(folder, ignore_errors=True)
        self.inputs = folder / "inputs"
        self.inputs.mkdir(parents=True)
        program.prepare(self.inputs, size)

    def run(self, preload=(), tool=(), variables=None):
        here = self.folder / "run"
        shutil.rmtree(here, ignore_errors=True)
        shutil.copytree(self.inputs, here)
        launch = Launcher(here, preload, tool, self.program.variables | (variables or {}))
        return self.program.work(launch)

    def counted(self, library):
        counters = Counters(self.folder / "counts")
        outputs = self.run([library], variables=counters.variable())
        return outputs, counters.read()

    def profiled(self, preload=None):
        for old in self.folder.glob("callgrind.*"):
            old.unlink()
        out = self.folder / "callgrind"
        outputs = self.run([preload] if preload else (), callgrind.tool(out))
        profiles = [path for path in self.folder.glob("callgrind.*")
                    if not path.name.startswith("callgrind.log")]
        return outputs, callgrind.read(profiles, preload)


def measure(program, library, helpers, folder, size):
    """One row of the table."""
    bench = Bench(program, folder, size)
    plain = bench.run()
    outputs = {"memdiff": bench.run([library])}
    outputs["counting"], counts = bench.counted(helpers.count)
    outputs["libc, callgrind"], libc = bench.profiled()
    outputs["libc again, callgrind"], again = bench.profiled()
    outputs["memdiff, callgrind"], memdiff = bench.profiled(library)
    different = sorted(f"{name} ({run})" for run, made in outputs.items()
                       for name in plain if made[name] != plain[name])
    if counts["memcmp"] + counts["bcmp"] and not memdiff.calls:
        raise SystemExit(f"{program.name}: the preload was not reached")
    return {
        "name": program.name,
        "versions": {package: version(package) for package in program.packages},
        "outputs": len(plain), "bytes": sum(map(len, plain.values())), "different": different,
        "memcmp": counts["memcmp"], "bcmp": counts["bcmp"] + counts["__memcmpeq"],
        "libc": vars(libc), "libc_again": vars(again), "memdiff": vars(memdiff),
    }


def measure_all(library, helpers, folder, small):
    install("valgrind", "libc6-dbg", *(p for program in PROGRAMS for p in program.packages))
    for program in PROGRAMS:
        started = time.monotonic()
        row = measure(program, library, helpers, folder / type(program).__name__.lower(),
                      1 if small else 4)
        print(f"{program.name}: {row['memcmp']:,} memcmp, {row['bcmp']:,} bcmp; instructions"
              f" {change(row['libc'], row['memdiff']):+.3f} %; outputs"
              f" {'the same' if not row['different'] else 'DIFFERENT: ' + str(row['different'])}"
              f" ({time.monotonic() - started:.0f} s)", flush=True)
        yield row


def change(before, after):
    """In percent of all instructions."""
    return 100 * (after["instructions"] / before["instructions"] - 1)
