"""A shadow looks at one page that is done: another reader, prompt version or model, beside what became the result.

Nothing of it touches page, job or their ledgers: its calls name neither, and what goes wrong ends the look alone.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from django.db.models import QuerySet, Sum

from catalogsku.core import storage
from catalogsku.core.structs import ready
from ingestion.kinds import KINDS
from ingestion.models import Job
from ingestion.stages import LOOK_BACK_PAGES
from processing.engine.page import ParsedPage, unpack_page
from processing.engine.quality.shadow import products_of
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.llm.available import available_models
from processing.llm.chain import model_chain
from processing.llm.consult import Busy, Consultation
from processing.llm.keys import is_ready
from processing.llm.models import CallState, LanguageModel, ModelCall
from processing.llm.plan import CallPlan
from processing.llm.prompts import wordings_of
from processing.pages.models import PageContent
from processing.pages.services import analyst, consulting, reading
from processing.pages.services.understood import Evidence
from processing.sandboxed import frozen, sandboxes
from processing.shadows.models import ShadowPage
from processing.shadows.services import pages as shadow_pages
from processing.shadows.services.pages import Seen

log = logging.getLogger(__name__)


class NotSeen(Exception):
    """No difference can be told; the code says why."""


def look_at(pk: int) -> None:
    """The page of a shadow; nothing where another message has begun it."""
    row = shadow_pages.begin(pk)
    if row is None:
        return
    try:
        seen = _seen_by_reader(row) if row.shadow.reader else _seen_by_models(row)
    except NotSeen as reason:
        shadow_pages.end_without(row, str(reason), _paid(row))
    except Exception:
        log.exception("shadow failed", extra={"shadow_page": pk})
        shadow_pages.end_without(row, "internal_error", _paid(row))
    else:
        shadow_pages.end_seen(row, seen, _paid(row))
    shadow_pages.send_next(row.shadow)


def _contents(row: ShadowPage) -> dict[int, PageContent]:
    number = row.page.number
    contents = reading.kept_pages(row.page.job, range(max(1, number - LOOK_BACK_PAGES), number + 1))
    if number not in contents:
        raise NotSeen("page_not_read")
    return contents


# --- another prompt version or model ---------------------------------------------------------------


def _seen_by_models(row: ShadowPage) -> Seen:
    """The page's questions asked once more, with the job's own prompts and routes but for what is in the shadow."""
    shadow, page, job = row.shadow, row.page, row.page.job
    models = _models(row)
    if not models:
        raise NotSeen("no_model")
    if not shadow_pages.has_room(row):
        raise NotSeen("budget_for_documents")
    contents = _contents(row)
    evidence = consulting.evidence_of(job, contents)
    rules = _by_rules(job, page.number, evidence)
    pack = consulting.pack_of(page, evidence, rules)
    pack = replace(pack, about=replace(pack.about, job_id=None, page_id=None, bucket=_bucket(row), batched=False))
    prompts = {**job.prompts, shadow.prompt.key: shadow.prompt.pk} if shadow.prompt else job.prompts
    plan = CallPlan()
    try:
        wordings = wordings_of(prompts, KINDS[job.kind].questions)
        done = Consultation(pack, model_chain(plan, wordings, pack.routes, models), plan).run()
    except Busy as busy:
        raise NotSeen(busy.code) from busy
    if done.answers is None:
        raise NotSeen(done.result.fallback_reason or "not_asked")
    calls = _with_kept(_calls(row), [question.call_id for question in done.result.asked])
    questions = page.validation.get("asked", [])
    own = _with_kept(ModelCall.objects.filter(page=page), [question["call_id"] for question in questions])
    (cost_micro, ms), (own_cost_micro, own_ms) = _sums(calls), _sums(own)
    return Seen(products_of(done.result), None, cost_micro, own_cost_micro, ms, own_ms)


def _models(row: ShadowPage) -> list[LanguageModel]:
    chosen = row.shadow.model
    if chosen is None:
        return available_models()
    return [m for m in LanguageModel.objects.in_service().filter(pk=chosen.pk) if is_ready(m.provider)]


def _by_rules(job: Job, number: int, evidence: Evidence) -> PageResult:
    """As when the page was handed to models; its bytes have passed the same rules in the sandbox before."""
    earlier = {n: unpack_page(data) for n, data in evidence.pages.items()}
    own, facts = earlier.pop(number), msgspec.convert(evidence.facts, ready(DocumentFacts))
    return understand_page(own, list(earlier.values()), facts, frozen.analyst_config(job))


def _bucket(row: ShadowPage) -> str:
    """Tells the shadow's calls from all others in the ledger."""
    return f"shadow:{row.shadow_id}:{row.pk}"


