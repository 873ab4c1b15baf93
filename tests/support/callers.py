"""Processes that ask models as workers do, without any model: many threads each, which begin together on a word.

    with Callers(environment, processes=4) as callers:
        callers.go({"what": "enter", "model": NAME, "tokens": 10, "tries": 100, "threads": 16})
        assert sum(answer["entered"] for answer in callers.answers()) == 100

Run as a program it is such a process. ``call`` asks until every key is kept; what went out is appended to ``sent``.
Once ``hold`` have gone out, none is answered while the file ``held`` is there: whoever kills finds calls in flight,
however late the machine lets it look.
"""

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
# A call whose reservation was made and whose sending was cut off is given up after abandoned.UNSENT_S.
STARTED_WITHIN_S, DONE_WITHIN_S = 60, 160
COST_MICRO = 700


class Callers:
    def __init__(self, environment: Mapping[str, str], processes: int) -> None:
        self.processes = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.support.callers"],
                cwd=PROJECT,
                env=dict(environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(processes)
        ]
        self.pids = [process.pid for process in self.processes]

    def __enter__(self) -> "Callers":
        for process in self.processes:
            assert _line(process) == "ready"
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def go(self, task: Mapping[str, Any]) -> None:
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write(json.dumps(task) + "\n")
            process.stdin.flush()

    def answers(self) -> list[dict[str, int]]:
        return [json.loads(_line(process)) for process in self.processes]

    def kill(self) -> None:
        """kill -9; nothing where it has ended."""
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.communicate(timeout=10)


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, f"a caller ended with {process.wait(10)}"
    return line.strip()


# --- the process itself --------------------------------------------------------------------------


def enter(task: Mapping[str, Any], number: int) -> str:
    from processing.llm import gate

    found = gate.enter(task["model"], task["tokens"])
    return "entered" if isinstance(found, gate.Entered) else found.reason


def fail(task: Mapping[str, Any], number: int) -> str:
    from processing.llm import gate

    gate.failed(task["model"], 0)
    return "failed"


def begin(task: Mapping[str, Any], number: int) -> str:
    from processing.llm import calls

    merchants = task["merchants"]
    key = task.get("key") or f"{os.getpid()}-{number}"
    return type(calls.begin(facts(merchants[number % len(merchants)], key, task["bound"]))).__name__


def facts(merchant_id: int, key: str, bound_micro: int) -> Any:
    from processing.llm import calls

    return calls.Facts(merchant_id, "read_page", "gemini-3.8-flash", "v1", key, bound_micro)


def call(task: Mapping[str, Any], number: int) -> str:
    """One key until its answer is kept: as a worker that puts its page back whenever it cannot go on."""
    from django.db import InterfaceError, OperationalError, connection

    from processing.llm import calls

    until_s = time.monotonic() + DONE_WITHIN_S
    while time.monotonic() < until_s:
        try:
            found = calls.begin(facts(task["merchants"][0], f"key-{number}", task["bound"]))
            if isinstance(found, calls.Kept):
                return "kept"
            if isinstance(found, calls.OverBudget):
                return "over_budget"
            if isinstance(found, calls.Sent) and calls.sending(found.call_id):
                _send(task, number)
                calls.answered(found.call_id, f"answer {number}", calls.Usage(100, 50, COST_MICRO, 5))
            else:
                time.sleep(0.05)
        except (OperationalError, InterfaceError):
            connection.close()
            time.sleep(0.1)
    return "too_late"


def _send(task: Mapping[str, Any], number: int) -> None:
    """The provider counts what reaches it; its answer takes a while, and while it is held back none comes."""
    out = os.open(task["sent"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(out, f"{number}\n".encode())
    os.close(out)
    time.sleep(random.uniform(0.01, 0.15))
    while os.path.exists(task["held"]) and sends(Path(task["sent"])) >= task["hold"]:
        time.sleep(0.02)


def sends(file: Path) -> int:
    """How many calls have reached the provider."""
    return len(file.read_bytes().split()) if file.exists() else 0


WORK: dict[str, Callable[[Mapping[str, Any], int], str]] = {"enter": enter, "fail": fail, "begin": begin, "call": call}


def live() -> None:
    """Be seen every few seconds, as workers are, from the first work on."""
    from django.db import InterfaceError, OperationalError, connection

    from catalogsku.core import presence

    while True:
        time.sleep(3)
        try:
            if presence._current is not None:
                presence.beat()
        except (OperationalError, InterfaceError):
            connection.close()


def main() -> None:
    import django

    django.setup()
    from django.db import connection

    threading.Thread(target=live, daemon=True).start()
    print("ready", flush=True)
    for line in sys.stdin:
        task = json.loads(line)

        def share(start: int, task: Mapping[str, Any] = task) -> list[str]:
            numbers = list(range(start, task["tries"], task["threads"]))
            random.shuffle(numbers)
            try:
                return [WORK[task["what"]](task, number) for number in numbers]
            finally:
                connection.close()

        with ThreadPoolExecutor(task["threads"]) as pool:
            found = Counter(one for shared in pool.map(share, range(task["threads"])) for one in shared)
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
