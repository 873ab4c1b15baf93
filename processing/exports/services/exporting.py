"""Exports: asked for, made by a worker into a stored file, fetched by signed links, and gone after some days.

A stored file has stable bytes: its SHA-256 is its ETag, any part of it can be fetched again, and it says exactly what
the next delta is compared with. What a web process streamed could promise none of that.
"""

import logging
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import IO, Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce, Now
from django.utils import translation
from dramatiq.middleware import Interrupt, TimeLimitExceeded

from catalogsku.accounts.models import Merchant, User
from catalogsku.core import messages, metrics, storage, work
from catalogsku.core.errors import NotFound, PermanentFailure, Refused, Unavailable
from catalogsku.core.moves import move
from catalogsku.core.presence import current_worker
from ingestion.keeping.policies import Kind
from ingestion.keeping.selectors import is_over
from ingestion.kinds import CATALOGUE
from ingestion.models import Job
from processing.exports import listed, selectors
from processing.exports.changes import ADDED, ALTERED, REMOVED, Packer, compare, unpacked
from processing.exports.columns import CHANGE, Column, Entry, Table, unarranged
from processing.exports.formats import writer_of
from processing.exports.lifecycle import EXPORT, ExportStatus
from processing.exports.models import Export, ExportLayout, Headings
from processing.exports.tables import streamed
from processing.products.models import Sku
from processing.sandboxed.sandboxes import work_folder

log = logging.getLogger(__name__)

STAGE = "MAKE"
WAITING_MAX, LAYOUTS_MAX = 10, 100
# A row without its file still says who took what; the base of the next delta stays as long as it is one.
REMEMBERED = timedelta(days=90)
FETCHED_KEPT = timedelta(hours=1)  # where the disk is full


@dataclass(frozen=True)
class Wish:
    """What somebody wants to have. ``columns``: keys in their order; empty: those of the layout, or all. ``listed``:
    the parameters of a list's address, for what it shows alone."""

    kind: str
    columns: Sequence[str] = ()
    headings: str = Headings.KEYS
    layout: ExportLayout | None = None
    with_pictures: bool = False
    is_delta: bool = False
    full_only: bool = False
    listed: str = ""


@dataclass(frozen=True)
class Contents:
    """What files of a kind of document hold. ``fields``: of a merchant, those that may be asked for, by key. ``write``:
    puts what an export asks for into the open file; gives the columns of its row that say what that was. ``wanted``:
    what a row says of the filter that was wished for; raises Refused for what files of the kind have not. ``reach``:
    the parameter of a filter that asks for them where no document is named. ``at_once``: the table of one document in a
    format, CSV or XLSX, part by part, of what a filter says. ``address``: what of a list's address filters, ``words``
    that in words, ``marked`` that behind the name of a file; ``counted``: how much a file holds, in words; ``form``:
    the template in which one asks for a file, ``screen``: name of the address where one asks for files of many
    documents."""

    fields: Callable[[int], dict[str, Column]]
    write: Callable[[Export, IO[bytes]], dict[str, Any]]
    wanted: Callable[[Merchant, Job | None, Wish], str] = lambda merchant, job, wish: listed.canonical(
        merchant, job, wish.listed
    )
    reach: str = ""
    at_once: Callable[[Job, str, str], Iterator[bytes]] = lambda job, kind, filter: streamed(
        writer_of(kind, with_pictures=False), selectors.job_table(job, listed.canonical(job.merchant, job, filter))
    )
    address: Callable[[Merchant, Job | None, str], str] = listed.canonical
    words: Callable[[int, Job | None, str], list[str]] = listed.words
    marked: Callable[[str], str] = listed.marked
    counted: Callable[[int], str] = lambda n: translation.ngettext("%(n)s SKU", "%(n)s SKUs", n) % {"n": n}
    form: str = "processing/_export_form.html"
    screen: str = "all_results"


def contents_of(job: Job | None, wanted: str = "") -> Contents:
    """Over all documents there are files of products, but where the filter is another kind's."""
    if job is not None:
        return CONTENTS[job.kind]
    others = (contents for contents in CONTENTS.values() if contents.reach)
    asked_for = (contents for contents in others if wanted.startswith(f"{contents.reach}="))
    return next(asked_for, CONTENTS[CATALOGUE.key])


