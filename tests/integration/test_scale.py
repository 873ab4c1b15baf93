"""A large database: every statement of a web page, a sweep, a claim, a settlement or the hub goes by an index.

The statements are those that the code sends while it runs; each is explained before it is executed. 150 documents of
2000 pages are enough for PostgreSQL to plan as for a million pages, which DOCUMENTS=500 stores.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.tasks.services import settle as settle_pages
from annotation.tasks.services import tasks
from catalogsku.accounts.models import Role
from catalogsku.core import periodic, presence, work
from catalogsku.core.embedded import Running
from catalogsku.core.models import Worker
from ingestion import job_page
from ingestion.events import JobEvents
from ingestion.hub import Topic
from ingestion.lifecycle import PageStage
from ingestion.models import Job, Page
from ingestion.services import dispatch, jobs, settle, sweep, turns
from processing.exports import result_file
from processing.exports import selectors as export_selectors
from processing.exports.tables import streamed, write_csv
from processing.imports.services import compensating, ledger, reconciling
from processing.models import ImportRecord, Sku, WebhookEndpoint
from processing.webhooks.services import endpoints, outbox, sending
from tests.bench import million
from tests.bench.web import ADDRESSES, MERCHANT, places, signed_in

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

DOCUMENTS, PAGES = int(os.environ.get("DOCUMENTS", "150")), million.PAGES_EACH
# A statement about one document looks at each of its pages, and at nothing else.
MOST_ROWS = PAGES + 500
# One page of the list of documents looks at the pages of its 20 documents.
MOST_ROWS_OF_A_LIST = 20 * PAGES + 500
# A page of the catalogue counts up to 10,000 hits and walks 3,000 entries, of 48,000; for `twice` an index alone is
# read, as far as it takes to find a page of groups.
MOST_ROWS_OF_A_CATALOGUE = 15_000
MOST_QUERIES = 13  # the thirteenth is of the list of documents alone: by which templates papers may be read
GROWING_FROM_ROWS = 10_000


@dataclass
class Statement:
    sql: str
    plan: dict[str, Any]

    def nodes(self) -> Iterator[dict[str, Any]]:
        waiting = [self.plan]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.get("Plans", [])


@dataclass
class Explained:
    """Explains each statement in a savepoint before Django executes it."""

    statements: list[Statement] = field(default_factory=list)

    def __call__(self, execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        text = str(sql)
        if not many and text.lstrip().upper().startswith(("SELECT", "UPDATE", "INSERT", "DELETE", "WITH")):
            self.statements.append(Statement(text, self._plan(text, params)))
        return execute(sql, params, many, context)

    def _plan(self, sql: str, params: Any) -> dict[str, Any]:
        raw: psycopg.Connection[Any] = connection.connection
        try:
            with raw.transaction(force_rollback=True):
                row = raw.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", params or None).fetchone()
        except psycopg.errors.UniqueViolation:  # the statement itself meets it, and its caller knows what it means
            return {"Node Type": "Result", "Plan Rows": 0}
        assert row is not None
        found = row[0] if isinstance(row[0], list) else json.loads(row[0])
        return dict(found[0]["Plan"])

    def faults(self, growing: set[str], most_rows: int) -> list[str]:
        return [
            f"{fault}: {statement.sql[:1500]}"
            for statement in self.statements
            for node in statement.nodes()
            if (fault := fault_of(node, growing, most_rows))
        ]


def fault_of(node: dict[str, Any], growing: set[str], most_rows: int) -> str:
    """What is wrong with this step of a plan: a table that grows is read as a whole, or too much of it."""
    table = node.get("Relation Name")
    if table not in growing:
        return ""
    looked_at = (
        node["Actual Rows"] + node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
    ) * node["Actual Loops"]
    if node["Node Type"] == "Seq Scan":
        return f"{table} is read as a whole"
    if looked_at > most_rows:
        return f"{looked_at:.0f} rows of {table} looked at by {node['Node Type']} {node.get('Index Name', '')}"
    return ""


# --- the database --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large_database(services: Running, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """A copy of the empty test database, filled once; the name of it."""
    with django_db_blocker.unblock():
        own, large = connection.settings_dict["NAME"], f"{connection.settings_dict['NAME']}_large"
        connection.close()
        _administer(f"DROP DATABASE IF EXISTS {large}", f"CREATE DATABASE {large} TEMPLATE {own}")
        with _using(large):
            million.fill(DOCUMENTS, catalogued=(int(MERCHANT.split()[-1]),))
        yield large
        _administer(f"DROP DATABASE {large} WITH (FORCE)")


@contextmanager
def _using(name: str) -> Iterator[None]:
    own = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    presence._current = None
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own
        presence._current = None


def _administer(*statements: str) -> None:
    """As Django makes its test databases: from a connection to none of them."""
    with connection._nodb_cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@dataclass
class Large:
    """What is in the filled database, and who looks at it."""

    growing: set[str]
    ended: Job
    waiting: Job
    running: Job
    named: dict[str, Any]
    clients: dict[str, Client]

    def get(self, address: str, user: str = "admin", **headers: str) -> Any:
        answer = self.clients[user].get(address, headers=headers)
        assert answer.status_code == 200, (answer.status_code, answer.content[:500])
        return answer

    def post(self, address: str, user: str = "lead") -> None:
        assert self.clients[user].post(address).status_code == 302

    def picture(self, address: str) -> None:
        """The row is there, its file is not."""
        assert self.clients["lead"].get(address.format(**self.named)).status_code == 404


@pytest.fixture
def large(large_database: str, django_db_blocker: Any) -> Iterator[Large]:
    """The filled database; what a test writes there is undone."""
    with django_db_blocker.unblock(), _using(large_database):
        with connection.cursor() as cursor:
            cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > %s", [GROWING_FROM_ROWS])
            growing = {name for (name,) in cursor.fetchall()}
        named = places()
        jobs_named = [Job.objects.get(uuid=named[name]) for name in ("ended", "waiting", "running")]
        yield Large(growing, *jobs_named, named, {"admin": signed_in(Role.ADMIN), "lead": signed_in(Role.LEAD)})
        Worker.objects.all().delete()
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_session")


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


# --- what is looked at ---------------------------------------------------------------------------

Do = Callable[[Large], object]


def get(address: str, user: str = "admin", **headers: str) -> Do:
    return lambda large: large.get(address.format(**large.named), user, **headers)


def post(address: str) -> Do:
    return lambda large: large.post(address.format(**large.named))


LISTS = ("documents", "all results")
PAGES_LOOKED_AT = {
    **{name: get(address) for name, address in ADDRESSES.items()},
    "documents of one merchant": get("/", "lead"),
    "documents, fresh rows": get("/", **{"x-fragment": "rows"}),
    "job of one merchant": get("/jobs/{running}/", "lead"),
    "page picture": lambda large: large.picture("/jobs/{ended}/pages/77/image"),
    "admin, documents": get("/admin/ingestion/job/"),
}
ORDERS = {"cancel": post("/jobs/{running}/cancel/"), "rerun": post("/jobs/{ended}/pages/9/rerun/")}


def most_rows_of(name: str) -> int:
    if name.startswith("catalogue"):
        return MOST_ROWS_OF_A_CATALOGUE
    return MOST_ROWS_OF_A_LIST if name.startswith(LISTS) else MOST_ROWS


def claim_pages(large: Large) -> None:
    waiting = Page.objects.filter(job=large.running, stage=PageStage.READ).order_by("number").values_list("pk")[:8]
    ids = [pk for (pk,) in waiting]
    claims = work.claim(dispatch.active_pages().filter(pk__in=ids), PageStage.READ, presence.current_worker())
    assert len(claims) == 8
    with work.recording(Page, claims[0]) as page:
        assert page is not None
    work.release(Page, claims)


def reap_a_dead_worker(large: Large) -> None:
    dead = Worker.objects.create(unit="cpu", host="away", pid=1, threads=2)
    Page.objects.filter(job=large.running, number__in=range(1500, 1516)).update(worker=dead.pk, claim_token=1)
    Worker.objects.filter(pk=dead.pk).delete()
    assert sweep.free_dead_claims() > 0


def deliver(large: Large) -> None:
    page = Page.objects.get(job=large.ended, number=77)
    ImportRecord.objects.filter(page=page).update(state="PENDING")
    assert ledger.deliver(ImportRecord.objects.filter(page=page), presence.current_worker()) == 1


def take_back(large: Large) -> None:
    skus = list(Sku.objects.filter(page__job=large.ended, page__number=77, superseded=False))
    assert compensating.remove(large.ended, skus) == len(skus)
    compensating.remove_gone(large.ended, [skus[0].page_id])


def with_a_worker(do: Do) -> Do:
    def run(large: Large) -> None:
        Worker.objects.create(unit="cpu", host="here", pid=2, threads=2)
        do(large)

    return run


def receiver() -> int:
    """Its secret cannot be read, so nothing leaves."""
    pk: int = WebhookEndpoint.objects.get(url=million.RECEIVER).pk
    return pk


WORKS: dict[str, tuple[Do, int]] = {
    "claim, record, release": (claim_pages, MOST_ROWS),
    "claim a job": (lambda large: work.claim(dispatch.active_jobs(), "EVALUATE", presence.current_worker()), MOST_ROWS),
    "reap": (reap_a_dead_worker, MOST_ROWS),
    "forgotten claims": (lambda large: work.free_forgotten(presence.current_worker()), 100),
    "dispatch": (with_a_worker(lambda large: dispatch.dispatch_job(large.running.pk)), MOST_ROWS),
    "a turn": (with_a_worker(lambda large: turns.next_turn("cpu")), 2 * MOST_ROWS),
    "units with work": (lambda large: turns.units_with_work(), MOST_ROWS),
    "settle a page": (
        lambda large: settle_pages.settle_pages([Page.objects.get(job=large.waiting, number=41).pk]),
        100,
    ),
    "settle a job": (lambda large: settle.settle_job(large.running.pk), MOST_ROWS),
    "unsettled jobs": (lambda large: settle.unsettled_jobs(), 11 * PAGES),
    "unsettled pages": (lambda large: settle_pages.unsettled_pages(), 11 * PAGES),
    "progress": (with_a_worker(lambda large: sweep.watch_progress()), MOST_ROWS),
    "open tasks": (lambda large: settle_pages.settle_pages_of_job(large.waiting.pk), MOST_ROWS),
    "close tasks": (lambda large: tasks.close_tasks(large.waiting.pk), MOST_ROWS),
    "deliver": (deliver, 100),
    "due imports": (lambda large: ledger.due_pages(), MOST_ROWS),
    "unknown imports": (lambda large: reconciling.settle_unknown(), MOST_ROWS),
    "imports that failed for a day": (lambda large: reconciling.give_up_stale(), MOST_ROWS),
    "events of webhooks": (lambda large: outbox.write_deliveries(), MOST_ROWS),
    "a receiver's events": (lambda large: sending.send_webhooks(receiver()), MOST_ROWS),
    "old events of webhooks": (lambda large: endpoints.tidy_up(), MOST_ROWS),
    "assumed imports": (lambda large: reconciling.confirm_assumed(), MOST_ROWS),
    "taking back": (take_back, 100),
    "cancel": (lambda large: jobs.cancel_job(large.running, "lead"), MOST_ROWS),
    "result.json": (lambda large: all(result_file.stream(large.ended)), MOST_ROWS),
    "CSV": (lambda large: all(streamed(write_csv, export_selectors.job_table(large.ended))), MOST_ROWS),
    "live changes": (lambda large: job_page.changes(large.running.pk, page_ids(large)), MOST_ROWS),
}


def page_ids(large: Large) -> list[int]:
    return list(Page.objects.filter(job=large.running, number__lte=30).values_list("pk", flat=True))


def faults_of(large: Large, do: Do, most_rows: int) -> list[str]:
    explained = Explained()
    with undone(), connection.execute_wrapper(explained):
        do(large)
    assert explained.statements
    return explained.faults(large.growing, most_rows)


@pytest.mark.req("TA-G1")
@pytest.mark.parametrize("name", [*PAGES_LOOKED_AT, *ORDERS])
def test_every_statement_of_a_web_page_goes_by_an_index(large: Large, name: str) -> None:
    assert faults_of(large, {**PAGES_LOOKED_AT, **ORDERS}[name], most_rows_of(name)) == []


@pytest.mark.req("TA-G1")
@pytest.mark.parametrize("name", ["catalogue", "catalogue, one character", "catalogue, to check", "catalogue, twice"])
def test_the_counts_of_a_catalogue_look_at_no_product_that_has_gone_out(large: Large, name: str) -> None:
    """Each of up to 10,000 hits is looked for in the index of the others, and of entries alone an index is read."""
    explained = Explained()
    with undone(), connection.execute_wrapper(explained):
        PAGES_LOOKED_AT[name](large)
    (counts,) = (one for one in explained.statements if "count(*) FILTER" in one.sql)
    nodes = list(counts.nodes())
    assert {one["Index Name"] for one in nodes if one.get("Relation Name") == "processing_sku"} == {"skus_undelivered"}
    if name != "catalogue, one character":
        entries = [one for one in nodes if one.get("Relation Name") == "processing_catalogueentry"]
        assert [(one["Node Type"], one["Index Name"]) for one in entries] == [("Index Only Scan", "entries_newest")]


@pytest.mark.req("TA-G1")
@pytest.mark.parametrize("name", WORKS)
def test_every_statement_of_a_worker_goes_by_an_index(large: Large, name: str) -> None:
    assert faults_of(large, *WORKS[name]) == []


@pytest.mark.req("TA-G1")
def test_every_sweep_goes_by_an_index(large: Large) -> None:
    assert set(periodic.SWEEPS) >= {"jobs", "pages", "imports"}
    for entry in periodic.SWEEPS.values():
        explained = Explained()
        with undone(), connection.execute_wrapper(explained):
            Worker.objects.create(unit="cpu", host="here", pid=2, threads=2)
            entry.run()
        assert explained.faults(large.growing, 11 * PAGES) == [], entry.name


@pytest.mark.req("TA-PROG")
def test_the_hub_reads_only_what_has_changed(large: Large) -> None:
    """In its own transaction, as it runs: it sets the isolation of it."""
    topic = Topic(JobEvents(large.running.pk))
    topic._read()
    Page.objects.filter(job=large.running, number=1900).update(**Page.visible_change())
    explained = Explained()
    with connection.execute_wrapper(explained):
        assert len(topic._read()) == 1
    assert explained.faults(large.growing, 50) == []


@pytest.mark.req("TA-G1")
@pytest.mark.parametrize("name", PAGES_LOOKED_AT)
def test_a_web_page_needs_few_queries(large: Large, name: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        PAGES_LOOKED_AT[name](large)
    assert 0 < len(queries) <= MOST_QUERIES, "\n".join(query["sql"][:200] for query in queries)


@pytest.mark.req("TA-G1")
def test_a_table_read_as_a_whole_is_found_out(large: Large) -> None:
    explained = Explained()
    with connection.execute_wrapper(explained):
        Page.objects.filter(width_pt=1).count()
        list(Page.objects.filter(number=5)[:1])
    faults = explained.faults(large.growing, MOST_ROWS)
    assert len(faults) >= 1 and "ingestion_page" in faults[0]
