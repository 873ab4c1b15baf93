"""Studies go their own way: read page by page, found as a whole, decided on by people, and settled by their records."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from catalogsku.accounts import tokens
from catalogsku.core import messages, presence, work
from catalogsku.core.errors import Conflict, Refused
from catalogsku.core.models import Transition
from catalogsku.core.sandbox import Outcome
from ingestion.lifecycle import JobStage
from ingestion.models import Job, Notice, Page
from ingestion.notices import presenters
from ingestion.page_groups import groups_of
from ingestion.selectors import earlier_editions
from ingestion.services import jobs, settle
from ingestion.services.pages import bury
from ingestion.services.receiving import submit_file
from ingestion.standing import standing
from processing.engine.kinds.children import TASK, Found
from processing.models import Decision, PageContent, Record, Sku, Template
from processing.pages.services import taking_turns
from processing.sandboxed.metered import OVER_BUDGET, Metered
from processing.studies.kind import STUDY
from processing.studies.selectors import definition_in, get_version
from processing.studies.services import extracting, opening, reviewing, templates
from processing.studies.values import values_in
from tests.support.papers import OUTCOMES, TITLE, paper_pdf
from tests.support.people import People
from tests.support.program import V1
from tests.support.rows import make_job
from tests.support.stages import as_worker
from tests.support.studies import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _worker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    as_worker(monkeypatch, extracting)
    monkeypatch.setattr(messages, "send_unless_waiting", lambda actor: True)


def given(people: People, path: Path, template: str = "rct", **drawn: Any) -> Job:
    """A paper, through all that machines do with it."""
    if not path.exists():
        path.write_bytes(paper_pdf(**drawn))
    job = submit_file(None, people.merchant.pk, path, key=f"{template} {path.name}", kind=STUDY, template=template)
    return work_on(job)


def work_on(job: Job) -> Job:
    for _turn in range(40):
        if not any(taking_turns.take_turn(unit) for unit in ("cpu", "llm")):
            settle.settle_job(job.pk)
            return Job.objects.get(pk=job.pk)
    raise AssertionError("machines come to no end")


def held(job: Job) -> dict[tuple[str, str], dict[str, str]]:
    """By repeat and part, the values of fields."""
    rows = Record.objects.filter(job=job, superseded=False).order_by("pk")
    return {(row.repeat, row.part): {value.field: value.text for value in values_in(row.values)} for row in rows}


# --- its way --------------------------------------------------------------------------------------


@pytest.mark.req("LX-SYS", "LX-SCATTER")
@pytest.mark.usefixtures("english")
def test_what_a_paper_says_is_offered_and_decided_by_nobody(people: People, tmp_path: Path) -> None:
    job = given(people, tmp_path / "paper.pdf")
    assert (job.kind, job.template, job.status, job.stage) == ("study", "rct/1", "PARTIAL_IMPORTED", "NONE")
    assert set(job.pages.values_list("status", "stage", "needs_review")) == {("AI_COMPLETED", "NONE", False)}
    found = held(job)
    assert found["none", ""]["registration_number"] == "NCT01234567"
    assert found["none", ""]["n_randomised_total"] == "92"
    assert found["per_arm", "Exercise group"] == {"arm_name": "Exercise group", "n_randomised": "45"}
    falls = {"outcome_name": "Falls, n (%)", "events_treatment": "9", "events_control": "19"}
    assert found["per_outcome", "Falls, n (%)"] == falls
    assert list(found)[3:] == [("per_outcome", name) for name, _, _ in OUTCOMES], "in the paper's order"
    every = [value for row in Record.objects.filter(job=job) for value in values_in(row.values)]
    assert {(value.grade, value.verdict, value.method) for value in every} == {("yellow", "", "rules-1")}
    assert all(value.places and value.page == value.places[0].page for value in every)
    main = Record.objects.get(job=job, repeat="none")
    offers = {offer["field"] for offer in main.offers}
    assert offers == {"study_design", "rob_blinding_assessors"}, "print does not say which of a list it is"
    assert (main.subject, main.pages) == (TITLE, [1])
    moves = Transition.objects.filter(entity="record", entity_id=main.pk).order_by("pk")
    assert list(moves.values_list("trigger", "target")) == [("found", "FOUND"), ("offered", "REVIEW")]
    assert not Sku.objects.filter(job=job).exists()
    stands = standing(job, groups_of(job))
    assert (stands.status, stands.user_status) == ("PARTIAL_IMPORTED", "partial_success")
    assert stands.reason == "What was found waits for a person to look at it"


@pytest.mark.usefixtures("english")
def test_people_are_told_that_a_study_waits_and_who_gave_it_that_it_has_ended(people: People, tmp_path: Path) -> None:
    def told() -> dict[tuple[str, str], tuple[str, str]]:
        notices = list(Notice.objects.filter(over_at=None).select_related("job", "person"))
        return {
            (notice.person.username, row.word): (row.detail, presenters.target(notice))
            for notice, row in zip(notices, presenters.rows(notices), strict=True)
        }

    job = given(people, tmp_path / "paper.pdf")
    Job.objects.filter(pk=job.pk).update(uploader=people.uploader)
    waits, place = "What was found waits for a person to look at it.", reverse("job", args=[job.uuid])
    assert told() == {("annotator", "A document needs you"): (waits, place)}
    for field in ("study_id", "study_design", "n_randomised_total", "condition"):
        main = Record.objects.get(job=job, repeat="none")
        reviewing.decide(people.lead, main, field, reviewing.Answer("not_reported"))
    reviewing.approve(people.lead, job, drop_rest=True)
    settle.settle_job(job.pk)
    ended = "A person has looked at all that was found."
    assert told() == {("uploader", "Finished"): (ended, place)}


@pytest.mark.req("LX-PARSECACHE")
def test_the_next_template_reads_nothing_again(people: People, tmp_path: Path) -> None:
    given(people, tmp_path / "paper.pdf")
    read = list(PageContent.objects.order_by("pk").values())
    other = given(people, tmp_path / "paper.pdf", "cohort")
    assert (other.reused_pages, other.template) == (2, "cohort/1")
    assert list(PageContent.objects.order_by("pk").values()) == read
    assert Record.objects.filter(job=other, repeat="none").get().template_version.template.key == "cohort"


@pytest.mark.req("LX-FIELDS")
def test_a_study_keeps_the_version_that_it_began_with(people: People, tmp_path: Path) -> None:
    shipped = Template.objects.get(merchant=None, key="rct")
    version = templates.clone_template(get_version(shipped), people.merchant, people.lead, key="own")
    job = given(people, tmp_path / "paper.pdf", "own")
    definition = definition_in(version)
    groups = (definition.groups[0], *definition.groups[2:])
    later = templates.save_version(version.template, type(definition)(groups), people.lead)
    assert later.number == 2 and Record.objects.filter(job=job, repeat="none").get().template_version == version
    assert given(people, tmp_path / "next.pdf", "own").template == "own/2"
    assert given(people, tmp_path / "first.pdf", "own/1").template == "own/1"
    assert opening.template_of(people.other.pk, "rct") == "rct/1"
    with pytest.raises(Refused, match="unknown_template"):
        opening.template_of(people.other.pk, "own")


@pytest.mark.req("LX-FIELDS")
def test_what_a_template_does_not_ask_is_not_kept(people: People, tmp_path: Path) -> None:
    version = get_version(Template.objects.get(merchant=None, key="rct"))
    definition = definition_in(version)
    wanted = [group for group in definition.groups if group.key in ("identification", "arms")]
    templates.make_template(people.merchant, "few", "Few", type(definition)(tuple(wanted)), people.lead)
    found = held(given(people, tmp_path / "paper.pdf", "few"))
    assert list(found) == [("none", ""), ("per_arm", "Exercise group"), ("per_arm", "Control group")]


def test_a_page_that_is_sent_again_is_found_in_anew_and_decisions_stay(people: People, tmp_path: Path) -> None:
    job = given(people, tmp_path / "paper.pdf")
    main, fall, weight, grip = (
        Record.objects.get(job=job, part=part) for part in ("", "Falls, n (%)", "Weight, kg", "Grip strength, kg")
    )
    reviewing.decide(people.lead, main, "n_randomised_total", reviewing.Answer("corrected", "93"))
    reviewing.decide(people.lead, fall, "events_control", reviewing.Answer("confirmed"))
    reviewing.set_rejected(people.lead, grip, rejected=True)
    content = PageContent.objects.get(number=2)
    first = PageContent.objects.get(number=1)
    PageContent.objects.filter(pk=content.pk).update(data=first.data)  # the table is gone
    jobs.rerun_pages(job, [2], "lead")
    assert settle.settle_job(job.pk) == "PROCESSING"
    job = work_on(job)
    assert job.status == "PARTIAL_IMPORTED"
    assert held(job)["none", ""]["n_randomised_total"] == "93"
    assert held(job)["per_outcome", "Falls, n (%)"] == {"events_control": "19"}, "only what a person said"
    weight.refresh_from_db()
    grip.refresh_from_db()
    assert weight.superseded and (grip.superseded, grip.status) == (False, "REJECTED")


def test_what_is_found_while_a_page_comes_is_dropped_and_found_anew(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = given(people, tmp_path / "paper.pdf")
    Job.objects.filter(pk=job.pk).update(stage=JobStage.EXTRACT, status="PROCESSING")
    (claim,) = work.claim(Job.objects.filter(pk=job.pk), JobStage.EXTRACT, presence.current_worker())
    Page.objects.filter(job=job, number=2).update(stage="UNDERSTAND_RULES", status="AI_QUEUED")
    extracting.note_pages([Page.objects.get(job=job, number=2).pk])
    extracting.record(claim, Found())
    job.refresh_from_db()
    assert (job.stage, job.worker) == ("EXTRACT", None) and held(job)["none", ""], "another one finds it"
    assert work_on(job).status == "PARTIAL_IMPORTED"


@pytest.mark.parametrize(("reason", "stage"), [(OVER_BUDGET, "NONE"), ("cpu_limit", "EXTRACT"), ("stopped", "EXTRACT")])
def test_where_nothing_can_be_found_people_begin_with_nothing(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str, stage: str
) -> None:
    """The document's own fault is tried again, and given up at last; the machine's is nobody's."""
    failed = Outcome({}, None, reason)
    real = Metered.run
    monkeypatch.setattr(
        Metered,
        "run",
        lambda own, task, *args, **by: failed if task == TASK else real(own, task, *args, **by),
    )
    job = given(people, tmp_path / "paper.pdf")
    assert (job.stage, job.failures > 0) == (stage, reason == "cpu_limit")
    if reason == "cpu_limit":
        for _failure in range(work.MAX_FAILURES - 1):
            Job.objects.filter(pk=job.pk).update(not_before=None)
            job = work_on(job)
        stage = "NONE"
    if stage == "NONE":
        assert (job.status, job.stage) == ("PARTIAL_IMPORTED", "NONE")
        (record,) = Record.objects.filter(job=job)
        assert (record.status, record.values) == ("REVIEW", [])
        assert reviewing.add_part(people.lead, job, "per_arm", " Rest  cure ").part == "Rest cure"


