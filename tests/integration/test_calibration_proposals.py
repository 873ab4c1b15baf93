"""Thresholds that follow from what people did, what they would have done, and who decides (X-CALPROM, X-WHATIF)."""

import json
from datetime import timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from annotation.calibration.services import deciding
from annotation.calibration.services.proposing import what_if
from annotation.calibration.services.recording import calibrate
from annotation.models import CalibrationProposal, CalibrationRecord
from catalogsku.core.errors import Conflict, NotFound, Refused
from catalogsku.profiles.models import ConfigChange, ThresholdProfile
from catalogsku.profiles.services import append_profile
from ingestion.models import Job, Page
from processing.quality.effects_shown import effect_words
from processing.quality.services.effects import Effect, effect_of_profile
from tests.support.calibrated import doubted_document, evaluated, looked_at
from tests.support.config_forms import fields_of
from tests.support.people import People

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-CAL", "X-CALPROM", "X-WHATIF")]


@pytest.fixture
def doubted(people: People) -> Job:
    return doubted_document(people.merchant, people.annotator)


def open_proposal() -> CalibrationProposal:
    return CalibrationProposal.objects.select_related("profile").get(state="open", figure="threshold_pv")


def test_a_threshold_is_proposed_with_what_it_keeps_and_what_it_would_have_done(doubted: Job) -> None:
    calibrate()
    proposal = open_proposal()
    assert (proposal.now, proposal.proposed, proposal.target) == (Decimal("0.850"), Decimal("0.780"), 0.95)
    assert proposal.stated[0] == 1.0 and proposal.stated[3] == 30 and 0.88 < proposal.stated[1] < 0.89
    assert proposal.effect["people"] == {"fewer": 30} and proposal.effect["wrong_skus"] == 0
    assert proposal.effect["people_s"] == -30 * 120
    record = CalibrationRecord.objects.get(category="", reason="")
    assert record.promises["threshold_pv"]["proposed"] == "0.780" and record.promises["threshold_pv"]["now"] is None
    assert record.promises["threshold_a"]["why"] == "none_keeps", "all lie in one document"
    assert ThresholdProfile.objects.count() == 1, "a person applies it"


def test_a_higher_threshold_saves_wrong_products_and_costs_work(people: People, doubted: Job) -> None:
    """Blind looks show that what goes out alone below 0.9 is wrong."""
    Page.objects.filter(job=doubted).delete()
    ThresholdProfile.objects.filter(active=True).update(threshold_pv=Decimal("0.760"))
    for n in range(60):
        audit: dict[str, Any] = {"purpose": "audit", "reasons": ("blind_look",)}
        looked_at(doubted, people.annotator, confidence=0.8 if n % 2 else 0.86, wrong=n % 2, seconds=90, **audit)
    evaluated(doubted)
    calibrate()
    proposal = open_proposal()
    assert proposal.proposed == Decimal("0.860")
    assert proposal.effect["people"] == {"more": 30} and proposal.effect["wrong_skus"] == -30
    with override("en"):
        words = effect_words(Effect(wrong_skus=-30, people_s=4 * 3600))
    assert words == ["about 30 wrong SKUs fewer", "4.0 h more work of people"]


def test_what_if_answers_for_any_threshold_from_stored_rows_alone(people: People, doubted: Job) -> None:
    profile = ThresholdProfile.get_active("default")
    without = effect_of_profile(ThresholdProfile.get_active("default"))
    assert without.worked_on == 0 and without.people == {}, "without what people did nothing is said of their pages"
    effect = what_if(profile, {"threshold_pv": Decimal("0.5")}, [])
    assert effect.wrong_skus == 0 and effect.worked_on == 30, "the sure ones"


def test_the_form_of_a_profile_tells_wrong_products_and_hours_before_anything_is_saved(
    people: People, doubted: Job
) -> None:
    row = ThresholdProfile.get_active("default")
    client = Client()
    client.force_login(people.admin)
    client.cookies["django_language"] = "en"
    form = {"key": "default", "category": "", "reason": "", "seen_version": row.version, "validity_mode": "strict"}
    form |= {"threshold_a": "0.9", "threshold_pv": "0.78", "threshold_b": "0.4"}
    for name in ("weights", "prescan_rules", "classification"):
        form |= fields_of(name, getattr(row, name))
    words = client.post(reverse("profile_effect", args=[row.pk]) + "?part", form).content.decode()
    assert "30 pages fewer would go to people" in words and "1.0 h less work of people" in words
    assert ThresholdProfile.objects.count() == 1


def test_the_same_again_stays_and_another_takes_its_place(people: People, doubted: Job) -> None:
    calibrate()
    first = open_proposal()
    calibrate()
    assert open_proposal().pk == first.pk
    for _ in range(40):
        looked_at(doubted, people.annotator, confidence=0.7)
    calibrate()
    first.refresh_from_db()
    assert first.state == "replaced" and open_proposal().proposed == Decimal("0.700")


