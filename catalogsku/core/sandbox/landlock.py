"""Which files a sandbox child may touch, held by the kernel (Landlock, Linux 5.13 and later); no privilege needed.

Bits and structures: Linux include/uapi/linux/landlock.h. The same system call numbers hold on all machines.
"""

import ctypes
import os
import struct
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PR_SET_NO_NEW_PRIVS = 38
RULE_PATH_BENEATH = 1
WRITE_FILE, READ_FILE, READ_DIR, REMOVE_FILE, MAKE_REGULAR, TRUNCATE = 1 << 1, 1 << 2, 1 << 3, 1 << 5, 1 << 8, 1 << 14
ON_A_FILE = WRITE_FILE | READ_FILE | TRUNCATE
READ = READ_FILE | READ_DIR
WRITE = READ | WRITE_FILE | REMOVE_FILE | MAKE_REGULAR | TRUNCATE  # no folders, links, sockets or devices
_RIGHTS_BITS = {1: 13, 2: 14, 3: 15, 4: 15}  # version -> known file rights; 16 from version 5
NET_TCP, SCOPE_ALL = 0b11, 0b11  # bind and connect; abstract sockets and signals


def version() -> int:
    """The kernel's Landlock version, 0 where there is none."""
    return max(0, int(ctypes.CDLL(None, use_errno=True).syscall(CREATE_RULESET, None, 0, 1)))


def apply(read: Iterable[str], write: Iterable[str]) -> None:
    """From now on read only under ``read``, read and write regular files only under ``write``. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    level = version()
    rights = (1 << _RIGHTS_BITS.get(level, 16)) - 1
    ruleset = _ruleset(libc, level, rights)
    for path in read:
        _allow(libc, ruleset, path, READ & rights)
    for path in write:
        _allow(libc, ruleset, path, WRITE & rights)
    _check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    _check(libc.syscall(RESTRICT_SELF, ruleset, 0), "landlock_restrict_self")
    os.close(ruleset)


def _ruleset(libc: ctypes.CDLL, level: int, rights: int) -> int:
    fields = [rights]
    if level >= 4:
        fields.append(NET_TCP)
    if level >= 6:
        fields.append(SCOPE_ALL)
    attributes = struct.pack(f"{len(fields)}Q", *fields)
    ruleset = int(libc.syscall(CREATE_RULESET, attributes, len(attributes), 0))
    _check(ruleset if ruleset < 0 else 0, "landlock_create_ruleset")
    return ruleset


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    """A path that does not exist is left out: there is nothing to allow."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            rights &= ON_A_FILE
        rule = struct.pack("=Qi", rights, place)
        _check(libc.syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, rule, 0), path)
    finally:
        os.close(place)


def _check(result: int, what: str) -> None:
    if result:
        raise OSError(ctypes.get_errno(), what)
