"""The stage in which models are asked about a study: once its rules' offers stand, and the merchant's setting or a
person lets it be asked about."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import msgspec
from django.db.models.functions import Now

from catalogsku.core import crash_points, live, messages, work
from catalogsku.core.presence import current_worker
from catalogsku.core.structs import ready
from catalogsku.profiles.wording import rules_before
from ingestion.lifecycle import JobStage, JobStatus, ModelsState
from ingestion.models import Job, Page
from ingestion.services import dispatch, permission, steps
from ingestion.services.permission import Verdict
from processing.engine.kinds.children import CUT_UP, PROVE, WHOLE, Paper, Quoted
from processing.engine.kinds.proving import Proof
from processing.engine.page import Features, ParsedPage
from processing.llm.available import available_models
from processing.llm.chain import model_chain
from processing.llm.consult import Busy
from processing.llm.models import LanguageModel
from processing.llm.plan import CallPlan
from processing.llm.port import About, Operation
from processing.llm.prompts import compose
from processing.llm.routing import Priced, complexity_of, select_model
from processing.llm.sending import tokens_of
from processing.pages.services import offering
from processing.pages.services.reading import kept_pages
from processing.sandboxed import frozen, sandboxes
from processing.sandboxed.metered import OVER_BUDGET, Metered
from processing.studies import asking, values
from processing.studies.asking import Asked, Questions, Told
from processing.studies.definition import Definition
from processing.studies.lifecycle import RECORD_ENDED
from processing.studies.models import Record, Template
from processing.studies.selectors import definition_in, get_version
from processing.studies.services import filling
from processing.studies.services.extracting import PAGES_MOST

log = logging.getLogger(__name__)

# For estimates: tokens of an answer for each field that is asked (a value with its quote is some 65, and a paper
# reports about half of them), and parts of a paper of which none is known yet.
FIELD_TOKENS, OUTCOMES_UNKNOWN, ARMS_UNKNOWN = 35, 6, 2
# From this share of Han signs on questions are put in Chinese.
_HAN_SHARE = 0.1
Result = TypeVar("Result")


class Unreadable(Exception):
    """The document's budget of machine time is spent, or its child came to nothing: ``error`` as rows keep it."""

    def __init__(self, error: dict[str, object] | None) -> None:
        super().__init__("nothing to ask about")
        self.error = error


def zones_to_try(job: Job, page: ParsedPage, language: str) -> dict[str, str]:
    """For the trial of a prompt: the first group of the study's template, or of a shipped one where it is no study."""
    main = Record.objects.filter(job=job, repeat="none", superseded=False).select_related("template_version").first()
    version = main.template_version if main else get_version(Template.objects.filter(merchant=None).order_by("pk")[0])
    return asking.zones_to_try(page, definition_in(version).groups[0], language)


def ask_job(job_id: int) -> None:
    """Ask about the study, unless a person is to be asked first; where a model is only busy, it comes back later."""
    for claim in work.claim(dispatch.active_jobs().filter(pk=job_id), JobStage.ASK, current_worker()):
        crash_points.reached("ask.claimed")
        with steps.job_held(claim):
            try:
                _ask(claim)
            except Busy as busy:
                log.info("model busy", extra={"job_id": job_id, "code": busy.code, "retry_after_s": busy.retry_after_s})
                work.release(Job, [claim], delay_s=busy.retry_after_s)
                dispatch.dispatch_again(job_id, busy.retry_after_s)
                return
            except Unreadable as unreadable:
                if unreadable.error is None:
                    record(claim, [], [])
                else:
                    steps.record_job_failure(claim, unreadable.error, permanent=False)
        crash_points.reached("ask.recorded")
    dispatch.dispatch_job(job_id)


