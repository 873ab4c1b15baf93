"""How the benchmark judges what watchers saw, and what it reads of processes."""

import subprocess
import sys
from subprocess import PIPE

import pytest
from django.core.management.base import CommandError

from catalogsku.accounts.models import Role
from tests.bench.live import Commit, delays
from tests.bench.memory import Memory
from tests.bench.web import _page, percentile, signed_in


def test_a_commit_counts_as_seen_with_its_version_or_a_later_one() -> None:
    commits = [Commit(1, 2, 10.0), Commit(1, 3, 10.1), Commit(2, 2, 10.2)]
    found = delays("socket", commits, [[(1, 1, 9.0), (1, 3, 10.3), (2, 2, 10.25)], [(1, 2, 10.1), (1, 3, 10.2)]])
    assert found["socket_missed"] == 1
    assert found["socket_max_ms"] == pytest.approx(300, abs=0.5)
    assert found["socket_p50_ms"] == pytest.approx(100, abs=0.5)


def test_watchers_that_saw_nothing_are_no_result() -> None:
    with pytest.raises(CommandError):
        delays("dom", [Commit(1, 2, 10.0)], [[]])


def test_the_percentile_is_a_measured_value() -> None:
    assert percentile([float(n) for n in range(1, 101)], 95) == 95.0
    assert percentile([5.0], 95) == 5.0


@pytest.mark.django_db
def test_a_pages_queries_are_counted_before_they_are_forgotten() -> None:
    found = _page(signed_in(Role.ADMIN), "/")
    assert 3 <= found["queries"] <= 12
    assert found["p95_ms"] > 0


def test_growth_since_page_50_counts_what_lasts() -> None:
    """Of a process without children: those of the tests' own come and go."""
    grows = (
        "import sys; sys.stdin.readline(); kept = b'x' * (40 << 20); print('grown', flush=True); sys.stdin.readline()"
    )
    memory = Memory()
    with subprocess.Popen([sys.executable, "-c", grows], stdin=PIPE, stdout=PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        units = {"here": process.pid}
        memory.look(units, 10)
        memory.look(units, 50)
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()
        memory.look(units, 90)
        process.stdin.close()
    found = memory.verdict()
    assert found["growth_after_page_50_mb"] >= 35, "a unit that grows is found out"
    assert found["largest_unit_mb"] > 40 and found["largest_child_mb"] == 0
