"""The results as JSON, as Markdown tables, and as a chart."""

import json
import statistics

import chart
import debian
from applications import APPLICATIONS

MODEL = "the old memcmp (model)"
WEB_NOTE = """\
Calls, instructions and pages are measured. "The old memcmp" is a model, since ordinary glibc has no
such fault: it makes and frees eight heap objects a call, as the old helper did under Fil-C; Fil-C's
garbage collector, and so its cost, is not in it. Instructions are callgrind's, of the server's
process only; under valgrind a CPU has no AVX-512, so both libc and memdiff use AVX2 there. In `eq`,
string equality in PHP calls memcmp, as in a build without inline assembly (Fil-C's is one); `stock`
is Debian's PHP.
"""
TIME_NOTE = """\
User time of whole passes, libc = 1: the median of the rounds, and the lowest and highest round.
"libc again" is libc against itself, the least that this machine can tell apart.
"""
PROGRAMS_NOTE = """\
"Noise" is a second run with libc against the first: the instruction count of a program whose hash
seed or clock differs from run to run is not exact.
"""


class Results:
    """The results of one part, written after every row: the web applications take an hour.

    Other parts' results in the same folder stay as they are. Rows have a name; with `keep`, earlier
    rows of other names stay too, if they were measured on this machine today.
    """

    def __init__(self, folder, part, keep, small):
        self.folder, self.part, self.keep, self.small = folder, part, keep, small
        self.rows = []

    def add(self, row):
        self.rows.append(row)
        results = self.load()  # again, since another part may be measured at the same time
        entry = {"machine": debian.machine(), "small": self.small}
        earlier = results.get(self.part, {})
        kept = []
        if self.keep and all(earlier.get(name) == value for name, value in entry.items()):
            names = {row["name"] for row in self.rows}
            kept = [old for old in earlier["rows"] if old["name"] not in names]
        results[self.part] = entry | {"rows": kept + self.rows}
        self.save(results)

    def load(self):
        file = self.folder / "effect.json"
        return json.loads(file.read_text()) if file.exists() else {}

    def save(self, results):
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "effect.json").write_text(json.dumps(results, indent=1) + "\n")
        (self.folder / "effect.md").write_text(markdown(results))
        panels = list(panels_of(results))
        if panels:
            picture = chart.svg(panels, "The effect of memdiff's preload")
            (self.folder / "effect.svg").write_text(picture)


def markdown(results):
    sections = [("web", web), ("time", user_time), ("programs", programs),
                ("phptests", phptests), ("php", strcmp)]
    return "\n".join(write(results[part]["rows"]) + machine(results[part])
                     for part, write in sections if part in results)


def machine(part):
    about = part["machine"]
    small = " Small inputs." if part["small"] else ""
    return (f"\n{about['date']}, {about['cpu']} ({about['architecture']}, {about['cpus']} CPUs), "
            f"{about['system']}, {about['software']}.{small}\n")


def table(heads, rows):
    """The first column is text, the others are numbers."""
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def share(profile):
    """Of memcmp and bcmp in all instructions, and what a call takes."""
    part = f"{100 * profile['comparing'] / profile['instructions']:.2f} %"
    return f"{part} ({profile['comparing'] / max(profile['calls'], 1):.0f} a call)"


def more(row, name):
    return f"{100 * (row[name]['instructions'] / row['libc']['instructions'] - 1):+.2f} %"


def millions(count):
    return f"{count / 1e6:,.1f} M"


def in_order(rows):
    order = [kind.name for kind in APPLICATIONS]
    return sorted(rows, key=lambda row: (row["variant"], order.index(row["application"])))


