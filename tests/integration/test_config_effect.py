"""What a change would do is told from the stored results of the last 30 days, exactly, before anything is saved."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from catalogsku.profiles.models import RoutingTable, ThresholdProfile
from ingestion.models import Job, Page
from processing.engine.evaluation.evaluate import PrescanFacts, evaluate
from processing.engine.evaluation.scores import DIMENSIONS, PageScore
from processing.pages.models import Evaluation
from processing.quality.services import effects
from processing.quality.services.effects import effect_of_profile, effect_of_routing
from processing.sandboxed import frozen
from tests.support.config_forms import fields_of
from tests.support.people import People
from tests.support.rows import make_job, make_page

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-WHATIF")]

PRESCAN = {"blank": False, "chars": 200, "images": 1}


def profile(**columns: Any) -> ThresholdProfile:
    """As a form's, unsaved."""
    row = ThresholdProfile.get_active("default")
    for name, value in columns.items():
        setattr(row, name, value)
    return row


@pytest.fixture
def judged(people: People) -> Job:
    """A HYBRID document of four pages: 1 sure, 2 between 0.75 and 0.8, 3 answered by a model, 4 checked by a person."""
    job = make_job(people.merchant, route="HYBRID", evaluated_at=Now())
    confidences = {1: 0.95, 2: 0.78, 3: 0.9, 4: 0.9}
    for number, confidence in confidences.items():
        make_page(
            job,
            number,
            "HUMAN_COMPLETED" if number == 4 else "AI_COMPLETED",
            stage="NONE",
            sampled=True,
            prescan=PRESCAN,
            confidence=confidence,
            type_confidence=0.95,
            page_type="A",
            sku_count=3,
            analyst="gemini" if number == 3 else "rules-1",
        )
    scores = [PageScore(n, dict.fromkeys(DIMENSIONS, 0.85), "A", 0.85) for n in confidences]
    report = frozen.jsonable(evaluate(scores, PrescanFacts(4, 4, 4), frozen.evaluation_config(job.profile)))
    row = Evaluation.objects.create(
        merchant=job.merchant,
        file_sha256=job.file_sha256,
        profile=job.profile,
        model="rules",
        c_doc=report["c_doc"],
        route=report["route"],
        report=report,
        facts={},
    )
    Job.objects.filter(pk=job.pk).update(route_reason={"evaluation": row.pk})
    return job


def test_the_same_values_change_nothing(judged: Job) -> None:
    effect = effect_of_profile(profile())
    assert effect.is_nothing and (effect.documents, effect.pages) == (1, 4)
    assert (effect.worked_on, effect.answered, effect.notes) == (1, 1, [])


def test_a_higher_pv_sends_the_doubtful_page_to_people_and_asks_models(judged: Job) -> None:
    effect = effect_of_profile(profile(threshold_pv=Decimal("0.8")))
    assert (effect.people, effect.models) == ({"more": 1}, {"more": 1}) and not effect.routes


def test_a_lower_a_lets_the_document_through(judged: Job) -> None:
    effect = effect_of_profile(profile(threshold_a=Decimal("0.84")))
    assert effect.routes == {("HYBRID", "AUTO"): 1} and not effect.people


def test_a_document_that_would_go_to_people_whole_takes_its_pages_along(judged: Job) -> None:
    effect = effect_of_profile(
        profile(threshold_a=Decimal("0.95"), threshold_pv=Decimal("0.9"), threshold_b=Decimal("0.86"))
    )
    assert effect.routes == {("HYBRID", "HUMAN_ALL"): 1}
    assert effect.people == {"more": 3} and effect.worked_on == 0, "the checked one would come to a person again"


def test_what_a_page_has_found_against_it_stays(judged: Job) -> None:
    Page.objects.filter(job=judged, number=2).update(blockers=[{"code": "coverage_low", "params": {}}])
    assert effect_of_profile(profile(threshold_pv=Decimal("0.8"))).is_nothing


def test_lenient_validity_lets_partial_skus_go_and_the_way_back_is_not_known(judged: Job) -> None:
    marked = [{"code": "specification_missing", "params": {}, "sku": 0}]
    Page.objects.filter(job=judged, number=1).update(blockers=marked)
    assert effect_of_profile(profile(validity_mode="lenient")).people == {"fewer": 1}
    ThresholdProfile.objects.update(validity_mode="lenient")
    assert effect_of_profile(profile(validity_mode="strict")).notes == ["partial_skus"]


def test_what_would_have_to_be_read_again_is_said(judged: Job) -> None:
    changed = {**profile().prescan_rules, "min_text_chars_for_blank": 50}
    assert effect_of_profile(profile(prescan_rules=changed)).notes == ["min_text_chars_for_blank"]


def test_older_documents_other_profiles_and_what_is_too_much_stay_out(
    judged: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effects, "MOST_PAGES", 0)
    assert effect_of_profile(profile()).left_out == 1
    monkeypatch.undo()
    Job.objects.filter(pk=judged.pk).update(evaluated_at=Now() - timedelta(days=31))
    assert effect_of_profile(profile()).documents == 0
    assert effect_of_profile(ThresholdProfile(key="lamps")).notes == ["new_key"]


def test_routes_are_told_by_the_pages_that_models_are_asked_about(judged: Job) -> None:
    Page.objects.filter(job=judged, number=2).update(blockers=[{"code": "coverage_low", "params": {}}])
    table = RoutingTable.get_active("default")
    table.rows = [{"operation": "read_page", "page_type": "any", "complexity": "any", "route": "SKIP"}]
    effect = effect_of_routing(table)
    assert effect.models == {"fewer": 1} and not effect.people and not effect.routes


# --- the button -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ["1 page more would go to people", "1 page more asked of models"]), ("zh-hans", ["1 页", "30 天"])],
)
def test_the_form_tells_it_and_saves_nothing(people: People, judged: Job, language: str, words: list[str]) -> None:
    client = Client()
    client.force_login(people.admin)
    client.cookies["django_language"] = language
    row = ThresholdProfile.get_active("default")
    url = reverse("profile_effect", args=[row.pk])
    assert (
        f'formaction="{url}"'
        in client.get(reverse("admin:profiles_thresholdprofile_change", args=[row.pk])).content.decode()
    )
    form = {
        "key": "default", "category": "", "reason": "", "seen_version": row.version, "threshold_a": "0.9",
        "threshold_pv": "0.8", "threshold_b": "0.4", "validity_mode": "strict",
    }  # fmt: skip
    for name in ("weights", "prescan_rules", "classification"):
        form |= fields_of(name, getattr(row, name))
    told = client.post(f"{url}?part", form).content.decode()
    assert all(word in told for word in words), told
    assert "<html" in client.post(url, form).content.decode()
    wrong = client.post(f"{url}?part", {**form, "threshold_pv": "0.95"}).content.decode()
    assert "B &lt; PV &lt; A" in wrong
    assert ThresholdProfile.objects.filter(key="default").count() == 1
