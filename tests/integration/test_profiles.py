"""Profiles: what may stand in one is refused by form, model and database; versions are added, and jobs keep theirs."""

import re
from contextlib import suppress
from decimal import Decimal
from html.parser import HTMLParser
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from catalogsku.core.errors import Refused
from catalogsku.profiles import columns
from catalogsku.profiles.models import (
    DEFAULT_WEIGHTS,
    CategorySchema,
    RoutingTable,
    ThresholdProfile,
    default_classification,
    default_prescan_rules,
    default_weights,
)
from catalogsku.profiles.services import activate_profile, profile_for, schema_for
from ingestion.models import Job
from ingestion.services.jobs import Source, create_job
from processing.sandboxed import frozen
from processing.sandboxed.frozen import evaluation_config
from tests.support.config_forms import fields_of
from tests.support.people import People
from tests.support.rows import in_threads, make_job

WRONG_THRESHOLDS = [("0.7", "0.7", "0.4"), ("0.9", "0.4", "0.4"), ("0.6", "0.7", "0.4"), ("0.9", "0.3", "0.4")]
WRONG_WEIGHTS: list[dict[str, str]] = [
    {**DEFAULT_WEIGHTS, "layout_quality": "0.16"},
    {name: weight for name, weight in DEFAULT_WEIGHTS.items() if name != "layout_quality"},
    {},
]
INSERT = """INSERT INTO profiles_thresholdprofile (key, version, active, reason, created_at, category, threshold_a,
    threshold_pv, threshold_b, weights, prescan_rules, classification, validity_mode)
    VALUES ('raw', 1, true, '', now(), '', %s, %s, %s, %s, %s, %s, 'strict')"""


def inserted(a: str, pv: str, b: str, weights: dict[str, str]) -> None:
    from psycopg.types.json import Jsonb

    with transaction.atomic(), connection.cursor() as cursor:
        objects = [weights, default_prescan_rules(), default_classification()]
        cursor.execute(INSERT, [a, pv, b, *map(Jsonb, objects)])


def version(**columns: Any) -> ThresholdProfile:
    return ThresholdProfile(key="default", reason="a test", **columns)


@pytest.mark.django_db
@pytest.mark.req("TA-T81", "TA-T39")
@pytest.mark.invariant("INV-01", "holds", "violated")
@pytest.mark.invariant("INV-02", "holds")
@pytest.mark.parametrize(("a", "pv", "b"), WRONG_THRESHOLDS)
def test_inv_01_thresholds_out_of_order_are_refused_by_model_and_database(a: str, pv: str, b: str) -> None:
    with pytest.raises(ValidationError, match="B < PV < A"):
        version(threshold_a=Decimal(a), threshold_pv=Decimal(pv), threshold_b=Decimal(b)).add_version()
    with pytest.raises(IntegrityError, match="inv_01"):
        inserted(a, pv, b, default_weights())
    inserted("0.9", "0.7", "0.4", default_weights())


