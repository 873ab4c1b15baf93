"""What a page costs here: measured where this installation has enough of it, else as recorded, with where from."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from math import sqrt

from django.db import connection
from django.db.models import Count, FloatField, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from annotation.capacity.plan import ASSUMED, KINDS, MEASURED, RECORDED, Assumption
from annotation.figures.models import DayFigures
from annotation.people.dispatching import COLD_DURATION_S
from catalogsku.core import clock, storage
from ingestion.lifecycle import JobStatus
from ingestion.models import Job, Page

DAYS, DOCUMENTS_MOST = 28, 500
# Fewer say too little of a mean.
LEAST_DOCUMENTS, LEAST_PAGES, LEAST_PEOPLES_PAGES = 10, 300, 100
FOLDERS_MOST = 40
DONE_BY_MACHINES = (JobStatus.FULL_IMPORTED, JobStatus.PARTIAL_IMPORTED, JobStatus.PARTIAL_FAILED)
Z = 1.96

BENCH = "docs/bench.md, 2 cores of AMD EPYC, 26 November 2026"
CORPUS = "docs/capacity.md, 17 catalogues of 301 pages, 29 November 2026"
_RECORDED = (
    Assumption("text_s", 0.2, 0.1, 0.5, "core s a page", RECORDED, f"{CORPUS}; {BENCH} as well"),
    Assumption("scan_s", 3.0, 2.0, 9.0, "core s a page", RECORDED, f"{BENCH} (2.8); {CORPUS}"),
    Assumption("core_gb", 1.2, 0.4, 1.2, "GB a core", RECORDED, f"{BENCH}: a child that recognises, or reads"),
    Assumption("base_gb", 3.0, 2.0, 4.0, "GB", RECORDED, f"{BENCH}: units and fork servers; PostgreSQL, Redis"),
    Assumption("sources_bytes", 73_000, 44_000, 103_000, "bytes a page", RECORDED, CORPUS),
    Assumption("pictures_bytes", 157_000, 136_000, 179_000, "bytes a page", RECORDED, CORPUS),
    Assumption("traces_bytes", 22_000, 9_000, 35_000, "bytes a page", RECORDED, CORPUS),
    Assumption("results_bytes", 144_000, 69_000, 219_000, "bytes a page", RECORDED, CORPUS),
    Assumption("database_bytes", 26_000, 15_000, 60_000, "bytes a page", RECORDED, CORPUS),
    Assumption("intervention", 0.5, 0.2, 0.9, "of the pages", ASSUMED, "until people have finished 100 pages here"),
    Assumption("person_s", COLD_DURATION_S, 60, 600, "s a page", ASSUMED, "until people have finished 100 pages here"),
    Assumption("model_usd", 0.0, 0.0, 0.0, "USD a page", ASSUMED, "no call of a model has cost anything here"),
)


def known() -> dict[str, Assumption]:
    """By key, in the order in which they are shown."""
    found = {one.key: one for one in _RECORDED}
    for one in (*_machine(), *_files(), *_database(), *_work()):
        found[one.key] = one
    return found


def ratio(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """(value, low, high) of sum(y) / sum(x) over (y, x), by the spread of documents around it (Cochran 1977, 6.4)."""
    whole = sum(x for _y, x in pairs)
    value = sum(y for y, _x in pairs) / whole
    n = len(pairs)
    spread = sum((y - value * x) ** 2 for y, x in pairs) / max(1, n - 1)
    error = Z * sqrt(spread * n) / whole
    return value, max(0.0, value - error), value + error


def _measured(key: str, unit: str, pairs: Sequence[tuple[float, float]], what: str) -> Iterable[Assumption]:
    pages = sum(x for _y, x in pairs)
    if len(pairs) >= LEAST_DOCUMENTS and pages >= LEAST_PAGES:
        yield Assumption(key, *ratio(pairs), unit, MEASURED, f"{len(pairs)} {what}, {pages:.0f} pages")


def _documents() -> list[Job]:
    """The newest that machines have done with, each read wholly for itself."""
    read = Job.objects.filter(status__in=DONE_BY_MACHINES, total_pages__gt=0, machine_s__gt=0, reused_pages=0)
    return list(read.order_by("-pk")[:DOCUMENTS_MOST])


def _machine() -> Iterable[Assumption]:
    jobs = {job.pk: job for job in _documents()}
    recognised = Page.objects.filter(job__in=jobs, features__has_key="ocr_ratio").annotate(
        share=Cast(KT("features__ocr_ratio"), FloatField())
    )
    scans = dict(
        recognised.filter(share__gt=0.5).order_by().values_list("job").annotate(n=Count("pk")).values_list("job", "n")
    )
    text, scanned = [], []
    for pk, job in jobs.items():
        share = scans.get(pk, 0) / (job.total_pages or 1)
        if share == 0:
            text.append((job.machine_s, float(job.total_pages or 0)))
        elif share >= 0.9:
            scanned.append((job.machine_s, float(job.total_pages or 0)))
    yield from _measured("text_s", "core s a page", text, "documents without a scan")
    yield from _measured("scan_s", "core s a page", scanned, "documents of scans")


def _files() -> Iterable[Assumption]:
    """By what lies in the folders of the newest documents whose pictures have not gone yet."""
    since = clock.now() - timedelta(days=DAYS)
    jobs = [job for job in _documents() if job.created_at >= since][:FOLDERS_MOST]
    sizes = [(found, float(job.total_pages or 0)) for job in jobs if (found := _sizes(job))["sources"]]
    for kind in KINDS:
        pairs = [(float(found[kind]), pages) for found, pages in sizes]
        yield from _measured(f"{kind}_bytes", "bytes a page", pairs, "documents' files")


def _sizes(job: Job) -> dict[str, int]:
    sizes = dict.fromkeys(KINDS, 0)
    for name in storage.walk(job.source_key.rpartition("/")[0]):
        sizes[_kind(name)] += storage.size_of(name)
    return sizes


def _kind(name: str) -> str:
    if name.endswith(".pdf"):
        return "sources"
    if "_screen." in name:
        return "pictures"
    return "traces" if "/traces/" in name else "results"


def _database() -> Iterable[Assumption]:
    """All of it by all pages that are there: what is the same for any number of pages is little beside that."""
    pages = Page.objects.count()
    if pages >= 10 * LEAST_PAGES:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            whole = float(cursor.fetchone()[0])
        value = whole / pages
        yield Assumption("database_bytes", value, 0.8 * value, 1.2 * value, "bytes a page", MEASURED, f"{pages} pages")


def _work() -> Iterable[Assumption]:
    """From the figures of days, day by day."""
    since = clock.today() - timedelta(days=DAYS)
    rows = DayFigures.objects.filter(merchant=None, day__gte=since).order_by("day").values_list("day")
    days = rows.annotate(
        machine=Sum("pages_machine"),
        person=Sum("pages_person"),
        skipped=Sum("pages_skipped"),
        seconds=Sum("person_s"),
        micro=Sum("cost_micro"),
    )
    shares, paces, costs = [], [], []
    for _day, machine, person, skipped, seconds, micro in days:
        done = machine + person + skipped
        if done:
            shares.append((float(person), float(done)))
            costs.append((micro / 1_000_000, float(done)))
        if person:
            paces.append((seconds, float(person)))
    if sum(x for _y, x in paces) >= LEAST_PEOPLES_PAGES:
        yield from _of_days("intervention", "of the pages", shares)
        yield from _of_days("person_s", "s a page", paces)
    if sum(y for y, _x in costs) > 0 and sum(x for _y, x in costs) >= LEAST_PAGES:
        yield from _of_days("model_usd", "USD a page", costs)


def _of_days(key: str, unit: str, pairs: Sequence[tuple[float, float]]) -> Iterable[Assumption]:
    pages = sum(x for _y, x in pairs)
    yield Assumption(key, *ratio(pairs), unit, MEASURED, f"{len(pairs)} days of /ops/figures/, {pages:,.0f} pages")
