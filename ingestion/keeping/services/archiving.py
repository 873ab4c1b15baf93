"""The log of what became of a document, once its days are over: into a Parquet file beside the exports, then out of the
database. The file goes with its document, and knows people by number, so that nobody has to be taken out of it."""

import json
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from catalogsku.accounts.models import User
from catalogsku.core import parquet, storage
from catalogsku.core.models import Transition
from catalogsku.core.parquet import As
from ingestion.keeping import selectors
from ingestion.keeping.policies import Kind
from ingestion.keeping.services.forgetting import person_called
from ingestion.models import Job
from ingestion.services.jobs import locked_with_files

AT_ONCE = 50
COLUMNS = (
    ("id", As.NUMBER), ("at", As.TIME), ("entity", As.TEXT), ("entity_id", As.NUMBER), ("job", As.TEXT),
    ("source", As.TEXT), ("target", As.TEXT), ("trigger", As.TEXT), ("actor", As.TEXT), ("reason", As.JSON),
)  # fmt: skip
_READ = ("id", "at", "entity", "entity_id", "source", "target", "trigger", "actor", "reason")


def archive_logs(within_s: float) -> int:
    """Until none is over or so many seconds have passed; how many documents. Safe at any time, and to repeat."""
    ends_at, archived = time.monotonic() + within_s, 0
    while time.monotonic() < ends_at and (due := list(_due().order_by("pk").values_list("pk", flat=True)[:AT_ONCE])):
        for pk in due:
            if time.monotonic() > ends_at:
                break
            archived += _archive(pk)
    return archived


def _due() -> QuerySet[Job]:
    written = Transition.objects.filter(job_id=OuterRef("pk"))
    return selectors.at_rest().filter(selectors.is_over(Kind.AUDIT, "ended", "merchant")).filter(Exists(written))


@transaction.atomic
def _archive(pk: int) -> bool:
    """The file is there before the rows go; cut off in between, the next round writes the same one."""
    job = locked_with_files(pk)
    if job is None or not _due().filter(pk=pk).exists():
        return False
    rows = Transition.objects.filter(job_id=pk)
    last = rows.order_by("-pk").values_list("pk", flat=True)[0]
    with tempfile.NamedTemporaryFile() as file:
        parquet.write(file, COLUMNS, _told(job, rows.filter(pk__lte=last)))
        file.flush()
        storage.put_file(f"{folder_of(job)}/{job.uuid}-{last}.parquet", Path(file.name))
    rows.filter(pk__lte=last).delete()
    return True


def folder_of(job: Job) -> str:
    return f"m{job.merchant_id}/archive"


def archives_of(job: Job) -> list[str]:
    """Names in storage, the earliest first."""
    folder = folder_of(job)
    own = (name for name in storage.names_in(folder) if name.startswith(str(job.uuid)))
    return sorted((f"{folder}/{name}" for name in own), key=lambda name: (len(name), name))


def _told(job: Job, rows: "QuerySet[Transition, Any]") -> Iterator[tuple[Any, ...]]:
    address, numbers = str(job.uuid), _numbers()
    for pk, at, entity, entity_id, source, target, trigger, actor, reason in (
        rows.order_by("pk").values_list(*_READ).iterator(2000)
    ):
        who, why = numbers.get(actor, actor), json.dumps(_without_names(reason, numbers), ensure_ascii=False)
        yield pk, _microseconds(at), entity, entity_id, address, source, target, trigger, who, why


def _numbers() -> dict[str, str]:
    """What people are called, and their user names, to what stands for them."""
    known = User.objects.values_list("pk", "username", "display_name")
    return {name: person_called(pk) for pk, *names in known for name in names if name and name != "system"}


def _without_names(value: Any, numbers: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _without_names(inner, numbers) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_names(inner, numbers) for inner in value]
    return numbers.get(value, value) if isinstance(value, str) else value


def _microseconds(at: datetime) -> int:
    return round(at.timestamp() * 1_000_000)
