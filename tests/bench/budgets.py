"""What the product promises of speed and size, and whether a run of the benchmark kept it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Budget:
    """``figure``: its place in the report, steps joined by dots; ``at_least`` or ``at_most`` is the limit."""

    what: str
    figure: str
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None

    def is_kept_by(self, value: float) -> bool:
        return (self.at_least is None or value >= self.at_least) and (self.at_most is None or value <= self.at_most)

    @property
    def limit(self) -> str:
        sign, value = ("≥", self.at_least) if self.at_least is not None else ("≤", self.at_most)
        return f"{sign} {value:g}{' ' if self.unit else ''}{self.unit}"


BUDGETS = (
    Budget("prescan, beside one bare PyMuPDF pass", "prescan.ratio", at_least=0.5),
    Budget("scanned pages, beside the bare engine", "ocr.ratio", at_least=0.9),
    Budget("memory of a child that recognises", "ocr.child_peak_mb", "MB", at_most=1200),
    Budget("illustrated catalogue, beside the same calls in a bare loop", "job.ratio", at_least=0.85),
    Budget("price list of 11 SKUs a page, beside the same", "dense.ratio", at_least=0.85),
    Budget("real files to SKUs, beside pymupdf4llm to Markdown", "yardsticks.pymupdf4llm.ratio", at_least=1.5),
    Budget("first SKUs of a 2000-page document, after the upload's end", "long.first_skus_s", "s", at_most=60),
    Budget("one-page document sent in between: time to its end", "long.small_job_s", "s", at_most=30),
    Budget("memory of the largest unit process", "long.memory.largest_unit_mb", "MB", at_most=250),
    Budget("memory of the largest fork server", "long.memory.largest_fork_server_mb", "MB", at_most=250),
    Budget("memory of the largest reading child", "long.memory.largest_child_mb", "MB", at_most=400),
    Budget("growth of a unit or fork server after page 50", "long.memory.growth_after_page_50_mb", "MB", at_most=25),
    Budget("cancelled: until the last queued page has stopped", "live.cancel.ms", "ms", at_most=1000),
    Budget("commit → socket, 200 sockets, p95", "live.quiet.socket_p95_ms", "ms", at_most=300),
    Budget("commit → browser DOM, 200 sockets, p95", "live.quiet.dom_p95_ms", "ms", at_most=300),
    Budget("commit → socket, 200 sockets while a job runs, p95", "live.busy.socket_p95_ms", "ms", at_most=300),
    Budget("commit → browser DOM, 200 sockets while a job runs, p95", "live.busy.dom_p95_ms", "ms", at_most=300),
    Budget("processor a commit, 200 sockets", "live.quiet.cpu_ms_a_commit", "ms", at_most=10),
    Budget("sockets held at once that hear every commit", "live.held.hear_every_commit", at_least=2000),
    Budget("claim → visible to 200 annotators, p95", "claim.socket_p95_ms", "ms", at_most=300),
    Budget("slowest web page with 1 M pages stored, p95", "web.slowest_p95_ms", "ms", at_most=150),
    Budget("most queries of a web page", "web.most_queries", at_most=12),
    Budget(
        "search or list over 1 M products of one merchant, slowest kind, p95",
        "search.slowest_p95_ms",
        "ms",
        at_most=200,
    ),
    Budget("guard of a page of 60 lines, p95", "models.guard.p95_ms", "ms", at_most=5),
    Budget("gate of a model: breaker and both rates, p95", "models.enter.p95_ms", "ms", at_most=3),
    Budget("call of a model: kept answer looked for, budgets reserved, p95", "models.reserve.p95_ms", "ms", at_most=5),
    Budget("question to a model, beside the model itself, p95", "models.question.p95_ms", "ms", at_most=50),
    Budget("choice of a model, p95", "models.route.p95_ms", "ms", at_most=1),
    Budget("job at 60 calls a minute, beside what the limits allow", "asking.ratio", at_least=0.9),
    Budget("upload of 200 MB, beside a bare receiver of the same parts", "upload.ratio", at_least=0.6),
)


def verdicts(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Those that the report has a figure for; a part that was left out judges nothing."""
    found = []
    for budget in BUDGETS:
        value = figure(report, budget.figure)
        if value is not None:
            kept = budget.is_kept_by(value)
            found.append({"what": budget.what, "figure": budget.figure, "value": value, "unit": budget.unit,
                          "budget": budget.limit, "kept": kept})  # fmt: skip
    return found


def figure(report: Mapping[str, Any], path: str) -> float | None:
    here: Any = report
    for step in path.split("."):
        if not isinstance(here, Mapping) or step not in here:
            return None
        here = here[step]
    return here if isinstance(here, int | float) else None