def test_a_page_that_cannot_be_read_keeps_no_study_from_people(people: People, tmp_path: Path) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(paper_pdf())
    job = submit_file(None, people.merchant.pk, path, key="key", kind=STUDY, template="rct")
    while job.pages.filter(stage="READ").count() < 2:
        assert taking_turns.take_turn("cpu")
    bury(Page.objects.get(job=job, number=2), {"code": "sandbox_cpu_limit", "params": {}})
    job = work_on(job)
    assert (job.status, set(held(job))) == ("PARTIAL_IMPORTED", {("none", "")})
    assert job.pages.get(number=2).status == "DEAD_LETTER"


# --- what waits for machines ----------------------------------------------------------------------


def backlog() -> float:
    with connection.cursor() as cursor:
        cursor.execute("SELECT waiting_s FROM catalogsku_backlog WHERE unit = 'cpu'")
        return float(cursor.fetchone()[0])


def test_what_is_to_be_extracted_counts_as_waiting_once_no_page_waits(people: People, tmp_path: Path) -> None:
    job = given(people, tmp_path / "paper.pdf")
    assert backlog() == 0
    Job.objects.filter(pk=job.pk).update(stage=JobStage.EXTRACT, status="PROCESSING")
    assert backlog() == 1
    Page.objects.filter(job=job, number=1).update(stage="READ", status="AI_QUEUED")
    with_page = backlog()
    Page.objects.filter(job=job, number=1).update(stage="NONE")
    assert with_page < 1, "the page alone"