def ask_for(actor: User | None, merchant: Merchant, job: Job | None, wish: Wish) -> Export:
    """A row that waits for a worker; the message goes out after the commit. ``actor``: None for an operator.

    Raises Refused, or Unavailable(disk_full).
    """
    if storage.disk_usage_ratio() >= settings.DISK_REFUSE_RATIO:
        raise Unavailable("disk_full")
    if wish.is_delta and wish.layout is None:
        raise Refused("delta_needs_layout")
    wanted = contents_of(job, wish.listed).wanted(merchant, job, wish)
    with transaction.atomic():
        Merchant.objects.select_for_update(no_key=True).get(pk=merchant.pk)  # two at once are counted one by one
        if Export.objects.filter(merchant=merchant, status=ExportStatus.WAITING).count() >= WAITING_MAX:
            raise Refused("exports_waiting", max=WAITING_MAX)
        export = Export.objects.create(
            merchant=merchant,
            job=job,
            layout=wish.layout,
            asked_by=actor,
            kind=wish.kind,
            stage=STAGE,
            columns=_columns(merchant, job, wish),
            with_pictures=wish.with_pictures,
            is_delta=wish.is_delta,
            full_only=wish.full_only,
            wanted=wanted,
            headings=wish.layout.headings if wish.layout and not wish.columns else wish.headings,
        )
        messages.send_after_commit("make_export", export.pk)
    return export


def _columns(merchant: Merchant, job: Job | None, wish: Wish) -> list[str]:
    if wish.layout is not None and not wish.columns:
        return list(wish.layout.columns)
    known = contents_of(job, wish.listed).fields(merchant.pk)
    return checked(wish.columns, known) if wish.columns else unarranged(known, one_document=job is not None)


def checked(columns: Sequence[str], known: Container[str]) -> list[str]:
    """Each once. Raises Refused."""
    if unknown := [key for key in columns if key not in known]:
        raise Refused("unknown_columns", what=", ".join(unknown)[:200])
    if not columns:
        raise Refused("no_columns")
    return list(dict.fromkeys(columns))


# --- layouts -------------------------------------------------------------------------------------


def save_layout(actor: User, merchant: Merchant, name: str, columns: Sequence[str], headings: str) -> ExportLayout:
    """The merchant's layout of that name, new or put differently. Raises Refused."""
    name = " ".join(name.split())
    if not 0 < len(name) <= 60:
        raise Refused("layout_name")
    values = {
        "columns": checked(columns, selectors.known_columns(merchant.pk)),
        "headings": headings,
        "saved_by": actor,
    }
    own = ExportLayout.objects.filter(merchant=merchant)
    if own.count() >= LAYOUTS_MAX and not own.filter(name=name).exists():
        raise Refused("too_many_layouts", max=LAYOUTS_MAX)
    return ExportLayout.objects.update_or_create(merchant=merchant, name=name, defaults=values)[0]


def delete_layout(layout: ExportLayout) -> None:
    """Exports made with it stay; nothing is compared with them any more."""
    layout.delete()


# --- making --------------------------------------------------------------------------------------


@dataclass
class _Tally:
    """What went into the file, counted as it went by."""

    packer: Packer = field(default_factory=Packer)
    skus: int = 0
    changes: Counter[str] = field(default_factory=Counter)


def make_export(pk: int) -> None:
    """Claim, write, record; nothing where another worker has it or it is done."""
    claims = work.claim(Export.objects.filter(pk=pk, status=ExportStatus.WAITING), STAGE, current_worker())
    with work.holding(claims):
        for claim in claims:
            _make(claim)


def _make(claim: work.Claim) -> None:
    export = Export.objects.defer("held").select_related("merchant", "job").get(pk=claim.id)
    try:
        with metrics.EXPORT_SECONDS.labels(export.kind).time():
            _write_and_record(claim, export)
    except (PermanentFailure, Refused, NotFound) as reason:
        _record(claim, ExportStatus.FAILED, code=reason.code)
    except TimeLimitExceeded:
        _record(claim, ExportStatus.FAILED, code="took_too_long")
    except Interrupt:
        work.release(Export, [claim])
        raise
    except Exception as error:
        log.exception("export failed", extra={"export": str(export.uuid)})
        _put_back(claim, error)


def _put_back(claim: work.Claim, error: Exception) -> None:
    with work.recording(Export, claim) as row:
        goes_on = row is None or work.put_back_after_failure(
            row, {"code": "internal_error", "error": repr(error)[:500]}
        )
    if not goes_on:
        end_failed([claim.id], "internal_error")


def _write_and_record(claim: work.Claim, export: Export) -> None:
    with work_folder() as folder:
        path = folder / "export"
        with path.open("wb") as out:
            written = contents_of(export.job, export.wanted).write(export, out)
        key = f"m{export.merchant_id}/exports/{export.uuid}.{export.kind}"
        made = {"storage_key": key, "sha256": storage.sha256_of(path), "size_bytes": path.stat().st_size}
        storage.delete_file(key)  # of a worker that was lost between storing and recording
        storage.put_file(key, path)
    _record(claim, ExportStatus.DONE, **made, **written)


def _write_skus(export: Export, out: IO[bytes]) -> dict[str, Any]:
    tally, base = _Tally(), selectors.base_of(export) if export.is_delta else None
    for _ in writer_of(export.kind, with_pictures=export.with_pictures)(out, _table(export, base, tally)):
        pass
    counted = {"added": tally.changes[ADDED], "altered": tally.changes[ALTERED], "removed": tally.changes[REMOVED]}
    return {"skus": tally.skus, **counted, "base": base.pk if base else None, "held": tally.packer.packed()}


