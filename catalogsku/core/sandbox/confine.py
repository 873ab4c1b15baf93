"""The cage of one child: limits, privileges, files, system calls. Called in the child before it sees a document."""

import ctypes
import os
import resource
import signal
import struct
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from catalogsku.core.sandbox import landlock, seccomp
from catalogsku.core.sandbox.wire import Limits

PR_SET_PDEATHSIG = 1
CAPABILITY_VERSION_3 = 0x20080522
KEPT_CAPABILITIES = 1 << 1 | 1 << 2  # reading files of other owners: a checkout mounted into a root container
OPEN_FILES_MAX = 64
SYSTEM_PATHS = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/zoneinfo",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
)


class Capabilities(msgspec.Struct, frozen=True):
    """What this kernel offers beyond resource limits."""

    landlock: bool
    seccomp: bool

    @property
    def complete(self) -> bool:
        return self.landlock and self.seccomp


def capabilities() -> Capabilities:
    return Capabilities(landlock=landlock.version() > 0, seccomp=seccomp.is_available())


def code_paths(root: Path) -> list[str]:
    """Where this interpreter's code lies, and of ``root`` only the loaded packages: never its settings or data."""
    paths = {*SYSTEM_PATHS, f"{sys.base_prefix}/lib"}
    paths |= {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file and Path(file).is_relative_to(root) and not Path(file).is_relative_to(sys.prefix):
            part = Path(file).relative_to(root).parts
            if len(part) > 1:
                paths.add(str(root / part[0]))
    real = {os.path.realpath(path) for path in paths if os.path.exists(path)}
    return sorted(path for path in real if not any(str(parent) in real for parent in Path(path).parents))


def die_with_parent(parent_pid: int) -> None:
    """SIGKILL for this process when the thread that started it ends; at once when that has happened already."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent_pid:
        os._exit(1)


def confine(limits: Limits, offered: Capabilities, read: Sequence[str], write: Iterable[str]) -> None:
    """Limits always; files and system calls where the kernel offers it. Raises OSError when a step fails."""
    set_limits(limits)
    drop_privileges()
    if offered.landlock:
        landlock.apply([*read, "/proc/self"], [*write, "/dev/null"])
    if offered.seccomp:
        seccomp.apply()


def set_limits(limits: Limits) -> None:
    """The hard CPU limit lies 2 s above the soft one, so that SIGXCPU names the cause."""
    for kind, soft, hard in (
        (resource.RLIMIT_AS, limits.memory_bytes, limits.memory_bytes),
        (resource.RLIMIT_CPU, limits.cpu_s, limits.cpu_s + 2),
        (resource.RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES_MAX, OPEN_FILES_MAX),
    ):
        resource.setrlimit(kind, (soft, hard))


def drop_privileges() -> None:
    """Root keeps only what file permissions need; others have nothing to drop."""
    if os.geteuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = struct.pack("Ii", CAPABILITY_VERSION_3, 0)
    now = ctypes.create_string_buffer(24)
    if libc.capget(header, now):
        raise OSError(ctypes.get_errno(), "capget")
    effective, permitted = struct.unpack_from("II", now.raw)
    capability_words = struct.pack("6I", effective & KEPT_CAPABILITIES, permitted & KEPT_CAPABILITIES, 0, 0, 0, 0)
    if libc.capset(header, capability_words):
        raise OSError(ctypes.get_errno(), "capset")
