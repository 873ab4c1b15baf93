"""When sweeps begin to judge."""

import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from ingestion.services import sweep


@pytest.fixture(autouse=True)
def afresh() -> Iterator[None]:
    """As in a process that has loaded the code long ago and was forked just now."""
    sweep._watching_since_s.cache_clear()
    yield
    sweep._watching_since_s.cache_clear()


@pytest.mark.req("TA-BEAT")
def test_workers_get_their_time_from_the_first_look_on_however_long_the_code_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first_s = time.monotonic() + 10_000
    monkeypatch.setattr(sweep, "time", SimpleNamespace(monotonic=lambda: first_s))
    assert not sweep._has_watched()
    monkeypatch.setattr(sweep, "time", SimpleNamespace(monotonic=lambda: first_s + sweep.NO_WORKER_S + 1))
    assert sweep._has_watched()