@pytest.mark.req("TA-T81", "GR-GATE")
def test_an_accepted_one_is_the_next_version_behind_the_gate_with_its_record_in_the_log(
    people: People, doubted: Job
) -> None:
    calibrate()
    proposal = deciding.accept(people.admin, open_proposal().pk)
    made = ThresholdProfile.objects.get(version=2)
    assert (made.threshold_pv, made.active, made.created_by) == (Decimal("0.780"), False, people.admin)
    assert proposal.made == made and made.reason.startswith(f"calibration {proposal.record_id}: threshold_pv 0.850")
    change = ConfigChange.objects.filter(model="profiles.thresholdprofile").latest("pk")
    assert change.by == "admin" and change.after["threshold_pv"] == "0.780" and "30" in change.why
    with pytest.raises(Conflict, match="proposal_decided"):
        deciding.accept(people.admin, proposal.pk)
    proposal.refresh_from_db()
    assert (proposal.state, proposal.decided_by) == ("accepted", people.admin)


def test_with_a_reason_it_holds_at_once(people: People, doubted: Job) -> None:
    calibrate()
    deciding.accept(people.admin, open_proposal().pk, "a season of known makers")
    active = ThresholdProfile.get_active("default")
    assert (active.version, active.threshold_pv) == (2, Decimal("0.780"))
    activation = active.activations.get()
    assert (activation.refusal, activation.override) == ("gate_report_missing", "a season of known makers")


def test_a_profile_that_has_moved_on_takes_nothing(people: People, doubted: Job) -> None:
    calibrate()
    base = ThresholdProfile.get_active("default")
    append_profile(base, people.admin, base.version, "by hand", {"threshold_b": Decimal("0.3")})
    with pytest.raises(Conflict, match="version_taken"):
        deciding.accept(people.admin, open_proposal().pk)
    assert open_proposal().state == "open"


def test_two_that_were_accepted_stand_in_one_version(people: People, doubted: Job) -> None:
    calibrate()
    first = open_proposal()
    second = CalibrationProposal.objects.create(
        record=first.record,
        profile=first.profile,
        figure="threshold_a",
        now="0.900",
        proposed="0.950",
        target=0.95,
        stated=[1.0, 0.9, 1.0, 40],
        effect={},
    )
    for proposal in (first, second):
        deciding.accept(people.admin, proposal.pk)
    newest = ThresholdProfile.objects.latest("version")
    assert (newest.version, newest.threshold_pv, newest.threshold_a) == (3, Decimal("0.780"), Decimal("0.950"))


def test_what_was_declined_is_not_proposed_again_for_a_month(people: People, doubted: Job) -> None:
    calibrate()
    deciding.decline(people.admin, open_proposal().pk, "too bold")
    calibrate()
    assert not CalibrationProposal.objects.filter(state="open").exists()
    newest = CalibrationRecord.objects.filter(category="", reason="").latest("pk")
    assert newest.promises["threshold_pv"]["why"] == "declined"
    CalibrationProposal.objects.update(decided_at=Now() - timedelta(days=31))
    calibrate()
    assert open_proposal().proposed == Decimal("0.780")


def test_only_administrators_decide(people: People, doubted: Job) -> None:
    calibrate()
    for who in (people.lead, people.annotator, people.uploader):
        with pytest.raises(Refused, match="calibration_forbidden"):
            deciding.accept(who, open_proposal().pk)
        with pytest.raises(Refused, match="calibration_forbidden"):
            deciding.decline(who, open_proposal().pk)
    with pytest.raises(NotFound):
        deciding.accept(people.admin, 0)


@pytest.mark.parametrize(("given", "promised"), [(0.9, 0.9), (7, 0.999), (0.2, 0.5)])
def test_the_promise_is_a_setting(doubted: Job, settings: Any, given: float, promised: float) -> None:
    settings.CALIBRATION_TARGET = given
    calibrate()
    assert open_proposal().target == promised


def test_the_command_tells_the_proposal(doubted: Job) -> None:
    out = StringIO()
    call_command("calibrate", stdout=out)
    assert "PROPOSED default v1 threshold_pv 0.850 -> 0.780: 1.000 right (0.886 - 1.000) of 30 pages" in out.getvalue()
    assert "30 fewer" in out.getvalue() and "-1.0 h of people" in out.getvalue()
    out = StringIO()
    call_command("calibrate", "--json", stdout=out)
    (proposal,) = json.loads(out.getvalue())["proposals"]
    assert proposal["proposed"] == "0.780" and proposal["effect"]["people"] == {"fewer": 30}
