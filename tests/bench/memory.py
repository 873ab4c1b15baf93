"""Resident memory of the units, their fork servers and the children that open documents, looked at from /proc."""

import contextlib
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
MB = 1 << 20
FLAT_FROM_PAGE = 50


class Memory:
    """``look`` every now and then while a job runs; ``report`` at its end."""

    def __init__(self) -> None:
        self._peaks: dict[str, int] = defaultdict(int)
        self._at_50: dict[str, int] = {}
        self._last: dict[str, int] = {}

    def look(self, units: Mapping[str, int], pages_done: int) -> None:
        """``units``: process id of each unit's leader."""
        now: dict[str, int] = defaultdict(int)
        for name, leader in units.items():
            for role, pid in _roles(leader):
                now[f"{name}/{role}"] = max(now[f"{name}/{role}"], _resident_bytes(pid))
        for name, size in now.items():
            self._peaks[name] = max(self._peaks[name], size)
        if pages_done >= FLAT_FROM_PAGE and not self._at_50:
            self._at_50 = dict(now)
        self._last = dict(now)

    def report(self) -> dict[str, dict[str, float | None]]:
        """MB of the largest process of each role: at page 50, at the end, and at its peak."""
        return {
            name: {
                "at_page_50_mb": _mb(self._at_50.get(name)),
                "at_end_mb": _mb(self._last.get(name)),
                "peak_mb": _mb(peak),
            }
            for name, peak in sorted(self._peaks.items())
        }

    def verdict(self) -> dict[str, float]:
        """MB of the largest process of each role at its peak, and the most that a unit or fork server has grown since
        page 50 (children come and go)."""
        lasting = [name for name in self._at_50 if not name.endswith("/child")]
        growth = max((self._last.get(name, 0) - self._at_50[name] for name in lasting), default=0)
        return {
            "largest_unit_mb": self._largest("process"),
            "largest_fork_server_mb": self._largest("fork_server"),
            "largest_child_mb": self._largest("child"),
            "growth_after_page_50_mb": round(growth / MB, 1),
        }

    def _largest(self, role: str) -> float:
        sizes = [size for name, size in self._peaks.items() if name.endswith(f"/{role}")]
        return round(max(sizes, default=0) / MB, 1)


def _roles(leader: int) -> Iterator[tuple[str, int]]:
    """The unit's own processes, its fork servers, and their children."""
    yield "process", leader
    for child in _children(leader):
        if b"sandbox.zygote" in _command(child):
            yield "fork_server", child
            yield from (("child", one) for one in _children(child))
        else:
            yield from _roles(child)


def _children(pid: int) -> list[int]:
    """Of all of its threads. By plain calls: this runs every second beside what is measured."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    return found


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES
    except OSError:
        return 0


def _mb(size: int | None) -> float | None:
    return None if size is None else round(size / MB, 1)
