"""What is there on a day: bytes by kind and merchant, rows by table; and whether figures are what really happened."""

from collections import defaultdict
from typing import Any

from django.db import connection

from annotation.figures.models import OTHER, DayFigures
from catalogsku.core import storage
from catalogsku.core.models import PeriodicRun, Transition
from ingestion.keeping.policies import folder_of
from ingestion.models import Job, Page
from processing.models import ModelCall, TraceBundle
from tests.year import truth
from tests.year.documents import World
from tests.year.truth import LIMITED, Ledger, within

COMPARED = (
    "documents_in",
    "documents_out",
    "pages_in",
    "pages_machine",
    "pages_person",
    "pages_skipped",
    "products",
    "corrections",
    "tasks",
    "person_s",
    "cost_micro",
)


def look(world: World, day: int, failed: list[str]) -> dict[str, Any]:
    """``failed`` gets what periodic tasks raised."""
    found: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    files = 0
    for name in storage.walk(""):
        folder = folder_of(name)
        if folder is None:
            failed.append(f"no rule for {name}")
            continue
        kind, files = _kind(str(folder.kind), name, folder.pattern), files + 1
        found[kind][int(name[1 : name.index("/")])] += storage.size_of(name)
    failed += [f"{run.name}: {run.error}" for run in PeriodicRun.objects.exclude(error="")[:5]]
    everybody = {merchant.pk for merchant in world.merchants.values()}
    forgetful = {world.merchants[house.name].pk for house in truth.HOUSES if house.forgets}
    return {
        "day": day,
        "total": {
            "bytes": sum(sum(by.values()) for by in found.values()),
            "files": files,
            "rows": _rows(),
            "database_bytes": _database_bytes(),
        },
        "kinds": {kind: _against(world, day, kind, found[kind], days, everybody) for kind, days in LIMITED.items()},
        "traces": {"bytes": sum(found["traces"].values()), "rows": TraceBundle.objects.count()},
        "archives": {"bytes": sum(found["archive"].values()), "files": _archives(everybody)},
        "forgetting": _against(world, day, "results", found["results"], truth.RESULTS_DAYS, forgetful),
        "keeping": {"bytes": sum(found["results"][pk] for pk in everybody - forgetful)},
        "answers": ModelCall.objects.filter(answer__isnull=False).count(),
        "moves": Transition.objects.count(),
        "pages_of_forgetting": Page.objects.filter(job__merchant__in=forgetful).count(),
        "pages_within": within(world.ledger.made, "ingestion.page", day - truth.RESULTS_DAYS, day, forgetful),
        "documents": Job.objects.count(),
    }


def _kind(kind: str, name: str, pattern: str) -> str:
    """Pictures of whole pages lie with the others of their reading: the ledger knows them by their size."""
    if "/archive/" in name:
        return "archive"
    if pattern.endswith("????????????????/*"):
        return "pictures" if storage.size_of(name) >= 2_500 else "results"
    return kind


def _against(
    world: World, day: int, kind: str, found: dict[int, int], days: int, merchants: set[int]
) -> dict[str, float]:
    """Bytes there, beside those that came in as many days as they are kept: ``share`` of them."""
    there = sum(found[pk] for pk in merchants)
    came = within(world.ledger.bytes_in, kind, day - days, day, merchants)
    return {"bytes": there, "came_within": came, "share": round(there / came, 3) if came else 0.0}


def _archives(merchants: set[int]) -> int:
    return sum(len(storage.names_in(f"m{pk}/archive")) for pk in merchants)


def _rows() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(n_live_tup)::bigint FROM pg_stat_user_tables")
        return int(cursor.fetchone()[0])


def _database_bytes() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def of_figures(ledger: Ledger) -> dict[str, Any]:
    """Every day, merchant and category, as counted by the product beside what really happened."""
    rows = DayFigures.objects.exclude(merchant=None).exclude(category=OTHER)
    told = {(row.day, row.merchant_id, row.category): row for row in rows}
    differ = []
    for key in sorted(told.keys() | ledger.counted.keys(), key=str):
        happened, row = ledger.counted.get(key, {}), told.get(key)
        for name in COMPARED:
            said, true = float(getattr(row, name)) if row else 0.0, float(happened.get(name, 0))
            if abs(said - true) > 0.01:
                differ.append(f"{key[0]} m{key[1]} {key[2]} {name}: {said:g}, really {true:g}")
    compared = len(told.keys() | ledger.counted.keys()) * len(COMPARED)
    return {"compared": compared, "differ": len(differ), "some": differ[:10], "days": len({key[0] for key in told})}
