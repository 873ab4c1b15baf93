"""Reports over golden sets, kept: rows to list and compare, pictures of their worst pages in the storage (TA-T49)."""

import hashlib
import uuid
import zlib
from datetime import datetime

import msgspec
from django.db import transaction

from catalogsku.core import storage
from catalogsku.profiles.models import PromptVersion, ThresholdProfile
from catalogsku.profiles.services import record_verdict
from processing.engine.quality.gate import gate_passed
from processing.engine.quality.report import Report, encode_report
from processing.quality.models import EvalReport
from processing.quality.services.gallery import Gallery

SHOWN_PAGES = 20  # whose pictures are kept: some 200 KB each


def store_report(
    report: Report,
    golden: str,
    gallery: Gallery,
    profile: ThresholdProfile | None = None,
    prompt: PromptVersion | None = None,
) -> EvalReport:
    """The report with pictures of its worst pages; of a version of ``profile`` or ``prompt`` it becomes the gate's
    verdict (GR-GATE).

    ``golden``: names of the sets that were asked for. Pictures are stored first: a row never lacks its own.
    """
    address = uuid.uuid4()
    pictures = []
    for number, worst in enumerate(report.worst[:SHOWN_PAGES]):
        shown = gallery.pages.get((worst.name, worst.page_number))
        if shown is None:
            continue
        key = f"quality/{address}/{number}.jpg"
        storage.put_file(key, shown.path)
        pictures.append(
            {
                "name": worst.name,
                "page_number": worst.page_number,
                "key": key,
                "width_pt": shown.width_pt,
                "height_pt": shown.height_pt,
            }
        )
    with transaction.atomic():
        row = EvalReport.objects.create(
            uuid=address,
            golden=golden[:200],
            judged=judged_pages(report),
            profile=profile,
            commit=report.versions.get("commit", "")[:20],
            passed=gate_passed(report.gate),
            gate=msgspec.to_builtins(report.gate),
            total=msgspec.to_builtins(report.total),
            pictures=pictures,
            content=zlib.compress(encode_report(report)),
            made_at=datetime.fromisoformat(report.made_at),
        )
        failed = [line.figure for line in report.gate if line.verdict == "failed"]
        if profile is not None:
            record_verdict(profile, address, failed)
        if prompt is not None:
            record_verdict(prompt, address, failed)
    return row


def judged_pages(report: Report) -> str:
    """The same for runs over the same pages, whatever they found there."""
    names = sorted(f"{entry.file.name} {page.page_number}" for entry in report.files for page in entry.file.pages)
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]
