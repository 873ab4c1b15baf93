"""People who watch: many websockets through the proxy, which come again when they are cut (tests/bench/sockets.py)."""

import json
import subprocess
import sys
from collections.abc import Sequence

from tests.hosts.ground import Installation
from tests.support.stack import PROJECT

PEOPLE = ("uploader", "annotator", "lead", "admin")


class Crowd:
    """So many sockets on one document."""

    def __init__(self, installation: Installation, job: str, count: int) -> None:
        self.installation, self.job, self.count = installation, job, count
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.sockets"],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        host, port = installation.address.removeprefix("http://").split(":")
        cookies = [_cookie(installation, PEOPLE[number % len(PEOPLE)]) for number in range(count)]
        self._say(json.dumps({"host": host, "port": int(port), "path": f"/ws/jobs/{job}/", "cookies": cookies}))
        self._before: dict[int, int] | None = None

    def open(self) -> None:
        """Waits until each has seen the whole document."""
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n", "the sockets did not open"
        self._before = self._versions()

    def missed(self) -> int:
        """Pages, over all sockets, that have changed since and whose last state a socket has not been told."""
        assert self._process.stdout is not None and self._before is not None
        now, missed = self._versions(), 0
        self._say("tell")
        for heard in json.loads(self._process.stdout.readline()):
            known: dict[int, int] = {}
            for page, version, _ in heard:
                known[page] = max(known.get(page, 0), version)
            missed += sum(known.get(page) != now[page] for page in now if now[page] != self._before.get(page))
        return missed

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _versions(self) -> dict[int, int]:
        query = "SELECT p.id, p.version FROM ingestion_page p JOIN ingestion_job j ON j.id = p.job_id WHERE j.uuid = %s"
        return dict(self.installation.sql(query, self.job))

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()


def _cookie(installation: Installation, name: str) -> str:
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in installation.person(name).cookies)


def missed(crowds: Sequence[Crowd]) -> int:
    return sum(crowd.missed() for crowd in crowds)
