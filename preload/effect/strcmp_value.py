"""PHP hands memcmp's integer to its users: strcmp() tells which memcmp it runs on."""

import subprocess

from debian import install
from helpers import environment

CODE = 'echo strcmp("aa", "bb"), " ", strcmp("aaaa", "aaac");'
EXACT = "-1 -2"

# What the C library is told about the CPU, and so which memcmp it picks.
LEVELS = {
    "as it is": {},
    "no AVX-512": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512VL"},
    "no AVX2": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512VL"},
}


def php(level, preload=()):
    done = subprocess.run(["php", "-n", "-r", CODE], capture_output=True, text=True,
                          env=environment(preload, **LEVELS[level]))
    if done.returncode:
        raise SystemExit(f"php failed ({done.returncode}): {done.stderr}")
    return done.stdout


def check(library):
    """One row a level: memdiff must always be exact, and libc must not be, at some level."""
    install("php-cli")
    inexact = []
    for level in LEVELS:
        libc, memdiff = php(level), php(level, [library])
        note = " (exact here)" if libc == EXACT else ""
        print(f"PHP's strcmp, CPU {level}: libc {libc}{note}, memdiff {memdiff}", flush=True)
        if libc != EXACT:
            inexact.append(level)
        yield {"name": level, "libc": libc, "memdiff": memdiff,
               "different": [] if memdiff == EXACT else [f"{memdiff}, not {EXACT}"]}
    if not inexact:
        raise SystemExit("negative control: this libc is exact at every level, "
                         "so the test shows nothing here")
