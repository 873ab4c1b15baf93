"""Every change of configuration is in one log, whichever way it came; a form that is behind shows what has changed."""

from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from catalogsku.profiles.models import ConfigChange, Configuration, RoutingTable, ThresholdProfile, WorkRules
from catalogsku.profiles.models.changes import ConfigurationQuerySet
from catalogsku.profiles.services import activate_profile
from ingestion.models import FileRule, KeepingRule, Quota
from processing.corrections.models import CorrectionRule
from processing.llm import gate
from processing.llm.models import BudgetLimit, LanguageModel
from processing.pages.models import AskingRule
from processing.pages.services.asking_rules import set_rule
from processing.shadows.models import Shadow
from tests.support.config_forms import fields_of
from tests.support.people import People

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(people: People) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(people.admin)
    client.cookies["django_language"] = "en"
    return client


def told(model: str) -> list[tuple[str, Any, Any, str, str]]:
    rows = ConfigChange.objects.filter(model=model).order_by("pk")
    return [(row.kind, row.before, row.after, row.by, row.why) for row in rows]


def work_form(row: WorkRules, **changes: Any) -> dict[str, Any]:
    names = [field.name for field in WorkRules._meta.fields if field.editable and field.name not in ("id", "active")]
    return {**{name: getattr(row, name) for name in names}, "seen_version": row.version, "reason": "a test", **changes}


def test_a_saved_form_is_in_the_log_with_who_and_why(admin: Client, people: People) -> None:
    rules = WorkRules.get_active("default")
    url = reverse("admin:profiles_workrules_change", args=[rules.pk])
    assert admin.post(url, work_form(rules, reserved_min=12, reason="lunch is longer")).status_code == 302
    made = told("profiles.workrules")[-1]
    assert made[0] == "changed" and made[3:] == (people.admin.username, "lunch is longer")
    assert (made[1]["reserved_min"], made[2]["reserved_min"]) == (10, 12) and "audit_ratio" not in made[1]


def test_programs_and_commands_are_in_it_too(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    row = ThresholdProfile.get_active("default")
    row.threshold_pv = Decimal("0.650")
    row.created_by, row.reason = people.admin, "by a program"
    row.add_version(active=False)
    activate_profile(row, people.admin, "an emergency")
    kinds = [
        (before.get("active"), after.get("active"), by, why)
        for _, before, after, by, why in told("profiles.thresholdprofile")
    ]
    assert (False, True, people.admin.username, "an emergency") in kinds
    name = LanguageModel.objects.values_list("name", flat=True)[0]
    monkeypatch.setattr("sys.argv", ["/srv/manage.py", "models", "limits", name])
    call_command("models", "limits", name, "--qpm", "7")
    (kind, before, after, by, _), *_ = told("processing.languagemodel")
    assert (kind, after) == ("changed", {"qpm": 7}) and before["qpm"] != 7 and by == "manage.py models"
    gate.set_state(name, "open", "somebody")
    assert told("processing.languagemodel")[-1][1:3] == ({"held_open": False}, {"held_open": True})


def test_rules_of_merchants_budgets_and_quotas_are_in_it(people: People) -> None:
    set_rule(people.merchant, "never", 0, people.lead)
    limit = BudgetLimit.objects.create(scope="merchant", merchant=people.merchant, limit_micro=5)
    BudgetLimit.objects.filter(pk=limit.pk).update(limit_micro=6)
    BudgetLimit.objects.filter(pk=limit.pk).delete()
    Quota.objects.create(merchant=people.merchant, storage_mb=1)
    assert [row[0] for row in told("processing.budgetlimit")] == ["made", "changed", "deleted"]
    assert told("processing.budgetlimit")[1][1:3] == ({"limit_micro": 5}, {"limit_micro": 6})
    assert told("processing.askingrule")[0][3] == people.lead.username
    assert told("ingestion.quota")[0][2]["storage_mb"] == 1
    assert AskingRule.objects.visible_to(people.admin).count() == 1


def test_what_is_configured_cannot_be_updated_past_the_log() -> None:
    """Each kind of it has a manager that writes down."""
    for kind in (
        ThresholdProfile,
        RoutingTable,
        WorkRules,
        LanguageModel,
        BudgetLimit,
        AskingRule,
        CorrectionRule,
        FileRule,
        KeepingRule,
        Quota,
        Shadow,
    ):
        assert issubclass(kind, Configuration)
        assert isinstance(kind._default_manager.all(), ConfigurationQuerySet), kind


def test_a_change_and_its_entry_are_there_together_or_not_at_all() -> None:
    before = ConfigChange.objects.count()
    with pytest.raises(ValidationError):
        ThresholdProfile(key="default", threshold_a=Decimal("0.1"), reason="wrong").add_version()
    with pytest.raises(RuntimeError), transaction.atomic():
        WorkRules.get_active("default").add_version()
        raise RuntimeError
    assert ConfigChange.objects.count() == before


def test_nothing_of_it_is_changed_or_deleted(admin: Client) -> None:
    WorkRules.get_active("default").add_version()
    change = ConfigChange.objects.first()
    assert change is not None
    for step in (change.save, ConfigChange.objects.all().delete, lambda: ConfigChange.objects.update(by="x")):
        with pytest.raises(PermissionDenied):
            step()
    for sql in ("UPDATE profiles_configchange SET by = 'x'", "DELETE FROM profiles_configchange"):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)
    assert admin.post(reverse("admin:profiles_configchange_delete", args=[change.pk])).status_code == 403
    assert admin.get(reverse("admin:profiles_configchange_add")).status_code == 403