# --- people ---------------------------------------------------------------------------------------


@pytest.mark.req("LX-UNLOCK")
def test_a_value_is_confirmed_corrected_and_taken_back(people: People, tmp_path: Path) -> None:
    job = given(people, tmp_path / "paper.pdf")
    main = Record.objects.get(job=job, repeat="none")
    main = reviewing.decide(people.lead, main, "registration_number", reviewing.Answer("confirmed"))
    confirmed = values_in(main.values)[0]
    assert (confirmed.text, confirmed.verdict, confirmed.method) == ("NCT01234567", "confirmed", "rules-1")
    quote = "In all, 92 adults were randomly assigned to exercise"
    said = reviewing.Answer("corrected", "92", quote, 1)
    main = reviewing.decide(people.annotator, main, "n_randomised_total", said)
    corrected = next(value for value in values_in(main.values) if value.field == "n_randomised_total")
    assert (corrected.grade, corrected.reason, corrected.method, corrected.page) == ("green", "proved", "person", 1)
    with pytest.raises(Conflict, match="value_moved_on"):
        reviewing.decide(people.lead, main, "n_randomised_total", reviewing.Answer("not_reported"))
    seen = corrected.decision
    main = reviewing.decide(people.lead, main, "n_randomised_total", reviewing.Answer("not_reported", seen=seen))
    last = next(value for value in values_in(main.values) if value.field == "n_randomised_total")
    assert (last.text, last.verdict) == ("", "not_reported")
    main = reviewing.withdraw(people.lead, main, "n_randomised_total", last.decision)
    main = reviewing.withdraw(people.lead, main, "n_randomised_total", seen)
    back = next(value for value in values_in(main.values) if value.field == "n_randomised_total")
    assert (back.text, back.verdict, back.method) == ("92", "", "rules-1")
    with pytest.raises(Conflict, match="not_decided"):
        reviewing.withdraw(people.lead, main, "n_randomised_total", 0)
    told = Decision.objects.filter(record=main, field="n_randomised_total").order_by("pk")
    assert list(told.values_list("by__username", "verdict")) == [
        ("annotator", "corrected"),
        ("lead", "not_reported"),
        ("lead", "withdrawn"),
        ("lead", "withdrawn"),
    ]


