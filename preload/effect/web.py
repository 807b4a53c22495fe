"""The web applications: calls, allocations, instructions, user time, and whether pages change."""

import contextlib
import re
import statistics
import subprocess
import time

import callgrind
import php_binary
from applications import APPLICATIONS
from debian import command, install
from helpers import Counters, environment
from masks import different
from server import Server

WARMING = 2  # passes until opcache and the applications' own caches are filled


class Measurement:
    """One application served by one variant of PHP."""

    def __init__(self, application, php, libraries, folder):
        self.application, self.php, self.folder = application, php, folder
        # {"libc": [], "model": [...], "memdiff": [...]}: what is preloaded besides nodeep.
        self.libraries = libraries
        self.rendered = {}  # run: {page: answer}
        folder.mkdir(parents=True, exist_ok=True)

    def serve(self, name, preload, **options):
        return Server(self.application, self.php, self.folder / f"{name}.log", preload, **options)

    def count(self, name, library):
        """What a counting library counts in one warmed pass."""
        counters = Counters(self.folder / "counts")
        with self.serve(name, library, variables=counters.variable()) as server:
            server.render(WARMING)
            before = counters.read()
            self.rendered[name] = server.render()
            return counters.since(before)

    def render(self, name):
        with self.serve(name, self.libraries[name]) as server:
            server.render(WARMING)
            self.rendered[name] = server.render()

    def profile(self, name, passes=2):
        """The cheaper of a few warmed passes, and how far apart they are."""
        out = self.folder / f"callgrind-{name}"
        for old in self.folder.glob(f"{out.name}.*"):
            old.unlink()
        tool = callgrind.tool(out, "--instr-atstart=no")
        with self.serve(f"{name}-callgrind", self.libraries[name], tool=tool) as server:
            def control(option):
                command("callgrind_control", option, str(server.process.pid), timeout=300)

            server.render(WARMING)
            control("--instr=on")
            for _ in range(passes):
                control("--zero")
                self.rendered[f"{name}, callgrind"] = server.render()
                control("--dump")
            pid = server.process.pid
        library = self.libraries[name][0] if name != "libc" else None
        profiles = [callgrind.read([f"{out}.{pid}.{number + 1}"], library)
                    for number in range(passes)]
        best = min(profiles, key=lambda profile: profile.instructions)
        worst = max(profiles, key=lambda profile: profile.instructions)
        return vars(best) | {"spread": worst.instructions / best.instructions - 1}

    def user_time(self, rounds, passes):
        """User time against libc's, a ratio a round; "again" is libc against itself.

        Every round has new processes, since the layout of memory alone moves the time by a
        percent or two, and takes turns between them, pass by pass.
        """
        runs = {"again": "libc"} | {name: name for name in self.libraries}
        ratios = {run: [] for run in runs if run != "libc"}
        seconds = []
        for _ in range(rounds):
            used = self.round_of(runs, passes)
            seconds.append(used["libc"] / passes)
            for run, made in ratios.items():
                made.append(used[run] / used["libc"])
        return {"seconds": statistics.median(seconds), "ratios": ratios}

    def round_of(self, runs, passes):
        with contextlib.ExitStack() as stack:
            servers = {run: stack.enter_context(self.serve(f"time-{run}", self.libraries[name]))
                       for run, name in runs.items()}
            for server in servers.values():
                server.render(WARMING + 1)
            before = {run: server.user_time() for run, server in servers.items()}
            for number in range(passes):
                order = list(servers.values())
                order = order[number % len(order):] + order[:number % len(order)]
                for server in order:
                    server.render()
            return {run: server.user_time() - before[run] for run, server in servers.items()}

    def changed_pages(self):
        """Pages that are not the same as libc's, by run."""
        reference = self.rendered["libc"]
        return {run: names for run, answers in self.rendered.items()
                if (names := different(reference, answers))}


def bindings(php, preload, library):
    """How many references to memcmp and bcmp go to this library when PHP has started."""
    done = subprocess.run([php, "-r", ""], env=environment(preload, LD_DEBUG="bindings"),
                          capture_output=True, text=True, errors="replace")
    bound = re.findall(r"binding file \S+ \[\d+\] to (\S+) \[\d+\]: normal symbol "
                       r"`(?:memcmp|bcmp|__memcmpeq)'", done.stderr)
    return {"bound": sum(target == str(library) for target in bound), "of": len(bound)}


def measurements(library, helpers, folder, variants, names):
    """Each variant of PHP with each application, installed and ready to serve."""
    binaries = php_binary.make(folder / "php")
    for variant in variants:
        libraries = {"libc": [helpers.nodeep], "memdiff": [library, helpers.nodeep]}
        if variant == "eq":  # as a Fil-C build is
            libraries["model"] = [helpers.model, helpers.nodeep]
        for kind in APPLICATIONS:
            if names and kind.name.lower() not in names:
                continue
            with kind(folder).ready() as application:
                row = {"name": f"{application.name} ({variant})", "variant": variant,
                       "application": application.name, "pages": len(application.pages)}
                yield row, Measurement(application, binaries[variant], libraries,
                                       folder / "runs" / f"{kind.name.lower()}-{variant}")


def measure_all(library, helpers, folder, variants, names):
    """Calls, allocations, instructions and pages: the same however busy the machine is."""
    install("valgrind", "libc6-dbg")
    for row, this in measurements(library, helpers, folder, variants, names):
        this.render("libc")
        this.render("memdiff")
        counts = this.count("counting", [helpers.count, helpers.nodeep])
        row |= {"memcmp": counts["memcmp"], "bcmp": counts["bcmp"] + counts["__memcmpeq"],
                "bindings": bindings(this.php, this.libraries["memdiff"], library),
                "bindings_with_deepbind": bindings(this.php, [library], library)}
        if "model" in this.libraries:
            row["model_allocations"] = this.count("model", this.libraries["model"])["allocations"]
        for name in this.libraries:
            started = time.monotonic()
            row[name] = this.profile(name)
            print(f"{row['name']}, {name}: {row[name]['instructions']:,} instructions a pass, "
                  f"{row[name]['comparing']:,} in memcmp and bcmp "
                  f"({time.monotonic() - started:.0f} s)", flush=True)
        row["different"] = this.changed_pages()
        pages = f"CHANGED: {row['different']}" if row["different"] else "the same"
        print(f"{row['name']}: {row['memcmp']:,} memcmp, {row['bcmp']:,} bcmp a pass; "
              f"pages {pages}", flush=True)
        yield row


def time_all(library, helpers, folder, variants, names, rounds, passes):
    """User time, which needs a machine that has nothing else to do."""
    for row, this in measurements(library, helpers, folder, variants, names):
        row |= this.user_time(rounds, passes)
        middle = {run: round(statistics.median(ratios), 4)
                  for run, ratios in row["ratios"].items()}
        print(f"{row['name']}: {row['seconds']:.3f} s of user time a pass; against libc {middle}",
              flush=True)
        yield row | {"different": []}
