"""Prompts and routes: versions behind the gate, frozen into jobs, dealt out by trials, tried out on a page."""

import hashlib
import uuid
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from PIL import Image

from catalogsku.core import storage
from catalogsku.core.errors import NotFound, Refused
from catalogsku.profiles.models import PromptActivation, PromptExperiment, PromptVersion, RoutingTable
from catalogsku.profiles.routes import default_rows, points_are_usable, row_problems
from catalogsku.profiles.services import (
    activate,
    end_trial,
    find_prompt,
    promote_trial,
    prompts_for,
    record_verdict,
    routing_now,
    start_trial,
)
from catalogsku.profiles.trials import arms_in
from catalogsku.profiles.wording import KEYS
from ingestion.kinds import CATALOGUE
from ingestion.services.jobs import Source, create_job
from processing.engine.page import Block, Line, ParsedPage, pack_page
from processing.llm.prompts import render, shipped
from processing.models import ModelCall, PageContent
from processing.pages.services import trying
from processing.sandboxed import frozen
from tests.support.config_forms import fields_of
from tests.support.people import People
from tests.support.rows import in_threads, make_job, make_page, make_sku

KEY = "evaluate_document"


def draft(text: str = "Say the layout: {{pages}}", key: str = KEY, **columns: Any) -> PromptVersion:
    row = PromptVersion(key=key, text_zh=text, text_en=text, reason="a test", **columns)
    row.add_version(active=False)
    return row


def passed(row: PromptVersion) -> PromptVersion:
    record_verdict(row, uuid.uuid4(), [])
    return row


def new_job(people: People, n: int = 0) -> Any:
    source = Source("a.pdf", "k", 1, hashlib.sha256(f"{n}".encode()).hexdigest())
    return create_job(people.uploader, people.merchant.pk, source, idempotency_key=f"prompts {n}")[0]


def code_of(call: Any) -> str:
    with pytest.raises(Refused) as caught:
        call()
    return caught.value.code


# --- versions ------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("LA-PROMPT")
def test_a_fresh_database_holds_the_shipped_texts_as_version_one() -> None:
    rows = {row.key: row for row in PromptVersion.objects.all()}
    assert set(rows) == set(KEYS)
    for key, row in rows.items():
        assert (row.version, row.active) == (1, True)
        assert (row.text_zh, row.text_en) == (shipped(key).texts["zh"], shipped(key).texts["en"])
    assert find_prompt("rules") == find_prompt("rules@1") == rows["rules"]
    for wrong in ("rules@2", "rules@x", "nothing"):
        with pytest.raises(PromptVersion.DoesNotExist):
            find_prompt(wrong)


@pytest.mark.django_db
@pytest.mark.req("LA-PROMPT", "LA-NEUTRAL")
@pytest.mark.parametrize("text", ["", "{{nothing}}", "<|im_start|>{{pages}}", "Dear Gemini", "{% now %}"])
def test_a_text_that_cannot_be_a_prompt_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        draft(text)
    with pytest.raises(ValidationError, match="classify"):
        draft(key="classify")
    assert PromptVersion.objects.filter(key=KEY).count() == 1


@pytest.mark.django_db
@pytest.mark.req("LA-PROMPT", "GR-GATE")
def test_a_version_becomes_active_only_past_the_gate(people: People) -> None:
    row = draft()
    assert code_of(lambda: activate(row, people.admin)) == "gate_prompt_unmeasured"
    record_verdict(row, uuid.uuid4(), ["f1"])
    assert code_of(lambda: activate(row, people.admin)) == "gate_report_failed"
    activate(passed(row), people.lead)
    assert find_prompt(KEY) == row
    activate(find_prompt(f"{KEY}@1"), people.lead)
    assert find_prompt(KEY).version == 1, "the way back needs no report"
    other = draft()
    assert code_of(lambda: activate(other, people.lead, "because")) == "gate_override_forbidden"
    kept = activate(other, people.admin, "an emergency")
    assert (kept.refusal, kept.override) == ("gate_prompt_unmeasured", "an emergency")
    assert PromptActivation.objects.count() == 3


@pytest.mark.django_db
@pytest.mark.req("LA-PROMPT")
def test_a_job_renders_with_the_versions_that_it_froze(people: People) -> None:
    before = new_job(people, 1)
    row = passed(draft("New: {{pages}}"))
    activate(row, people.admin)
    after = new_job(people, 2)
    zones = {"pages": "TEXT"}
    assert render(KEY, "en", after.prompts, zones).user == "New: TEXT"
    assert render(KEY, "en", after.prompts, zones).version == "2.1"
    assert render(KEY, "en", before.prompts, zones).version == "1.1"
    assert render(KEY, "en", before.prompts, zones).user.startswith("TASK")
    assert render(KEY, "en", {}, zones).user == render(KEY, "en", before.prompts, zones).user
    assert set(before.prompts) == {"rules", "read_page", "evaluate_document"} and before.bucket == "", (
        "its kind asks these"
    )


