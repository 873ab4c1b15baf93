"""A target that does not take our secret is one incident: its imports wait, none is lost, all go on once it does."""

import json
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import HumanTask
from annotation.tasks.services.settle import settle_pages
from ingestion.models import Page
from processing.imports.services import delivering, ledger, reconciling
from processing.imports.targets.answers import answer_of
from processing.imports.targets.http import HttpTarget
from processing.imports.targets.port import Traits
from processing.models import ImportRecord, ImportTarget, ModelCall, TargetHold
from processing.operations.services.cancelling import Cancelled, cancel
from tests.contract.test_http_target import product
from tests.support.downstream import Downstream, Mood
from tests.support.imports import importable, states
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_page

pytestmark = pytest.mark.django_db

RIGHT = "a made-up secret"


@pytest.fixture
def downstream(settings: Any) -> Iterator[Downstream]:
    """It knows one secret, and we send another."""
    with Downstream() as server:
        server.token = RIGHT
        settings.IMPORT_URL, settings.IMPORT_TOKEN = server.url, "an old one"
        yield server


def try_at(ago: timedelta = timedelta(0)) -> None:
    TargetHold.objects.update(try_at=timezone.now() - ago)


@pytest.mark.req("TA-4XX", "TA-IMPORT")
def test_one_incident_and_no_task_for_any_number_of_products(people: People, downstream: Downstream) -> None:
    _, page, _ = importable(people, skus=5)
    _, other, _ = importable(people, skus=2)
    assert delivering.deliver_pages([page.pk, other.pk]) == 7
    assert len(downstream.posts()) == 1, "the others would fare no better"
    assert states(page) + states(other) == ["PENDING"] * 7
    settle_pages([page.pk, other.pk])
    assert not HumanTask.objects.exists()
    assert set(Page.objects.values_list("import_state", flat=True)) == {"pending"}
    [held] = TargetHold.objects.all()
    assert (held.target, held.response.startswith("HTTP 401")) == ("http", True)
    assert delivering.deliver_pages([page.pk]) == 0 and len(downstream.posts()) == 1, "it is left alone"


@pytest.mark.req("TA-4XX", "TA-IMPRETRY")
def test_all_go_out_after_the_secret_was_mended(people: People, downstream: Downstream, settings: Any) -> None:
    _, page, _ = importable(people, skus=20)
    delivering.deliver_pages([page.pk])
    ImportRecord.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    assert ledger.due_pages() == [], "before its time"
    try_at()
    assert ledger.due_pages() == [page.pk], "one page to try with"
    assert delivering.deliver_pages([page.pk]) == 1 and len(downstream.posts()) == 2, "one product tries"
    assert TargetHold.objects.get().trials == 1
    settings.IMPORT_TOKEN = RIGHT
    try_at()
    assert delivering.deliver_pages([page.pk]) == 1
    assert not TargetHold.objects.exists() and ledger.due_pages() == [page.pk]
    assert delivering.deliver_pages([page.pk]) == 19
    assert states(page) == ["CONFIRMED"] * 20 and len(downstream.taken) == 20


@pytest.mark.req("TA-RECON")
def test_nothing_is_given_up_while_its_target_is_held(people: People, downstream: Downstream) -> None:
    _, page, _ = importable(people)
    delivering.deliver_pages([page.pk])
    assert ImportRecord.objects.get().failing_since is None, "it was not tried"
    ImportRecord.objects.update(failing_since=timezone.now() - timedelta(days=2))
    assert reconciling.give_up_stale() == 0
    TargetHold.objects.all().delete()
    assert reconciling.give_up_stale() == 1


@pytest.mark.req("TA-4XX")
def test_a_product_that_is_forbidden_alone_does_not_hold_up_the_others(people: People, downstream: Downstream) -> None:
    """Whatever goes first: those that the target lets in show that it is not the secret."""
    downstream.token = ""
    _, page, skus = importable(people, skus=3)
    downstream.forbids = skus[0].sku_id
    for expected in (["PENDING"] * 3, ["PENDING"] * 3, ["PENDING", "CONFIRMED", "PENDING"]):
        delivering.deliver_pages([page.pk])
        try_at()
        assert states(page) == expected
    delivering.deliver_pages([page.pk])
    assert states(page) == ["REFUSED", "CONFIRMED", "CONFIRMED"] and not TargetHold.objects.exists()


def test_what_does_not_reach_the_target_says_nothing_of_the_secret(people: People, downstream: Downstream) -> None:
    _, page, _ = importable(people)
    delivering.deliver_pages([page.pk])
    try_at()
    downstream.moods.append(Mood.DOWN)
    downstream.token = ""
    delivering.deliver_pages([page.pk])
    assert states(page) == ["UNKNOWN"] and TargetHold.objects.exists()


