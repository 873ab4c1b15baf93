"""Which pictures of a document stand there twice (TA-BR28): decided by role, and kept in their rows.

Marks - logos and decoration - count once a document, also where a copy was encoded anew; pictures that go out with
products count once a page, by their bytes alone. Nothing is taken away: a repeated picture says of which it is one.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from django.db import connection, transaction
from django.db.models.functions import Length

from ingestion.models import Job, Page
from processing.engine.alike import Look, bands, look_of, looks_same, near_bands
from processing.products.lifecycle import DELIVERABLE_ROLES, MARK_ROLES, Repeats
from processing.products.models import Image

_LOCK = 0x5C7
# As a document is read: ids on a page grow longer after the thousandth.
_ORDER = ("page__number", Length("image_id"), "image_id")
# A file that stands there a hundred times comes once, and only rows that say otherwise are written. ``f``: what each
# picture should say, its own id where it is the first.
_WRITE = """UPDATE processing_image AS i
    SET duplicate_of_id = NULLIF(f.first, i.id), duplicate_reason = CASE f.first WHEN i.id THEN '' ELSE f.reason END
    FROM {found} WHERE {same} AND (i.duplicate_of_id IS DISTINCT FROM NULLIF(f.first, i.id)
    OR i.duplicate_reason <> CASE f.first WHEN i.id THEN '' ELSE f.reason END)"""
_WRITE_MARKS = _WRITE.format(
    found="json_to_recordset(%s) AS f(file text, first bigint, reason text)",
    same="i.job_id = %s AND i.role = ANY(%s) AND i.content_hash = f.file",
)
_WRITE_DELIVERABLE = _WRITE.format(
    found="""(SELECT id, %s AS reason, first_value(id) OVER (
        PARTITION BY page_id, content_hash, CASE content_hash WHEN '' THEN id END ORDER BY length(image_id), image_id
    ) AS first FROM processing_image WHERE page_id = ANY(%s) AND role = ANY(%s)) AS f""",
    same="i.id = f.id",
)


class MarkFile(NamedTuple):
    """A file that is a mark of the document, with the first place where it stands."""

    pk: int
    content_hash: str
    perceptual_hash: str
    tones: str
    width_px: int
    height_px: int


def in_turn(job: Job) -> None:
    """Until the transaction ends nobody else decides about this document's pictures. Before a picture's row is written,
    else two of them wait for one another."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [_LOCK, str(job.pk)])


def decide(job: Job, page_ids: Sequence[int]) -> None:
    """Of the pictures of these pages and of all marks of the document, by what their rows say: so that it comes to the
    same whichever pages were recorded first. Runs in the caller's transaction, after ``in_turn``."""
    marks, deliverable = sorted(MARK_ROLES), sorted(DELIVERABLE_ROLES)
    rows = Image.objects.filter(job=job, role__in=marks).exclude(content_hash="")
    rows = rows.order_by("content_hash", *_ORDER).distinct("content_hash")
    found = rows.values_list(*MarkFile._fields, "page__number", "image_id")
    files = [MarkFile(*row[:-2]) for row in sorted(found, key=_place)]
    with connection.cursor() as cursor:
        if files:
            cursor.execute(_WRITE_MARKS, [msgspec.json.encode(firsts(files)).decode(), job.pk, marks])
        cursor.execute(_WRITE_DELIVERABLE, [Repeats.SAME_FILE.value, list(page_ids), deliverable])


def decide_anew(job: Job) -> int:
    """Of all pictures of a document; how many of them repeat others."""
    with transaction.atomic():
        in_turn(job)
        decide(job, list(Page.objects.filter(job=job).values_list("pk", flat=True)))
    return Image.objects.filter(job=job, duplicate_of__isnull=False).count()


def _place(row: tuple[Any, ...]) -> tuple[int, int, str]:
    return row[-2], len(row[-1]), row[-1]


def firsts(files: Iterable[MarkFile]) -> list[dict[str, Any]]:
    """Of each file, in the document's order, the key of the first of that picture, and how the others know it."""
    found: list[dict[str, Any]] = []
    looks = _Looks()
    for one in files:
        look = look_of(one.perceptual_hash, one.tones, one.width_px, one.height_px)
        first = looks.like(look) if look else None
        reason = Repeats.SAME_FILE if first is None else Repeats.SAME_LOOK
        found.append({"file": one.content_hash, "first": first or one.pk, "reason": reason.value})
        if look and first is None:
            looks.add(one.pk, look)
    return found


class _Looks:
    """The marks so far that repeat no other: only they stand for later ones."""

    def __init__(self) -> None:
        self._known: list[tuple[int, Look]] = []
        self._by_band: dict[int, list[int]] = {}

    def add(self, pk: int, look: Look) -> None:
        for band in bands(look.bits):
            self._by_band.setdefault(band, []).append(len(self._known))
        self._known.append((pk, look))

    def like(self, look: Look) -> int | None:
        near = {n for band in near_bands(look.bits) for n in self._by_band.get(band, ())}
        return next((self._known[n][0] for n in sorted(near) if looks_same(self._known[n][1], look)), None)