# --- routes --------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("LA-ROUTE", "LA-ROLLBACK")
def test_a_job_keeps_the_routing_table_it_began_with(people: People) -> None:
    before = new_job(people, 1)
    row = routing_now()
    row.prefer_always, row.reason = True, "a test"
    row.add_version()
    after = new_job(people, 2)
    assert (before.routing.version, before.routing.prefer_always) == (1, False)
    assert (after.routing.version, after.routing.prefer_always) == (2, True)
    assert len(before.routing.rows) == 3 and before.routing.rules_from > 1


@pytest.mark.django_db
@pytest.mark.req("LA-ROUTE")
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"operation": "read_mind"}, "bad_operation"),
        ({"page_type": "E"}, "bad_page_type"),
        ({"complexity": "hard"}, "bad_complexity"),
        ({"route": "rules"}, None),
        ({"route": "a b"}, "bad_route"),
        ({"route": 3}, "bad_row"),
        ({"note": ""}, "bad_row"),
        ({"operation": "evaluate_document", "page_type": "any"}, "row_twice"),
    ],
)
def test_rows_that_cannot_be_meant_are_refused(change: dict[str, Any], code: str | None) -> None:
    """A route in small letters is the name of a model."""
    row = {"operation": "read_page", "page_type": "A", "complexity": "any", "route": "cheap", **change}
    rows = [*default_rows(), row]
    assert row_problems(rows) == ([(code, 4)] if code else [])
    table = routing_now()
    table.rows = rows
    if code:
        with pytest.raises(ValidationError, match="4"):
            table.add_version()
        assert RoutingTable.objects.count() == 1
    assert row_problems({"rows": []}) == [("not_a_list", 0)]


@pytest.mark.django_db
@pytest.mark.req("LA-ROUTE")
def test_points_keep_their_names_and_kinds() -> None:
    points = routing_now().points
    assert points_are_usable(points)
    for wrong in (
        {},
        {**points, "x": 1},
        {**points, "columns": "1"},
        {**points, "columns": -1},
        {**points, "blocks": 1.5},
        [],
    ):
        assert not points_are_usable(wrong)


# --- trials --------------------------------------------------------------------------------------


def plan(version: PromptVersion, share: int = 50) -> PromptExperiment:
    control = PromptVersion.objects.get(key=version.key, active=True)
    return PromptExperiment.objects.create(key=version.key, control=control, trial=version, share=share)


@pytest.mark.django_db
@pytest.mark.req("LA-PROMPT", "X-CANARY")
def test_a_running_trial_deals_jobs_out_and_they_keep_their_arm(people: People) -> None:
    control, trial = find_prompt(KEY), plan(passed(draft()))
    assert new_job(people).bucket == "", "a planned trial deals nothing out"
    start_trial(trial, people.lead)
    jobs = [new_job(people, n) for n in range(1, 25)]
    arms = {job.pk: arms_in(job.bucket)[trial.pk] for job in jobs}
    assert set(arms.values()) == {"control", "trial"}
    for job in jobs:
        assert job.prompts[KEY] == (trial.trial_id if arms[job.pk] == "trial" else control.pk)
        assert prompts_for(job.uuid, CATALOGUE.questions) == (job.prompts, job.bucket), "the same for the same job"
    end_trial(trial, "enough")
    assert prompts_for(jobs[0].uuid, CATALOGUE.questions)[1] == "" and find_prompt(KEY) == control
    jobs[0].refresh_from_db()
    assert arms_in(jobs[0].bucket)[trial.pk] == arms[jobs[0].pk]


@pytest.mark.django_db
@pytest.mark.req("X-CANARY")
@pytest.mark.parametrize(("share", "arm"), [(0, "control"), (100, "trial")])
def test_the_ends_of_the_share_are_all_or_none(people: People, share: int, arm: str) -> None:
    trial = plan(passed(draft()), share)
    start_trial(trial, None)
    assert {arms_in(prompts_for(uuid.uuid4(), CATALOGUE.questions)[1])[trial.pk] for _ in range(20)} == {arm}


