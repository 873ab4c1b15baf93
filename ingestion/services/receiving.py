"""Receiving files: resumable uploads whose parts are committed by compare-and-set, hashed as they are put together."""

import hashlib
import os
import shutil
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.http import UnreadablePostError
from django.utils import timezone

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import storage
from catalogsku.core.errors import Conflict, NotFound, Refused, Unavailable
from catalogsku.profiles.models import ThresholdProfile
from ingestion.lifecycle import JobStatus
from ingestion.models import Job, Upload
from ingestion.services.jobs import Source, create_job, earlier_job

MIB = 1 << 20
SIGNATURE_WITHIN_BYTES = 1024
BLOCK_BYTES = 256 << 10


@dataclass(frozen=True)
class Announcement:
    """What a browser says of a file before it sends it."""

    name: str
    size_bytes: int
    key: str
    category: str = ""
    profile_key: str = ""
    head_sha256: str = ""
    again: bool = False


def begin_upload(user: User, file: Announcement) -> Upload:
    """A new upload, or the one of the same key that is under way. Refuses what can be refused before any byte is sent.

    Raises Refused(forbidden, no_merchant, empty_file, too_large, not_a_pdf, unknown_profile), Conflict(duplicate_file)
    with the earlier job in ``params``, Unavailable(disk_full).
    """
    merchant = user.own_merchant()
    if not may(user, Action.UPLOAD):
        raise Refused("forbidden")
    if merchant is None:
        raise Refused("no_merchant")
    _check_announcement(file)
    if not file.again and file.head_sha256:
        _refuse_duplicate(merchant.pk, file)
    for expired in Upload.objects.filter(merchant=merchant, idempotency_key=file.key, job=None, expires_at__lte=Now()):
        abandon_upload(expired)
    upload, _created = Upload.objects.get_or_create(
        merchant=merchant,
        idempotency_key=file.key,
        defaults={
            "user": user,
            "name": clean_name(file.name),
            "size_bytes": file.size_bytes,
            "head_sha256": file.head_sha256,
            "category": file.category,
            "profile_key": file.profile_key,
            "expires_at": timezone.now() + timedelta(hours=settings.UPLOAD_EXPIRES_H),
        },
    )
    return upload


