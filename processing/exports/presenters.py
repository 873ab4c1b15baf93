"""How exports stand, as the panel and programs are told."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from catalogsku.accounts.models import Merchant, User
from ingestion.models import Job
from processing.exports import selectors
from processing.exports.columns import Column, unarranged
from processing.exports.lifecycle import ExportStatus
from processing.exports.models import Export, ExportKind, ExportLayout, Headings
from processing.exports.services import signed_links
from processing.exports.services.exporting import contents_of
from processing.problems import sentence

SHOWN = 8
MERCHANTS_MAX = 200
_LOOKS = {
    ExportStatus.WAITING: ("running", "acc"),
    ExportStatus.DONE: ("check", "done"),
    ExportStatus.FAILED: ("flag", "fault"),
    ExportStatus.EXPIRED: ("history", "ink2"),
}


@dataclass(frozen=True)
class ExportRow:
    """``url``: signed, for whoever looks at it; empty unless the file is there. ``wanted``: its filter in words."""

    id: UUID
    name: str
    icon: str
    tone: str
    word: str
    url: str
    why: str
    changes: str
    skus: int
    size_bytes: int
    asked_by: str
    created_at: datetime
    is_open: bool
    wanted: str = ""
    counted: str = ""


def export_row(export: Export, user: User) -> ExportRow:
    icon, tone = _LOOKS[ExportStatus(export.status)]
    contents = contents_of(export.job, export.wanted)
    is_done = export.status == ExportStatus.DONE
    counts = {"added": export.added, "changed": export.altered, "removed": export.removed}
    running = export.status == ExportStatus.WAITING and export.worker is not None
    return ExportRow(
        id=export.uuid,
        name=signed_links.file_name(export),
        icon=icon,
        tone=tone,
        word=_("Being made") if running else export.get_status_display(),
        url=signed_links.link_to(export, user).url if is_done else "",
        why=sentence(export.code) if export.code else "",
        changes=_("%(added)d added, %(changed)d changed, %(removed)d removed") % counts
        if export.is_delta and is_done
        else "",
        skus=export.skus,
        size_bytes=export.size_bytes,
        asked_by=str(export.asked_by or ""),
        created_at=export.created_at,
        is_open=export.status == ExportStatus.WAITING,
        wanted=", ".join(contents.words(export.merchant_id, export.job, export.wanted)),
        counted=contents.counted(export.skus),
    )


def recent_context(user: User, merchant: Merchant, job: Job | None) -> dict[str, Any]:
    """``every_s``: how soon to look again; links are renewed long before they end."""
    exports = selectors.list_exports(user, merchant, job).select_related("merchant", "job")[:SHOWN]
    rows = [export_row(export, user) for export in exports]
    is_open = any(row.is_open for row in rows)
    return {
        "exports": rows,
        "every_s": 2 if is_open else signed_links.GOOD_FOR_S * 4 // 5,
        "merchant": merchant,
        "job_id": job.uuid if job else "",
    }


@dataclass(frozen=True)
class Choice:
    key: str
    label: Any
    picked: bool


def panel_context(
    user: User, merchant: Merchant, job: Job | None, layout: ExportLayout | None, wanted: str = ""
) -> dict[str, Any]:
    """``wanted``: as the contents' ``address`` gives it."""
    contents = contents_of(job, wanted)
    known = contents.fields(merchant.pk)
    picked = list(layout.columns) if layout else unarranged(known, one_document=job is not None)
    return {
        **recent_context(user, merchant, job),
        "merchants": _merchants(user, merchant) if job is None and (contents.reach or not wanted) else [],
        "wanted": wanted,
        "wanted_words": ", ".join(contents.words(merchant.pk, job, wanted)),
        "layouts": selectors.list_layouts(merchant),
        "layout": layout,
        "kinds": ExportKind.choices,
        "headings": Headings.choices,
        "heading": layout.headings if layout else Headings.KEYS,
        "fields": list(_choices(known, picked)),
        "picked": len(picked),
    }


def _choices(known: dict[str, Column], picked: list[str]) -> Iterable[Choice]:
    """The picked ones in their order, then the others."""
    for column in selectors.chosen_columns(known, picked):
        yield Choice(column.key, column.label, True)
    for key, column in known.items():
        if key not in picked:
            yield Choice(key, column.label, False)


def _merchants(user: User, merchant: Merchant) -> list[Merchant]:
    """Nothing to choose where there is one; the chosen one is always among them."""
    merchants = list(selectors.merchants_of(user)[:MERCHANTS_MAX])
    return [] if len(merchants) < 2 else merchants if merchant in merchants else [merchant, *merchants]
