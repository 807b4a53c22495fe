"""Instruction counts by callgrind, which no other load on the machine disturbs."""

import re
from collections import defaultdict
from dataclasses import dataclass

COMPARISON = re.compile(r"_*(memcmp|bcmp)")
ALLOCATOR = re.compile(r"(malloc|calloc|realloc|aligned_alloc|posix_memalign)$")
NAME = re.compile(r"\((\d+)\)(?: (.*))?$")


def tool(out, *options):
    """The command that runs a program and its children, one output file a process."""
    return ["valgrind", "-q", "--tool=callgrind", "--trace-children=yes",
            f"--callgrind-out-file={out}.%p", f"--log-file={out}.log.%p", *options]


@dataclass
class Profile:
    """Instructions in all, in memcmp and bcmp (with all that they call), and the calls made."""

    instructions: int = 0
    comparing: int = 0
    calls: int = 0
    allocations: int = 0

    def __add__(self, other):
        return Profile(*(a + b for a, b in zip(self.astuple(), other.astuple())))

    def astuple(self):
        return self.instructions, self.comparing, self.calls, self.allocations


def read(paths, library=None):
    """Add up profiles. The comparison functions are those of `library`, or libc's without one."""
    return sum((read_one(path, str(library) if library else None) for path in paths), Profile())


def read_one(path, library):
    def compares(function):
        binary, name = function
        if library:
            return binary == library
        return bool(COMPARISON.match(name)) and "libc" in binary.rsplit("/", 1)[-1]

    profile = Profile()
    for function, cost in own_costs(path, profile, compares):
        profile.instructions += cost
        if compares(function):
            profile.comparing += cost
    return profile


def own_costs(path, profile, compares):
    """Yield ((binary, function), own cost); note the calls into and out of comparisons.

    The format: https://valgrind.org/docs/manual/cl-format.html
    """
    names = defaultdict(dict)  # "(id) name" the first time, "(id)" afterwards

    def expand(kind, text):
        found = NAME.match(text)
        if not found:
            return text
        if found[2] is not None:
            names[kind][found[1]] = found[2]
        return names[kind][found[1]]

    binary = function = called_binary = called = calls = None
    with open(path, errors="replace") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line[:1] in tuple("0123456789+-*"):
                cost = int(line.split()[1]) if " " in line else 0
                caller = (binary, function)
                if calls is None:
                    yield caller, cost
                    continue
                # The line after calls= holds the inclusive cost of these calls.
                callee = (called_binary or binary, called)
                if compares(callee) and not compares(caller):
                    profile.calls += calls
                if compares(caller) and not compares(callee):
                    profile.comparing += cost
                    if ALLOCATOR.match(called):
                        profile.allocations += calls
                calls = called_binary = None
            elif "=" in line:
                key, value = line.split("=", 1)
                if key == "ob":
                    binary = expand("binary", value)
                elif key == "fn":
                    function = expand("function", value)
                elif key == "cob":
                    called_binary = expand("binary", value)
                elif key == "cfn":
                    called = expand("function", value)
                elif key == "calls":
                    calls = int(value.split()[0])
