"""Becomes another program that ends with the process that started it; run by path as ``python -I -S launch.py``.

Standard library only: it runs before any package can be imported, and as whoever the program will be.
Arguments: parent pid, signal, identity, program... An identity is ``same``, ``namespace:UID``, ``setuid:UID:GID`` or
``override:UID:GID``.
"""

import ctypes
import os
import signal
import struct
import sys

_PR_SET_PDEATHSIG, _PR_SET_KEEPCAPS = 1, 8
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE = 47, 2
_CLONE_NEWUSER = 0x10000000
_CAP_DAC_OVERRIDE = 1
_CAPABILITY_VERSION_3, _SYS_CAPSET_X86_64 = 0x20080522, 126


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def die_with_parent(parent_pid: int, death_signal: int = signal.SIGKILL) -> None:
    """Have the kernel send ``death_signal`` to this process when the thread that started it ends.

    Kept by exec, lost by fork and by a change of uid. Exits at once where ``parent_pid`` is already gone.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    _check(libc.prctl(_PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0))
    if os.getppid() != parent_pid:
        os._exit(1)


def _enter_namespace(uid: int) -> None:
    """A user namespace in which root is an ordinary uid: no user is added, and root's own files stay its own."""
    outer_uid, outer_gid = os.geteuid(), os.getegid()
    _check(ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWUSER))
    for name, line in (("setgroups", "deny"), ("uid_map", f"{uid} {outer_uid} 1"), ("gid_map", f"{uid} {outer_gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(line)


def _become(uid: int, gid: int, keep_override: bool) -> None:
    """Drop root. ``keep_override`` keeps the one capability that reaches a checkout inside root's closed folders."""
    libc = ctypes.CDLL(None, use_errno=True)
    if keep_override:
        _check(libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0))
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    if keep_override:
        bit = 1 << _CAP_DAC_OVERRIDE
        header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
        data = struct.pack("6I", bit, bit, bit, 0, 0, 0)
        _check(libc.syscall(_SYS_CAPSET_X86_64, header, data))
        _check(libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, _CAP_DAC_OVERRIDE, 0, 0))


def main(arguments: list[str]) -> None:
    parent_pid, death_signal, identity, *program = arguments
    kind, *numbers = identity.split(":")
    if kind == "namespace":
        _enter_namespace(int(numbers[0]))
    elif kind != "same":
        _become(int(numbers[0]), int(numbers[1]), keep_override=kind == "override")
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    die_with_parent(int(parent_pid), int(death_signal))  # after the uid: changing it clears the setting
    os.execvpe(program[0], program, os.environ)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except OSError as error:
        sys.exit(f"launch: {error}")
