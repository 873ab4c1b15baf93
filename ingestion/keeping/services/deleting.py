"""Deleting on request: what would go, the refusal of what is under way, and the work in steps that may be repeated.

Rows go in one transaction a document, which also writes down the files that nobody else has; then the files go, and
then it is looked for. A worker that dies in between leaves a row that says where to go on.
"""

import hashlib
import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac

from catalogsku.accounts.models import Merchant, Role, User
from catalogsku.core import clock, messages, metrics, secrets, storage
from catalogsku.core.errors import Conflict
from ingestion import personal_data
from ingestion.keeping import selectors
from ingestion.keeping.models import Deletion, DeletionState, Subject
from ingestion.keeping.policies import PERSON_BUSY, Kind
from ingestion.keeping.selectors import Target
from ingestion.keeping.services import erasing, scanning
from ingestion.models import Job, Page
from ingestion.services.jobs import lock_files, locked_with_files

FILES_AT_ONCE = 500
# A worker that has not been heard of for so long is gone: another one goes on.
SILENT_S = 120
STRAYS_FOR = timedelta(days=2)


class _Undone(Exception):
    """Ends the transaction of a preview."""


@dataclass(frozen=True)
class Preview:
    """What would go: rows by table, files and their bytes. ``documents``: how many, of a merchant's. ``personal_data``:
    how much of each kind their pages show."""

    rows: dict[str, int]
    files: int
    bytes: int
    documents: int = 0
    personal_data: dict[str, int] = field(default_factory=dict)


def preview(target: Target) -> Preview:
    """As it would be done now, and undone; of a merchant's rows only how many documents. Raises Conflict."""
    refuse_under_way(target)
    if isinstance(target, Merchant):
        names = list(storage.walk(f"m{target.pk}"))
        documents = Job.objects.filter(merchant=target).count()
        personal = personal_data.counts(Page.objects.filter(job__merchant=target))
        return Preview({}, len(names), sum(map(storage.size_of, names)), documents, personal)
    counts, files, personal = Counter[str](), list[str](), dict[str, int]()
    try:
        with transaction.atomic():
            if isinstance(target, Job):
                personal = personal_data.counts(Page.objects.filter(job=target))
                locked_with_files(target.pk)
                counts, files = erasing.erase_document(target)
            else:
                counts = erasing.erase_person(User.objects.get(pk=target.pk), uploads=False)
            raise _Undone
    except _Undone:
        size = sum(map(storage.size_of, files))
        return Preview(dict(counts), len(files), size, int(isinstance(target, Job)), personal)


def refuse_under_way(target: Target) -> None:
    """Raises Conflict: under_way, last_admin."""
    if isinstance(target, Job):
        if not selectors.at_rest().filter(pk=target.pk).exists():
            raise Conflict("under_way")
    elif isinstance(target, Merchant):
        if Job.objects.filter(merchant=target).exclude(pk__in=selectors.at_rest().values("pk")).exists():
            raise Conflict("merchant_under_way")
    elif target.role == Role.ADMIN and not _admins().exclude(pk=target.pk).exists():
        raise Conflict("last_admin")
    elif any(busy(target) for busy in PERSON_BUSY):
        raise Conflict("person_at_work")


def _admins() -> QuerySet[User]:
    return User.objects.filter(role=Role.ADMIN, is_active=True)


def ask(target: Target, by: User | None, *, by_rule: bool = False, here: bool = False) -> Deletion:
    """Begun by a worker at once, or (``here``) left to the caller; asked for twice it is one. Raises what
    ``refuse_under_way`` raises."""
    refuse_under_way(target)
    subject = _subject(target)
    merchant = target.merchant_id if isinstance(target, Job) else target.pk if isinstance(target, Merchant) else None
    columns = {
        "merchant_number": merchant, "asked_by": by, "by_rule": by_rule, "hashes": hashes_of(target),
        "needles": secrets.encrypt(json.dumps(_needles(target).to_json())),
    }  # fmt: skip
    try:
        with transaction.atomic():
            deletion = Deletion.objects.create(subject=subject, number=target.pk, **columns)
            if isinstance(target, Merchant):  # nobody uploads for it any more
                Merchant.objects.filter(pk=target.pk).update(is_active=False)
            if not here:
                messages.send_after_commit("carry_out_deletion", deletion.pk)
    except IntegrityError:
        under_way = Deletion.objects.filter(subject=subject, number=target.pk, ended_at=None)
        return under_way.order_by("-pk")[0]
    return deletion


