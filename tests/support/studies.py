"""A study that machines have worked on, without machines: its row, its records, and values as papers have them."""

from typing import Any

from catalogsku.accounts.models import Merchant
from ingestion.models import Job
from processing.models import Record, Template, TemplateVersion
from processing.studies import values
from processing.studies.kind import STUDY
from processing.studies.selectors import get_version
from processing.studies.values import Spot, Value
from tests.support.rows import make_job


def make_study(merchant: Merchant, *, version: TemplateVersion | None = None, **columns: Any) -> Job:
    """Of the shipped template ``rct`` where none is named, with the record of what it says once, and nothing found."""
    version = version or get_version(Template.objects.get(merchant=None, key="rct"))
    template = f"{version.template.key}/{version.number}"
    standing = {"status": "PARTIAL_IMPORTED", "stage": "NONE", "total_pages": 2, **columns}
    job = make_job(merchant, kind=STUDY.key, template=template, **standing)
    add_record(job, version=version)
    return job


def add_record(
    job: Job,
    *said: Value,
    repeat: str = "none",
    part: str = "",
    version: TemplateVersion | None = None,
    status: str = "REVIEW",
) -> Record:
    main = Record.objects.filter(job=job, repeat="none").first()
    version = version or main.template_version  # type: ignore[union-attr]
    columns = {"values": values.stored(said), "pages": values.pages_of(said), "status": status}
    record: Record = Record.objects.create(
        job=job, template_version=version, subject="Okoro 2021", repeat=repeat, part=part, **columns
    )
    return record


def say(record: Record, *said: Value) -> None:
    columns = {"values": values.stored(said), "pages": values.pages_of(said)}
    Record.objects.filter(pk=record.pk).update(**columns, **Record.visible_change())


def found(field: str, text: str, quote: str = "", page: int = 1, **more: Any) -> Value:
    places = (Spot(page, ((50.0, 90.0, 200.0, 101.5),)),) if quote else ()
    return Value(field, text, quote or text, page, places, "rules-1", "offered", more.pop("grade", "yellow"), **more)