@pytest.mark.django_db
@pytest.mark.req("X-CANARY", "GR-GATE")
def test_only_what_passed_the_gate_goes_to_jobs_and_only_once_at_a_time(people: People) -> None:
    trial = plan(draft())
    assert code_of(lambda: start_trial(trial, people.admin)) == "gate_prompt_unmeasured"
    passed(trial.trial)
    start_trial(trial, people.lead)
    assert code_of(lambda: start_trial(trial, people.lead)) == "gate_trial_state"
    second = plan(passed(draft()))
    with transaction.atomic():
        assert code_of(lambda: start_trial(second, people.lead)) == "gate_trial_twice"
    assert code_of(lambda: activate(second.trial, people.admin)) == "gate_trial_running"
    promote_trial(trial, people.lead)
    trial.refresh_from_db()
    assert (trial.state, find_prompt(KEY)) == ("promoted", trial.trial)
    for step in (lambda: end_trial(trial, ""), lambda: promote_trial(trial, None)):
        assert code_of(step) == "gate_trial_state"
    assert code_of(lambda: start_trial(second, people.lead)) == "gate_trial_inactive_control"


@pytest.mark.django_db
@pytest.mark.req("X-CANARY", "GR-GATE")
def test_a_promotion_that_the_gate_refuses_changes_nothing(people: People) -> None:
    trial = plan(passed(draft()))
    start_trial(trial, people.lead)
    record_verdict(trial.trial, uuid.uuid4(), ["auc"])
    assert code_of(lambda: promote_trial(trial, people.lead)) == "gate_report_failed"
    trial.refresh_from_db()
    assert (trial.state, find_prompt(KEY).version) == ("running", 1)


@pytest.mark.django_db
@pytest.mark.req("X-CANARY")
def test_the_database_keeps_shares_arms_and_one_running_trial() -> None:
    one, two = plan(draft()), plan(draft())
    for wrong in ({"share": 101}, {"control": one.trial}):
        with pytest.raises(IntegrityError), transaction.atomic():
            PromptExperiment.objects.filter(pk=one.pk).update(**wrong)
    PromptExperiment.objects.filter(pk=one.pk).update(state="running")
    with pytest.raises(IntegrityError, match="one_running_trial"), transaction.atomic():
        PromptExperiment.objects.filter(pk=two.pk).update(state="running")


@pytest.mark.req("X-CANARY")
def test_of_two_starts_at_once_one_trial_runs(committed: None, people: People) -> None:
    trials = [plan(passed(draft())) for _ in range(2)]

    def begin(trial: PromptExperiment) -> str:
        try:
            start_trial(trial, None)
        except Refused as refused:
            return refused.code
        return "runs"

    assert sorted(in_threads([lambda trial=trial: begin(trial) for trial in trials])) == ["gate_trial_twice", "runs"]


# --- admin ---------------------------------------------------------------------------------------


@pytest.fixture
def admin(people: People) -> Client:
    client = Client()
    client.force_login(people.admin)
    return client


def edit(admin: Client, model: str, row: Any, **changes: Any) -> Any:
    values = {name: getattr(row, name) for name in ("key", "text_zh", "text_en", "rules_from") if hasattr(row, name)}
    form = {**values, "reason": "a test", "seen_version": row.version, **changes}
    return admin.post(reverse(f"admin:profiles_{model}_change", args=[row.pk]), form)


@pytest.mark.django_db
@pytest.mark.req("LA-PROMPT", "GR-GATE")
def test_an_edited_prompt_is_a_new_version_that_waits_and_shows_what_it_changes(admin: Client) -> None:
    row = find_prompt(KEY)
    assert edit(admin, "promptversion", row, text_en=row.text_en.replace("TASK", "JOB")).status_code == 302
    new = find_prompt(f"{KEY}@2")
    assert not new.active and find_prompt(KEY) == row
    page = admin.get(reverse("admin:profiles_promptversion_change", args=[new.pk])).content.decode()
    assert "-TASK: Judge how" in page and "+JOB: Judge how" in page and reverse("prompt_try", args=[new.pk]) in page
    wrong = edit(admin, "promptversion", new, text_en="Dear {{nobody}}")
    assert wrong.status_code == 200 and "nobody" in wrong.content.decode()
    assert admin.get(reverse("admin:profiles_promptversion_add")).status_code == 403


@pytest.mark.django_db
@pytest.mark.req("LA-ROLLBACK")
def test_one_switch_in_the_admin_sends_every_page_to_the_strong_model(admin: Client) -> None:
    row = routing_now()
    points = fields_of("points", row.points)
    found = edit(admin, "routingtable", row, prefer_always="on", **fields_of("rows", row.rows), **points)
    assert found.status_code == 302 and routing_now().version == 2 and routing_now().prefer_always
    wrong = fields_of("rows", [{**row.rows[0], "operation": "x"}])
    bad = edit(admin, "routingtable", routing_now(), **wrong, **points)
    assert bad.status_code == 200 and "errorlist" in bad.content.decode()


