"""A page of documents by name is taken from the newest on, however many have it: PostgreSQL knows how many that are."""

from typing import Any

import pytest
from django.db import connection

from ingestion import selectors
from ingestion.models import Job
from tests.support.people import People
from tests.support.rows import make_job

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-G1")]

DOCUMENTS, A_PAGE = 4000, 20


@pytest.fixture
def documents(people: People) -> None:
    """Three of four are of chairs."""
    first = make_job(people.merchant)
    kept = {name: getattr(first, name) for name in ("merchant", "profile", "schema", "routing")}
    Job.objects.bulk_create(
        Job(
            **kept,
            uploader=people.uploader,
            source_name=f"{'chairs' if n % 4 else 'lamps'} 2026 {n}.pdf",
            source_key=f"{n}.pdf",
            source_bytes=1,
            file_sha256=f"{n:064d}",
            idempotency_key=str(n),
            hash8=f"{n:08d}",
        )
        for n in range(DOCUMENTS)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE ingestion_job")


def nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for part in plan.get("Plans", []) for node in nodes(part))]


@pytest.mark.parametrize("person", ["admin", "uploader"])
def test_a_page_by_name_sorts_nothing_and_reads_no_more_than_it_shows(
    people: People, documents: None, person: str
) -> None:
    rows = selectors.list_jobs(getattr(people, person), q="chairs 2026")[:A_PAGE]
    sql, values = rows.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", values)
        found = nodes(cursor.fetchone()[0][0]["Plan"])
    assert "Sort" not in {node["Node Type"] for node in found}
    (of_jobs,) = (node for node in found if node.get("Relation Name") == "ingestion_job")
    assert of_jobs["Actual Rows"] + of_jobs.get("Rows Removed by Filter", 0) < 5 * A_PAGE, of_jobs