def _ask(claim: work.Claim) -> None:
    job = Job.objects.select_related("profile", "routing").get(pk=claim.id)
    live.hint(job.pk)
    models = available_models()
    if not models or not offering.asking_of(job).may:
        record(claim, [], [])
        return
    contents = kept_pages(job, range(1, PAGES_MOST + 1))
    with _child_of(job, claim, {number: bytes(content.data) for number, content in contents.items()}) as run:
        paper = run(CUT_UP, {}, Paper)
        main = Record.objects.select_related("template_version").get(job=job, repeat="none", superseded=False)
        definition, about = definition_in(main.template_version), _about(job, paper)
        routes, wordings = frozen.routes(job), frozen.wordings(job)
        ask = model_chain(CallPlan(limit=None), wordings, routes, models)
        earlier = msgspec.convert(main.asked, ready(list[Asked]))
        questions = Questions(paper, definition, _parts(job), about, ask, partial(_proofs, run), earlier)
        if job.models_state != ModelsState.GO:
            micro = _estimate(job, questions, definition, models)
            verdict = offering.verdict(offering.rule_of(job.merchant_id), micro, can_ask=True)
            if not _may_go_on(claim, len(contents), micro, verdict):
                return
        try:
            told = questions.run()
        except Busy:
            _keep_answers(job, questions.asked)
            raise
        record(claim, told, questions.asked)


@contextmanager
def _child_of(job: Job, claim: work.Claim, pages: Mapping[int, bytes]) -> Iterator["Run"]:
    """What runs tasks over the document's pages, on its account."""
    with sandboxes.work_folder() as folder:
        (folder / "pages").write_bytes(msgspec.msgpack.encode(pages))
        yield Run(Metered(job, Job, [claim]), folder)


class Run:
    """Raises Unreadable, InterruptedError."""

    def __init__(self, metered: Metered, folder: Path) -> None:
        self._metered, self._folder, self._times = metered, folder, 0

    def __call__(self, task: str, more: Mapping[str, bytes], kind: type[Result]) -> Result:
        """``more``: files that the task reads beside the pages, by name."""
        self._times += 1
        paths = {"file": self._folder / "pages"}
        for name, data in more.items():
            paths[name] = self._folder / f"{name}-{self._times}"
            paths[name].write_bytes(data)
        request = {name: str(path) for name, path in paths.items()}
        out = self._folder / f"out-{self._times}"
        outcome = self._metered.run(task, request, [WHOLE], out, [*paths.values()], sandboxes.UNDERSTANDING)
        if WHOLE in outcome.finished:
            return msgspec.json.decode(outcome.finished[WHOLE], type=ready(kind))
        if outcome.reason in sandboxes.NOT_THE_DOCUMENT:
            raise InterruptedError(outcome.reason)
        raise Unreadable(None if outcome.reason == OVER_BUDGET else sandboxes.error_of(outcome))


def _proofs(run: Run, said: Sequence[Quoted]) -> list[Proof]:
    return run(PROVE, {"said": msgspec.json.encode(list(said))}, list[Proof])


def _about(job: Job, paper: Paper) -> About:
    routes = frozen.routes(job)
    features = [
        msgspec.convert(held, ready(Features))
        for held in Page.objects.filter(job=job).values_list("features", flat=True)
        if held
    ]
    kinds = Counter(complexity_of(page, routes.points) for page in features)
    text = "".join(passage.text for passage in paper.passages)
    han = sum("\u4e00" <= sign <= "\u9fff" for sign in text)
    return About(
        merchant_id=job.merchant_id,
        job_id=job.pk,
        category=job.category,
        language="zh" if han > _HAN_SHARE * len(text) else "en",
        complexity="complex" if kinds["complex"] > kinds["simple"] else "simple",
        bucket=job.bucket,
        profile=str(job.profile),
    )


def _parts(job: Job) -> dict[str, list[str]]:
    """Those that rules found or people named, and nobody left out."""
    rows = Record.objects.filter(job=job, superseded=False).exclude(repeat="none").exclude(status="REJECTED")
    names = rows.order_by("repeat", "pk").values_list("repeat", "part")
    return {repeat: [part for _, part in some] for repeat, some in groupby(names, key=lambda row: row[0])}