def _check_announcement(file: Announcement) -> None:
    if file.size_bytes == 0:
        raise Refused("empty_file")
    if file.size_bytes > settings.UPLOAD_MAX_BYTES:
        raise Refused("too_large", max_mb=settings.UPLOAD_MAX_BYTES // MIB)
    if not file.name.lower().endswith(".pdf"):
        raise Refused("not_a_pdf")
    if file.profile_key and not ThresholdProfile.objects.filter(key=file.profile_key, active=True).exists():
        raise Refused("unknown_profile")
    usage = shutil.disk_usage(_uploads_folder())
    if (usage.used + file.size_bytes) / usage.total > settings.DISK_REFUSE_RATIO:
        raise Unavailable("disk_full")


def _refuse_duplicate(merchant_id: int, file: Announcement) -> None:
    dropped = (JobStatus.CANCELLED, JobStatus.REJECTED)
    same = Job.objects.filter(merchant_id=merchant_id, head_sha256=file.head_sha256, source_bytes=file.size_bytes)
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


def receive_part(upload: Upload, offset: int, read: Callable[[int], bytes]) -> int:
    """Take one part of at most 8 MB that begins at ``offset``; the new committed offset.

    The part is a file of its own until the compare-and-set on the offset has accepted it, so of two windows that send
    the same part one wins; what arrived of a part that was cut off is kept. Raises Conflict(offset_mismatch),
    Refused(chunk_too_large, not_a_pdf).
    """
    if offset != upload.offset_bytes:
        raise Conflict("offset_mismatch")
    part = _uploads_folder() / f"{upload.uuid}.{offset}.{uuid.uuid4().hex[:12]}"
    try:
        received = _write_part(part, read, upload.size_bytes - offset)
        if offset == 0 and received:
            _check_signature(part, upload.size_bytes)
        if received and not _commit_part(upload, offset, part.name, received):
            raise Conflict("offset_mismatch")
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return offset + received


def _write_part(part: Path, read: Callable[[int], bytes], room: int) -> int:
    received = 0
    limit = min(settings.UPLOAD_CHUNK_BYTES, room)
    with part.open("xb") as file:
        while block := _next_block(read):
            received += len(block)
            if received > limit:
                raise Refused("chunk_too_large", max_mb=settings.UPLOAD_CHUNK_BYTES // MIB)
            file.write(block)
    if not received:
        part.unlink()
    return received


def _next_block(read: Callable[[int], bytes]) -> bytes:
    """Nothing where the connection broke: what came before it counts."""
    try:
        return read(BLOCK_BYTES)
    except UnreadablePostError:
        return b""


def _check_signature(part: Path, size_bytes: int) -> None:
    """Of a first part that was cut off too early nothing is said; the inspection of the whole file will."""
    with part.open("rb") as file:
        head = file.read(SIGNATURE_WITHIN_BYTES)
    if b"%PDF-" not in head and len(head) >= min(SIGNATURE_WITHIN_BYTES, size_bytes):
        raise Refused("not_a_pdf")


def _commit_part(upload: Upload, offset: int, name: str, received: int) -> bool:
    rows = Upload.objects.filter(pk=upload.pk, offset_bytes=offset, job__isnull=True)
    parts = [*upload.parts, name]
    if not rows.update(offset_bytes=offset + received, parts=parts):
        return False
    upload.offset_bytes, upload.parts = offset + received, parts
    return True


def finish_upload(user: User, upload: Upload) -> tuple[Job, Job | None]:
    """Put the parts together (hashing them on the way), store the file under its content, make the job.

    Returns the job, and the merchant's earlier job on the same bytes if there is one (whose reading is used again).
    Twice at once gives the same job.
    """
    whole = _uploads_folder() / f"{upload.uuid}.{uuid.uuid4().hex[:12]}.pdf"
    try:
        try:
            sha256, head = _join(upload, whole)
        except FileNotFoundError:
            return _ended_meanwhile(upload)
        key = f"{storage.file_prefix(upload.merchant_id, sha256)}/source.pdf"
        storage.put_file(key, whole)
    finally:
        whole.unlink(missing_ok=True)
    earlier = earlier_job(upload.merchant_id, sha256)
    source = Source(upload.name, key, upload.size_bytes, sha256, head)
    with transaction.atomic():
        job, _created = create_job(
            user, upload.merchant_id, source,
            idempotency_key=upload.idempotency_key, category=upload.category, profile_key=upload.profile_key,
        )  # fmt: skip
        Upload.objects.filter(pk=upload.pk).update(job=job)
    _delete_parts(upload.parts)
    return job, earlier if earlier is not None and earlier.pk != job.pk else None


def _ended_meanwhile(upload: Upload) -> tuple[Job, None]:
    """Another request has put the parts together and deleted them; its job is this one's. Raises NotFound else."""
    job = Job.objects.filter(merchant_id=upload.merchant_id, idempotency_key=upload.idempotency_key).first()
    if job is None:
        raise NotFound("upload_gone")
    return job, None


def _join(upload: Upload, whole: Path) -> tuple[str, str]:
    """SHA-256 of all bytes, and of the first MiB (which the browser names before it sends a file)."""
    running, head = hashlib.sha256(), hashlib.sha256()
    left = MIB
    with whole.open("xb") as target:
        for name in upload.parts:
            with (_uploads_folder() / name).open("rb") as part:
                while block := part.read(MIB):
                    running.update(block)
                    head.update(block[: max(left, 0)])
                    left -= len(block)
                    target.write(block)
    return running.hexdigest(), head.hexdigest()


def submit_file(
    user: User | None, merchant_id: int, path: Path, *, key: str, category: str = "", profile_key: str = ""
) -> Job:
    """A job for a file on this machine (commands, demo)."""
    sha256 = storage.sha256_of(path)
    stored = f"{storage.file_prefix(merchant_id, sha256)}/source.pdf"
    storage.put_file(stored, path)
    with path.open("rb") as file:
        head = hashlib.sha256(file.read(MIB)).hexdigest()
    source = Source(clean_name(path.name), stored, path.stat().st_size, sha256, head)
    job, _created = create_job(
        user, merchant_id, source, idempotency_key=key, category=category, profile_key=profile_key
    )
    return job


def abandon_upload(upload: Upload) -> None:
    """The person gave it up; its parts go."""
    Upload.objects.filter(pk=upload.pk).delete()
    _delete_parts(upload.parts)


def clean_uploads() -> dict[str, int]:
    """Delete expired uploads and part files that belong to none."""
    expired = list(Upload.objects.filter(expires_at__lt=Now()))
    for upload in expired:
        abandon_upload(upload)
    known = {name for parts in Upload.objects.values_list("parts", flat=True) for name in parts}
    day_ago = timezone.now().timestamp() - 86_400
    lone = [p for p in _uploads_folder().iterdir() if p.name not in known and p.stat().st_mtime < day_ago]
    for path in lone:
        path.unlink(missing_ok=True)
    return {"expired": len(expired), "files": len(lone)}


def _delete_parts(names: list[str]) -> None:
    for name in names:
        (_uploads_folder() / os.path.basename(name)).unlink(missing_ok=True)


def _uploads_folder() -> Path:
    folder = Path(settings.MEDIA_ROOT, "uploads")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