@pytest.mark.req("LX-EXACT")
@pytest.mark.parametrize(
    ("text", "quote", "grade"),
    [("92", "", ""), ("93", "In all, 92 adults were randomly assigned", "red"), ("92", "92", "yellow")],
)
def test_what_a_persons_quote_proves_is_said(people: People, tmp_path: Path, text: str, quote: str, grade: str) -> None:
    main = Record.objects.get(job=given(people, tmp_path / "paper.pdf"), repeat="none")
    main = reviewing.decide(people.lead, main, "n_randomised_total", reviewing.Answer("corrected", text, quote, 1))
    value = next(value for value in values_in(main.values) if value.field == "n_randomised_total")
    assert (value.text, value.grade, value.verdict) == (text, grade, "corrected")


@pytest.mark.parametrize(
    ("field", "answer", "code"),
    [
        ("n_randomised_total", reviewing.Answer("corrected", "ninety"), "value_form"),
        ("study_design", reviewing.Answer("corrected", "a trial"), "value_form"),
        ("study_design", reviewing.Answer("confirmed"), "nothing_to_confirm"),
        ("registration_number", reviewing.Answer("corrected", " "), "value_form"),
        ("registration_number", reviewing.Answer("corrected", "a\x00b"), "value_form"),
        ("registration_number", reviewing.Answer("corrected", "x", "q" * 2001), "quote_long"),
        ("registration_number", reviewing.Answer(""), "bad_request"),
        ("n_randomised", reviewing.Answer("not_reported"), "not_found"),
        ("nothing", reviewing.Answer("not_reported"), "not_found"),
    ],
)
def test_what_cannot_be_said_is_refused_and_changes_nothing(
    people: People, tmp_path: Path, field: str, answer: reviewing.Answer, code: str
) -> None:
    main = Record.objects.get(job=given(people, tmp_path / "paper.pdf"), repeat="none")
    with pytest.raises(Exception, match=code):
        reviewing.decide(people.lead, main, field, answer)
    assert not Decision.objects.exists()
    assert Record.objects.get(pk=main.pk).values == main.values


