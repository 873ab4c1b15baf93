"""Receiving files: resumable uploads, parts committed by compare-and-set on the offset, hashed at the end."""

import errno
import hashlib
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models.functions import Now

from catalogsku.accounts.models import Merchant, User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import arriving, crash_points, storage
from catalogsku.core.arriving import ArrivingPart
from catalogsku.core.errors import Conflict, NotFound, Refused, Unavailable
from catalogsku.profiles.models import ThresholdProfile
from ingestion import kinds
from ingestion.lifecycle import SETTLED, JobStatus, Urgency
from ingestion.models import Job, Upload
from ingestion.models_shown import batch_percent
from ingestion.services import opening, parts, quotas
from ingestion.services.jobs import Source, create_job, earlier_job

MIB = 1 << 20
SIGNATURE, SIGNATURE_WITHIN_BYTES = b"%PDF-", 1024
LONE_AFTER_S = 86_400.0


@dataclass(frozen=True)
class Announcement:
    """What a browser says of a file before it sends it."""

    name: str
    size_bytes: int
    key: str
    kind: str = kinds.CATALOGUE.key
    template: str = ""
    category: str = ""
    profile_key: str = ""
    head_sha256: str = ""
    again: bool = False
    edition_of: uuid.UUID | None = None
    urgency: str = Urgency.NOW


def begin_upload(user: User, file: Announcement) -> Upload:
    """A new upload, or the one of the same key that is under way. Refuses what can be refused before any byte is sent.

    Raises Refused(forbidden, no_merchant, empty_file, too_large, not_a_pdf, unknown_kind, not_of_kind, unknown_profile,
    no_templates and what its kind says of a template, quota_storage, quota_jobs, quota_uploads, bad_request),
    Conflict(no_batches, key_taken), Conflict(duplicate_file) with the earlier job in ``params``, NotFound(not_found)
    for an earlier edition that is not there, Unavailable(disk_full).
    """
    merchant = user.own_merchant()
    if not may(user, Action.UPLOAD):
        raise Refused("forbidden")
    if merchant is None:
        raise Refused("no_merchant")
    _check_announcement(file)
    named = file.template
    file = replace(file, template=opening.template_of(kinds.kind_named(file.kind), merchant.pk, named))
    if file.urgency == Urgency.BATCH and batch_percent(merchant.pk) is None:
        raise Conflict("no_batches")
    if not file.again and file.head_sha256:
        _refuse_duplicate(merchant.pk, file)
    same_key = Upload.objects.filter(merchant=merchant, idempotency_key=file.key)
    for expired in same_key.filter(job=None, expires_at__lte=Now()):
        abandon_upload(expired)
    upload = same_key.first() or _new_upload(user, merchant, file, _earlier_edition(user, merchant, file))
    is_same = (upload.user_id, upload.size_bytes, upload.kind) == (user.pk, file.size_bytes, file.kind)
    if not (is_same and opening.names(named, upload.template)):
        raise Conflict("key_taken")
    return upload


def _earlier_edition(user: User, merchant: Merchant, file: Announcement) -> Job | None:
    if file.edition_of is None:
        return None
    same = {"merchant": merchant, "kind": file.kind}
    job = Job.objects.visible_to(user).filter(**same, uuid=file.edition_of, status__in=SETTLED).first()
    if job is None:
        raise NotFound("not_found")
    return job


@transaction.atomic
def _new_upload(user: User, merchant: Merchant, file: Announcement, edition_of: Job | None) -> Upload:
    """Counted against the merchant's quota: two at once take turns."""
    quotas.lock(merchant.pk)
    quotas.check(merchant.pk, file.size_bytes)
    upload, created = Upload.objects.get_or_create(
        merchant=merchant,
        idempotency_key=file.key,
        defaults={
            "user": user,
            "name": clean_name(file.name),
            "size_bytes": file.size_bytes,
            "head_sha256": file.head_sha256,
            "kind": file.kind,
            "template": file.template,
            "category": file.category,
            "profile_key": file.profile_key,
            "edition_of": edition_of,
            "urgency": file.urgency,
            "expires_at": Now() + timedelta(hours=settings.UPLOAD_EXPIRES_H),
        },
    )
    if created:
        upload.refresh_from_db(fields=["expires_at"])  # by PostgreSQL's clock, which also reads it
    return upload


