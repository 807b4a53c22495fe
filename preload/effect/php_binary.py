"""Two copies of Debian's PHP: "stock", and "eq", in which string equality calls memcmp."""

import os
import platform
import re
import shutil
import struct
from pathlib import Path

from debian import command, install

# Debian's php asks valgrind to replace its zend_string_equal_val by one that calls memcmp. Under
# valgrind stock PHP would silently become eq; with another prefix the request is not seen.
REDIRECTION = b"_vgr00000ZU_NONE_zend_string_equal_val"

# The x86_64 body of zend_string_equal_val (=== of strings, and every hash key) is inline assembly
# that calls no memcmp. A build without inline assembly, as under Fil-C, has the C body:
#     !memcmp(ZSTR_VAL(s1), ZSTR_VAL(s2), ZSTR_LEN(s1))
ASSEMBLY = bytes.fromhex("4829fe488b4f10488d5718")
ASSEMBLY_LENGTH = 78  # bytes up to its last ret


def portable_body(address, memcmp):
    """That C body as machine code at `address`, calling `memcmp`."""
    call = bytes.fromhex(
        "488b5710"  # mov rdx, [rdi + 0x10]
        "4883c718"  # add rdi, 0x18
        "4883c618"  # add rsi, 0x18
        "4883ec08"  # sub rsp, 8
        "e8")       # call memcmp
    call += struct.pack("<i", memcmp - (address + len(call) + 4))
    return call + bytes.fromhex(
        "85c0"      # test eax, eax
        "0f94c0"    # sete al
        "4883c408"  # add rsp, 8
        "c3")       # ret


def file_offset(image, address):
    """Where the byte at this virtual address is in an ELF64 file."""
    start, = struct.unpack_from("<Q", image, 32)
    count, = struct.unpack_from("<H", image, 56)
    for index in range(count):
        kind, _, offset, virtual, _, size = struct.unpack_from("<IIQQQQ", image, start + 56 * index)
        if kind == 1 and virtual <= address < virtual + size:
            return offset + address - virtual
    raise SystemExit(f"no segment holds address {address:#x}")


def found(pattern, text, what):
    match = re.search(pattern, text, re.M)
    if not match:
        raise SystemExit(f"this php has no {what}; the eq variant needs Debian's x86_64 php")
    return int(match[1], 16)


def make_eq(image, source):
    """Replace the assembly in this image of the file `source`."""
    symbols = command("nm", "-D", source)
    plt = command("objdump", "-d", "-j", ".plt", source)
    address = found(r"^([0-9a-f]+) T zend_string_equal_val(@|$)", symbols, "zend_string_equal_val")
    memcmp = found(r"^([0-9a-f]+) <memcmp@plt>:", plt, "call of memcmp")
    offset = file_offset(image, address)
    if not image.startswith(ASSEMBLY, offset):
        raise SystemExit("zend_string_equal_val of this php is not the assembly known here")
    body = portable_body(address, memcmp)
    assert len(body) <= ASSEMBLY_LENGTH
    image[offset:offset + len(body)] = body


def make(folder):
    """Both binaries: {"eq": path, "stock": path}."""
    install("php-cli", "binutils")
    source = Path(shutil.which("php", path="/usr/bin")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for variant in ("eq", "stock"):
        image = bytearray(source.read_bytes())
        if variant == "eq" and platform.machine() == "x86_64":  # elsewhere stock is eq already
            make_eq(image, source)
        image = image.replace(REDIRECTION, b"_xgr" + REDIRECTION[4:])
        made[variant] = folder / f"php-{variant}"
        new = folder / f"new-{os.getpid()}"
        new.write_bytes(image)
        new.chmod(0o755)
        new.replace(made[variant])  # the old one may be running
    return made
