"""Other programs on real files beside ours: each a process of its own on one core, by turns; processor time counts.

A program is installed aside by who measures, in var/yardsticks/NAME: it is no part of this project, and its licence is
its own.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf
from django.conf import settings
from django.core.management.base import CommandError

HERE = Path(__file__).resolve().parent
PLACE = settings.BASE_DIR / "var" / "yardsticks"
# Of each file the first ones: a manual of 105 pages must not outweigh twenty price lists.
PAGES_EACH = 10
TURNS = 2
# A program that hangs ends the measurement, not the night.
LONGEST_TURN_S = 3600
# The folder of files made to harm who opens them: the other programs open files without any sandbox.
NOT_OPENED = "hostile"

Work = list[tuple[str, int]]


@dataclass(frozen=True)
class Program:
    """``script``: of this folder, run by the program's own Python; ``needs``: what pip installs for it."""

    name: str
    script: str
    needs: str
    licence: str

    def python(self, place: Path) -> Path:
        return place / self.name / "bin" / "python"

    def how_to_get(self, place: Path) -> str:
        folder = place / self.name
        return f"{sys.executable} -m venv {folder} && {folder}/bin/pip install '{self.needs}'  # {self.licence}"


PROGRAMS = (Program("pymupdf4llm", "markdown.py", "pymupdf4llm<1", "AGPL-3.0 or commercial"),)
OURS = (sys.executable, "-c", "import django; django.setup(); from tests.bench.sandboxed import main; main()")


def measure_yardsticks(corpus: Path | None, place: Path = PLACE, turns: int = TURNS) -> dict[str, Any]:
    """``ratio`` of each program: pages a second of processor time of ours by those of the other. One that is not
    installed has ``missing`` instead: how to get it; without files nothing is measured."""
    found: dict[str, Any] = {p.name: {"missing": p.how_to_get(place)} for p in PROGRAMS}
    there = [program for program in PROGRAMS if program.python(place).exists()]
    work = _work(corpus) if corpus else []
    if not work:
        return {**found, "missing": "a folder of PDFs: --corpus or CORPUS_DIR"}
    commands = {"ours": OURS} | {p.name: (str(p.python(place)), "-I", str(HERE / p.script)) for p in there}
    taken: dict[str, list[dict[str, Any]]] = {name: [] for name in commands}
    for _ in range(turns if there else 0):
        for name, command in commands.items():
            taken[name].append(run_alone(command, work))
    figures = {name: _together(done) for name, done in taken.items() if done}
    for name in figures.keys() - {"ours"}:
        for clock in ("cpu", "wall"):
            ours, other = figures["ours"][f"pages_per_{clock}_s"], figures[name][f"pages_per_{clock}_s"]
            figures[name]["ratio" if clock == "cpu" else "wall_ratio"] = round(ours / other, 3)
    return {"files": len(work), **found, **figures}


def _work(corpus: Path) -> Work:
    found: Work = []
    for path in sorted(corpus.resolve().rglob("*.pdf")):
        if NOT_OPENED not in path.relative_to(corpus.resolve()).parts:
            with pymupdf.open(path) as document:  # type: ignore[no-untyped-call]
                if not document.needs_pass:
                    found.append((str(path), min(document.page_count, PAGES_EACH)))
    return found


def run_alone(command: Sequence[str], work: Work) -> dict[str, Any]:
    """What the program says in its last line, and its seconds from its start to its end, those of its children too."""
    before, began_s = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with _one_core():
        done = subprocess.run(
            command,
            input=json.dumps(work),
            capture_output=True,
            text=True,
            cwd=settings.BASE_DIR,
            timeout=LONGEST_TURN_S,
        )
    wall_s, after = time.perf_counter() - began_s, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise CommandError(f"{command[0]} did not get through: {done.stderr[-600:]}")
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**json.loads(done.stdout.splitlines()[-1]), "cpu_s": cpu_s, "wall_s": wall_s}


@contextmanager
def _one_core() -> Iterator[None]:
    """For what is started meanwhile."""
    usable = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(usable)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, usable)


def _together(turns: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The last turn's words, with the times of all."""
    pages = sum(turn["pages"] for turn in turns)
    cpu_s, wall_s = (round(sum(turn[clock] for turn in turns), 2) for clock in ("cpu_s", "wall_s"))
    return {
        **turns[-1],
        "cpu_s": cpu_s,
        "wall_s": wall_s,
        "pages_per_cpu_s": round(pages / cpu_s, 3),
        "pages_per_wall_s": round(pages / wall_s, 3),
    }
