"""The page of calibration: rates, ways, thresholds that are proposed, and who decides about them."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.calibration.services.recording import calibrate
from annotation.models import CalibrationProposal
from catalogsku.accounts.models import User
from catalogsku.core import messages
from catalogsku.profiles.models import ThresholdProfile, WorkRules
from ingestion.models import Job
from tests.support.calibrated import doubted_document, looked_at
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-CAL", "TA-T59")]


@pytest.fixture
def doubted(people: People) -> Job:
    return doubted_document(people.merchant, people.annotator)


def client_of(user: User, language: str = "en") -> Client:
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = language
    return client


def shown(user: User, query: str = "", language: str = "en", **headers: str) -> str:
    found = client_of(user, language).get(reverse("calibration") + query, headers=headers)
    assert found.status_code == 200
    return found.content.decode()


def decide(user: User, **given: str) -> str:
    proposal = CalibrationProposal.objects.get(state="open", figure="threshold_pv")
    client = client_of(user)
    answer = client.post(reverse("calibration_decide", args=[proposal.pk]), given, follow=True)
    return answer.content.decode() if answer.status_code == 200 else str(answer.status_code)


def test_without_a_record_it_says_when_one_comes(people: People) -> None:
    text = shown(people.lead)
    assert "Nothing has been calibrated yet" in text and "more than 50 things" in text
    assert "Calibrate now" not in text and "Calibrate now" in shown(people.admin)
    assert reverse("calibration") in client_of(people.lead).get(reverse("quality")).content.decode()


EN = (
    *("On the right way", "Could have gone on alone", "30 pages fewer would go to people", "A page passes from"),
    *("1.0 h less work of people", "100.0 % right (88.6 %–100.0 %) of 30 pages", "lamps", "Page confidence"),
    *("promised: 95.0 % right", "Nobody looks at pages that went out alone", "Way taken"),
)
ZH = ("去向正确", "本可自动", "少 30 页", "页面通过的下限", "人工少 1.0 小时", "lamps", "实际去向")


@pytest.mark.parametrize(("language", "words"), [("en", EN), ("zh-hans", ZH)])
def test_it_shows_rates_ways_proposals_and_parts(
    people: People, doubted: Job, language: str, words: tuple[str, ...]
) -> None:
    calibrate()
    text = shown(people.admin, language=language)
    for word in words:
        assert word in text, word


def test_a_lead_sees_it_and_does_not_decide(people: People, doubted: Job) -> None:
    calibrate()
    text = shown(people.lead)
    assert "An administrator decides about it" in text and "Accept and use at once" not in text
    assert decide(people.lead, do="accept") == "403" and ThresholdProfile.objects.count() == 1
    for who in (people.annotator, people.uploader):
        assert client_of(who).get(reverse("calibration")).status_code == 403


@pytest.mark.req("X-CALPROM")
def test_an_administrator_accepts_and_reads_what_comes_next(people: People, doubted: Job) -> None:
    calibrate()
    text = decide(people.admin, do="accept")
    assert "default, version 2 has it. It holds once its report" in text
    assert "Accepted" in text and "Accept and use at once" not in text
    assert not ThresholdProfile.objects.get(version=2).active


def test_at_once_takes_a_reason(people: People, doubted: Job) -> None:
    calibrate()
    assert "Say why it shall hold" in decide(people.admin, do="override", why=" ")
    assert "holds for documents from now on" in decide(people.admin, do="override", why="known makers")
    assert ThresholdProfile.get_active("default").threshold_pv == Decimal("0.780")


def test_declined_is_said_and_kept(people: People, doubted: Job) -> None:
    calibrate()
    text = decide(people.admin, do="decline", why="too bold")
    assert "not proposed again for a month" in text and "Declined" in text
    assert CalibrationProposal.objects.get(state="declined").why == "too bold"


def test_what_cannot_be_decided_is_said(people: People, doubted: Job) -> None:
    calibrate()
    assert "Nothing was decided" in decide(people.admin, do="something")
    assert "Nothing was decided" in decide(people.admin, do="decline", why="x" * 201)
    base = ThresholdProfile.get_active("default")
    base.reason = "by hand"
    base.add_version(active=False)
    assert "moved on to version 2" in decide(people.admin, do="accept")
    proposal = CalibrationProposal.objects.get(state="open", figure="threshold_pv")
    CalibrationProposal.objects.update(state="declined", decided_by=people.admin)
    answer = client_of(people.admin).post(
        reverse("calibration_decide", args=[proposal.pk]), {"do": "accept"}, follow=True
    )
    assert "This was decided already" in answer.content.decode()


def test_it_is_started_by_a_message(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[Any, ...]] = []
    monkeypatch.setattr(messages, "send", lambda *given: sent.append(given))
    text = client_of(people.admin).post(reverse("calibration_run"), follow=True).content.decode()
    assert sent == [("calibrate_now",)] and "has been started" in text
    assert client_of(people.lead).post(reverse("calibration_run")).status_code == 403


def test_several_profiles_are_shown_one_at_a_time_and_the_part_alone(people: People, doubted: Job) -> None:
    own = ThresholdProfile.get_active("default")
    own.key, own.category = "tools", "tools"
    made = own.add_version()
    looked_at(make_job(people.merchant, profile=made, category="tools"), people.annotator)
    WorkRules.objects.update(blind_ratio="0.10")
    calibrate()
    text = shown(people.lead, "?profile=tools")
    assert "tools, version 1" in text and "Nobody looks at pages" not in text
    assert "default, version 1" in shown(people.lead, "?profile=nobody")
    part = shown(people.lead, **{"x-fragment": "region"})
    assert "<html" not in part and "Rates" in part


def test_it_takes_few_statements(people: People, doubted: Job, django_assert_max_num_queries: Any) -> None:
    calibrate()
    client = client_of(people.admin)
    with django_assert_max_num_queries(22):
        client.get(reverse("calibration"))


# --- for programs ---------------------------------------------------------------------------------------


@pytest.mark.req("TA-API")
def test_programs_read_records_and_decide(people: People, doubted: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    calibrate()
    lead, admin = Program(people.lead), Program(people.admin)
    records = lead("GET", "/ops/calibration").json()["items"]
    whole = next(row for row in records if not (row["category"] or row["reason"]))
    assert whole["profile"] == "default@1" and whole["rates"]["could_be_automatic"][0] == pytest.approx(0.6667)
    (proposal,) = lead("GET", "/ops/calibration/proposals").json()["items"]
    assert (proposal["proposed"], proposal["state"], proposal["made"]) == ("0.780", "open", None)
    address = f"/ops/calibration/proposals/{proposal['id']}"
    assert lead("POST", address, {"do": "accept"}).status_code == 403
    assert admin("POST", address, {"do": "perhaps"}).status_code == 422
    decided = admin("POST", address, {"do": "accept"}).json()
    assert (decided["state"], decided["made"]) == ("accepted", "default@2")
    assert admin("POST", address, {"do": "decline"}).json()["code"] == "proposal_decided"
    assert admin("POST", "/ops/calibration/proposals/999999", {"do": "decline"}).status_code == 404
    sent: list[str] = []
    monkeypatch.setattr(messages, "send", sent.append)
    assert admin("POST", "/ops/calibration/run").json() == {"started": True} and sent == ["calibrate_now"]