def test_the_log_is_shown_and_filtered(admin: Client, people: People) -> None:
    rules = WorkRules.get_active("default")
    admin.post(
        reverse("admin:profiles_workrules_change", args=[rules.pk]), work_form(rules, reserved_min=12, reason="longer")
    )
    url = reverse("admin:profiles_configchange_changelist")
    page = admin.get(url).content.decode()
    assert "Minutes for which an assigned task is kept: 10 → 12" in page and "longer" in page
    assert "10 → 12" not in admin.get(url, {"model": "ingestion.quota"}).content.decode()
    assert "10 → 12" in admin.get(url, {"model": "profiles.workrules", "by": people.admin.username}).content.decode()


# --- forms that are behind ------------------------------------------------------------------------


def test_a_stale_form_shows_the_difference_and_is_saved_when_that_is_meant(admin: Client) -> None:
    row = ThresholdProfile.get_active("default")
    form = {
        "key": "default", "category": "", "reason": "mine", "seen_version": row.version, "threshold_a": "0.9",
        "threshold_pv": "0.75", "threshold_b": "0.4", "validity_mode": "strict",
        **fields_of("weights", row.weights), **fields_of("prescan_rules", row.prescan_rules),
        **fields_of("classification", {**row.classification, "page_type_min_confidence": 0.6}),
    }  # fmt: skip
    other = ThresholdProfile(key="default", threshold_pv=Decimal("0.650"), reason="theirs")
    other.prescan_rules = {**other.prescan_rules, "min_text_chars_for_blank": 20}
    other.add_version()
    url = reverse("admin:profiles_thresholdprofile_change", args=[row.pk])
    page = admin.post(url, form).content.decode()
    cells = [part.split("</td>") for part in page.split('<th scope="row">')]
    by_value = {cell[0].split("</th>")[0]: "".join(cell[:3]) for cell in cells}
    assert all(value in by_value["PV: page passes from"] for value in ("0.700", "0.650", "0.75"))
    assert all(value in by_value["Prescan rules / blank below"] for value in ("10", "20"))
    assert ThresholdProfile.objects.filter(key="default").count() == 2
    assert 'name="seen_version" value="2"' in page
    assert admin.post(url, {**form, "seen_version": 2}).status_code == 302
    assert ThresholdProfile.objects.get(key="default", version=3).threshold_pv == Decimal("0.750")


def test_a_row_without_versions_is_not_overwritten_either(admin: Client, people: People) -> None:
    quota = Quota.objects.create(merchant=people.merchant, storage_mb=1)
    url = reverse("admin:ingestion_quota_change", args=[quota.pk])
    seen = ConfigChange.objects.filter(model="ingestion.quota").latest("pk").pk
    assert f'name="seen_change" value="{seen}"' in admin.get(url).content.decode()
    Quota.objects.filter(pk=quota.pk).update(storage_mb=2)
    form = {"merchant": people.merchant.pk, "storage_mb": "3", "seen_change": seen, "why": "more room"}
    page = admin.post(url, form).content.decode()
    assert "<td>1</td><td>2</td><td>3</td>" in page
    quota.refresh_from_db()
    assert quota.storage_mb == 2
    newest = ConfigChange.objects.filter(model="ingestion.quota").latest("pk").pk
    assert admin.post(url, {**form, "seen_change": newest}).status_code == 302
    assert told("ingestion.quota")[-1][1:] == ({"storage_mb": 2}, {"storage_mb": 3}, people.admin.username, "more room")
