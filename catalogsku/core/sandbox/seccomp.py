"""No network, programs, new processes, signals to others: the system call filter of a sandbox child.

Refused calls answer EPERM, so Python raises PermissionError. Numbers: Linux syscall tables of x86-64 and aarch64.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
from typing import NamedTuple

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
SECCOMP_GET_ACTION_AVAIL = 2
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
LOAD, JUMP_EQUAL, JUMP_ABOVE, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, ARCH_AT = 0, 4  # offsets in struct seccomp_data
CLONE_THREAD = 0x00010000
X32_BIT = 0x40000000  # the x32 table repeats every call under other numbers


class _Table(NamedTuple):
    arch: int
    seccomp: int
    clone: int
    clone3: int
    kill: int
    tgkill: int
    prlimit64: int
    denied: tuple[int, ...]


# fmt: off
_X86_64 = _Table(
    arch=0xC000003E, seccomp=317, clone=56, clone3=435, kill=62, tgkill=234, prlimit64=302,
    denied=(
        # socket connect accept sendto sendmsg bind listen socketpair accept4 sendmmsg
        41, 42, 43, 44, 46, 49, 50, 53, 288, 307,
        57, 58, 59, 322,  # fork vfork execve execveat
        101, 310, 311, 200, 424, 434, 438,  # ptrace process_vm_readv/writev tkill pidfd_send_signal/open/getfd
        425, 426, 427, 321, 298, 323,  # io_uring_* bpf perf_event_open userfaultfd
        # pivot_root chroot mount umount2 unshare setns mknod mknodat name_to_handle_at open_by_handle_at
        155, 161, 165, 166, 272, 308, 133, 259, 303, 304,
        248, 249, 250, 175, 176, 313, 246, 320, 167, 168, 169,  # keys, modules, kexec, swap, reboot
        160, 164, 227, 172, 173,  # setrlimit, clocks, I/O ports
        # what Landlock leaves open to the owner of a file: modes, owners, times, attributes
        90, 91, 268, 452, 92, 93, 94, 260, 132, 235, 261, 280, 188, 189, 190, 197, 198, 199,
        29, 30, 64, 68, 240,  # shared memory, semaphores and queues of other processes
    ),
)
_AARCH64 = _Table(
    arch=0xC00000B7, seccomp=277, clone=220, clone3=435, kill=129, tgkill=131, prlimit64=261,
    denied=(  # the same calls in the same order, without those that this machine never had
        198, 203, 202, 206, 211, 200, 201, 199, 242, 269,
        221, 281,
        117, 270, 271, 130, 424, 434, 438,
        425, 426, 427, 280, 241, 282,
        41, 51, 40, 39, 97, 268, 33, 264, 265,
        217, 218, 219, 105, 106, 273, 104, 294, 224, 225, 142,
        164, 170, 112,
        52, 53, 452, 55, 54, 88, 5, 6, 7, 14, 15, 16,
        194, 196, 190, 186, 180,
    ),
)
# fmt: on
_TABLES = {"x86_64": _X86_64, "aarch64": _AARCH64}


def is_available() -> bool:
    """Whether this kernel and machine can filter calls (tried, not guessed from a version)."""
    table = _table()
    if table is None:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    action = ctypes.c_uint32(ERRNO)
    return bool(libc.syscall(table.seccomp, SECCOMP_GET_ACTION_AVAIL, 0, ctypes.byref(action)) == 0)


def apply() -> None:
    """Filter the calls of this thread for good. Raises OSError where the kernel refuses."""
    program = _program(os.getpid())
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs")
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.c_char_p(header), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")


def _table() -> _Table | None:
    return _TABLES.get(platform.machine()) if sys.maxsize > 2**32 else None


class _Assembler:
    """Classic BPF with labels: jumps are written forward and resolved at the end."""

    def __init__(self) -> None:
        self.steps: list[tuple[int, str | int, str | int, int]] = []
        self.labels: dict[str, int] = {}

    def add(self, code: int, value: int, then: str | int = 0, otherwise: str | int = 0) -> None:
        self.steps.append((code, then, otherwise, value))

    def label(self, name: str) -> None:
        self.labels[name] = len(self.steps)

    def build(self) -> bytes:
        def offset(target: str | int, at: int) -> int:
            return target if isinstance(target, int) else self.labels[target] - at - 1

        return b"".join(
            struct.pack("HBBI", code, offset(then, at), offset(otherwise, at), value)
            for at, (code, then, otherwise, value) in enumerate(self.steps)
        )


def _argument(index: int, high: bool = False) -> int:
    return 16 + 8 * index + (4 if high else 0)


def _program(pid: int) -> bytes:
    table = _table()
    if table is None:
        raise OSError(errno.ENOSYS, "no system call table for this machine")
    code = _Assembler()
    code.add(LOAD, ARCH_AT)
    code.add(JUMP_EQUAL, table.arch, 0, "kill")
    code.add(LOAD, NUMBER_AT)
    code.add(JUMP_ABOVE, X32_BIT, "deny")
    for number in table.denied:
        code.add(JUMP_EQUAL, number, "deny")
    for name, target in (
        ("clone3", "absent"),
        ("clone", "thread"),
        ("kill", "self"),
        ("tgkill", "self"),
        ("prlimit64", "read"),
    ):
        code.add(JUMP_EQUAL, getattr(table, name), target)
    code.label("allow")
    code.add(RETURN, ALLOW)
    code.label("thread")  # native libraries may start threads, nothing may start a process
    code.add(LOAD, _argument(0))
    code.add(JUMP_ANY_BIT, CLONE_THREAD, "allowed", "deny")
    code.label("self")  # abort() must still work
    code.add(LOAD, _argument(0))
    code.add(JUMP_EQUAL, pid, "allowed", "deny")
    code.label("read")  # getrlimit is prlimit64 without a new value
    code.add(LOAD, _argument(2))
    code.add(JUMP_EQUAL, 0, 0, "deny")
    code.add(LOAD, _argument(2, high=True))
    code.add(JUMP_EQUAL, 0, "allowed", "deny")
    code.label("allowed")
    code.add(RETURN, ALLOW)
    code.label("absent")  # glibc falls back to clone, whose flags can be looked at
    code.add(RETURN, ERRNO | errno.ENOSYS)
    code.label("deny")
    code.add(RETURN, ERRNO | errno.EPERM)
    code.label("kill")
    code.add(RETURN, KILL_PROCESS)
    return code.build()
