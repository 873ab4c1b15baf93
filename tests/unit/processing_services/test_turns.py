"""Children at once: one a core, however many threads ask."""

import threading

import pytest

from catalogsku.core.sandbox import Outcome, Sandbox
from processing.sandboxed import sandboxes


@pytest.mark.req("TA-G4")
def test_not_more_children_work_at_once_than_there_are_cores(monkeypatch, tmp_path):
    threads = sandboxes.AT_ONCE + 3
    lock, full = threading.Lock(), threading.Event()
    at_work: list[int] = []
    most = [0]

    def run(self, task, request, numbers, *further):
        with lock:
            at_work.append(numbers[0])
            most[0] = max(most[0], len(at_work))
            if len(at_work) >= sandboxes.AT_ONCE:
                full.set()
        assert full.wait(10), "fewer than one a core work at once"
        threading.Event().wait(0.05)  # whoever else may come in does so meanwhile
        with lock:
            at_work.remove(numbers[0])
        return Outcome({}, None, "finished")

    monkeypatch.setattr(Sandbox, "run", run)
    plain, recognising = (sandboxes.WatchedSandbox() for _ in range(2))

    def ask(number: int) -> None:
        (plain if number % 2 else recognising).run("module:task", {}, [number], tmp_path)

    asking = [threading.Thread(target=ask, args=(number,)) for number in range(threads)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join(20)
    assert most[0] == sandboxes.AT_ONCE and not at_work
