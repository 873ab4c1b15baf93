"""One thread looks after a process's children, and stays while one follows the other."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import cast

import pytest
from django.db import InterfaceError, OperationalError

from processing.sandboxed import metered
from processing.sandboxed.metered import Child


class Looked(metered._Watch):
    def __init__(self) -> None:
        super().__init__()
        self.looks: list[tuple[threading.Thread, int]] = []

    def look(self, children: Sequence[Child]) -> None:
        self.looks.append((threading.current_thread(), len(children)))


def test_the_thread_stays_for_the_next_child_and_ends_where_none_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metered, "LOOK_S", 0.01)
    monkeypatch.setattr(metered, "IDLE_S", 0.5)
    watch, child = Looked(), cast(Child, object())
    for _ in range(3):
        with watch.over(child):
            _until(lambda: bool(watch.looks) and watch.looks[-1][1] == 1)
        _until(lambda: watch.looks[-1][1] == 0)
    assert len({thread for thread, _ in watch.looks}) == 1
    first = watch.looks[0][0]
    first.join(10)
    assert not first.is_alive()
    with watch.over(child):
        _until(lambda: watch.looks[-1][0] is not first)


class Stumbles(Looked):
    """Its first look ends in an error."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error: Exception | None = error

    def look(self, children: Sequence[Child]) -> None:
        error, self.error = self.error, None
        if error:
            raise error
        super().look(children)


@pytest.mark.parametrize("error", [OperationalError("away"), InterfaceError("the connection is closed")])
def test_a_database_that_is_away_ends_no_looking(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metered, "LOOK_S", 0.01)
    watch = Stumbles(error)
    with watch.over(cast(Child, object())):
        thread = watch.thread
        _until(lambda: bool(watch.looks))
    assert watch.looks[0][0] is thread


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_after_a_fault_of_the_program_the_next_child_is_looked_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metered, "LOOK_S", 0.01)
    watch = Stumbles(RuntimeError("a fault"))
    with watch.over(cast(Child, object())):
        _until(lambda: watch.thread is None)
    with watch.over(cast(Child, object())):
        _until(lambda: bool(watch.looks))


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.005)
