"""Every screen of every role, from the real web process over loopback; its statements as PostgreSQL timed them."""

import math
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from catalogsku.core.embedded import postgres
from tests.support.stack import Person, Stack
from tests.support.web_process import WebProcess

MOST_MS = 150.0
ROLES = ("uploader", "annotator", "lead", "admin")
ADDRESSES = {
    "documents": "/",
    "documents, last page": "/?page={last}",
    "documents by name": "/?q=chairs 2026",
    "documents that run": "/?show=running",
    "documents, none": "/?q=nothing-has-this-name",
    "document": "/jobs/{job}/",
    "document, live region": "/jobs/{job}/region/",
    "document, side": "/jobs/{job}/region/?part=side",
    "document that waits": "/jobs/{waiting}/",
    "results": "/jobs/{job}/results/",
    "results by name": "/jobs/{job}/results/?q=oak",
    "product": "/jobs/{job}/skus/{sku}/",
    "value with its proof": "/jobs/{job}/skus/{sku}/?field=model",
    "evaluation": "/jobs/{job}/evaluation/",
    "models of a page": "/jobs/{job}/pages/1/models/",
    "imports of a document": "/jobs/{job}/imports/",
    "edition": "/jobs/{job}/edition/",
    "export panel": "/exports/?job={job}",
    "export panel of all": "/exports/",
    "all results": "/results/",
    "all results by name": "/results/?q=oak",
    "catalogue": "/catalogue/?merchant={merchant}",
    "catalogue, search": "/catalogue/?merchant={merchant}&q=oak chair",
    "catalogue, one character": "/catalogue/?merchant={merchant}&q=o&order=price",
    "catalogue, twice": "/catalogue/?merchant={merchant}&twice=model",
    "catalogue, to check": "/catalogue/?merchant={merchant}&show=open",
    "catalogue of a document": "/catalogue/?document={job}",
    "reports": "/reports/",
    "notices": "/notices/",
    "notices, unread": "/notices/unread/",
    "imports": "/imports/",
    "tasks": "/tasks/",
    "closed tasks": "/tasks/closed/",
    "people": "/tasks/people/",
    "attributes": "/tasks/attributes/",
    "task": "/tasks/{task}/",
    "task, around": "/tasks/{task}/around/",
    "task, past": "/tasks/{task}/past/",
    "operations": "/ops/",
    "figures of today": "/ops/figures/",
    "figures of weeks": "/ops/figures/?range=weeks",
    "figures of a year": "/ops/figures/?range=year",
    "figures of a year, of a merchant": "/ops/figures/?range=year&merchant={merchant}",
    "figures as a file": "/ops/figures/figures.csv?range=year",
    "models": "/models/",
    "quality": "/quality/",
    "calibration": "/quality/calibration/",
    "keeping": "/keeping/",
    "words": "/words/",
    "webhooks": "/webhooks/",
    "password": "/password/",
    "missing": "/jobs/00000000-0000-0000-0000-000000000000/",
}
SEEN = (200, 204)
WARM_UPS = 2
_TOOK = re.compile(r"duration: ([\d.]+) ms  (?:statement|execute [^:]*|parse [^:]*|bind [^:]*): (.*)", re.DOTALL)
_LINE = "\x1e"
_GIVEN = re.compile(r"'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b")


@contextmanager
def timed(stack: Stack) -> Iterator[Path]:
    """The server writes down how long each statement takes; its log."""
    server = stack.services.postgresql if stack.services else None
    assert server is not None
    server.stop()
    with mock.patch.dict(
        postgres._SETTINGS, {"log_min_duration_statement": "0", "log_line_prefix": _LINE, "logging_collector": "off"}
    ):
        server.start()
    yield server.log


