"""PHP's own tests, with and without the preload.

They are a weak detector, since few of them look at long strings that differ late; what they show is
that PHP itself sees no change.
"""

import contextlib
import itertools
import os
import re
import shutil
import subprocess
import tarfile
from collections import Counter

import debian
from helpers import environment

ALL_OF, SAMPLE_OF, TOTAL = "ext/standard/tests/strings", "Zend/tests", 1222
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
NEEDED = ("run-tests.php", "Zend/tests/", "ext/standard/tests/")


def source(folder):
    """The tests of the installed PHP's source package. The machine's apt is left as it is."""
    tests = folder / "source"
    if (tests / "run-tests.php").exists():
        return tests
    debian.install("php-cli")
    with tarfile.open(download(debian.php(), folder)) as tar:
        for member in tar:
            top, _, name = member.name.partition("/")
            if name.startswith(NEEDED):
                member.name = name
                tar.extract(member, tests)
    return tests


def download(package, folder):
    """The upstream archive: of the installed version or, if no mirror has it, another of Debian's.

    The tests hardly change between the point releases of one PHP.
    """
    apt = private_apt(folder / "apt")
    debian.command("apt-get", *apt, "update")
    sources = debian.command("apt-cache", *apt, "showsrc", "--only-source", package)
    versions = re.findall(r"^Version: (\S+)", sources, re.M)
    installed = debian.version(f"{package}-cli")
    for version in sorted(versions, key=lambda version: version != installed):
        with contextlib.suppress(SystemExit):
            debian.command("apt-get", *apt, "source", "--download-only", f"{package}={version}",
                           cwd=folder)
            upstream = version.partition("-")[0]
            print(f"tests of PHP {upstream}; the PHP tested is {installed}", flush=True)
            archive, = folder.glob(f"{package}_{upstream}.orig.tar.*z")
            return archive
    raise SystemExit(f"no mirror has the source of {package} in any of {versions}")


def private_apt(folder):
    """Options for apt: Debian's source packages enabled, apt's own files under `folder`."""
    lists = folder / "lists"
    lists.mkdir(parents=True, exist_ok=True)
    targets = debian.command(
        "apt-get", "indextargets", "--format",
        "$(ORIGIN)|$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages")
    sources = {f"deb-src [signed-by={KEYRING}] {place}\n"
               for origin, _, place in (line.partition("|") for line in targets.splitlines())
               if origin == "Debian"}
    (folder / "sources.list").write_text("".join(sorted(sources)))
    return ["-q", "-o", f"Dir::Etc::sourcelist={folder}/sources.list",
            "-o", "Dir::Etc::sourceparts=-", "-o", f"Dir::State::lists={lists}",
            "-o", f"Dir::Cache={folder}", "-o", "APT::Sandbox::User=root"]


def chosen(tests):
    """All string tests, and as many of Zend's, evenly spread, as make 1,222."""
    def under(folder):
        return sorted(str(path.relative_to(tests)) for path in (tests / folder).rglob("*.phpt"))

    strings, zend = under(ALL_OF), under(SAMPLE_OF)
    wanted = TOTAL - len(strings)
    step = [number * wanted // len(zend) for number in range(len(zend) + 1)]
    return strings + [name for name, (before, after) in zip(zend, itertools.pairwise(step))
                      if after > before]


def results(php, preload, tests, names, folder):
    """{test: result}, each run in its own copy of the tests, since they write beside themselves."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(tests, folder / "tree")
    # Only the tested PHP gets the preload: run-tests.php itself compares with strcmp().
    wrapper = folder / "php"
    wrapper.write_text(f'#!/bin/sh\nLD_PRELOAD="{" ".join(map(str, preload))}" exec {php} "$@"\n')
    wrapper.chmod(0o755)
    (folder / "list").write_text("".join(f"{name}\n" for name in names))
    with open(folder / "log", "wb") as log:
        subprocess.run(
            ["php", "run-tests.php", "-q", f"-j{os.cpu_count()}", "--no-progress", "--no-color",
             "--set-timeout", "120", "-W", str(folder / "results"), "-r", str(folder / "list")],
            cwd=folder / "tree", stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=3000,
            env=environment(NO_INTERACTION="1", TEST_PHP_EXECUTABLE=str(wrapper)))
    lines = (folder / "results").read_text().splitlines()
    return {name: result for result, name in (line.split("\t") for line in lines)}


def compare(php, library, helpers, folder):
    folder.mkdir(parents=True, exist_ok=True)
    tests = source(folder)
    names = chosen(tests)
    plain = results(php, [helpers.nodeep], tests, names, folder / "libc")
    memdiff = results(php, [library, helpers.nodeep], tests, names, folder / "memdiff")
    if len(plain) != TOTAL:
        raise SystemExit(f"{len(plain)} of {TOTAL} PHP tests gave a result; see {folder}/libc/log")
    different = sorted(name for name in plain if plain[name] != memdiff.get(name))
    print(f"PHP's own tests: {len(plain)} run, {dict(Counter(plain.values()))}, "
          f"{len(different)} differ with the preload", *different, flush=True)
    yield {"name": "tests", "tests": len(plain), "libc": Counter(plain.values()),
           "memdiff": Counter(memdiff.values()), "different": different}