def _subject(target: Target) -> Subject:
    if isinstance(target, Job):
        return Subject.DOCUMENT
    return Subject.MERCHANT if isinstance(target, Merchant) else Subject.PERSON


def hashes_of(target: Target) -> dict[str, str]:
    """By which who has its name or file can tell that it was deleted, and nobody else."""
    if isinstance(target, Job):
        return {"file": target.file_sha256, "name": _sha256(target.source_name), "uuid": _sha256(str(target.uuid))}
    if isinstance(target, Merchant):
        return {"name": _sha256(target.name)}
    return {"name": salted_hmac("catalogsku.keeping", target.username, algorithm="sha256").hexdigest()}


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _needles(target: Target) -> scanning.Needles:
    """What another document has as well stands for nothing: its file, its name; the folder and the products'
    ids that pages live on with which it carried over."""
    if isinstance(target, Merchant):
        return scanning.Needles(words=[target.name])
    if isinstance(target, User):
        words = [word for word in (target.username, target.display_name) if word]
        return scanning.Needles(parts=[target.email] if target.email else [], words=words)
    parts, others = [str(target.uuid)], Job.objects.exclude(pk=target.pk)
    file = None
    if not others.filter(merchant=target.merchant_id, file_sha256=target.file_sha256).exists():
        if not erasing.is_shown_elsewhere(target):
            parts += [target.file_sha256, *filter(None, [target.copy_sha256]), f"{target.hash8}_"]
        file = (target.file_sha256, target.source_bytes)
    words = [] if others.filter(source_name=target.source_name).exists() else [target.source_name]
    return scanning.Needles(parts, words, file)


# --- the work -------------------------------------------------------------------------------------


def carry_out(pk: int) -> None:
    """Go on from where it stands until it is done; of two at once the other one finds nothing to do."""
    while deletion := Deletion.objects.filter(pk=pk, ended_at=None).first():
        if deletion.state == DeletionState.ROWS:
            goes_on = _erase(deletion)
        elif deletion.pending:
            goes_on = _delete_files(deletion)
        else:
            goes_on = _finish(deletion)
        if not goes_on:
            return


def _held(pk: int, state: DeletionState) -> Deletion | None:
    """In a transaction; None where somebody else has it or has gone on with it."""
    return Deletion.objects.select_for_update(skip_locked=True).filter(pk=pk, state=state).first()


@transaction.atomic
def _erase(known: Deletion) -> bool:
    deletion = _held(known.pk, DeletionState.ROWS)
    if deletion is None:
        return False
    counts, pending, is_over = Counter(deletion.rows), list(deletion.pending), True
    job = _next_document(deletion)
    if job is not None and not selectors.at_rest().filter(pk=job.pk).exists():
        Deletion.objects.filter(pk=deletion.pk).update(seen_at=Now())  # it was taken up again: the deletion waits
        return False
    if deletion.subject == Subject.PERSON:
        counts.update(erasing.erase_person(User.objects.get(pk=deletion.number)))
    elif job is not None:
        gone, pending = erasing.erase_document(job)
        counts.update(gone)
        is_over = deletion.subject == Subject.DOCUMENT
    elif deletion.subject == Subject.MERCHANT:
        counts.update(erasing.erase_merchant(Merchant.objects.get(pk=deletion.number)))
        pending = [f"m{deletion.number}/"]
    deletion.rows, deletion.pending, deletion.seen_at = dict(counts), pending, clock.now()
    deletion.state = DeletionState.FILES if is_over else DeletionState.ROWS
    deletion.save(update_fields=["rows", "pending", "state", "seen_at"])
    return True


def _next_document(deletion: Deletion) -> Job | None:
    """Locked, so that nobody moves it meanwhile."""
    if deletion.subject == Subject.PERSON:
        return None
    of_merchant = Job.objects.filter(merchant=deletion.number) if deletion.subject == Subject.MERCHANT else None
    pk = deletion.number if of_merchant is None else of_merchant.order_by("-pk").values_list("pk", flat=True).first()
    return locked_with_files(pk) if pk is not None else None


