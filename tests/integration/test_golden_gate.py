"""The gate before a profile version becomes active: no report, one that fails, an override and its reason (GR-GATE)."""

import io
import uuid
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from django.utils.translation import override as speaking

from catalogsku.core.errors import Refused
from catalogsku.profiles.gate import sentence
from catalogsku.profiles.models import Activation, GoldenVerdict, ThresholdProfile
from catalogsku.profiles.services import activate_profile, find_profile, profile_for, record_verdict
from processing.models import EvalReport
from processing.quality.services.gallery import Gallery
from processing.quality.services.reports import store_report
from tests.support.people import People
from tests.support.reports import make_golden_report
from tests.support.rows import in_threads

pytestmark = [pytest.mark.req("GR-GATE", "TA-T81")]


def draft(key: str = "default") -> ThresholdProfile:
    row = ThresholdProfile(key=key, reason="a test", threshold_pv=Decimal("0.650"))
    row.add_version(active=False)
    return row


def refused(profile: ThresholdProfile, by: Any = None, override: str = "") -> str:
    with pytest.raises(Refused) as caught:
        activate_profile(profile, by, override)
    return caught.value.code


@pytest.mark.django_db
def test_a_version_without_a_report_is_refused_and_the_active_one_stays() -> None:
    row = draft()
    assert refused(row) == "gate_report_missing"
    assert profile_for("").version == 1 and not Activation.objects.exists()


@pytest.mark.django_db
def test_the_newest_report_decides() -> None:
    row = draft()
    record_verdict(row, uuid.uuid4(), ["f1", "human_share"])
    assert refused(row) == "gate_report_failed"
    record_verdict(row, uuid.uuid4(), [])
    activate_profile(row, None)
    assert profile_for("") == row
    record_verdict(row, uuid.uuid4(), ["auc"])
    assert refused(row) == "gate_report_failed", "what was proved once and fails now is not activated again"


@pytest.mark.django_db
def test_a_report_of_another_version_proves_nothing() -> None:
    other, row = draft(), draft()
    record_verdict(other, uuid.uuid4(), [])
    assert refused(row) == "gate_report_missing"


@pytest.mark.django_db
def test_an_administrator_may_override_with_a_reason_that_is_kept(people: People) -> None:
    row = draft()
    assert refused(row, people.admin, "   ") == "gate_report_missing", "blanks are no reason"
    for stranger in (people.lead, people.uploader, None):
        assert refused(row, stranger, "because") == "gate_override_forbidden"
    kept = activate_profile(row, people.admin, " a customer waits ")
    assert (kept.by, kept.refusal, kept.override) == (people.admin, "gate_report_missing", "a customer waits")
    assert profile_for("") == row
    with pytest.raises(IntegrityError, match="override_has_a_reason"):
        Activation.objects.create(profile=row, by=people.admin, refusal="gate_report_missing")


@pytest.mark.django_db
def test_a_reason_is_not_kept_where_nothing_was_overridden(people: People) -> None:
    row = draft()
    record_verdict(row, uuid.uuid4(), [])
    kept = activate_profile(row, people.admin, "just in case")
    assert (kept.refusal, kept.override) == ("", "")


@pytest.mark.django_db
def test_the_way_back_to_what_was_active_before_the_gate_is_one_step(people: People) -> None:
    first, row = profile_for(""), draft()
    activate_profile(row, people.admin, "an experiment")
    activate_profile(first, people.lead)
    assert profile_for("") == first
    assert list(Activation.objects.order_by("pk").values_list("profile__version", flat=True)) == [2, 1]


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "words"), [("en", "has no report on golden sets"), ("zh-hans", "金标集")])
def test_the_refusal_says_its_code_in_both_languages(language: str, words: str) -> None:
    with pytest.raises(Refused) as caught:
        activate_profile(draft(), None)
    with speaking(language):
        said = sentence(caught.value)
    assert words in said and said.endswith("(gate_report_missing)") and "default@2" in said


@pytest.mark.django_db
def test_a_stored_report_is_the_verdict_on_the_profile_it_was_measured_with(settings: Any, tmp_path: Any) -> None:
    row, report = draft(), make_golden_report()
    stored = store_report(report, "styles", Gallery(tmp_path), row)
    failed = [line.figure for line in report.gate if line.verdict == "failed"]
    verdict = GoldenVerdict.objects.latest("pk")
    assert failed and (verdict.profile, verdict.report, verdict.passed) == (row, stored.uuid, False)
    assert verdict.failed == failed and refused(row) == "gate_report_failed"
    store_report(report, "styles", Gallery(tmp_path))
    assert EvalReport.objects.count() == 2 and GoldenVerdict.objects.filter(profile=row).count() == 1


def test_of_two_activations_at_once_one_version_is_active(committed: None, people: People) -> None:
    rows = [draft() for _ in range(4)]
    for row in rows:
        record_verdict(row, uuid.uuid4(), [])
    in_threads([lambda row=row: activate_profile(row, None) for row in rows])  # type: ignore[misc]
    assert ThresholdProfile.objects.filter(key="default", active=True).count() == 1
    assert Activation.objects.count() == 4


# --- at the edges ----------------------------------------------------------------------------------


@pytest.fixture
def admin(people: People) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(people.admin)
    client.cookies["django_language"] = "en"
    return client


def choose(admin: Client, row: ThresholdProfile, **fields: str) -> str:
    url = reverse("admin:profiles_thresholdprofile_changelist")
    form = {"action": "activate", "_selected_action": str(row.pk), "index": "0", **fields}
    return str(admin.post(url, form, follow=True).content.decode())


@pytest.mark.django_db
def test_the_admin_shows_the_refusal_and_takes_a_reason(admin: Client, people: People) -> None:
    row = draft()
    assert (
        "Override the gate, because"
        in admin.get(reverse("admin:profiles_thresholdprofile_changelist")).content.decode()
    )
    assert "(gate_report_missing)" in choose(admin, row)
    assert profile_for("").version == 1
    assert "v2 is active" in choose(admin, row, override="a customer waits")
    assert Activation.objects.get().by == people.admin


@pytest.mark.django_db
def test_the_command_refuses_overrides_and_lists(people: People) -> None:
    draft()

    def run(*words: str) -> str:
        out = io.StringIO()
        call_command("profiles", *words, stdout=out)
        return out.getvalue()

    with pytest.raises(CommandError, match="gate_report_missing") as caught:
        run("activate", "default@2")
    assert caught.value.returncode == 1
    with pytest.raises(CommandError, match="gate_override_forbidden"):
        run("activate", "default@2", "--override", "because", "--by", people.lead.username)
    assert "default v2 is active" in run(
        "activate", "default@2", "--override", "because", "--by", people.admin.username
    )
    assert "gate_report_missing" in run("list") and '"active": true' in run("list", "--json")
    for name in ("nobody", "default@9", "default@x"):
        with pytest.raises(CommandError, match="no profile"):
            run("activate", name)
    assert find_profile("default").version == 2