@pytest.mark.django_db
@pytest.mark.req("X-CANARY")
def test_a_trial_is_planned_started_and_promoted_in_the_admin(admin: Client) -> None:
    add = reverse("admin:profiles_promptexperiment_add")
    assert admin.post(add, {"trial": find_prompt(KEY).pk, "share": 10}).status_code == 200, "the active one is no trial"
    assert admin.post(add, {"trial": draft().pk, "share": 101}).status_code == 200
    assert admin.post(add, {"trial": draft().pk, "share": 10, "reason": "shorter"}).status_code == 302
    trial = PromptExperiment.objects.get()
    listing = reverse("admin:profiles_promptexperiment_changelist")

    def act(action: str, **words: str) -> str:
        form = {"action": action, "_selected_action": [trial.pk], **words}
        page = admin.post(listing, form, follow=True).content.decode()
        trial.refresh_from_db()
        return page

    assert "gate_prompt_unmeasured" in act("start") and trial.state == "planned"
    act("start", override="an emergency")
    assert trial.state == "running"
    assert (
        admin.post(reverse("admin:profiles_promptexperiment_change", args=[trial.pk]), {"share": 99}).status_code == 403
    )
    passed(trial.trial)
    act("promote")
    assert trial.state == "promoted" and find_prompt(KEY) == trial.trial


# --- trying out ----------------------------------------------------------------------------------


@pytest.fixture
def read_page(people: People) -> Any:
    job = make_job(people.merchant, total_pages=1)
    page = make_page(job, 1)
    make_sku(page, attributes={"model": "AX-100"})
    line = Line("AX-100 <b>ignore</b>", (10, 10, 90, 20), ())
    parsed = ParsedPage(1, 100, 100, 0, "test", preview="page.jpg", blocks=(Block("T1", (10, 10, 90, 20), (line,)),))
    PageContent.objects.create(
        merchant=people.merchant,
        file_sha256=job.file_sha256,
        number=1,
        reading_key=frozen.reading_key(),
        data=pack_page(parsed),
        files={"page.jpg": f"tried/{page.pk}.jpg"},
    )
    return page


@pytest.mark.django_db
@pytest.mark.req("LA-PROMPT")
@pytest.mark.parametrize("key", KEYS)
def test_every_prompt_can_be_tried_on_a_page_that_was_read(read_page: Any, key: str) -> None:
    trial = trying.prepare_trial(find_prompt(key), read_page.job, 1, "en")
    assert "AX-100" in trial.rendered.user and "{{" not in trial.rendered.user
    assert "<b>" not in trial.rendered.user, "what is printed is escaped"
    with pytest.raises(NotFound):
        trying.prepare_trial(find_prompt(key), read_page.job, 2, "en")


@pytest.mark.django_db
@pytest.mark.req("LA-PROMPT")
def test_without_a_key_a_trial_is_only_shown(admin: Client, read_page: Any) -> None:
    url = reverse("prompt_try", args=[draft("Mine: {{pages}}").pk])
    form = {"job": read_page.job.pk, "number": 1, "language": "en", "confirm": "on"}
    shown = admin.post(url, form).content.decode()
    assert "Mine: " in shown and "AX-100" in shown and 'name="confirm"' not in shown
    assert not ModelCall.objects.exists()


@pytest.mark.django_db
@pytest.mark.req("LA-PROMPT")
def test_a_trial_is_sent_only_when_confirmed(admin: Client, read_page: Any, reading_models: Any, tmp_path: Any) -> None:
    screenshot = tmp_path / "screen.jpg"
    Image.new("RGB", (100, 100)).save(screenshot)
    storage.put_file(f"tried/{read_page.pk}.jpg", screenshot)
    url = reverse("prompt_try", args=[draft("Mine: {{pages}}").pk])
    form = {"job": read_page.job.pk, "number": 1, "language": "en"}
    assert "&quot;scores&quot;" not in admin.post(url, form).content.decode() and not reading_models.calls
    answered = admin.post(url, {**form, "confirm": "on"}).content.decode()
    assert "&quot;scores&quot;" in answered and "qwen3.7-plus" in answered
    assert "Mine: " in "".join(reading_models.calls[0].request.texts)
    assert ModelCall.objects.get().page_id is None, "it is none of the page's own calls"
    assert "errorlist" in admin.post(url, {**form, "number": 2}).content.decode()
