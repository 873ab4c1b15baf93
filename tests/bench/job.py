"""A whole document through all workers, beside the same library calls in bare loops on all cores."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from catalogsku.core.cores import usable_cores
from ingestion.lifecycle import PageStatus
from ingestion.models import Job, Page
from processing.products.models import Sku
from processing.sandboxed import frozen
from tests.bench.bare import library_loop_s
from tests.bench.memory import Memory
from tests.bench.product import Product, pages_done


def measure_job(product: Product, file: Path, timeout_s: float) -> dict[str, Any]:
    memory = Memory()
    job = product.submit(file)
    product.follow(job, timeout_s, lambda: memory.look(product.supervisor.pids(), pages_done(job)))
    return {**job_figures(job), "memory": memory.report()}


def beside_bare_loop(figures: dict[str, Any], file: Path) -> dict[str, Any]:
    """The job's figures with those of the bare loop over the pages that it read; call it when nothing else runs."""
    job = Job.objects.get(pk=figures.pop("job_id"))
    pages = Page.objects.filter(job=job).exclude(status=PageStatus.BLANK).order_by("number")
    numbers = list(pages.values_list("number", flat=True))
    sampled = set(pages.filter(sampled=True).values_list("number", flat=True))
    bare = library_loop_s(file, numbers, sampled, frozen.reading_settings(), usable_cores())
    bare_pages_per_s = len(numbers) / bare["all_s"]
    return {
        **figures,
        "bare_loop_pages_per_s": round(bare_pages_per_s, 2),
        "bare_loop_read_share": round(bare["read_s"] / bare["all_s"], 2),
        "bare_loop_assess_share": round(bare["assess_s"] / bare["all_s"], 3),
        "ratio": round(figures["read_and_understand_pages_per_s"] / bare_pages_per_s, 3),
    }


def all_rounds(rounds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The figures of the round with the median ratio, but as ``ratio`` that of all: the time of all bare loops by that
    of all jobs. ``ratios``: each round's own, in their order."""
    found = sorted(rounds, key=lambda figures: figures["ratio"])[len(rounds) // 2]
    bare_s, job_s = (
        sum(figures["pages_read"] / figures[speed] for figures in rounds)
        for speed in ("bare_loop_pages_per_s", "read_and_understand_pages_per_s")
    )
    return {**found, "ratio": round(bare_s / job_s, 3), "ratios": [figures["ratio"] for figures in rounds]}


def job_figures(job: Job) -> dict[str, Any]:
    """Pages a second from the end of the prescan to the last page understood, and the times of the whole way."""
    job.refresh_from_db()
    pages = Page.objects.filter(job=job).exclude(status=PageStatus.BLANK)
    last = pages.order_by("-finished_at").values_list("finished_at", flat=True).first()
    if last is None or job.checked_at is None:
        raise CommandError(f"The job ended without its times: {job.status}")
    worked_s = (last - job.checked_at).total_seconds()
    return {
        "job_id": job.pk,
        "status": job.status,
        "pages": job.total_pages,
        "pages_read": pages.count(),
        "skus": Sku.objects.filter(job=job, superseded=False).count(),
        "read_and_understand_pages_per_s": round(pages.count() / worked_s, 2),
        "check_s": round((job.checked_at - job.created_at).total_seconds(), 2),
        "read_and_understand_s": round(worked_s, 2),
        "to_the_last_page_s": round((last - job.created_at).total_seconds(), 2),
    }
