"""What machines may spend on a document, and what they have spent: seconds for which its children held a core.

Inspection, prescan, reading, OCR and understanding take from one budget, which grows with the document's pages and
bytes: a page that costs much has much to it, or it was made to cost much (a page of 200 bytes that takes ten seconds).
"""

from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.db.models import Sum
from django.db.models.functions import Now

from ingestion.models import Job
from ingestion.queueing import HALF_LIFE_S

MB = 1_000_000
# The same bytes under other names are the same document for so long.
SAME_CONTENT = timedelta(days=1)
# A child that waits for something else than its core holds its turn all the same; on a machine with much to do, most
# of a child's time is waiting for its core, which is not the document's fault.
WAITING_COUNTS = 0.25


def allowed_s(job: Job) -> float:
    """Of a document whose pages are not counted yet: as if it had as many as any may have."""
    pages = settings.UPLOAD_MAX_PAGES if job.total_pages is None else job.total_pages
    seconds: float = (
        settings.MACHINE_TIME_S
        + settings.MACHINE_TIME_PAGE_S * pages
        + settings.MACHINE_TIME_MB_S * job.source_bytes / MB
    )
    return seconds


def spent_s(job: Job) -> float:
    """By all documents of the merchant with these bytes that came within a day."""
    same = Job.objects.filter(merchant=job.merchant_id, file_sha256=job.file_sha256)
    recent = same.filter(created_at__gt=Now() - SAME_CONTENT)
    return (recent | same.filter(pk=job.pk)).aggregate(sum=Sum("machine_s"))["sum"] or 0.0


def left_s(job: Job) -> float:
    """At most nothing where the budget is used up."""
    return allowed_s(job) - spent_s(job)


def taken_s(cpu_s: float, wall_s: float) -> float:
    """What a child that ran so long has taken."""
    return max(cpu_s, wall_s * WAITING_COUNTS)


_SPEND = """
WITH spent AS (UPDATE ingestion_job SET machine_s = machine_s + %(of_job_s)s WHERE id = %(job)s)
INSERT INTO ingestion_machineuse AS u (merchant_id, used_s, at) VALUES (%(merchant)s, %(s)s, statement_timestamp())
ON CONFLICT (merchant_id) DO UPDATE SET at = excluded.at, used_s = excluded.used_s
    + u.used_s * power(0.5, greatest(extract(epoch FROM excluded.at - u.at), 0)::float8 / %(half_life_s)s)"""


def spend(job: Job, seconds: float, *, counts_for_job: bool = True) -> None:
    """Write down what a child of the document has taken. ``counts_for_job``: False where it was stopped for somebody
    else's sake, and what it did is to be done again: its merchant has had the time all the same."""
    parameters = {
        "job": job.pk,
        "merchant": job.merchant_id,
        "s": seconds,
        "of_job_s": seconds if counts_for_job else 0.0,
        "half_life_s": HALF_LIFE_S,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SPEND, parameters)