def named(stack: Stack) -> dict[str, Any]:
    """What the addresses name: of the demo merchant, the newest that has ended and the oldest that waits."""
    merchant = stack.sql("SELECT id FROM accounts_merchant WHERE name = 'Harbour Home'")[0][0]
    of = "FROM ingestion_job j WHERE j.merchant_id = %s"
    ended = stack.sql(
        f"SELECT uuid::text, id {of} AND status = 'FULL_IMPORTED' AND EXISTS (SELECT FROM processing_sku"
        " k WHERE k.job_id = j.id) ORDER BY id DESC LIMIT 1",
        merchant,
    )[0]
    waiting = stack.sql(f"SELECT uuid::text {of} AND status = 'PARTIAL_IMPORTED' ORDER BY id LIMIT 1", merchant)
    sku = stack.sql("SELECT sku_id FROM processing_sku WHERE job_id = %s ORDER BY id LIMIT 1", ended[1])[0][0]
    task = stack.sql(
        "SELECT t.uuid::text FROM annotation_humantask t JOIN ingestion_job j ON j.id = t.job_id"
        " WHERE j.merchant_id = %s AND t.status = 'CREATED' ORDER BY t.id LIMIT 1",
        merchant,
    )
    last = max(1, stack.sql(f"SELECT count(*) {of}", merchant)[0][0] // 20)
    return {
        "merchant": merchant,
        "job": ended[0],
        "waiting": waiting[0][0] if waiting else ended[0],
        "sku": sku,
        "task": task[0][0] if task else ended[0],
        "last": last,
    }


def measure(stack: Stack, turns: int) -> dict[str, Any]:
    """By screen: who may see it, milliseconds of a request, the slowest statement at its 95th of 100."""
    with timed(stack) as log, WebProcess({**stack.process_environment(), "CATALOGSKU_UNIT": "web"}) as web:
        names = named(stack)
        people = {}
        for role in ROLES:
            people[role] = Person(f"http://127.0.0.1:{web.port}")
            people[role].sign_in(role, f"demo-{role}")
        screens = {
            name: _screen(people, address.format(**names).replace(" ", "%20"), log, turns)
            for name, address in ADDRESSES.items()
        }
    shown = {name: one for name, one in screens.items() if one["roles"]}
    slowest = max(shown, key=lambda name: shown[name]["statement_p95_ms"])
    return {
        "turns": turns,
        "screens": screens,
        "slowest": slowest,
        "slowest_statement_p95_ms": shown[slowest]["statement_p95_ms"],
        "over": sorted(name for name, one in shown.items() if one["statement_p95_ms"] > MOST_MS),
        "unseen": sorted(screens.keys() - shown.keys() - {"missing"}),
        "broken": sorted(
            name for name, one in screens.items() if any(int(status) >= 500 for status in one["statuses"])
        ),
    }


def _screen(people: dict[str, Person], address: str, log: Path, turns: int) -> dict[str, Any]:
    roles, statuses, worst = [], defaultdict(int), {"statement_p95_ms": 0.0, "statement": "", "of": ""}
    asked_ms: list[float] = []
    queries = 0
    for role, person in people.items():
        status = 0
        for _ in range(WARM_UPS):
            status, _headers, _body = person.ask(address)
        statuses[str(status)] += 1
        if status not in SEEN:
            continue
        roles.append(role)
        took_ms: dict[str, list[float]] = defaultdict(list)
        for _ in range(turns):
            at = log.stat().st_size
            began_s = time.perf_counter()
            person.ask(address)
            asked_ms.append((time.perf_counter() - began_s) * 1000)
            statements = list(_statements(log, at))
            queries = max(queries, len(statements))
            for statement, ms in statements:
                took_ms[statement].append(ms)
        for statement, times in took_ms.items():
            if (p95 := percentile(times, 95)) > worst["statement_p95_ms"]:
                worst = {"statement_p95_ms": p95, "statement": statement[:300], "of": role}
    return {
        "roles": roles,
        "statuses": dict(statuses),
        "queries": queries,
        **worst,
        "p50_ms": percentile(asked_ms, 50) if asked_ms else 0.0,
        "p95_ms": percentile(asked_ms, 95) if asked_ms else 0.0,
    }


def percentile(values: list[float], share: int) -> float:
    """The smallest value that ``share`` percent of them do not exceed."""
    return round(sorted(values)[math.ceil(len(values) * share / 100) - 1], 1)


def _statements(log: Path, at: int) -> Iterator[tuple[str, float]]:
    """Each without what was given to it, so that the same one is the same in every turn."""
    with log.open("rb") as file:
        file.seek(at)
        text = file.read().decode(errors="replace")
    for entry in text.split(_LINE):
        if found := _TOOK.search(entry):
            yield _GIVEN.sub("?", " ".join(found[2].split())), float(found[1])
