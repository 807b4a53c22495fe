"""Debian's packages, and what this machine is."""

import datetime
import os
import platform
import subprocess
from contextlib import contextmanager
from pathlib import Path

POLICY = Path("/usr/sbin/policy-rc.d")


def command(*argv, **options):
    """Run a command to its end; its output is shown only if it fails."""
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, argv))} failed ({done.returncode}):\n{done.stdout}")
    return done.stdout


def as_root():
    return [] if os.geteuid() == 0 else ["sudo", "-n"]


def missing(packages):
    query = ["dpkg-query", "-W", "-f=${binary:Package} ${db:Status-Status}\n", *packages]
    listed = subprocess.run(query, capture_output=True, text=True).stdout.split("\n")
    installed = {line.split()[0].split(":")[0] for line in listed if line.endswith(" installed")}
    return sorted(set(packages) - installed)


@contextmanager
def no_services():
    """A policy that keeps freshly installed packages from starting their services."""
    if POLICY.exists():
        yield
        return
    script = f"printf '#!/bin/sh\\nexit 101\\n' > {POLICY} && chmod 755 {POLICY}"
    command(*as_root(), "sh", "-c", script)
    try:
        yield
    finally:
        command(*as_root(), "rm", "-f", str(POLICY))


def install(*packages):
    """Install what is missing; nothing is changed, and no root is needed, if nothing is."""
    wanted = missing(packages)
    if not wanted:
        return
    print("installing", *wanted, flush=True)
    apt = [*as_root(), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]
    with no_services():
        command(*apt, "update")
        command(*apt, "install", "--no-install-recommends", *wanted)


def version(package):
    """Of an installed package, or nothing."""
    query = ["dpkg-query", "-W", "-f=${Version}", package]
    return subprocess.run(query, capture_output=True, text=True).stdout.strip()


def php():
    """The source package of the PHP that `php` runs, such as php8.2."""
    return os.path.basename(os.path.realpath("/usr/bin/php"))


def machine():
    """What the figures depend on, for the report."""
    cpuinfo = Path("/proc/cpuinfo").read_text()
    fields = dict(line.split(":", 1) for line in cpuinfo.split("\n") if ":" in line)
    model = next((v.strip() for k, v in fields.items() if k.strip() == "model name"), "unknown")
    release = dict(line.rstrip().split("=", 1) for line in open("/etc/os-release") if "=" in line)
    packages = ("libc6", "valgrind", f"{php()}-cli")
    return {
        "date": datetime.date.today().isoformat(),
        "cpu": model,
        "cpus": os.cpu_count(),
        "architecture": platform.machine(),
        "system": release["PRETTY_NAME"].strip('"'),
        "kernel": platform.release(),
        "software": ", ".join(f"{package} {made}" for package in packages
                              if (made := version(package))),
    }
