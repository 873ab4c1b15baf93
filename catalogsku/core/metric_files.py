"""Counters of many processes in one scrape: each process writes memory-mapped files of its own, a scrape adds them up.

A process takes the first free slot of its unit (`cpu-0`), so a unit that starts again counts on where it was, and there
are never more files than processes at once. A file lock holds the slot; the kernel lifts it when the process ends.
"""

import contextlib
import fcntl
import json
import logging
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from prometheus_client import Metric, values
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

log = logging.getLogger(__name__)

# Written in full at the start: a page of a sparse file that finds the disk full kills the process that touches it.
FILE_BYTES = {"counter": 1 << 20, "histogram": 1 << 20, "gauge_livesum": 1 << 16}


def share(folder: Path) -> bool:
    """From now on metrics that this process defines are shared through ``folder``; False where that cannot be."""
    slot = _Slot(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        slot()
    except OSError as error:
        log.warning("metrics stay in this process", extra={"error": repr(error)})
        return False
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    values.ValueClass = values.MultiProcessValue(slot)  # type: ignore[no-untyped-call]
    return True


def read(folder: Path) -> dict[str, Metric]:
    """What all processes of this machine have counted, by name. A file that cannot be read is left out."""
    files = [file for file in sorted(folder.glob("*.db")) if _counts(file) and _is_whole(file)]
    merged: dict[str, Metric] = {}
    for metric in MultiProcessCollector.merge([str(file) for file in files]):  # type: ignore[no-untyped-call]
        merged[metric.name] = metric
    return merged


class _Slot:
    """Names this process among those of its unit, CATALOGSKU_UNIT; a forked child takes a name of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pid, self._name, self._lock = 0, "", -1

    def __call__(self) -> str:
        if self._pid != os.getpid():
            try:
                self._take()
            except OSError:
                if not self._name:
                    raise
                # A full disk does not stop a forked child: until there is room it counts where its parent counts.
        return self._name

    def _take(self) -> None:
        name, lock = next(self._free())
        try:
            self._prepare(name)
        except OSError:
            os.close(lock)
            raise
        if self._lock >= 0:  # the parent's, inherited: it must not live on in the child
            os.close(self._lock)
        self._name, self._lock, self._pid = name, lock, os.getpid()

    def _free(self) -> Iterator[tuple[str, int]]:
        for number in count():
            name = f"{os.environ['CATALOGSKU_UNIT']}-{number}"
            lock = os.open(_lock_file(self._folder, name), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
            else:
                yield name, lock

    def _prepare(self, name: str) -> None:
        """Counts go on, gauges begin anew, a damaged file is dropped; the room is there from the beginning."""
        for kind, size_bytes in FILE_BYTES.items():
            file = self._folder / f"{kind}_{name}.db"
            if file.exists() and (kind.startswith("gauge") or not _is_whole(file)):
                file.unlink()
            descriptor = os.open(file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            try:
                os.posix_fallocate(descriptor, 0, size_bytes)
            except OSError:
                os.close(descriptor)
                file.unlink(missing_ok=True)
                raise
            os.close(descriptor)


def _lock_file(folder: Path, slot: str) -> Path:
    return folder / f"{slot}.lock"


def _is_whole(file: Path) -> bool:
    try:
        for key, *_ in MmapedDict.read_all_values_from_file(str(file)):  # type: ignore[no-untyped-call]
            json.loads(key)
    except Exception as error:  # whatever a file cut short or overwritten makes the reader raise
        log.warning("metrics file left out", extra={"file": file.name, "error": repr(error)})
        return False
    return True


def _counts(file: Path) -> bool:
    """Counters of a process that has ended still count; what it had open (a gauge) has ended with it."""
    if not file.name.startswith("gauge"):
        return True
    slot = file.stem.rpartition("_")[2]
    with contextlib.suppress(OSError):
        probe = os.open(_lock_file(file.parent, slot), os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(probe, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(probe)
    return False
