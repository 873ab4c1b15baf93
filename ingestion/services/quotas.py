"""What a merchant may have at once: bytes of documents, documents in work, open uploads. Checked before a byte is sent.

An upload that was begun within its quota always becomes a job.
"""

from dataclasses import dataclass

from django.conf import settings
from django.db import connection
from django.db.models import Sum
from django.db.models.functions import Now

from catalogsku.core.errors import Refused
from ingestion.lifecycle import JobStatus
from ingestion.models import Job, Quota, Upload

MIB = 1 << 20
# Machines have these in hand; what waits for people counts for nobody's machines.
IN_WORK = (JobStatus.UPLOADED, JobStatus.EVALUATING, JobStatus.EVALUATED, JobStatus.PROCESSING, JobStatus.ORPHANED)
_LOCK = 0x5C3


@dataclass(frozen=True)
class Allowance:
    storage_mb: int
    jobs_in_work: int
    open_uploads: int


def allowance(merchant_id: int) -> Allowance:
    """The merchant's own figures where an administrator has set them, else the defaults."""
    default = Allowance(settings.QUOTA_STORAGE_MB, settings.QUOTA_JOBS_IN_WORK, settings.QUOTA_OPEN_UPLOADS)
    own = Quota.objects.filter(merchant=merchant_id).first()
    if own is None:
        return default
    return Allowance(
        default.storage_mb if own.storage_mb is None else own.storage_mb,
        default.jobs_in_work if own.jobs_in_work is None else own.jobs_in_work,
        default.open_uploads if own.open_uploads is None else own.open_uploads,
    )


def lock(merchant_id: int) -> None:
    """Until the transaction ends, nobody else begins an upload of this merchant."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, merchant_id])


def check(merchant_id: int, more_bytes: int) -> None:
    """Raises Refused(quota_uploads, quota_jobs, quota_storage) where one upload of so many bytes more is too much."""
    allowed = allowance(merchant_id)
    uploads = Upload.objects.filter(merchant=merchant_id, job__isnull=True, expires_at__gt=Now())
    if uploads.count() >= allowed.open_uploads:
        raise Refused("quota_uploads", max=allowed.open_uploads)
    in_work = Job.objects.filter(merchant=merchant_id, status__in=IN_WORK).count()
    if in_work >= allowed.jobs_in_work:
        raise Refused("quota_jobs", max=allowed.jobs_in_work)
    coming = uploads.aggregate(sum=Sum("size_bytes"))["sum"] or 0
    if stored_bytes(merchant_id) + coming + more_bytes > allowed.storage_mb * MIB:
        raise Refused("quota_storage", max_mb=allowed.storage_mb)


def stored_bytes(merchant_id: int) -> int:
    """Of the merchant's documents; one that was uploaded twice is stored once."""
    files = Job.objects.filter(merchant=merchant_id).values("file_sha256", "source_bytes").distinct()
    return files.aggregate(sum=Sum("source_bytes"))["sum"] or 0
