"""The benchmark's memory: one line a recorded run, and the page in docs that is drawn from these lines."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bench.budgets import BUDGETS, verdicts

SHOWN_RUNS = 8
_HEAD = """# Benchmark

`make bench` measures speed and size on the machine at hand and prints JSON: figures, the budgets that the product
promises, and whether they were kept. Ratios compare with bare library calls on the same file in the same run, so they
hold on any machine; times and sizes are those of the machine named below. `manage.py bench --record` adds a run to
`docs/bench/history.jsonl` and draws this page from it; `--only PART` measures one part.

"""
_HOW = """
## How it is measured

* **prescan**: the product's prescan in its sandbox against one PyMuPDF pass for text, images and drawings over the same
  2000 drawn pages, the better of two alternating turns each.
* **ocr**: six drawn pages as scans that lie askew, read by a sandboxed child on one core, against the bare engine with
  the same parameters on the same drawings, the best of three turns each; the most memory of the child.
* **job**: a drawn catalogue of 200 pages, photographs of 1000 x 650 pixels on most of them, each on one page only,
  through every worker, from the end of its check to its last page, against the same library calls in bare loops on all
  cores, without sandbox, database, messages or storage: every page is read and understood, and those of the sample are
  assessed, as in the job (until 26 November 2026 the loops did not; `bare_loop_assess_share` is its part of their
  time), and freed memory stays with the process as with a sandboxed child (since 30 November 2026). Five rounds of
  both, by turns: the ratio is that of all their time, other figures are those of the round with the median ratio. On a
  machine whose speed swings, rounds lie from .63 to 1.15 and such a ratio is good to some .04: near the budget, take
  the mean of several runs.
* **dense**: the same with a price list, mostly tables of 10 to 20 rows: little to read and many rows to keep, the worst
  case of that ratio.
* **yardsticks**: other programs on real files beside ours: the first ten pages of every PDF of `CORPUS_DIR` (or
  `--corpus`; its folder `hostile` is left out), each program a process of its own on one core from its start to its
  end, two turns each, by turns. The ratio is of processor time, with all children's in it; `wall_ratio` is of time by
  the clock. Ours reads, draws previews and understands, to SKUs, in its sandbox; neither recognises print in pictures.
  pymupdf4llm (AGPL-3.0 or commercial; no part of this product) writes Markdown by `to_markdown`. Who wants the figure
  installs it aside: `python3 -m venv var/yardsticks/pymupdf4llm`, then `var/yardsticks/pymupdf4llm/bin/pip install
  'pymupdf4llm<1'`; where it is missing the part says so and measures nothing.
  On 1 December 2026, on a machine at work (load 6, so not recorded above), 167 pages of 34 files, twice: 2.86 pages a
  second of processor time and 286 SKUs against 1.69 pages (version 0.3.4), a ratio of 1.695, by the clock 2.46.
  docling and marker have no figure: their models are not in their packages, and no hub of models was in reach.
* **long**: a catalogue of 2000 pages; time from the upload's end to the first SKU in the database; a one-page document
  sent after the first 100 pages; resident memory of every process from /proc, once a second.
* **stages**: a short document taken through its actors one after the other in one process: time a page, the database's
  part of it, statements and write-ahead log; and what the database has grown by in the end, rows by table
  (versions that updates left behind among them) and indexes.
* **models**: what a call of a language model waits for in the database, one after the other in one connection: enter
  (breaker and both rates), reserve (kept answer looked for, both budgets, ledger row), sending, answered, and kept (the
  same request again).
* **live**: 200 websockets of 200 people on a 2000-page document, and one real browser. A commit counts as seen when a
  socket has received its version, or a tile in the browser shows it. *Busy*: while workers have both cores at work on
  that document; *quiet*: after it was cancelled. The processor's time a commit is that of `live`, from the
  first of 120 commits until five seconds after the last, beats and looks at rights included; `web_cpu_ms_a_commit` is
  that of `web`, which held the sockets until 29 November 2026 and now answers what the real browser asks besides.
  **Cancelled**: from the order until none of its pages waits or is in hand. *Held*: 2,000 websockets of administrators
  on the same document, and how many of them hear each of 40 commits.