@pytest.mark.django_db
@pytest.mark.req("TA-T81", "TA-T39")
@pytest.mark.invariant("INV-02", "violated")
@pytest.mark.parametrize("weights", WRONG_WEIGHTS, ids=["sum 1.01", "one missing", "none"])
def test_inv_02_weights_that_do_not_sum_to_one_are_refused_by_model_and_database(weights: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        version(weights=weights).add_version()
    with pytest.raises(IntegrityError, match="inv_02"):
        inserted("0.9", "0.7", "0.4", weights)


@pytest.mark.django_db
@pytest.mark.req("TA-T81")
def test_a_refused_version_leaves_the_active_one_as_it_is() -> None:
    before = ThresholdProfile.get_active("default")
    with pytest.raises(ValidationError):
        version(threshold_a=Decimal("0.1")).add_version()
    assert ThresholdProfile.get_active("default") == before
    assert ThresholdProfile.objects.filter(key="default").count() == 1


# --- the form ------------------------------------------------------------------------------------


@pytest.fixture
def admin(people: People) -> Client:
    client = Client()
    client.force_login(people.admin)
    return client


class Inputs(HTMLParser):
    """What a browser would send of a page's form."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self._open = self._choice = self._in = ""
        self._is_spare = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("name") or ""
        self._is_spare = self._is_spare or tag == "template"
        if self._is_spare or name.startswith("_"):
            return
        if tag == "input" and name and given.get("type") not in ("submit", "checkbox"):
            self.values[name] = given.get("value") or ""
        elif tag == "input" and name and "checked" in given:
            self.values[name] = "on"
        elif tag in ("textarea", "select"):
            self._in, self._open = tag, name
            self.values[name] = ""
        elif tag == "option" and self._open and ("selected" in given or not self.values[self._open]):
            self.values[self._open] = given.get("value") or ""
            self._choice = self._open

    def handle_data(self, data: str) -> None:
        if self._choice:
            self.values[self._choice] = self.values[self._choice] or data
        elif self._open and self._in == "textarea":
            self.values[self._open] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._is_spare = False
        if tag in ("textarea", "select"):
            self._open = ""
        if tag == "option":
            self._choice = ""


def submit(admin: Client, **changes: Any) -> Any:
    row = ThresholdProfile.get_active("default")
    url = reverse("admin:profiles_thresholdprofile_change", args=[changes.pop("pk", row.pk)])
    form = {
        "key": "default", "category": "", "reason": "a test", "seen_version": row.version, "threshold_a": "0.9",
        "threshold_pv": "0.7", "threshold_b": "0.4", "validity_mode": "strict",
    }  # fmt: skip
    for name in ("weights", "prescan_rules", "classification"):
        form |= fields_of(name, changes.pop(name, getattr(row, name)))
    return admin.post(url, form | changes)


@pytest.mark.django_db
@pytest.mark.req("TA-T81", "TA-ADR11")
def test_a_saved_form_is_a_new_version_by_that_person(admin: Client, people: People) -> None:
    old = ThresholdProfile.get_active("default")
    assert submit(admin, threshold_pv="0.65").status_code == 302
    new = ThresholdProfile.objects.get(key="default", version=2)
    old.refresh_from_db()
    assert (new.previous, new.created_by, new.reason) == (old, people.admin, "a test")
    assert (old.threshold_pv, new.threshold_pv) == (Decimal("0.700"), Decimal("0.650"))
    assert submit(admin, pk=old.pk, seen_version=2, threshold_pv="0.66").status_code == 302, (
        "the active one still opens"
    )


@pytest.mark.django_db
@pytest.mark.req("TA-T81", "TA-T39")
@pytest.mark.parametrize(
    "changes",
    [
        {"threshold_a": "0.5"},
        {"threshold_b": "0.7"},
        {"weights": {}},
        {"reason": ""},
        {"weights-layout_quality": "a lot"},
        {"weights": {"text_readability": 1}},
        {"weights-layout_quality": "0.16"},
        {"threshold_a": "1.5"},
        {"prescan_rules": {}},
        {"prescan_rules-min_text_chars_for_blank": "10.5"},
        {"prescan_rules-ocr_rate_penalty_weight": "1.01"},
        {"classification-page_type_min_confidence": "high"},
        {"classification-page_type_min_confidence": "NaN"},
    ],
    ids=[
        "A below PV",
        "B is PV",
        "no weights",
        "no reason",
        "a word for a weight",
        "one weight",
        "sum 1.01",
        "A above 1",
        "no rules",
        "half a character",
        "above the range",
        "a word",
        "no number",
    ],
)
def test_the_form_says_what_is_wrong_and_saves_nothing(admin: Client, changes: dict[str, Any]) -> None:
    found = submit(admin, **changes)
    assert found.status_code == 200
    assert "errorlist" in found.content.decode()
    assert ThresholdProfile.objects.filter(key="default").count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["ocr_rate_penalty_weight is missing.", "min_text_chars_for_blank must be a whole number from 0 to"]),
        ("zh-hans", ["缺少 ocr_rate_penalty_weight。", "min_text_chars_for_blank 须为 0 到 10000 的整数"]),
    ],
)
def test_the_form_names_each_key_that_is_missing_or_no_number(admin: Client, language: str, words: list[str]) -> None:
    rules = dict(ThresholdProfile.get_active("default").prescan_rules)
    del rules["ocr_rate_penalty_weight"]
    admin.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    found = submit(admin, prescan_rules={**rules, "min_text_chars_for_blank": "ten"}).content.decode()
    assert all(word in found for word in words), found


@pytest.mark.django_db
@pytest.mark.req("TA-T81")
def test_what_is_shown_is_what_is_saved_again(admin: Client) -> None:
    """Each stored JSON passes through its inputs unchanged, whichever shape it has."""
    admin.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    for row in (
        ThresholdProfile.get_active("default"),
        CategorySchema.get_active("lighting"),
        RoutingTable.get_active("default"),
    ):
        url = reverse(f"admin:{row._meta.label_lower.replace('.', '_')}_change", args=[row.pk])
        form = Inputs(admin.get(url).content.decode())
        assert form.values["reason"] == "", "that of the version before is not this one's"
        answer = admin.post(url, {**form.values, "reason": "the same"})
        assert answer.status_code == 302, (form.values, re.findall("errorlist.*?</ul>", answer.content.decode()))
        new = type(row).objects.get(key=row.key, version=row.version + 1)
        for field in ("weights", "prescan_rules", "classification", "attributes", "rules", "rows", "points"):
            assert getattr(new, field, None) == getattr(row, field, None), field


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"), [("en", ["blank below", "0 to 10000"]), ("zh-hans", ["空白", "0 到 10000"])]
)
def test_each_figure_has_an_input_with_its_range_and_meaning(admin: Client, language: str, words: list[str]) -> None:
    admin.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    row = ThresholdProfile.get_active("default")
    shown = admin.get(reverse("admin:profiles_thresholdprofile_change", args=[row.pk])).content.decode()
    assert all(word in shown for word in words)
    for column in (*columns.OBJECTS["weights"], *columns.OBJECTS["prescan_rules"], *columns.OBJECTS["classification"]):
        assert f'-{column.key}"' in shown and str(column.label) and str(column.help), column.key


@pytest.mark.django_db
@pytest.mark.req("TA-T81")
def test_a_stale_form_is_refused(admin: Client) -> None:
    old = ThresholdProfile.get_active("default")
    version(threshold_pv=Decimal("0.650")).add_version()
    stale = submit(admin, pk=old.pk, seen_version=1, threshold_pv="0.75")
    assert stale.status_code == 200 and "errorlist" in stale.content.decode()
    assert "0.650" in stale.content.decode(), "what has changed meanwhile is shown"
    old_form = reverse("admin:profiles_thresholdprofile_change", args=[old.pk])
    assert 'name="_save"' not in admin.get(old_form).content.decode(), "an old version is not edited"
    racing = submit(admin, seen_version=1, threshold_pv="0.75")
    assert racing.status_code == 200 and "errorlist" in racing.content.decode()
    assert ThresholdProfile.objects.filter(key="default").count() == 2


@pytest.mark.req("TA-T81")
def test_of_editors_at_once_one_wins_and_the_others_are_told(committed: None, people: People) -> None:
    def save() -> str:
        try:
            version(threshold_pv=Decimal("0.650")).add_version(expected=1)
        except ValidationError:
            return "told"
        return "saved"

    assert sorted(in_threads([save] * 4)) == ["saved", "told", "told", "told"]
    assert list(ThresholdProfile.objects.filter(key="default", active=True).values_list("version", flat=True)) == [2]


# --- categories ----------------------------------------------------------------------------------


def category(key: str, parent: str = "", **columns: Any) -> CategorySchema:
    schema = CategorySchema(key=key, label_zh=key, label_en=key, parent_key=parent, **columns)
    schema.add_version()
    return schema


@pytest.mark.django_db
@pytest.mark.req("TA-T55", "TA-FREEZE")
def test_a_change_of_a_category_makes_new_versions_of_those_below_it() -> None:
    category("goods", attributes=[{"key": "power"}], rules=[{"rule": "required_field", "field": "power"}])
    category("lamps", "goods", attributes=[{"key": "beam"}])
    desk = category("desk_lamps", "lamps")
    assert [entry["key"] for entry in desk.resolved_attributes] == ["power", "beam"]
    assert desk.resolved_rules[0]["field"] == "power"
    category("goods", attributes=[{"key": "power", "unit": "W"}, {"key": "voltage"}])
    now = schema_for("desk_lamps")
    assert (now.version, now.reason) == (2, "lamps v2")
    assert [entry["key"] for entry in now.resolved_attributes] == ["power", "voltage", "beam"]
    desk.refresh_from_db()
    assert [entry["key"] for entry in desk.resolved_attributes] == ["power", "beam"], "who keeps it keeps both"


@pytest.mark.django_db
@pytest.mark.req("TA-T55")
@pytest.mark.parametrize(
    ("columns", "field"),
    [
        ({"parent": "nowhere"}, "parent_key"),
        ({"parent": "lamps"}, "parent_key"),
        ({"attributes": [{"key": "Beam"}]}, "attributes"),
        ({"parent": "general", "attributes": "beam"}, "attributes"),
        ({"rules": [{"rule": "regex_match", "field": "size", "pattern": "["}]}, "rules"),
        ({"rules": [{"rule": "required_field", "field": "beam"}]}, "rules"),
    ],
)
def test_a_schema_that_cannot_hold_is_refused_with_its_field(columns: dict[str, Any], field: str) -> None:
    category("lamps")
    category("desk_lamps", "lamps")
    columns = {"parent": "desk_lamps", **columns} if columns.get("parent") == "lamps" else columns
    with pytest.raises(ValidationError) as caught:
        category("lamps", **columns)
    assert list(caught.value.message_dict) == [field]
    assert schema_for("lamps").version == 1


@pytest.mark.django_db
@pytest.mark.req("TA-T55")
def test_an_admin_makes_a_new_version_and_is_told_what_is_wrong(people: People) -> None:
    client = Client(headers={"accept-language": "en"})
    client.force_login(people.admin)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    schema = schema_for("lighting")
    url = reverse("admin:profiles_categoryschema_change", args=[schema.pk])
    shown = client.get(url).content.decode()
    assert "luminous_flux" in shown and "barcode" in shown
    form = {
        "key": "lighting", "label_zh": "灯", "label_en": "Lamps", "parent_key": "home", "reason": "shorter",
        "seen_version": schema.version, **fields_of("attributes", [{"key": "lumen"}, {"key": ""}]), "rules-rows": 0,
    }  # fmt: skip
    answer = client.post(url, {**form, **fields_of("rules", [{"rule": "range_check", "field": "lumen"}])})
    assert answer.status_code == 200 and "smallest or a largest value" in answer.content.decode()
    assert client.post(url, form).status_code == 302
    assert schema_for("lighting").attributes == [{"key": "lumen"}], "an empty row is none"


# --- what a job keeps ----------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("TA-ADR11", "TA-FREEZE")
@pytest.mark.invariant("INV-09", "holds")
def test_a_job_keeps_the_version_it_began_with(people: People) -> None:
    source = Source("a.pdf", "k", 1, "a" * 64)
    job, _ = create_job(None, people.merchant.pk, source, idempotency_key="before-it")
    version(threshold_a=Decimal("0.990"), threshold_pv=Decimal("0.980")).add_version()
    schema = CategorySchema(key="general", label_zh="通用", label_en="General", attributes=[{"key": "extra"}])
    schema.add_version()
    later, _ = create_job(None, people.merchant.pk, source, idempotency_key="after-it")
    job.refresh_from_db()
    assert (job.profile.version, job.schema.version) == (1, 1)
    assert (later.profile.version, later.schema.version) == (2, 2)
    assert evaluation_config(job.profile).thresholds.a == 0.9
    assert evaluation_config(later.profile).thresholds.a == 0.99
    same, created = create_job(None, people.merchant.pk, source, idempotency_key="before-it")
    assert (same, created, same.profile.version) == (job, False, 1)


@pytest.mark.django_db
@pytest.mark.req("PL-C8")
@pytest.mark.invariant("INV-09", "violated")
def test_inv_09_a_job_without_its_frozen_version_is_refused(people: People) -> None:
    job = make_job(people.merchant)
    for column in ("profile", "schema"):
        with pytest.raises(IntegrityError, match=column), transaction.atomic():
            Job.objects.filter(pk=job.pk).update(**{column: None})


@pytest.mark.django_db
@pytest.mark.req("TA-ADR11")
def test_a_category_has_its_own_profile_and_schema_or_the_base_ones(people: People) -> None:
    own = ThresholdProfile(key="lamps", category="lamps", threshold_a=Decimal("0.95"))
    own.add_version()
    assert profile_for("lamps") == own
    assert profile_for("chairs") == profile_for("") == ThresholdProfile.get_active("default")
    assert profile_for("lamps", "default").key == "default"
    assert schema_for("home").key == "home"
    assert schema_for("chairs").key == "general"


@pytest.mark.req("TA-P1-6")
@pytest.mark.django_db
def test_the_jobs_profile_says_what_a_blank_page_is(people: People) -> None:
    strict = ThresholdProfile.get_active("default")
    strict.prescan_rules = {**strict.prescan_rules, "min_text_chars_for_blank": 40}
    strict.add_version()
    job = make_job(people.merchant, profile=strict)
    assert frozen.prescan_settings(job).blank_min_chars == 40
    assert frozen.reading_settings().blank_min_chars == 10, "pages are read alike for every profile"


def stored_by_an_older_version(**columns: Any) -> ThresholdProfile:
    """The active profile with columns that no form takes any more, from before the database looked at them."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE profiles_thresholdprofile DROP CONSTRAINT IF EXISTS active_figures_complete")
    ThresholdProfile.objects.filter(key="default", active=True).update(**columns)
    return ThresholdProfile.get_active("default")