@transaction.atomic
def _delete_files(known: Deletion) -> bool:
    """Some of them, under the lock that a new document takes. Nobody else named them when the rows went, and no row but
    one of the same file, come again, can name them since."""
    deletion = _held(known.pk, DeletionState.FILES)
    if deletion is None or deletion.merchant_number is None:
        return False
    lock_files(deletion.merchant_number)
    if deletion.subject == Subject.MERCHANT:
        gone = list(islice(storage.walk(_folder(deletion)), FILES_AT_ONCE))
        left = deletion.pending if gone else []
    else:
        now, left = deletion.pending[:FILES_AT_ONCE], deletion.pending[FILES_AT_ONCE:]
        gone = sorted(set(now) - _come_again(deletion, now))
    deletion.bytes += sum(map(storage.size_of, gone))
    deletion.files += len(gone)
    for name in gone:
        storage.delete_file(name)
    deletion.pending, deletion.seen_at = left, clock.now()
    deletion.save(update_fields=["bytes", "files", "pending", "seen_at"])
    return True


def _finish(deletion: Deletion) -> bool:
    storage.delete_empty(_folder(deletion))
    _look(deletion, DeletionState.FILES)
    return False


def _folder(deletion: Deletion) -> str:
    if deletion.subject == Subject.DOCUMENT and deletion.merchant_number is not None:
        return storage.file_prefix(deletion.merchant_number, deletion.hashes["file"])
    return f"m{deletion.merchant_number}" if deletion.subject == Subject.MERCHANT else ""


def _come_again(deletion: Deletion, names: list[str]) -> set[str]:
    """The same file, uploaded again meanwhile, has its folder."""
    folder = _folder(deletion)
    again = Job.objects.filter(merchant=deletion.merchant_number, file_sha256=deletion.hashes.get("file", ""))
    return {name for name in names if name.startswith(folder)} if again.exists() else set()


def _look(deletion: Deletion, state: DeletionState) -> None:
    """Search for it, without a transaction, for that may take minutes, and write down what was found."""
    said = secrets.decrypt(deletion.needles) if deletion.needles else None
    found = scanning.scan(deletion, scanning.Needles(**json.loads(said))) if said else {"needles": 1}
    ends = DeletionState.LEFT if found.keys() - {scanning.LOGS} else DeletionState.DONE
    columns: dict[str, Any] = {"found": found, "state": ends, "ended_at": Now()}
    if ends == DeletionState.DONE:
        columns["needles"] = None
    if Deletion.objects.filter(pk=deletion.pk, state=state).update(**columns):
        metrics.after_commit(metrics.DELETIONS, subject=deletion.subject, outcome=ends)


# --- time -----------------------------------------------------------------------------------------


def send_silent() -> int:
    """Those whose message was lost or whose worker died are taken up again; how many."""
    silent = Deletion.objects.filter(ended_at=None, seen_at__lt=Now() - timedelta(seconds=SILENT_S))
    return sum(messages.send("carry_out_deletion", pk) for pk in silent.values_list("pk", flat=True)[:100])


def look_again() -> dict[str, int]:
    """Once a night: what was left is looked for again, and a file that a late worker stored after all goes."""
    left = list(Deletion.objects.filter(state=DeletionState.LEFT).order_by("pk")[:100])
    for deletion in left:
        _look(deletion, DeletionState.LEFT)
    return {"looked_for": len(left), "strays": sum(map(_clear_strays, _lately()))}


def _lately() -> QuerySet[Deletion]:
    of_files = Q(subject=Subject.DOCUMENT, ended_at__gte=Now() - STRAYS_FOR)
    return Deletion.objects.filter(of_files)


@transaction.atomic
def _clear_strays(deletion: Deletion) -> int:
    lock_files(deletion.merchant_number or 0)
    names = list(storage.walk(_folder(deletion)))
    gone = set(names) - erasing.still_named(names, deletion.merchant_number or 0) - _come_again(deletion, names)
    for name in gone:
        storage.delete_file(name)
    return len(gone)


def expire_documents(limit: int = 20) -> int:
    """Documents whose days are over as a whole, by a rule that says so; how many were asked for."""
    due = list(selectors.over(Kind.RESULTS).order_by("pk")[:limit])
    for job in due:
        with suppress(Conflict):  # taken up again just now
            ask(job, None, by_rule=True)
    return len(due)