* **upload**: 200 MB through the web app in parts of 8 MB against a bare receiver of the same parts over loopback TCP,
  which hashes them and has each on the disk before the next; until 28 November 2026 against copying and hashing the
  file (`copy_ratio`).
* **web**: every web page in a database of 500 documents with 2000 pages each, 20 requests after two to warm up;
  server time without the network.
* **export**: a document of 50 000 SKUs with a picture each, as every format, by `manage.py exports make` in a process
  of its own; its peak memory beside that for one SKU, and the first byte of 20 downloads.
"""


def record(report: dict[str, Any], folder: Path) -> None:
    """Append the run to ``folder``/bench/history.jsonl and draw ``folder``/bench.md."""
    history = folder / "bench" / "history.jsonl"
    history.parent.mkdir(parents=True, exist_ok=True)
    with history.open("a") as file:
        file.write(json.dumps(report, separators=(",", ":")) + "\n")
    write_page(folder)


def write_page(folder: Path) -> None:
    history = folder / "bench" / "history.jsonl"
    runs = [json.loads(line) for line in history.read_text().splitlines()] if history.exists() else []
    (folder / "bench.md").write_text(page(runs))


def page(runs: Sequence[dict[str, Any]]) -> str:
    """The page for these runs, oldest first. A part that the last run left out is shown from the run that has it."""
    if not runs:
        return f"{_HEAD}No run has been recorded yet.\n{_HOW}"
    machine, versions = runs[-1]["machine"], runs[-1]["versions"]
    names = ", ".join(f"{name} {version}" for name, version in versions.items())
    about = (
        f"Last run: {runs[-1]['at'][:16].replace('T', ' ')} UTC, commit `{runs[-1]['commit']}`,"
        f" {machine['cores']} cores of {machine['processor']}, {machine['memory_mb'] // 1024} GB."
        f" Load before it {machine['load_before'][0]}. {names}.\n"
    )
    return f"{_HEAD}{about}\n{_budget_table(runs)}\n{_stage_table(runs)}{_run_table(runs)}{_HOW}"


def _budget_table(runs: Sequence[dict[str, Any]]) -> str:
    latest: dict[str, dict[str, Any]] = {}
    for run in runs:
        latest |= {verdict["figure"]: verdict for verdict in verdicts(run)}
    lines = ["| what | budget | measured | |", "|---|---|---|---|"]
    for budget in BUDGETS:
        found = latest.get(budget.figure)
        shown = f"{found['value']:g} {budget.unit}".strip() if found else "not measured"
        lines.append(f"| {budget.what} | {budget.limit} | {shown} | {_mark(found)} |")
    return "\n".join(lines) + "\n"


def _mark(verdict: dict[str, Any] | None) -> str:
    return "" if verdict is None else "kept" if verdict["kept"] else "**missed**"


def _stage_table(runs: Sequence[dict[str, Any]]) -> str:
    stages = next((run["stages"] for run in reversed(runs) if "stages" in run), None)
    if stages is None:
        return ""
    lines = ["| step | ms a page | of it database | statements a page |", "|---|---|---|---|"]
    lines += [
        f"| {name} | {one['ms_a_page']:g} | {one['database_ms_a_page']:g} | {one['statements_a_page']:g} |"
        for name, one in stages["steps"].items()
    ]
    return "## What a page costs\n\n" + "\n".join(lines) + "\n\n"


def _run_table(runs: Sequence[dict[str, Any]]) -> str:
    """The ratios of the latest runs, which machines cannot move."""
    lines = ["## Recorded runs\n", "| when (UTC) | commit | load before | prescan | job | dense | pages/s | missed |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for run in list(runs)[-SHOWN_RUNS:]:
        missed = [verdict["figure"] for verdict in verdicts(run) if not verdict["kept"]]
        job, dense, prescan = (run.get(part, {}) for part in ("job", "dense", "prescan"))
        lines.append(
            f"| {run['at'][:16].replace('T', ' ')} | `{run['commit']}` | {run['machine']['load_before'][0]}"
            f" | {prescan.get('ratio', '')} | {job.get('ratio', '')} | {dense.get('ratio', '')}"
            f" | {job.get('read_and_understand_pages_per_s', '')} | {', '.join(missed) or '0'} |"
        )
    return "\n".join(lines) + "\n"
