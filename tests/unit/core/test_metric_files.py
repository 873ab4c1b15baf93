"""Counters of several processes become one, and neither a crash nor a full disk costs more than counts."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from catalogsku.core import metric_files

PROJECT = Path(__file__).resolve().parents[3]


def process(folder: Path, body: str, unit: str = "cpu") -> None:
    """A process of ``unit`` that counts: ``done`` is a counter, ``open_`` a gauge; it ends as ``body`` says."""
    program = f"""
        import os, signal, sys
        from pathlib import Path
        from catalogsku.core import metric_files
        os.environ["CATALOGSKU_UNIT"] = {unit!r}
        assert metric_files.share(Path({str(folder)!r}))
        from prometheus_client import Counter, Gauge, Histogram
        done = Counter("done", "Done.", ["what"])
        open_ = Gauge("open", "Open.", multiprocess_mode="livesum")
        took = Histogram("took", "Took.", buckets=(1, 2))
        """
    subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program) + textwrap.dedent(body)], cwd=PROJECT, check=False, timeout=60
    )


def value(folder: Path, name: str) -> float:
    samples = [sample for metric in metric_files.read(folder).values() for sample in metric.samples]
    return sum(sample.value for sample in samples if sample.name == name)


@pytest.mark.req("TA-MET")
def test_adds_up_what_units_count_and_goes_on_after_a_kill(tmp_path: Path) -> None:
    dies = "done.labels('a').inc(2); took.observe(1.5); os.kill(os.getpid(), signal.SIGKILL)"
    for unit in ("cpu", "out", "cpu"):
        process(tmp_path, dies, unit)
    assert value(tmp_path, "done_total") == 6
    assert value(tmp_path, "took_count") == 3
    assert sorted(file.name for file in tmp_path.glob("counter_*")) == ["counter_cpu-0.db", "counter_out-0.db"]


def test_two_processes_of_a_unit_have_a_file_each(tmp_path: Path) -> None:
    process(
        tmp_path,
        """
        done.labels("a").inc()
        if not os.fork():
            done.labels("a").inc()
            os._exit(0)
        os.wait()
        done.labels("a").inc()
        """,
    )
    assert value(tmp_path, "done_total") == 3
    assert len(list(tmp_path.glob("counter_*"))) == 2


def test_what_a_dead_process_had_open_is_open_no_more(tmp_path: Path) -> None:
    process(
        tmp_path,
        f"""
        open_.inc(3)
        seen = [s.value for m in metric_files.read(Path({str(tmp_path)!r})).values() for s in m.samples]
        assert 3 in seen, seen
        done.labels("checked").inc()
        os.kill(os.getpid(), signal.SIGKILL)
        """,
    )
    assert value(tmp_path, "done_total") == 1, "the process did not see its own gauge"
    assert value(tmp_path, "open") == 0
    process(tmp_path, "open_.inc(); done.labels('again').inc()")
    assert value(tmp_path, "done_total") == 2


def test_a_damaged_file_is_left_out_and_dropped_at_the_next_start(tmp_path: Path) -> None:
    process(tmp_path, "done.labels('a').inc(5)", "cpu")
    process(tmp_path, "done.labels('a').inc(7)", "out")
    damaged = tmp_path / "counter_cpu-0.db"
    with damaged.open("r+b") as file:
        file.seek(8)
        file.write(b"\xff" * 64)
    assert value(tmp_path, "done_total") == 7
    process(tmp_path, "done.labels('a').inc()", "cpu")
    assert value(tmp_path, "done_total") == 8


def test_without_room_the_process_counts_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    monkeypatch.setenv("CATALOGSKU_UNIT", "cpu")
    assert not metric_files.share(tmp_path / "metrics")
    assert not list((tmp_path / "metrics").glob("*.db"))


def test_a_forked_process_that_finds_no_room_counts_with_its_parent_until_there_is_some(tmp_path: Path) -> None:
    process(
        tmp_path,
        """
        room = os.posix_fallocate
        def full(*_):
            raise OSError(28, "No space left on device")
        done.labels("a").inc()
        if not os.fork():
            os.environ["CATALOGSKU_UNIT"] = "out"
            os.posix_fallocate = full
            done.labels("a").inc()
            os.posix_fallocate = room
            done.labels("a").inc()
            os._exit(0)
        os.wait()
        """,
        "cpu",
    )
    assert value(tmp_path, "done_total") == 3
    assert {path.name for path in tmp_path.glob("counter_*")} == {"counter_cpu-0.db", "counter_out-0.db"}


def test_the_room_of_a_file_is_taken_at_the_start(tmp_path: Path) -> None:
    process(tmp_path, "done.labels('a').inc()")
    for kind, size_bytes in metric_files.FILE_BYTES.items():
        facts = (tmp_path / f"{kind}_cpu-0.db").stat()
        assert facts.st_blocks * 512 >= size_bytes