def _estimate(job: Job, questions: Questions, definition: Definition, models: Sequence[LanguageModel]) -> int:
    """Micro-USD that the first question of each group costs at the model that would be asked."""
    routes, wordings, by_name = frozen.routes(job), frozen.wordings(job), {model.name: model for model in models}
    parts = {"none": 1, "per_arm": ARMS_UNKNOWN, "per_outcome": OUTCOMES_UNKNOWN}
    parts |= {repeat: len(names) for repeat, names in _parts(job).items()}
    task, rules = wordings[Operation.READ_STUDY], wordings[rules_before(Operation.READ_STUDY)]
    priced = [Priced(model.name, model.price_out_micro) for model in models]
    micro = 0
    for group, request in zip(definition.groups, questions.requests(), strict=True):
        about = request.about
        choice = select_model(routes, request.operation, about.page_type, about.complexity, priced)
        if choice.models:
            text = compose(task, rules, about.language, request.zones)
            tokens_out = FIELD_TOKENS * sum(parts[asked.repeat] for asked in group.fields)
            micro += by_name[choice.models[0]].cost_micro(tokens_of(text.system + text.user), tokens_out)
    return micro


def _may_go_on(claim: work.Claim, pages: int, micro: int, verdict: Verdict) -> bool:
    """By what was decided, or the merchant's setting; where not, the stage has ended."""
    with work.recording(Job, claim) as job:
        if job is None or job.status != JobStatus.PROCESSING:
            return False
        if permission.settle_whole(job, pages, micro, verdict) == ModelsState.GO:
            return True
        _end_stage(job)
    return False


def record(claim: work.Claim, told: Sequence[Told], asked: Sequence[Asked]) -> None:
    """What models said becomes the records' values, but for what people have decided; what rules had offered stays
    beside it."""
    crash_points.reached("ask.before_record")
    with work.recording(Job, claim) as job:
        if job is None or job.status != JobStatus.PROCESSING:
            return
        if told or asked:
            _record(job, told, asked)
        _end_stage(job)


def _keep_answers(job: Job, asked: Sequence[Asked]) -> None:
    """Who has answered so far, for the next look: what was answered is then not asked of somebody else."""
    main = Record.objects.filter(job=job, repeat="none", superseded=False)
    for known in main.values_list("asked", flat=True):
        if len(asked) > len(known):
            main.update(asked=[asdict(one) for one in asked])


def _end_stage(job: Job) -> None:
    """Whoever looks at the study hears of it by what it says once."""
    Record.objects.filter(job=job, repeat="none", superseded=False).update(**Record.visible_change())
    columns = {**work.RECORDED, **Job.visible_change(), "stage": JobStage.NONE, "progressed_at": Now()}
    Job.objects.filter(pk=job.pk).update(**columns)
    messages.send_after_commit("settle_job", job.pk)


def _record(job: Job, told: Sequence[Told], asked: Sequence[Asked]) -> None:
    active = Record.objects.filter(job=job, superseded=False).order_by("pk").select_related("template_version")
    records = list(active.select_for_update(of=("self",), no_key=True))
    main = next(record for record in records if record.repeat == "none")
    if asked:
        Record.objects.filter(pk=main.pk).update(asked=[asdict(one) for one in asked], **Record.visible_change())
    fields = definition_in(main.template_version).fields
    by_part: dict[tuple[str, str], list[values.Value]] = {}
    for one in told:
        by_part.setdefault((one.field.repeat, one.part), []).append(one.value)
    arms_told = any(repeat == "per_arm" for repeat, _ in by_part)
    for row in records:
        answers = by_part.pop((row.repeat, row.part), [])
        if row.status in RECORD_ENDED:
            continue
        if row.repeat == "per_arm" and arms_told and not answers and not row.decisions.exists():
            filling.drop(row)  # heads of tables that rules took for arms: arms are known as a whole, outcomes never are
            continue
        own = [asked for asked in fields if asked.repeat == row.repeat]
        filling.fill(row, values.with_answers(values.values_in(row.values), values.offers_in(row.offers), answers, own))
    for (repeat, part), answers in by_part.items():
        new = filling.part_of(main, repeat, part)
        own = [asked for asked in fields if asked.repeat == repeat]
        filling.add(new, values.with_answers([], [], answers, own), "found")
