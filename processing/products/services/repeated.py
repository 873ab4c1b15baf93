"""Which pictures of a document stand there twice (TA-BR28): decided by role, and kept in their rows.

Marks - logos and decoration - count once a document, also where a copy was encoded anew; pictures that go out with
products count once a page, by their bytes alone. Nothing is taken away: a repeated picture says of which it is one.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db import connection
from django.db.models import Q

from catalogsku.core import bulk
from ingestion.models import Job
from processing.engine.alike import Look, bands, look_of, looks_same, near_bands
from processing.products.lifecycle import DELIVERABLE_ROLES, MARK_ROLES, Repeats
from processing.products.models import Image

_LOCK = 0x5C7
_COLUMNS = (
    "pk", "page__number", "image_id", "role", "content_hash", "perceptual_hash", "tones", "width_px", "height_px",
    "duplicate_of", "duplicate_reason",
)  # fmt: skip


class Standing(NamedTuple):
    """A picture where it stands; what it repeats, as its row says now."""

    pk: int
    page_number: int
    image_id: str
    role: str
    content_hash: str
    perceptual_hash: str
    tones: str
    width_px: int
    height_px: int
    first: int | None
    reason: str

    @property
    def order(self) -> tuple[int, int, str]:
        """As the document is read: ids on a page grow longer after the thousandth."""
        return self.page_number, len(self.image_id), self.image_id


Found = tuple[int | None, str]


def in_turn(job: Job) -> None:
    """Until the transaction ends nobody else decides about this document's pictures. Before a picture's row is written,
    else two of them wait for one another."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [_LOCK, str(job.pk)])


def decide(job: Job, page_ids: Sequence[int]) -> None:
    """Of the pictures of these pages and of all marks of the document, by what their rows say: so that it comes to the
    same whichever pages were recorded first. Runs in the caller's transaction, after ``in_turn``."""
    marks, deliverable = Q(role__in=sorted(MARK_ROLES)), Q(role__in=sorted(DELIVERABLE_ROLES))
    rows = Image.objects.filter(job=job).order_by()
    standing = [Standing(*row) for row in rows.filter(marks).values_list(*_COLUMNS)]
    standing += [Standing(*row) for row in rows.filter(deliverable, page__in=page_ids).values_list(*_COLUMNS)]
    found = repeats(standing)
    bulk.update_rows(
        Image,
        [
            {"id": one.pk, "duplicate_of_id": found[one.pk][0], "duplicate_reason": found[one.pk][1]}
            for one in sorted(standing)
            if found[one.pk] != (one.first, one.reason)
        ],
    )


def repeats(standing: Iterable[Standing]) -> dict[int, Found]:
    """Of each picture by its key: the key of the first of it and why, or (None, "") where it is the first itself."""
    found: dict[int, Found] = {}
    marks, by_page = _Marks(), dict[tuple[int, str], int]()
    for one in sorted(standing, key=lambda one: one.order):
        if one.role in MARK_ROLES:
            found[one.pk] = marks.first_of(one)
            continue
        first = by_page.setdefault((one.page_number, one.content_hash), one.pk) if one.content_hash else one.pk
        found[one.pk] = (None, "") if first == one.pk else (first, Repeats.SAME_FILE)
    return found


class _Marks:
    """The marks of a document so far, in its order; only those that repeat no other stand for later ones."""

    def __init__(self) -> None:
        self._by_file: dict[str, Found] = {}
        self._firsts: list[tuple[int, Look]] = []
        self._by_band: dict[int, list[int]] = {}

    def first_of(self, one: Standing) -> Found:
        if known := self._by_file.get(one.content_hash):
            return known
        look = look_of(one.perceptual_hash, one.tones, one.width_px, one.height_px)
        first = self._like(look) if look else None
        if one.content_hash:  # what is the same file as a copy looks the same as the first, too
            again = (one.pk, Repeats.SAME_FILE) if first is None else (first, Repeats.SAME_LOOK)
            self._by_file[one.content_hash] = again
        if first is not None:
            return first, Repeats.SAME_LOOK
        if look:
            for band in bands(look.bits):
                self._by_band.setdefault(band, []).append(len(self._firsts))
            self._firsts.append((one.pk, look))
        return None, ""

    def _like(self, look: Look) -> int | None:
        near = {n for band in near_bands(look.bits) for n in self._by_band.get(band, ())}
        return next((self._firsts[n][0] for n in sorted(near) if looks_same(self._firsts[n][1], look)), None)