def test_a_study_is_approved_once_all_is_decided_or_left_out(people: People, tmp_path: Path) -> None:
    job = given(people, tmp_path / "paper.pdf")
    main = Record.objects.get(job=job, repeat="none")
    fall = Record.objects.get(job=job, part="Falls, n (%)")
    reviewing.decide(people.lead, fall, "events_control", reviewing.Answer("confirmed"))
    with pytest.raises(Conflict, match="study_undecided"):
        reviewing.approve(people.lead, job)
    with pytest.raises(Conflict, match="required_missing"):
        reviewing.approve(people.lead, job, drop_rest=True)
    for record in (main, fall):
        for field in definition_in(record.template_version).fields:
            if field.required and field.repeat == record.repeat:
                reviewing.decide(people.lead, record, field.key, reviewing.Answer("not_reported"))
    assert reviewing.approve(people.lead, job, drop_rest=True) == 2
    kept = Record.objects.filter(job=job, status="APPROVED")
    assert {record.part for record in kept} == {"", "Falls, n (%)"}
    assert all(value.verdict for record in kept for value in values_in(record.values))
    assert settle.settle_job(job.pk) == "FULL_IMPORTED"
    job.refresh_from_db()
    assert job.completion == {"records": {"APPROVED": 2, "REJECTED": 4}} and job.finished_at
    with pytest.raises(Conflict, match="record_closed"):
        reviewing.decide(people.lead, main, "registration_number", reviewing.Answer("not_reported"))
    with pytest.raises(Conflict, match="record_closed"):
        reviewing.approve(people.lead, job)
    assert settle.unsettled_jobs() == []
    assert reviewing.reopen(people.lead, job) == 2
    assert settle.unsettled_jobs() == [job.pk] and settle.settle_job(job.pk) == "PARTIAL_IMPORTED"


def test_nothing_is_decided_on_a_study_that_was_cancelled(people: People, tmp_path: Path) -> None:
    job = given(people, tmp_path / "paper.pdf")
    jobs.cancel_job(job, "lead")
    main, fall = Record.objects.get(job=job, repeat="none"), Record.objects.get(job=job, part="Falls, n (%)")
    for decide in (
        lambda: reviewing.decide(people.lead, main, "registration_number", reviewing.Answer("confirmed")),
        lambda: reviewing.withdraw(people.lead, main, "registration_number", 0),
        lambda: reviewing.add_part(people.lead, job, "per_arm", "Rest"),
        lambda: reviewing.set_rejected(people.lead, fall, rejected=True),
        lambda: reviewing.approve(people.lead, job, drop_rest=True),
        lambda: reviewing.reopen(people.lead, job),
    ):
        with pytest.raises(Conflict, match="job_ended"):
            decide()