BROKEN: dict[str, Any] = {
    "prescan_rules": {"min_text_chars_for_blank": "ten", "ocr_rate_penalty_weight": None},
    "classification": {"page_type_min_confidence": "high"},
}


@pytest.mark.django_db
def test_figures_that_are_none_count_as_their_defaults_and_log_and_doctor_say_so(
    people: People, caplog: pytest.LogCaptureFixture
) -> None:
    job = make_job(people.merchant, profile=stored_by_an_older_version(**BROKEN))
    assert frozen.prescan_settings(job).blank_min_chars == 10
    assert frozen.evaluation_config(job.profile).prescan.ocr_rate_penalty_weight == 0.15
    assert frozen.analyst_config(job).classification.page_type_min_confidence == 0.7
    told = [record for record in caplog.records if record.message == "profile completed with defaults"]
    assert len(told) == 1, "once a process"
    assert "min_text_chars_for_blank" in told[0].faults  # type: ignore[attr-defined]
    out = StringIO()
    with suppress(CommandError):
        call_command("doctor", stdout=out)
    assert "default v1, prescan_rules:" in out.getvalue()


@pytest.mark.django_db
def test_a_version_with_a_word_for_a_number_does_not_become_active(people: People) -> None:
    lacking = stored_by_an_older_version(prescan_rules={})
    activate_profile(lacking, people.admin, "an older version lacks what came later")
    assert ThresholdProfile.get_active("default").prescan_rules == default_prescan_rules(), "what is in force is whole"
    broken = stored_by_an_older_version(**BROKEN)
    with pytest.raises(Refused) as refused:
        activate_profile(broken, people.admin, "never mind")
    assert refused.value.code == "gate_figures"
    assert "page_type_min_confidence" in str(refused.value.params["why"])
