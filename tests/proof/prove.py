"""Proves that the formulas of src/word.rs and arch/portable.rs equal a walk over the bytes.

Each claim is about all pairs of words, or of ranges, of one size and byte order. It is handed to z3
negated: `unsat` proves it, a model refutes it. The wrong formulas at the end must be refuted, which
shows that a claim can fail.

The formulas are written out again here, in z3's terms, so `transcribed` first checks that the lines
of Rust they stand for are still there.
"""

import pathlib
import re
import sys

from z3 import (And, BitVec, BitVecVal, Concat, Extract, If, Implies, LShR, Not, Solver, ULE, ULT,
                ZeroExt, sat, unsat)

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUST = {
    "src/word.rs": [
        "$difference.trailing_zeros() as usize / 8",
        "$difference.leading_zeros() as usize / 8",
        "const LAST: u32 = $word::BITS - 8;",
        "(a ^ b).trailing_zeros() & LAST",
        "LAST - ((a ^ b).leading_zeros() & LAST)",
        "((a >> shift) & 0xff) as i32 - ((b >> shift) & 0xff) as i32",
        "match mismatch_u64(a.swap_bytes(), b.swap_bytes()) { Some(i) => Some(7 - i),",
    ],
    "arch/portable.rs": [
        "u64::from_ne_bytes([*p, *p.add(n / 2), *p.add(n - 1), 0, 0, 0, 0, 0])",
        'if cfg!(target_endian = "little") { head | tail << 32 } else { head << 32 | tail }',
        "(n - 1) / 8 * 4",
        "join(load(p), load(p.add(step))), join(load(p.add(n - 4 - step)), load(p.add(n - 4))),",
        "if i < n { i } else { n - 1 }",
        "i & (step(n) | 3)",
        "let (a, b) = if a0 != b0 { (a0, b0) } else { (a1, b1) };",
        "if a0 != b0 { (a0, b0, 0) } else { (a1, b1, n - 4 - step(n)) };",
        "if a1 != b1 { (a1, b1, n - 4 - step(n)) } else { (a0, b0, 0) };",
        "(a0 ^ b0) | (a1 ^ b1) == 0",
    ],
}
LITTLE, BIG = "little", "big"


def number(value):
    """A `u32`, `i32` or `usize` of the formulas."""
    return BitVecVal(value, 32)


# What the processor does.


def zeros(bits):
    """How many of `bits`, one after the other, are 0 before the first 1; all of them if none is."""
    count = number(len(bits))
    for i, bit in reversed(list(enumerate(bits))):
        count = If(bit == 1, number(i), count)
    return count


def bits(x):
    return [Extract(i, i, x) for i in range(x.size())]


def ctz(x):
    return zeros(bits(x))


def clz(x):
    return zeros(bits(x)[::-1])


def word(memory, endian):
    """The word that a load of these bytes gives."""
    return Concat(*(memory if endian == BIG else memory[::-1]))


