"""Cores by the quota of control groups: what /proc and /sys/fs/cgroup of containers say, and one real group."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from catalogsku.core.cores import read_cores

MANY = set(range(64))


@pytest.fixture(autouse=True)
def large_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: MANY)


def proc_of(folder: Path, groups: str, mounts: list[tuple[str, Path, str, str]]) -> Path:
    """A /proc/self with these groups, and mounts of (root, place, filesystem, options)."""
    proc = folder / "proc"
    proc.mkdir()
    (proc / "cgroup").write_text(groups)
    (proc / "mountinfo").write_text(
        "22 1 0:21 / / rw,relatime - ext4 /dev/vda rw\n"
        + "".join(
            f"31 23 0:28 {root} {place} rw,nosuid shared:4 - {kind} {kind} {options}\n"
            for root, place, kind, options in mounts
        )
    )
    return proc


@pytest.mark.parametrize(
    ("said", "cores"),
    [
        ("200000 100000", 2),
        ("150000 100000", 2),  # one and a half: the second thread may wait
        ("10000 100000", 1),
        ("max 100000", 64),
        ("9900000 100000", 64),  # more than the machine has
        ("", 64),
        ("0 0", 64),
    ],
)
def test_version_2_in_a_container_that_sees_itself_as_the_root(tmp_path: Path, said: str, cores: int) -> None:
    (tmp_path / "cpu.max").write_text(said)
    assert read_cores(proc_of(tmp_path, "0::/\n", [("/", tmp_path, "cgroup2", "rw,nsdelegate")])) == cores


def test_the_least_quota_of_all_ancestors_counts(tmp_path: Path) -> None:
    inner = tmp_path / "kubepods.slice" / "pod.slice" / "app.scope"
    inner.mkdir(parents=True)
    (inner / "cpu.max").write_text("max 100000")
    (inner.parent / "cpu.max").write_text("300000 100000")
    (inner.parent.parent / "cpu.max").write_text("3100000 100000")
    groups = "0::/kubepods.slice/pod.slice/app.scope\n"
    assert read_cores(proc_of(tmp_path, groups, [("/", tmp_path, "cgroup2", "rw")])) == 3


def test_version_1_as_a_container_without_a_namespace_sees_it(tmp_path: Path) -> None:
    """Its group is named from the host's root, of which only the container's part is mounted."""
    (tmp_path / "cpu.cfs_quota_us").write_text("400000\n")
    (tmp_path / "cpu.cfs_period_us").write_text("100000\n")
    groups = "5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc\n0::/system.slice\n"
    mounts = [
        ("/docker/abc", tmp_path, "cgroup", "rw,cpu,cpuacct"),
        ("/docker/abc", tmp_path / "memory", "cgroup", "rw,memory"),
    ]
    assert read_cores(proc_of(tmp_path, groups, mounts)) == 4


def test_version_1_without_a_bound(tmp_path: Path) -> None:
    (tmp_path / "cpu.cfs_quota_us").write_text("-1\n")
    (tmp_path / "cpu.cfs_period_us").write_text("100000\n")
    assert read_cores(proc_of(tmp_path, "1:cpu:/\n", [("/", tmp_path, "cgroup", "rw,cpu")])) == 64


def test_a_group_above_the_mount_is_not_looked_for(tmp_path: Path) -> None:
    (tmp_path / "cpu.max").write_text("100000 100000")
    inner = tmp_path / "mount"
    inner.mkdir()
    assert read_cores(proc_of(tmp_path, "0::/\n", [("/", inner, "cgroup2", "rw")])) == 64


def test_no_proc_at_all(tmp_path: Path) -> None:
    assert read_cores(tmp_path / "nothing") == 64


def test_a_quota_of_this_machine_reaches_the_workers_threads() -> None:
    """In a real group that may use seven tenths of a core the unit that reads has one thread."""
    group = next((path for path in (Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")) if path.is_dir()), None)
    if group is None or os.geteuid() != 0:
        pytest.skip("makes a control group, which only root may")
    mine = group / f"catalogsku-{os.getpid()}"
    try:
        mine.mkdir()
        if (mine / "cpu.cfs_quota_us").exists():
            (mine / "cpu.cfs_quota_us").write_text("70000")
        else:
            (mine / "cpu.max").write_text("70000 100000")
    except OSError as error:
        if mine.is_dir():
            mine.rmdir()
        pytest.skip(f"no control group can be made: {error}")
    asking = (
        "import os, sys; from pathlib import Path; Path(sys.argv[1]).write_text(str(os.getpid()));"
        "from catalogsku.units import UNITS; print(next(u.arguments for u in UNITS if u.name == 'cpu'))"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", asking, str(mine / "cgroup.procs")], capture_output=True, text=True, check=True
        )
    finally:
        mine.rmdir()
    assert "'--threads', '1'" in done.stdout
