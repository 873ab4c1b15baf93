"""Evaluate a document: C_doc from its sampled pages' scores, the route, and the document facts; arithmetic only."""

from typing import Any

import msgspec

from catalogsku.core import crash_points, work
from catalogsku.core.metrics import EVALUATIONS
from catalogsku.core.presence import current_worker
from ingestion.lifecycle import JobStage
from ingestion.models import Job, Page
from ingestion.services import dispatch, steps
from processing.engine.evaluation.assess import Assessment
from processing.engine.evaluation.evaluate import Evaluation as Judgement
from processing.engine.evaluation.evaluate import PrescanFacts, evaluate
from processing.engine.evaluation.facts import document_facts
from processing.models import Evaluation
from processing.services import frozen

RULE_ANALYST = "rules-1"


def evaluate_job(job_id: int) -> None:
    """Score, route and record; an evaluation of the same file under the same profile is used again (TA-ADR04)."""
    for claim in work.claim(dispatch.active_jobs().filter(pk=job_id), JobStage.EVALUATE, current_worker()):
        crash_points.reached("evaluate.claimed")
        with steps.job_held(claim):
            _evaluate(claim)
        crash_points.reached("evaluate.recorded")
    dispatch.dispatch_job(job_id)


def _evaluate(claim: work.Claim) -> None:
    job = Job.objects.select_related("profile").get(pk=claim.id)
    row, reused = _evaluation(job)
    reason = {
        "codes": row.reasons,
        "reused": reused,
        **{key: row.report[key] for key in ("dimensions", "penalties", "variance")},
        "thresholds": row.report["config"]["thresholds"],
        "sampled": len(row.report["page_scores"]),
    }
    crash_points.reached("evaluate.before_record")
    steps.record_route(claim, row.route, row.c_doc, row.report["degrade_reason"], reason)
    EVALUATIONS.labels("kept" if reused else "new").inc()


def _evaluation(job: Job) -> tuple[Evaluation, bool]:
    key = evaluation_key(job)
    kept = Evaluation.objects.filter(**key).first()
    if kept is not None:
        return kept, True
    assessments = [
        msgspec.convert(page.assessment, Assessment)
        for page in Page.objects.filter(job=job, sampled=True, assessment__isnull=False).order_by("number")
    ]
    judged = evaluate([a.score for a in assessments], prescan_facts(job), frozen.evaluation_config(job.profile))
    facts = document_facts([a.margins for a in assessments], {"hash8": job.hash8})
    row, created = Evaluation.objects.get_or_create(**key, defaults=_columns(judged, facts))
    return row, not created


def _columns(judged: Judgement, facts: Any) -> dict[str, Any]:
    report = frozen.jsonable(judged)
    return {
        "c_doc": judged.c_doc,
        "route": judged.route,
        "reasons": list(judged.reason_codes),
        "report": report,
        "facts": frozen.jsonable(facts),
    }


def prescan_facts(job: Job) -> PrescanFacts:
    """The prescan of all pages in four numbers; a page that was recognised or has characters gives text."""
    pages = Page.objects.filter(job=job)
    filled = [p for p in pages.order_by("number").values("prescan", "features", "sampled") if not p["prescan"]["blank"]]
    text = sum(p["features"].get("chars", 0) >= 10 if p["features"] else p["prescan"]["chars"] >= 10 for p in filled)
    return PrescanFacts(
        non_blank_pages=len(filled),
        text_pages=text,
        image_count=sum(p["prescan"]["images"] for p in filled),
        all_blank=not filled,
    )


def evaluation_key(job: Job) -> dict[str, Any]:
    return {
        "merchant_id": job.merchant_id,
        "file_sha256": job.file_sha256,
        "profile": job.profile,
        "prompt_version": "none",
        "model": f"{RULE_ANALYST}/{frozen.reading_key()}",
    }


def evaluation_of(job: Job) -> Evaluation | None:
    """The evaluation that the job was routed by; None before that."""
    return Evaluation.objects.filter(**evaluation_key(job)).first()
