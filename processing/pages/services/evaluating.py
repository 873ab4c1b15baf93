"""Evaluate a document: its sampled pages scored by a model or by the rules, C_doc, the route, and document facts."""

import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from django.db import transaction

from catalogsku.core import crash_points, work
from catalogsku.core.metrics import EVALUATIONS
from catalogsku.core.presence import current_worker
from catalogsku.core.structs import ready
from ingestion.lifecycle import JobStage
from ingestion.models import Job, Page
from ingestion.services import dispatch, steps
from processing.engine.evaluation.assess import Assessment
from processing.engine.evaluation.evaluate import Evaluation as Judgement
from processing.engine.evaluation.evaluate import PrescanFacts, evaluate
from processing.engine.evaluation.facts import document_facts
from processing.engine.result import DocumentFacts
from processing.llm.consult import Busy
from processing.llm.evaluate import Scored
from processing.llm.port import Operation
from processing.pages.models import Evaluation
from processing.pages.services import scoring
from processing.pages.signals import document_routed
from processing.sandboxed import frozen

log = logging.getLogger(__name__)

RULE_ANALYST = "rules-1"
NO_PROMPT = "none"


class Judged(NamedTuple):
    """``failures``: (model, code) of what models did not answer to this job."""

    row: Evaluation
    reused: bool
    failures: Sequence[tuple[str, str]] = ()


def evaluate_job(job_id: int) -> None:
    """Score, route and record; an evaluation of the same file under the same profile is used again (TA-ADR04).

    Where a model is only busy, the job comes back later, at no cost; its answers so far are kept.
    """
    for claim in work.claim(dispatch.active_jobs().filter(pk=job_id), JobStage.EVALUATE, current_worker()):
        crash_points.reached("evaluate.claimed")
        with steps.job_held(claim):
            try:
                _evaluate(claim)
            except Busy as busy:
                log.info("model busy", extra={"job_id": job_id, "code": busy.code, "retry_after_s": busy.retry_after_s})
                work.release(Job, [claim], delay_s=busy.retry_after_s)
        crash_points.reached("evaluate.recorded")
    dispatch.dispatch_job(job_id)


def _evaluate(claim: work.Claim) -> None:
    job = Job.objects.select_related("profile", "routing").get(pk=claim.id)
    judged = _evaluation(job)
    row = judged.row
    reason = {
        "codes": row.reasons,
        "reused": judged.reused,
        **{key: row.report[key] for key in ("dimensions", "penalties", "variance")},
        "thresholds": row.report["config"]["thresholds"],
        "sampled": len(row.report["page_scores"]),
        "evaluation": row.pk,
        "model": row.analysts,
        "prompt_version": row.prompt_version if row.prompt_version != NO_PROMPT else "",
        "failures": [{"model": model, "code": code} for model, code in dict.fromkeys(judged.failures)],
    }
    crash_points.reached("evaluate.before_record")
    with transaction.atomic():
        steps.record_route(claim, row.route, row.c_doc, row.report["degrade_reason"], reason)
        document_routed.send(sender=Job, job_id=job.pk)
    EVALUATIONS.labels("kept" if judged.reused else "new").inc()


def _evaluation(job: Job) -> Judged:
    """The row is lock and cache: of jobs that judge the same at once, one writes it and all take it. Raises Busy."""
    pages = list(Page.objects.filter(job=job, sampled=True, assessment__isnull=False).order_by("number"))
    assessments = [msgspec.convert(page.assessment, ready(Assessment)) for page in pages]
    rules = [assessment.score for assessment in assessments]
    panel = scoring.panel_for(job, pages, rules)
    wanted = evaluation_key(job, [panel.models[0].name] if panel else [])
    stored = Evaluation.objects.filter(**wanted).first()
    if stored is not None:
        return Judged(stored, reused=True)
    scored = scoring.ask_models(job, pages, rules, panel) if panel else Scored()
    judged = evaluate(scored.merged(rules), prescan_facts(job), frozen.evaluation_config(job.profile))
    facts = document_facts([a.margins for a in assessments], {"hash8": job.hash8})
    analysts = [*scored.analysts, *([RULE_ANALYST] if scored.unasked else [])] if scored.pages else []
    row, created = Evaluation.objects.get_or_create(**evaluation_key(job, analysts), defaults=_columns(judged, facts))
    return Judged(row, not created, scored.failures)


def _columns(judged: Judgement, facts: DocumentFacts) -> dict[str, Any]:
    report = frozen.jsonable(judged)
    return {
        "c_doc": judged.c_doc,
        "route": judged.route,
        "reasons": list(judged.reason_codes),
        "report": report,
        "facts": frozen.jsonable(facts),
    }


def prescan_facts(job: Job) -> PrescanFacts:
    """The prescan of all pages in four numbers; a page that was recognised or has characters gives text.

    Of what was read only the sample counts: how many other pages have been read by now is chance.
    """
    pages = Page.objects.filter(job=job)
    filled = [p for p in pages.order_by("number").values("prescan", "features", "sampled") if not p["prescan"]["blank"]]
    text = sum(
        (p["features"] if p["sampled"] and p["features"] else p["prescan"]).get("chars", 0) >= 10 for p in filled
    )
    return PrescanFacts(
        non_blank_pages=len(filled),
        text_pages=text,
        image_count=sum(p["prescan"]["images"] for p in filled),
        all_blank=not filled,
    )


def evaluation_key(job: Job, analysts: Sequence[str] = ()) -> dict[str, Any]:
    """``analysts``: models that scored pages, and the rule analyst where a whole batch was left to it; none: the rules
    alone. So what was judged for want of a model is not taken for that model's judgement later."""
    return {
        "merchant_id": job.merchant_id,
        "file_sha256": job.file_sha256,
        "profile": job.profile,
        "prompt_version": frozen.prompt_version(job, Operation.EVALUATE_DOCUMENT) if analysts else NO_PROMPT,
        "model": f"{'+'.join(analysts) or RULE_ANALYST}/{frozen.reading_key()}",
    }