def _calls(row: ShadowPage) -> "QuerySet[ModelCall]":
    return ModelCall.objects.filter(created_at__gte=row.begun_at, bucket=_bucket(row))


def _with_kept(calls: "QuerySet[ModelCall]", call_ids: Sequence[int]) -> "QuerySet[ModelCall]":
    """With the answers that were kept from before: as if each had been asked here."""
    return calls | ModelCall.objects.filter(pk__in=[pk for pk in call_ids if pk])


def _sums(calls: "QuerySet[ModelCall]") -> tuple[int, int]:
    """Micro-USD and milliseconds."""
    sums = calls.aggregate(micro=Sum("settled_micro"), ms=Sum("latency_ms"))
    return sums["micro"] or 0, sums["ms"] or 0


def _paid(row: ShadowPage) -> int:
    """What may still be on its way counts with its upper bound."""
    unknown = _calls(row).filter(state=CallState.SENT).aggregate(micro=Sum("reserved_micro"))
    return _sums(_calls(row))[0] + (unknown["micro"] or 0)


# --- another reader ----------------------------------------------------------------------------------


def _seen_by_reader(row: ShadowPage) -> Seen:
    """Both readings understood by the rule analyst, so that readers alone are compared."""
    job, number = row.page.job, row.page.number
    evidence = consulting.evidence_of(job, _contents(row))
    with sandboxes.work_folder() as folder:
        read = _read(row, folder)
    parsed, own = unpack_page(read), unpack_page(evidence.pages[number])
    results = [
        _understood(number, {**evidence.pages, number: page}, evidence) for page in (evidence.pages[number], read)
    ]
    before, after = (products_of(result) for result in results)
    return Seen(after, before, ms=_read_ms(parsed), own_ms=_read_ms(own))


def _read(row: ShadowPage, folder: Path) -> bytes:
    """The page packed, read with the shadow's reader first."""
    settings, number = frozen.reading_settings(), row.page.number
    others = tuple(name for name in settings.readers if name != row.shadow.reader)
    changed = msgspec.structs.replace(settings, readers=(row.shadow.reader, *others))
    with storage.local_copy(row.page.job.source_key) as source:
        request = {
            "path": str(source),
            "password": reading.password_of(row.page.job),
            "out": str(folder),
            "settings": frozen.jsonable(changed),
            "pages": [number],
            "assess": [],
        }
        for recognises in (False, True):
            limits = sandboxes.reading_limits(recognises=recognises)
            outcome = sandboxes.sandbox(recognises=recognises).run(
                reading.TASK, {**request, "recognises": recognises}, [number], folder, [source], limits
            )
            if number not in outcome.finished:
                raise NotSeen(str(sandboxes.error_of(outcome)["code"]))
            if payload := outcome.finished[number]:
                packed, _ = msgspec.msgpack.decode(payload, type=ready(tuple[bytes, Any]))
                return bytes(packed)
    raise NotSeen("reading_invalid")


def _understood(number: int, pages: Mapping[int, bytes], evidence: Evidence) -> PageResult:
    results, outcome = analyst.understand([number], pages, evidence.facts, evidence.config)
    if number not in results:
        raise NotSeen(str(sandboxes.error_of(outcome)["code"]))
    return msgspec.json.decode(results[number], type=ready(PageResult))


def _read_ms(page: ParsedPage) -> int:
    return sum(msgspec.structs.astuple(page.timing))