def web(rows):
    rows = in_order(rows)

    def modelled(row, text):
        return text() if "model" in row else "-"

    calls = [[row["name"], str(row["pages"]), f"{row['memcmp']:,}", f"{row['bcmp']:,}",
              modelled(row, lambda: f"{row['model_allocations']:,}"),
              f"{row['memdiff']['allocations']:,}",
              "yes" if not row["different"] else "NO"] for row in rows]
    instructions = [[row["name"], millions(row["libc"]["instructions"]),
                     share(row["libc"]), share(row["memdiff"]),
                     modelled(row, lambda: more(row, "model")), more(row, "memdiff")]
                    for row in rows]
    text = ("### Web applications, a pass over all pages\n\n"
            + table(["application (PHP)", "pages", "memcmp calls", "bcmp calls",
                     "allocations, " + MODEL, "allocations, memdiff", "pages the same"], calls)
            + "\n" + table(["application (PHP)", "instructions, libc", "in libc's memcmp",
                            "in memdiff", "change with " + MODEL, "change with memdiff"],
                           instructions)
            + "\n" + WEB_NOTE)
    reached, direct = rows[0]["bindings"], rows[0]["bindings_with_deepbind"]
    return text + (
        "\nPHP loads its extensions with `RTLD_DEEPBIND`: a plain preload reaches "
        f"{direct['bound']} of {direct['of']} references to memcmp and\nbcmp, and with "
        f"`helpers/nodeep.c` preloaded too, as here, {reached['bound']} of {reached['of']}.\n")


def user_time(rows):
    def spread(row, run):
        ratios = row["ratios"].get(run)
        if not ratios:
            return ""
        return f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"

    def verdict(row):
        again, memdiff = row["ratios"]["again"], row["ratios"]["memdiff"]
        apart = min(memdiff) > max(again) or max(memdiff) < min(again)
        return "apart" if apart else "cannot be told apart"

    return "### User time of the web applications\n\n" + TIME_NOTE + "\n" + table(
        ["application (PHP)", "a pass, libc", "libc again", "memdiff", MODEL,
         "memdiff against libc"],
        [[row["name"], f"{row['seconds']:.2f} s", spread(row, "again"), spread(row, "memdiff"),
          spread(row, "model"), verdict(row)] for row in in_order(rows)])


def programs(rows):
    made = [[row["name"], f"{row['memcmp']:,}", f"{row['bcmp']:,}",
             millions(row["libc"]["instructions"]),
             share(row["libc"]), share(row["memdiff"]),
             more(row, "memdiff"), more(row, "libc_again"),
             "yes" if not row["different"] else "NO"] for row in rows]
    return "### Programs under their usual work\n\n" + table(
        ["program", "memcmp calls", "bcmp calls", "instructions, libc", "in libc's memcmp",
         "in memdiff", "change with memdiff", "noise", "outputs the same"], made) \
        + "\n" + PROGRAMS_NOTE


def phptests(rows):
    def tally(results):
        return ", ".join(f"{count} {result.lower()}" for result, count in sorted(results.items()))

    row, = rows
    return (f"### PHP's own tests\n\n{row['tests']} tests: {tally(row['libc'])} with libc, "
            f"{tally(row['memdiff'])} with memdiff; {len(row['different'])} differ.\n")


def strcmp(rows):
    made = [[row["name"], f"`{row['libc']}`", f"`{row['memdiff']}`"] for row in rows]
    return ('### PHP\'s `strcmp("aa", "bb")` and `strcmp("aaaa", "aaac")`\n\n'
            + table(["CPU", "libc", "memdiff"], made))


def panels_of(results):
    if "web" in results:
        rows = [row for row in in_order(results["web"]["rows"]) if row["variant"] == "eq"]
        yield chart.Panel(
            "Web applications: instructions a pass, libc = 100",
            "Measured by callgrind. The old memcmp's eight heap objects a call are a model.",
            {row["application"]: {
                label: 100 * row[name]["instructions"] / row["libc"]["instructions"]
                for label, name in (("libc", "libc"), (MODEL, "model"), ("memdiff", "memdiff"))}
             for row in rows}, ".1f")
    if "programs" in results:
        yield chart.Panel(
            "Programs: share of all instructions that is in memcmp and bcmp, in percent",
            "Measured by callgrind.",
            {row["name"]: {
                name: 100 * row[name]["comparing"] / row[name]["instructions"]
                for name in ("libc", "memdiff")}
             for row in results["programs"]["rows"]}, ".2f")
