"""The benchmark's verdicts and the page drawn from its history."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.bench import history
from tests.bench.budgets import BUDGETS, Budget, figure, verdicts

RUN: dict[str, Any] = {
    "at": "2026-11-20T12:34:56+00:00",
    "commit": "0123456789",
    "machine": {"cores": 2, "processor": "Some", "memory_mb": 8192, "load_before": [0.1, 0.2, 0.3]},
    "versions": {"python": "3.11.7"},
    "prescan": {"ratio": 0.71},
    "job": {"ratio": 0.8, "read_and_understand_pages_per_s": 9.5},
}


@pytest.mark.parametrize(
    ("budget", "value", "kept"),
    [
        (Budget("speed", "a.b", at_least=0.5), 0.5, True),
        (Budget("speed", "a.b", at_least=0.5), 0.49, False),
        (Budget("time", "a.b", "s", at_most=60), 60, True),
        (Budget("time", "a.b", "s", at_most=60), 60.1, False),
    ],
)
def test_a_budget_is_kept_up_to_its_limit(budget: Budget, value: float, kept: bool) -> None:
    assert budget.is_kept_by(value) is kept


def test_only_what_was_measured_is_judged() -> None:
    found = {verdict["figure"]: verdict["kept"] for verdict in verdicts(RUN)}
    assert found == {"prescan.ratio": True, "job.ratio": False}
    assert figure(RUN, "job.ratio.more") is None
    assert figure(RUN, "machine.processor") is None


def test_every_budget_names_a_figure_of_its_own_and_one_limit() -> None:
    assert len({budget.figure for budget in BUDGETS}) == len(BUDGETS)
    assert all((budget.at_least is None) != (budget.at_most is None) for budget in BUDGETS)


def test_a_recorded_run_is_kept_and_shown(tmp_path: Path) -> None:
    history.record(RUN, tmp_path)
    history.record({**RUN, "at": "2026-11-21T00:00:00+00:00", "job": {"ratio": 0.9}}, tmp_path)
    lines = (tmp_path / "bench" / "history.jsonl").read_text().splitlines()
    assert [json.loads(line)["job"]["ratio"] for line in lines] == [0.8, 0.9]
    page = (tmp_path / "bench.md").read_text()
    assert "| ≥ 0.85 | 0.9 | kept |" in page
    assert "| 2026-11-20 12:34 | `0123456789` | 0.1 | 0.71 | 0.8 |  | 9.5 | job.ratio |" in page
    assert page.count("not measured") == len(BUDGETS) - 2


def test_a_part_that_the_last_run_left_out_is_shown_from_an_earlier_one(tmp_path: Path) -> None:
    history.record(RUN, tmp_path)
    history.record({**RUN, "prescan": {}}, tmp_path)
    assert "| ≥ 0.5 | 0.71 | kept |" in (tmp_path / "bench.md").read_text()


def test_a_page_without_runs_says_so(tmp_path: Path) -> None:
    history.write_page(tmp_path)
    assert "No run has been recorded yet." in (tmp_path / "bench.md").read_text()