# By kind; an app that brings one enters its own as it is ready.
CONTENTS = {CATALOGUE.key: Contents(selectors.known_columns, _write_skus)}


def _table(export: Export, base: Export | None, tally: _Tally) -> Table:
    columns = selectors.chosen_columns(selectors.known_columns(export.merchant_id), export.columns)
    if export.is_delta:
        columns = [CHANGE, *columns]
    with translation.override(export.headings if export.headings != Headings.KEYS else Headings.ENGLISH):
        words = listed.words(export.merchant_id, export.job, export.wanted)
    return Table(columns, _entries(export, base, tally), export.headings, export.wanted, words)


def _entries(export: Export, base: Export | None, tally: _Tally) -> Iterator[Entry]:
    """All SKUs, or of a delta those that differ."""
    before = unpacked(bytes(base.held)) if base is not None and base.held is not None else ()
    rows = selectors.iterate(_rows(export))
    for sku_id, change, sku in compare(before, ((sku.sku_id, sku.pk, sku) for sku in rows)):
        if sku is not None:
            tally.packer.add(sku_id, sku.pk)
        if export.is_delta and not change:
            continue
        tally.skus += sku is not None
        if export.is_delta:
            tally.changes[change] += 1
        yield Entry(sku_id, sku, change)


def _rows(export: Export) -> QuerySet[Sku]:
    rows = selectors.exported_skus(export.merchant_id, export.job, full_only=export.full_only)
    return listed.only_listed(rows, export.merchant_id, export.job, export.wanted)


def _record(claim: work.Claim, to: ExportStatus, **columns: Any) -> None:
    with work.recording(Export, claim) as row:
        if row is not None:
            _move([claim.id], to, **columns)


def end_failed(ids: Sequence[int], code: str) -> None:
    with transaction.atomic():
        _move(ids, ExportStatus.FAILED, code=code)


def _move(ids: Sequence[int], to: ExportStatus, **columns: Any) -> None:
    trigger = "made" if to == ExportStatus.DONE else "failed"
    changes = {**work.RECORDED, "stage": "NONE", "ended_at": RawSQL("now()", ()), **columns}
    rows = Export.objects.filter(pk__in=ids)
    for kind in rows.values_list("kind", flat=True):
        metrics.after_commit(metrics.EXPORTS, kind=kind, outcome=columns.get("code") or "made")
    move(EXPORT, rows, to=to, trigger=trigger, changes=changes)


# --- time -----------------------------------------------------------------------------------------


def sweep_exports() -> dict[str, int]:
    """Those whose worker died are free again, those that lost their message get another; what loses every worker it
    gets is given up."""
    reaped = work.reap(Export)
    if reaped.buried:
        end_failed(reaped.buried, "internal_error")
    waiting = work.waiting(Export.objects.filter(status=ExportStatus.WAITING, stage=STAGE))
    ids = list(waiting.order_by("pk").values_list("pk", flat=True)[:100])
    Export.objects.filter(pk__in=ids).update(dispatched_at=Now())
    return {"freed": len(reaped.freed), "sent": sum(messages.send("make_export", pk) for pk in ids)}


def clean_exports() -> dict[str, int]:
    """Files whose merchant's days are over go, and what is remembered of them after 90 days, but for bases of
    deltas."""
    gone = _expire(Export.objects.filter(is_over(Kind.EXPORTS, "ended_at", "merchant")))
    newer = Export.objects.annotate(reach=Coalesce("job_id", 0)).filter(
        reach=Coalesce(OuterRef("job_id"), 0),
        layout=OuterRef("layout"),
        full_only=OuterRef("full_only"),
        wanted=OuterRef("wanted"),
        fetched_at__isnull=False,
        pk__gt=OuterRef("pk"),
    )
    is_base = Q(layout__isnull=False, fetched_at__isnull=False) & ~Exists(newer)
    forgotten = (
        Export.objects.filter(ended_at__lt=Now() - REMEMBERED).exclude(status=ExportStatus.DONE).exclude(is_base)
    )
    return {"files": gone, "forgotten": forgotten.delete()[0]}


def clear_fetched() -> int:
    """Files that somebody has fetched, an hour after they were made: for room, and made again by asking."""
    return _expire(Export.objects.filter(fetched_at__isnull=False, ended_at__lt=Now() - FETCHED_KEPT))


def _expire(rows: "QuerySet[Export, Export]") -> int:
    gone = 0
    for pk, key in list(rows.filter(status=ExportStatus.DONE).values_list("pk", "storage_key")):
        storage.delete_file(key)
        with transaction.atomic():
            gone += len(move(EXPORT, Export.objects.filter(pk=pk), to=ExportStatus.EXPIRED, trigger="expired"))
    return gone
