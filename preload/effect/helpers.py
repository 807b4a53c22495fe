"""The small C helpers and how libraries are preloaded."""

import mmap
import os
import struct
from pathlib import Path

from debian import command, install

SOURCES = Path(__file__).resolve().parent / "helpers"
COUNTERS = ("memcmp", "bcmp", "__memcmpeq", "allocations")  # the order of counters.h


class Helpers:
    """Compiles the helpers into a folder. `count`, `model` and `nodeep` are their paths."""

    def __init__(self, folder):
        install("gcc", "libc6-dev")
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("count", "model", "nodeep"):
            library = preloadable(folder / f"{name}.so")
            new = library.with_suffix(f".{os.getpid()}")
            # Without -fno-builtin the compiler may turn a loop into a call of memcmp itself.
            command("gcc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-fno-builtin",
                    "-shared", "-fPIC", "-o", new, SOURCES / f"{name}.c")
            new.replace(library)  # the old one may be in use
            setattr(self, name, library)


def preloadable(path):
    """The loader splits LD_PRELOAD at blanks and colons, and silently skips what it cannot find."""
    path = Path(path).resolve()
    if set(str(path)) & set(" :\t\n"):
        raise SystemExit(f"LD_PRELOAD cannot name a path with blanks or colons: {path}")
    return path


def environment(preload=(), **extra):
    """A fixed environment, so that no output depends on the caller's."""
    fixed = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
             "HOME": "/nonexistent"}
    if preload:
        fixed["LD_PRELOAD"] = " ".join(str(path) for path in preload)
    return fixed | extra


class Counters:
    """The file in which count.so and model.so count, shared by a program and its children."""

    def __init__(self, path):
        path.write_bytes(bytes(mmap.PAGESIZE))
        os.chmod(path, 0o666)
        self.path = path

    def variable(self):
        return {"MEMDIFF_EFFECT_COUNTS": str(self.path)}

    def read(self):
        layout = struct.Struct(f"={len(COUNTERS)}Q")
        with open(self.path, "rb") as file:
            return dict(zip(COUNTERS, layout.unpack(file.read(layout.size))))

    def since(self, before):
        return {name: value - before[name] for name, value in self.read().items()}