def memory(x, endian):
    """The bytes that a store of `x` gives."""
    low_first = [Extract(8 * i + 7, 8 * i, x) for i in range(x.size() // 8)]
    return low_first if endian == LITTLE else low_first[::-1]


def at(x, shift):
    """`((x >> shift) & 0xff) as i32`."""
    width = x.size()
    wide = ZeroExt(width - 32, shift) if width > 32 else Extract(width - 1, 0, shift)
    return ZeroExt(24, Extract(7, 0, LShR(x, wide)))


# The byte walk: the specification.


def walk(a, b):
    """`a[i] - b[i]` at the first byte that differs, 0 if there is none."""
    result = number(0)
    for x, y in reversed(list(zip(a, b))):
        result = If(x != y, ZeroExt(24, x) - ZeroExt(24, y), result)
    return result


def first_index(a, b):
    """The index of the first byte that differs; there is one."""
    result = number(0)
    for i, (x, y) in reversed(list(enumerate(zip(a, b)))):
        result = If(x != y, number(i), result)
    return result


def last_index(a, b):
    """The index of the last byte that differs; there is one."""
    result = number(0)
    for i, (x, y) in enumerate(zip(a, b)):
        result = If(x != y, number(i), result)
    return result


# The formulas of src/word.rs.


def shift(a, b, endian):
    last = a.size() - 8
    if endian == LITTLE:
        return ctz(a ^ b) & last
    return last - (clz(a ^ b) & last)


def memcmp(a, b, endian, shift=shift):
    by = shift(a, b, endian)
    return at(a, by) - at(b, by)


def mismatch(a, b, endian):
    """The index in `Some`; the words differ."""
    return LShR(ctz(a ^ b) if endian == LITTLE else clz(a ^ b), 3)


def rmismatch(a, b, endian):
    """The index in `Some`; the words differ."""
    swap = lambda x: word(memory(x, LITTLE), BIG)
    return 7 - mismatch(swap(a), swap(b), endian)


# Those of arch/portable.rs.


def step(n):
    return (n - 1) // 8 * 4


def reads(n):
    """The indices of the bytes that are read, a list for each gathered word in its order."""
    if n < 4:
        return [[0, n // 2, n - 1] if n > 0 else []]
    starts = (0, step(n)), (n - 4 - step(n), n - 4)
    return [[*range(head, head + 4), *range(tail, tail + 4)] for head, tail in starts]


def gather(read, endian):
    """A word, of the bytes that were read for it."""
    if len(read) < 8:
        return word(read + [BitVecVal(0, 8)] * (8 - len(read)), endian)
    head, tail = (ZeroExt(32, word(half, endian)) for half in (read[:4], read[4:]))
    return head | tail << 32 if endian == LITTLE else head << 32 | tail


def gathered(i, n):
    return If(ULT(i, n), i, number(n - 1))


def gathered_two(i, n):
    return i & (step(n) | 3)


def short(a, b, n, endian, gathered=gathered, gathered_two=gathered_two):
    """What the four `_short` kernels (memcmp, prefix, suffix, equal) make of the bytes that were
    read for each word; an index where the kernel gives a count."""
    if n < 4:
        x, y = gather(a[0], endian), gather(b[0], endian)
        return (memcmp(x, y, endian), gathered(mismatch(x, y, endian), n),
                gathered(rmismatch(x, y, endian), n), x == y)
    a0, a1, b0, b1 = (gather(read, endian) for read in (*a, *b))
    offset = n - 4 - step(n)
    return (If(a0 != b0, memcmp(a0, b0, endian), memcmp(a1, b1, endian)),
            If(a0 != b0, gathered_two(mismatch(a0, b0, endian), n),
               offset + gathered_two(mismatch(a1, b1, endian), n)),
            If(a1 != b1, offset + gathered_two(rmismatch(a1, b1, endian), n),
               gathered_two(rmismatch(a0, b0, endian), n)),
            (a0 ^ b0) | (a1 ^ b1) == 0)


# Claims, and what becomes of them.


def counterexample(claim):
    """Values for which the claim is false, or `None` if it is proven."""
    solver = Solver()
    solver.add(Not(claim))
    answer = solver.check()
    if answer == unsat:
        return None
    if answer != sat:
        sys.exit(f"z3 gave up: {solver.reason_unknown()}")
    model = solver.model()
    return {str(name): f"{model[name].as_long():#x}" for name in model.decls()}


def words_claim(width, endian, shift=shift):
    """`memcmp` is the walk and shifts by less than the width, which Rust would not forgive."""
    a, b = BitVec("a", width), BitVec("b", width)
    return And(memcmp(a, b, endian, shift) == walk(memory(a, endian), memory(b, endian)),
               ULT(shift(a, b, endian), width))


def index_claim(width, endian, formula=mismatch, walk=first_index):
    a, b = BitVec("a", width), BitVec("b", width)
    index = walk(memory(a, endian), memory(b, endian))
    return Implies(a != b, formula(a, b, endian) == index)


def short_claim(n, endian):
    a, b = ([BitVec(f"{name}{i}", 8) for i in range(n)] for name in "ab")
    read = ([[p[i] for i in word] for word in reads(n)] for p in (a, b))
    difference, head, tail, equal = short(*read, n, endian)
    same = And([x == y for x, y in zip(a, b)])
    return And(difference == walk(a, b), equal == same,
               Implies(Not(same), And(head == first_index(a, b), tail == last_index(a, b))))


def racing_claim(n, endian, **formulas):
    """Another thread may change a byte between two reads of it, so that each read gives any byte.
    The indices are inside the range all the same."""
    read = ([[BitVec(f"{name}{k}_{i}", 8) for i in range(len(word))]
             for k, word in enumerate(reads(n))] for name in "ab")
    _, head, tail, equal = short(*read, n, endian, **formulas)
    return Implies(Not(equal), And(ULT(head, n), ULT(tail, n)))


def claims():
    for endian in (LITTLE, BIG):
        for width in (16, 32, 64, 128):
            yield f"memcmp_u{width}, {endian} endian", words_claim(width, endian)
            yield f"mismatch_u{width}, {endian} endian", index_claim(width, endian)
        yield f"rmismatch_u64, {endian} endian", index_claim(64, endian, rmismatch, last_index)
        for n in range(17):
            yield f"ranges of {n} bytes, {endian} endian", short_claim(n, endian)
            yield f"racing writer, {n} bytes, {endian} endian", racing_claim(n, endian)


def wrong():
    """Formulas that are nearly right."""
    for width in (16, 32, 64, 128):
        keep = width - 8
        for name, endian, formula in (
            ("ctz without & !7", LITTLE, lambda a, b, _: ctz(a ^ b) & (width - 1)),
            ("& !7 without the mask for equal words", LITTLE, lambda a, b, _: ctz(a ^ b) & ~7),
            ("clz on little endian", LITTLE, lambda a, b, _: keep - (clz(a ^ b) & keep)),
            ("ctz on big endian", BIG, lambda a, b, _: ctz(a ^ b) & keep),
            ("clz without & !7", BIG, lambda a, b, _: keep - (clz(a ^ b) & (width - 1))),
            ("clz not taken from the top", BIG, lambda a, b, _: clz(a ^ b) & keep),
        ):
            yield f"u{width}, {name}", words_claim(width, endian, formula)
    same = lambda i, _: i
    yield "racing writer, 2 bytes, indices as they are", racing_claim(2, LITTLE, gathered=same)
    yield "racing writer, 8 bytes, indices as they are", racing_claim(8, BIG, gathered_two=same)


def transcribed():
    squeeze = lambda text: re.sub(r"\s+", " ", text)
    for path, lines in RUST.items():
        source = squeeze((ROOT / path).read_text())
        for line in lines:
            if line not in source:
                sys.exit(f"{path} no longer has `{line}`: bring prove.py up to date")


def main():
    transcribed()
    proven = refuted = 0
    for name, claim in claims():
        if (values := counterexample(claim)) is not None:
            sys.exit(f"FALSE    {name}: {values}")
        print(f"proven   {name}", flush=True)
        proven += 1
    for name, claim in wrong():
        if (values := counterexample(claim)) is None:
            sys.exit(f"NOT REFUTED: {name}")
        print(f"refuted  {name}: {values}", flush=True)
        refuted += 1
    print(f"{proven} claims proven, {refuted} wrong formulas refuted")


if __name__ == "__main__":
    main()
