"""How many cores this process may use: those it may run on, and no more than its control groups pay for.

A container with two CPUs on a machine of 64 cores may run on all 64, and once it does it stands still for most of each
tenth of a second. Its quota is written in the groups that it and its ancestors belong to (Linux, cgroups(7): cpu.max of
version 2, cpu.cfs_quota_us of version 1).
"""

import math
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

PROC = Path("/proc/self")


@cache
def usable_cores() -> int:
    """Cores, at least one; a quota of 1.5 is two, because one of the threads may wait. Read once: see `read_cores`."""
    return read_cores()


def read_cores(proc: Path = PROC) -> int:
    """As they are now. ``proc`` holds what /proc/self does."""
    quota = min(_quotas(proc), default=math.inf)
    allowed = len(os.sched_getaffinity(0))
    return allowed if quota >= allowed else max(1, math.ceil(quota))


def _quotas(proc: Path) -> Iterator[float]:
    """Cores that each group from this process's up to the topmost visible one may use, of those that have a bound."""
    for group, mount in _groups(proc):
        for folder in [group, *group.parents]:
            if not folder.is_relative_to(mount):
                break
            if (quota := _quota(folder)) is not None:
                yield quota


def _groups(proc: Path) -> Iterator[tuple[Path, Path]]:
    """This process's group of the CPU, of either version: its folder, and where its hierarchy is mounted."""
    mounts = list(_mounts(proc))
    for line in _lines(proc / "cgroup"):
        _, controllers, path = line.split(":", 2)
        wanted = set(controllers.split(",")) - {""}
        if wanted and "cpu" not in wanted:
            continue
        for root, mount, is_v2, options in mounts:
            if is_v2 == (not wanted) and (is_v2 or "cpu" in options) and PurePosixPath(path).is_relative_to(root):
                yield mount / PurePosixPath(path).relative_to(root), mount


def _mounts(proc: Path) -> Iterator[tuple[str, Path, bool, set[str]]]:
    """Of each hierarchy: which group stands at its mount, the mount, whether it is version 2, its options."""
    for line in _lines(proc / "mountinfo"):
        place, _, kind = line.partition(" - ")
        filesystem, *_, options = kind.split(" ")
        if filesystem in ("cgroup", "cgroup2"):
            root, mount = place.split(" ")[3:5]
            yield root, Path(mount), filesystem == "cgroup2", set(options.split(","))


def _quota(folder: Path) -> float | None:
    """Cores; None where it has no bound, or says something that nobody has heard of."""
    try:
        if (both := folder / "cpu.max").exists():
            quota, period = both.read_text().split()
        else:
            quota, period = ((folder / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        cores = int(quota) / int(period)  # "max" and -1: no bound
    except (OSError, ValueError, ZeroDivisionError):
        return None
    return cores if cores > 0 else None


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text().splitlines()
    except OSError:  # no Linux, or a /proc that shows nothing
        return []