def test_parts_are_added_left_out_and_taken_in_again(people: People, tmp_path: Path) -> None:
    job = given(people, tmp_path / "paper.pdf")
    arm = reviewing.add_part(people.lead, job, "per_arm", "Waiting list")
    assert (arm.status, held(job)["per_arm", "Waiting list"]) == ("REVIEW", {})
    refused = {("per_arm", "Waiting list"): "part_known", ("per_arm", " "): "part_name", ("none", "x"): "not_found"}
    for (repeat, part), code in {**refused, ("per_arm", "x" * 121): "part_name"}.items():
        with pytest.raises(Exception, match=code):
            reviewing.add_part(people.lead, job, repeat, part)
    assert reviewing.set_rejected(people.lead, arm, rejected=True).status == "REJECTED"
    assert reviewing.set_rejected(people.lead, arm, rejected=False).status == "REVIEW"
    main = Record.objects.get(job=job, repeat="none")
    with pytest.raises(Conflict, match="record_closed"):
        reviewing.set_rejected(people.lead, main, rejected=True)
    reviewing.set_rejected(people.lead, arm, rejected=True)
    Record.objects.filter(job=job, status="REVIEW").update(status="APPROVED")
    with pytest.raises(Conflict, match="record_closed"):
        reviewing.set_rejected(people.lead, arm, rejected=False)
    reviewing.reopen(people.lead, job)
    assert reviewing.set_rejected(people.lead, arm, rejected=False).status == "REVIEW", "once the study is open again"


# --- how it is named ------------------------------------------------------------------------------


def give(people: People, key: str, language: str = "en", **values: Any) -> Any:
    bearer = f"Bearer {tokens.issue_token(people.uploader).text}"
    client = Client(headers={"Authorization": bearer, "Accept-Language": language})
    file = SimpleUploadedFile("a.pdf", paper_pdf(), "application/pdf")
    return client.post(f"{V1}/jobs", {"file": file, **values}, headers={"Idempotency-Key": key})


@pytest.mark.req("TA-API", "LX-IDEM")
def test_a_program_names_the_template(people: People) -> None:
    made = give(people, "key-study", kind="study", template="rct")
    assert (made.status_code, made.json()["kind"], made.json()["template"]) == (201, "study", "rct/1")
    assert give(people, "key-study", kind="study", template="rct/1").status_code == 200
    assert give(people, "key-study", kind="study", template="cohort").json()["code"] == "key_taken"
    assert give(people, "key-again", kind="study", template="rct").json()["code"] == "duplicate_file"
    assert give(people, "key-other", kind="study", template="cohort").status_code == 201
    assert Record.objects.filter(status="WAITING").count() == 2, "one with each document"


@pytest.mark.req("TA-ERRMAP")
@pytest.mark.parametrize(
    ("said", "what"),
    [
        ({"category": "home"}, "category"),
        ({"edition_of": "00000000-0000-4000-8000-000000000000"}, "edition_of"),
        ({"urgency": "batch", "category": "home"}, "category, urgency"),
    ],
)
def test_what_only_catalogues_have_is_refused(people: People, said: dict[str, str], what: str) -> None:
    refused = give(people, "key-study", kind="study", template="rct", **said)
    assert (refused.status_code, refused.json()["code"]) == (400, "not_of_kind")
    assert refused.json()["title"] == f"Of a document of the kind “study” this says nothing: {what}."
    assert refused.json()["action_hint"] and not Job.objects.exists()
    assert give(people, "key-study", kind="study", template="rct", urgency="now", category="").status_code == 201


def test_no_study_is_offered_as_an_earlier_edition(people: People) -> None:
    make_study(people.merchant)
    catalogue = make_job(people.merchant)
    assert earlier_editions(people.uploader) == [catalogue]


@pytest.mark.req("TA-ERRMAP")
@pytest.mark.parametrize(
    ("said", "code", "words"),
    [
        ({"kind": "study"}, "template_missing", "A study is read by a template: name one. There are: "),
        ({"kind": "study", "template": "poem"}, "unknown_template", "There is no template “poem”. There are: "),
        ({"kind": "study", "template": "rct/9"}, "unknown_template", "There is no template “rct/9”. There are: "),
        ({"kind": "study", "template": "rct/x"}, "unknown_template", "There is no template “rct/x”. There are: "),
        ({"template": "rct"}, "no_templates", "A document of the kind “catalogue” is read by no template."),
    ],
)
def test_a_template_that_is_missing_or_unknown_is_refused(
    people: People, said: dict[str, str], code: str, words: str
) -> None:
    refused = give(people, "key-poem-1", **said)
    assert (refused.status_code, refused.json()["code"]) == (400, code)
    assert refused.json()["title"].startswith(words)
    assert not Job.objects.exists()
