"""Reports over golden sets, and having one measured, for programs."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict

from catalogsku.accounts.bearer import require
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.paging import step
from processing.products.schemas import Text
from processing.quality import selectors
from processing.quality.models import EvalReport, EvalRun
from processing.quality.services import runs

router = Router(tags=["operations"])


class ReportOut(Schema):
    id: UUID
    golden: str
    passed: bool
    commit: str
    made_at: datetime
    profile: str | None
    total: dict[str, Any]

    @staticmethod
    def resolve_id(report: EvalReport) -> UUID:
        return report.uuid

    @staticmethod
    def resolve_profile(report: EvalReport) -> str | None:
        return str(report.profile) if report.profile else None


class Reports(Schema):
    items: list[ReportOut]
    next: str | None


class NewRun(Schema):
    """``golden``: one of GOLDEN_DIRS; ``profile``: KEY or KEY@VERSION, with which the set is measured."""

    model_config = ConfigDict(extra="forbid")
    golden: Text
    profile: Text = ""


class RunOut(Schema):
    """``report_id``: GET /ops/eval/reports/{report_id}, once ``state`` is done. ``error``: why it failed."""

    id: UUID
    golden: str
    profile: str | None
    state: Literal["waiting", "running", "done", "failed"]
    report_id: UUID | None
    error: dict[str, str] | None
    created_at: datetime
    ended_at: datetime | None

    @staticmethod
    def resolve_id(run: EvalRun) -> UUID:
        return run.uuid

    @staticmethod
    def resolve_profile(run: EvalRun) -> str | None:
        return str(run.profile) if run.profile else None

    @staticmethod
    def resolve_report_id(run: EvalRun) -> UUID | None:
        return run.report.uuid if run.report else None

    @staticmethod
    def resolve_error(run: EvalRun) -> dict[str, str] | None:
        return run.last_error if run.state == "failed" else None


class ReportDetail(ReportOut):
    gate: list[dict[str, Any]]


@router.get("/eval/reports", response={200: Reports, **PROBLEMS}, summary="Reports over golden sets")
def list_reports(request: HttpRequest, cursor: str = "", limit: Limit = 50) -> Any:
    require(request, Action.SEE_QUALITY)
    rows = EvalReport.objects.select_related("profile").defer("content")
    items, following = step(rows, cursor, limit, newest_first=True)
    return {"items": items, "next": following}


@router.get("/eval/reports/{uuid:report_id}", response={200: ReportDetail, **PROBLEMS}, summary="One report")
def get_report(request: HttpRequest, report_id: UUID) -> Any:
    require(request, Action.SEE_QUALITY)
    return selectors.get_report(report_id)


@router.post("/eval/run", response={202: RunOut, **PROBLEMS}, summary="Have a golden set measured")
def run_evaluation(request: HttpRequest, given: NewRun) -> Any:
    """By a worker, in some minutes. With a profile its report is what the gate before the activation asks for."""
    return Status(202, runs.ask_for_run(require(request, Action.OPERATE), given.golden, given.profile))


@router.get("/eval/runs/{uuid:run_id}", response={200: RunOut, **PROBLEMS}, summary="How a run stands")
def evaluation_run(request: HttpRequest, run_id: UUID) -> Any:
    require(request, Action.SEE_QUALITY)
    return runs.get_run(run_id)