@pytest.mark.parametrize(
    ("status", "trigger", "is_shut"),
    [(401, "not_sent", True), (403, "not_sent", True), (404, "refused", False), (429, "not_sent", False)],
)
def test_which_answers_are_about_us(status: int, trigger: str, is_shut: bool) -> None:
    answer = answer_of(status, "no")
    assert (answer.trigger, answer.locked_out is not None) == (trigger, is_shut)


def test_a_product_that_is_forbidden_alone_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The target let others in a moment before: it is the product, not our secret."""
    answers = iter([answer_of(200, ""), answer_of(403, "not this brand"), answer_of(200, "")])
    target = HttpTarget("http://127.0.0.1:1/", Traits(), private=True)
    monkeypatch.setattr(target, "_put", lambda line, group, until_s: {group[0].idempotency_key: next(answers)})
    found = target.put([product(n) for n in (1, 2, 3)], 5)
    assert [one.trigger for one in found] == ["confirmed", "refused", "confirmed"]


# --- who is told ------------------------------------------------------------------------------------------


def test_operators_see_the_incident_and_try_again(people: People, downstream: Downstream, settings: Any) -> None:
    client = Client(headers={"Accept-Language": "en"})
    _, page, _ = importable(people, skus=3)
    delivering.deliver_pages([page.pk])
    client.force_login(people.lead)
    for name in ("imports", "operations"):
        shown = client.get(reverse(name)).content.decode()
        assert "The target http does not take our secret" in shown and "3 imports have waited since" in shown, name
    settings.IMPORT_TOKEN = RIGHT
    said = client.post(reverse("imports_try"), {"target": "http"}, follow=True).context["messages"]
    assert [str(one) for one in said] == ["http is tried again"]
    assert delivering.deliver_pages([page.pk]) == 1 and not TargetHold.objects.exists()
    said = client.post(reverse("imports_try"), {"target": "http"}, follow=True).context["messages"]
    assert [str(one) for one in said] == ["This target is not held."]


@pytest.mark.req("TA-T43")
def test_another_merchants_own_target_is_not_ones_business(people: People) -> None:
    ImportTarget.objects.create(name="south", merchant=people.other, url="https://south.example.org/")
    TargetHold.objects.create(target="south", response="HTTP 401", try_at=timezone.now() + timedelta(minutes=5))
    client = Client(headers={"Accept-Language": "en"})
    for person, sees in ((people.lead, False), (people.admin, True)):
        client.force_login(person)
        assert ("The target south" in client.get(reverse("imports")).content.decode()) == sees
        before = TargetHold.objects.get().try_at
        client.post(reverse("imports_try"), {"target": "south"})
        assert (TargetHold.objects.get().try_at != before) == sees


def test_the_command_names_held_targets_and_tries_them(people: People, downstream: Downstream) -> None:
    _, page, _ = importable(people)
    delivering.deliver_pages([page.pk])
    said = StringIO()
    call_command("imports", "held", "--try", "--json", stdout=said)
    assert [row["target"] for row in json.loads(said.getvalue())] == ["http"]
    assert TargetHold.objects.get().try_at <= timezone.now()


# --- cancelling -------------------------------------------------------------------------------------------


@pytest.mark.req("TA-CANCEL", "PL-C3")
def test_a_cancel_says_what_it_cannot_call_back(people: People) -> None:
    job, page, skus = importable(people, skus=4)
    for sku, state in zip(skus, ("SENDING", "UNKNOWN", "PENDING", "CONFIRMED"), strict=True):
        ImportRecord.objects.filter(sku=sku).update(state=state)
    make_page(job, 2, "AI_QUEUED", stage="UNDERSTAND")
    for state in ("SENT", "ANSWERED"):
        ModelCall.objects.create(
            merchant=job.merchant,
            job=job,
            operation="read_page",
            model="gemini-3.8-flash",
            prompt_version="p",
            request_key=state,
            state=state,
            day=timezone.localdate(),
            reserved_micro=0,
            worker=1,
        )
    found = Program(people.lead)("POST", f"/jobs/{job.uuid}/cancel")
    assert found.json() == {"pages": 1, "imports_in_flight": 2, "model_calls_in_flight": 1}
    other, _, _ = importable(people)
    assert cancel(other, "lead") == Cancelled(0, 0, 0)
    third, page, _ = importable(people)
    ImportRecord.objects.filter(job=third).update(state="SENDING")
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(people.uploader)
    said = client.post(reverse("job_cancel", args=[third.uuid]), follow=True).context["messages"]
    assert "1 call is still on its way: it ends and is written down" in [str(one) for one in said]
