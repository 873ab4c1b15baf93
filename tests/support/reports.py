"""A stored report over golden sets, with a picture of its one bad page."""

import uuid
import zlib
from datetime import UTC, datetime
from typing import Any

import msgspec
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from processing.engine.quality.gate import gate_passed
from processing.engine.quality.measure import BoxOnPage, Counts, PageMeasure
from processing.engine.quality.report import FileMeasure, Report, encode_report, make_report
from processing.engine.quality.values import Slip
from processing.models import EvalReport
from processing.quality.services.reports import judged_pages

PICTURE = b"\xff\xd8\xffa page"
COUNTS = Counts(pages=1, matched=1, missed=1, false=1, asked=2, right=1, values=2, pictures=2, recovered=1)
SLIPS = (
    Slip("AX-1", "price", "different", "12.50", "125.0"),
    Slip("AX-1", "custom:Base", "absent", "E27"),
    Slip("AX-1", "tier:100", "extra", "", "9.00"),
    Slip("ZZ-9", "model", "hallucinated", "", "ZZ-9"),
)
BOXES = (
    BoxOnPage("sku", "truth", "AX-1", (10, 10, 200, 100)),
    BoxOnPage("sku", "truth", "AX-2", (10, 120, 200, 210)),
    BoxOnPage("picture", "truth", "p2", (20, 130, 90, 200)),
    BoxOnPage("sku", "found", "ZZ-9", (300, 10, 400, 100)),
    BoxOnPage("picture", "unbound", "img_1", (20, 130, 90, 200)),
)
BAD = PageMeasure(
    2, "B", "C", COUNTS, 4.5, missed=("AX-2",), false=("ZZ-9",), lost_pictures=("p2",), slips=SLIPS, boxes=BOXES
)


def make_golden_report(*pages: PageMeasure, made_at: str = "2026-11-20T10:00:00+00:00") -> Report:
    good = PageMeasure(1, "A", "A", Counts(pages=1, matched=1, asked=1, right=1, values=1), 0.0)
    file = FileMeasure("styles/lamps", "styles", "lamps.pdf", "lighting", (good, *(pages or (BAD,))))
    return make_report([file], [], made_at, {"commit": "abc1234567"})


def make_stored_report(report: Report | None = None, **columns: Any) -> EvalReport:
    report = report or make_golden_report()
    address = columns.pop("uuid", None) or uuid.uuid4()
    key = default_storage.save(f"quality/{address}/0.jpg", ContentFile(PICTURE))
    picture = {"name": "styles/lamps", "page_number": 2, "key": key, "width_pt": 595.0, "height_pt": 842.0}
    given = {
        "uuid": address, "golden": "styles", "judged": judged_pages(report), "commit": "abc1234567",
        "passed": gate_passed(report.gate), "gate": msgspec.to_builtins(report.gate),
        "total": msgspec.to_builtins(report.total), "pictures": [picture],
        "content": zlib.compress(encode_report(report)), "made_at": datetime.now(UTC),
    }  # fmt: skip
    return EvalReport.objects.create(**(given | columns))
