"""Reports over golden sets, which are nobody's own."""

from uuid import UUID

from django.db.models import F, QuerySet, Window
from django.db.models.functions import Lag

from catalogsku.core.errors import NotFound
from processing.quality.models import EvalReport


def list_reports() -> QuerySet[EvalReport]:
    """The newest first; ``before``: the total of the one before over the same pages, None for the first."""
    before = Window(Lag("total"), partition_by=F("judged"), order_by=F("id").asc())
    return EvalReport.objects.select_related("profile").defer("content").annotate(before=before).order_by("-id")


def get_report(report_id: UUID) -> EvalReport:
    """Raises NotFound."""
    report = EvalReport.objects.select_related("profile").filter(uuid=report_id).first()
    if report is None:
        raise NotFound("not_found")
    return report


def report_before(report: EvalReport) -> EvalReport | None:
    """The one before over the same pages."""
    rows = EvalReport.objects.filter(judged=report.judged, pk__lt=report.pk)
    return rows.defer("content").order_by("-pk").first()


def report_picture(report_id: UUID, number: int) -> str:
    """The key of the picture with that place in ``pictures``. Raises NotFound."""
    pictures = EvalReport.objects.filter(uuid=report_id).values_list("pictures", flat=True).first()
    if pictures is None or number >= len(pictures):
        raise NotFound("not_found")
    return str(pictures[number]["key"])
