"""Links to stored exports: signed, good for ten minutes, and worth what their person may see when they are used."""

from dataclasses import dataclass
from uuid import UUID

from django.core import signing
from django.db.models.functions import Now
from django.urls import reverse

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import clock, storage
from catalogsku.core.errors import NotFound, Refused
from catalogsku.core.text import safe_file_name
from processing.exports import selectors
from processing.exports.lifecycle import ExportStatus
from processing.exports.models import Export
from processing.exports.services.exporting import contents_of

GOOD_FOR_S = 600  # TA-STORE
_SALT = "catalogsku.export"


@dataclass(frozen=True)
class Link:
    url: str
    good_for_s: int = GOOD_FOR_S


def link_to(export: Export, user: User) -> Link:
    """For this person: it ends with whatever ends their sessions (User.sessions_ended)."""
    until = int(clock.now().timestamp()) + GOOD_FOR_S
    token = _signer().sign_object([str(export.uuid), user.pk, user.sessions_ended, until])
    return Link(reverse("export_file", args=[token]))


def export_of(token: str) -> Export:
    """Raises Refused(link_expired) where the link is none of ours, too old, or its person may not export any more;
    NotFound where the person may not see the export; Refused(export_gone) where the file is no longer kept."""
    try:
        export_id, user_id, sessions_ended, until = _signer().unsign_object(token)
    except (signing.BadSignature, ValueError):  # of an earlier release, which named no time
        raise Refused("link_expired") from None
    if until < clock.now().timestamp():
        raise Refused("link_expired")
    user = User.objects.filter(pk=user_id, sessions_ended=sessions_ended).first()
    if user is None or not may(user, Action.EXPORT):
        raise Refused("link_expired")
    export = selectors.get_export(user, UUID(export_id))
    if export.status == ExportStatus.EXPIRED:
        raise Refused("export_gone")
    if export.status != ExportStatus.DONE or not storage.has_file(export.storage_key):
        raise NotFound("not_found")
    return export


def _signer() -> signing.Signer:
    """Signs with SECRET_KEY, and takes what one of SECRET_KEY_FALLBACKS has signed. The time stands inside, because a
    TimestampSigner takes this machine's."""
    return signing.Signer(salt=_SALT)


def note_fetched(export: Export) -> None:
    """The last byte goes out: the next delta of the layout begins here."""
    Export.objects.filter(pk=export.pk, fetched_at=None).update(fetched_at=Now(), **Export.visible_change())


def file_name(export: Export) -> str:
    """Like ``Spring list 2026-11-22.xlsx``, ``Spring list (filtered) 2026-11-22.xlsx`` or, of studies, ``Harbour Home
    (rct) 2026-11-22.xlsx``; a person knows it again."""
    named = export.layout or (export.job.source_name.rpartition(".")[0] if export.job else export.merchant)
    part = contents_of(export.job, export.wanted).marked(export.wanted)
    return f"{safe_file_name(str(named)) or 'export'}{part} {export.created_at:%Y-%m-%d}.{export.kind}"
