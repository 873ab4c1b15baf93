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
# What lets a process outlive or hide from its parent, or makes the kernel send signals to others in its name.
PRCTL_DENIED = (1, 4, 36, 0x59616D61)  # PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_PTRACER
FCNTL_DENIED = (8, 10, 15, 1024, 1026)  # F_SETOWN, F_SETSIG, F_SETOWN_EX; F_SETLEASE, F_NOTIFY
IOCTL_DENIED = (0x8901, 0x8902, 0x5412)  # FIOSETOWN, SIOCSPGRP, TIOCSTI
X32_BIT = 0x40000000  # the x32 table repeats every call under other numbers


class _Table(NamedTuple):
    arch: int
    seccomp: int
    clone: int
    clone3: int
    kill: int
    tgkill: int
    prlimit64: int
    prctl: int
    fcntl: int
    ioctl: int
    denied: tuple[int, ...]


# fmt: off
_X86_64 = _Table(
    arch=0xC000003E, seccomp=317, clone=56, clone3=435, kill=62, tgkill=234, prlimit64=302,
    prctl=157, fcntl=72, ioctl=16,
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
        129, 297, 76,  # rt_sigqueueinfo rt_tgsigqueueinfo; truncate (by path: older Landlock lets it pass)
        319, 447,  # memfd_create memfd_secret: memory beside the limit, and programs without a file
        253, 254, 255, 294, 300, 301,  # inotify_* fanotify_*: the names in other folders
        # other processes' order, place and memory: setpriority ioprio_set sched_set{param,scheduler,attr,affinity}
        # migrate_pages move_pages process_madvise process_mrelease kcmp get_robust_list
        141, 251, 142, 144, 314, 203, 256, 279, 440, 448, 312, 274,
        # open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr quotactl_fd statmount listmount
        428, 429, 430, 431, 432, 433, 442, 443, 457, 458,
        459, 460, 461, 467, 463, 466, 469,  # lsm_*, open_tree_attr, setxattrat removexattrat file_setattr
        135, 154, 179, 163, 103, 153, 170, 171,  # personality modify_ldt quotactl acct syslog vhangup host's names
        162, 306, 159, 305, 275, 276, 278,  # sync syncfs adjtimex clock_adjtime splice tee vmsplice
    ),
)
_AARCH64 = _Table(
    arch=0xC00000B7, seccomp=277, clone=220, clone3=435, kill=129, tgkill=131, prlimit64=261,
    prctl=167, fcntl=25, ioctl=29,
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
        138, 240, 45,
        279, 447,
        27, 28, 26, 262, 263,
        140, 30, 118, 119, 274, 122, 238, 239, 440, 448, 272, 100,
        428, 429, 430, 431, 432, 433, 442, 443, 457, 458,
        459, 460, 461, 467, 463, 466, 469,
        92, 60, 89, 116, 58, 161, 162,
        81, 267, 171, 266, 76, 77, 75,
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
        ("prctl", "prctl"),
        ("fcntl", "fcntl"),
        ("ioctl", "ioctl"),
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
    for name, argument, values in (("prctl", 0, PRCTL_DENIED), ("fcntl", 1, FCNTL_DENIED), ("ioctl", 1, IOCTL_DENIED)):
        code.label(name)
        code.add(LOAD, _argument(argument))
        for value in values:
            code.add(JUMP_EQUAL, value, "deny")
        code.add(RETURN, ALLOW)
    code.label("allowed")
    code.add(RETURN, ALLOW)
    code.label("absent")  # glibc falls back to clone, whose flags can be looked at
    code.add(RETURN, ERRNO | errno.ENOSYS)
    code.label("deny")
    code.add(RETURN, ERRNO | errno.EPERM)
    code.label("kill")
    code.add(RETURN, KILL_PROCESS)
    return code.build()