def _check_announcement(file: Announcement) -> None:
    kind, is_batch = kinds.kind_named(file.kind), file.urgency == Urgency.BATCH
    if file.urgency not in Urgency.values:
        raise Refused("bad_request", what="urgency")
    said = {"category": file.category, "edition_of": file.edition_of, "urgency": is_batch}
    kinds.refuse_untaken(kind, said)
    if file.size_bytes == 0:
        raise Refused("empty_file")
    if file.size_bytes > settings.UPLOAD_MAX_BYTES:
        raise Refused("too_large", max_mb=settings.UPLOAD_MAX_BYTES // MIB)
    if not file.name.lower().endswith(".pdf"):
        raise Refused("not_a_pdf")
    if file.profile_key and not ThresholdProfile.objects.filter(key=file.profile_key, active=True).exists():
        raise Refused("unknown_profile")
    if storage.disk_usage_ratio(file.size_bytes) > settings.DISK_REFUSE_RATIO:
        raise Unavailable("disk_full")


def _refuse_duplicate(merchant_id: int, file: Announcement) -> None:
    dropped = (JobStatus.CANCELLED, JobStatus.REJECTED)
    of_kind = Job.objects.filter(merchant_id=merchant_id, kind=file.kind, template=file.template)
    same = of_kind.filter(head_sha256=file.head_sha256, source_bytes=file.size_bytes)
    job = same.exclude(status__in=dropped).order_by("-pk").first()
    if job is not None:
        raise Conflict("duplicate_file", name=job.source_name, job=job)


def clean_name(name: str) -> str:
    """The last part of a path, without control characters; it is only ever shown, never a path of ours."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(c for c in last if c.isprintable())[:255] or "document.pdf"


def get_upload(user: User, upload_id: uuid.UUID) -> Upload:
    """Raises NotFound for another's, an ended or an expired one."""
    upload = Upload.objects.visible_to(user).filter(uuid=upload_id, user=user, expires_at__gt=Now()).first()
    if upload is None:
        raise NotFound("upload_gone")
    return upload


def receive_part(upload: Upload, offset: int, read: Callable[[int], bytes], arrived: ArrivingPart | None = None) -> int:
    """Take one part of at most 8 MB that begins at ``offset``; the new committed offset. ``arrived``: it is on this
    machine's disk already, and there is nothing to ``read``.

    The offset is committed when the bytes are where they are kept: of two windows that send the same part one wins, and
    what lies behind the offset was never received.

    Raises Conflict(offset_mismatch), Refused(chunk_too_large, not_a_pdf), Unavailable(disk_full).
    """
    try:
        received = parts.receive(upload, offset, read, arrived)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise Unavailable("disk_full") from error
        raise
    if arrived is not None:
        arrived.committed(str(upload.uuid), offset + received)
    crash_points.reached("receive.part_committed")
    upload.offset_bytes = offset + received
    _refuse_what_is_no_pdf(upload, offset)
    return offset + received


def _refuse_what_is_no_pdf(upload: Upload, offset: int) -> None:
    """As soon as the bytes are there in which readers look for the signature; the upload ends with it."""
    enough = min(SIGNATURE_WITHIN_BYTES, upload.size_bytes)
    if not offset < enough <= upload.offset_bytes:
        return
    if SIGNATURE not in parts.head(upload, SIGNATURE_WITHIN_BYTES + len(SIGNATURE) - 1):
        abandon_upload(upload)
        raise Refused("not_a_pdf")


def finish_upload(user: User, upload: Upload) -> tuple[Job, Job | None]:
    """Store the file under its content, and make the job; it is read once for its hash where that did not come along.

    Returns the job, and the merchant's earlier job on the same bytes if there is one (whose reading is used again).
    Twice at once gives the same job. Raises Conflict(key_taken) where the key has made a job of another file.
    """
    try:
        with parts.whole(upload) as file:
            job, earlier = _finish(user, upload, file)
    except FileNotFoundError:
        return _ended_meanwhile(upload)
    parts.forget(upload)
    return job, earlier if earlier is not None and earlier.pk != job.pk else None


def _finish(user: User, upload: Upload, file: Path) -> tuple[Job, Job | None]:
    sha256, head = _hashes(file, arriving.sha256_of(str(upload.uuid), upload.size_bytes))
    key = f"{storage.file_prefix(upload.merchant_id, sha256)}/source.pdf"
    crash_points.reached("receive.joined")
    storage.link_file(key, file)
    crash_points.reached("receive.stored")
    earlier = earlier_job(upload.merchant_id, sha256, upload.kind, upload.template)
    source = Source(upload.name, key, upload.size_bytes, sha256, head)
    with transaction.atomic():
        job, _created = create_job(
            user,
            upload.merchant_id,
            source,
            idempotency_key=upload.idempotency_key,
            kind=kinds.kind_named(upload.kind),
            template=upload.template,
            category=upload.category,
            profile_key=upload.profile_key,
            edition_of=upload.edition_of,
            urgency=upload.urgency,
        )
        if job.file_sha256 != sha256:
            raise Conflict("key_taken")
        storage.link_file(key, file)  # an earlier document's may have gone meanwhile; from now on it is locked
        Upload.objects.filter(pk=upload.pk).update(job=job)
    crash_points.reached("receive.recorded")
    return job, earlier


def _ended_meanwhile(upload: Upload) -> tuple[Job, None]:
    """Another request has made the job and deleted the file; its job is this one's. Raises NotFound else."""
    job = Job.objects.filter(merchant_id=upload.merchant_id, idempotency_key=upload.idempotency_key).first()
    if job is None:
        raise NotFound("upload_gone")
    return job, None


def _hashes(path: Path, known: str | None) -> tuple[str, str]:
    """SHA-256 of all bytes, and of the first MiB (which the browser names before it sends a file)."""
    with path.open("rb") as file:
        head = hashlib.sha256(file.read(MIB))
        if known is not None:
            return known, head.hexdigest()
        running = head.copy()
        while block := file.read(MIB):
            running.update(block)
    return running.hexdigest(), head.hexdigest()


def receive_whole(
    user: User,
    file: "UploadedFile[bytes]",
    key: str,
    category: str,
    profile_key: str,
    *,
    again: bool,
    edition_of: uuid.UUID | None = None,
    urgency: str = Urgency.NOW,
    kind: str = kinds.CATALOGUE.key,
    template: str = "",
) -> Job:
    """The document of a file that came in one request, in the steps of a resumable upload: the same refusals.

    Raises what ``begin_upload`` and ``receive_part`` raise.
    """
    head = hashlib.sha256(file.read(MIB)).hexdigest()
    file.seek(0)
    announcement = Announcement(
        file.name or "", file.size or 0, key, kind, template, category, profile_key, head, again, edition_of, urgency
    )
    upload = begin_upload(user, announcement)
    if upload.offset_bytes == 0:
        receive_part(upload, 0, file.read)
    return finish_upload(user, upload)[0]


def refuse_another_body(
    job: Job,
    file: "UploadedFile[bytes]",
    kind: str,
    template: str,
    category: str,
    profile_key: str,
    edition_of: uuid.UUID | None,
    urgency: str,
) -> None:
    """Conflict(key_taken) where what a request gives is not what the document of its key was made of.

    What it is an edition of may have been recognised or undone since.
    """
    file.seek(0)
    is_same = (
        hashlib.file_digest(file, "sha256").hexdigest() == job.file_sha256
        and kind == job.kind
        and opening.names(template, job.template)
        and category == job.category
        and profile_key in ("", job.profile.key)
        and urgency == job.urgency
        and (edition_of is None or job.edition_of is None or edition_of == job.edition_of.uuid)
    )
    if not is_same:
        raise Conflict("key_taken")


def submit_file(
    user: User | None,
    merchant_id: int,
    path: Path,
    *,
    key: str,
    kind: kinds.Kind = kinds.CATALOGUE,
    template: str = "",
    category: str = "",
    profile_key: str = "",
) -> Job:
    """A job for a file on this machine (commands, demo)."""
    sha256 = storage.sha256_of(path)
    stored = f"{storage.file_prefix(merchant_id, sha256)}/source.pdf"
    storage.put_file(stored, path)
    with path.open("rb") as file:
        head = hashlib.sha256(file.read(MIB)).hexdigest()
    source = Source(clean_name(path.name), stored, path.stat().st_size, sha256, head)
    with transaction.atomic():
        job, _created = create_job(
            user,
            merchant_id,
            source,
            idempotency_key=key,
            kind=kind,
            template=template,
            category=category,
            profile_key=profile_key,
        )
        storage.put_file(stored, path)  # as in ``finish_upload``
    return job


def abandon_upload(upload: Upload) -> None:
    """It is given up; what arrived of it goes."""
    Upload.objects.filter(pk=upload.pk).delete()
    parts.forget(upload)


def clean_uploads(lone_after_s: float = LONE_AFTER_S) -> dict[str, int]:
    """Delete expired uploads, and what belongs to no open one and was not touched for ``lone_after_s``."""
    expired = list(Upload.objects.filter(expires_at__lt=Now()))
    for upload in expired:
        abandon_upload(upload)
    return {"expired": len(expired), "files": parts.clean(lone_after_s)}
