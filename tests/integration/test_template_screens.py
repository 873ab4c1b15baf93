"""Screens of templates of studies: who may, what is shown, how one is put together, and that nothing typed is lost."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalogsku.accounts.models import User
from processing.models import Template, TemplateVersion
from processing.studies import drafting, files, selectors
from processing.studies.services import templates
from tests.support.people import People
from tests.support.screen_words import faults_in

pytestmark = [pytest.mark.django_db, pytest.mark.req("LX-FIELDS", "LX-SYS", "X-MATRIX")]

FIRST = "groups.0.fields.0"


def browser(user: User, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    client.cookies["django_language"] = language
    return client


def shipped() -> Template:
    return Template.objects.get(merchant=None, key="rct")


@pytest.fixture
def own(people: People) -> Template:
    return templates.clone_template(
        selectors.get_version(shipped()), people.merchant, people.lead, key="own", name="Stroke trials"
    ).template


def page(user: User, template: Template, **asked: Any) -> Any:
    return browser(user).get(reverse("study_template", args=[template.uuid]), asked)


def press(user: User, template: Template, do: str, draft: Any = None, **typed: Any) -> Any:
    """As the page sends it: the draft that it showed, with what was typed."""
    if draft is None:
        draft = drafting.draft_of(selectors.definition_in(selectors.get_version(template)))
    given = {"do": do, "draft": json.dumps(draft), "seen": 1, "name": template.name, "name_zh": "", **typed}
    return browser(user).post(reverse("study_template", args=[template.uuid]), given)


def stored(template: Template) -> list[tuple[int, str]]:
    return [(row.number, row.reason) for row in selectors.versions_of(template)]


# --- the list -----------------------------------------------------------------------------------------


def test_who_has_none_is_led_to_those_that_come_with_the_product(people: People) -> None:
    text = browser(people.lead).get(reverse("study_templates")).content.decode()
    assert "No template of your own yet" in text and text.count("study_template") == 0
    assert text.count("/clone/") == 3 and "Randomised controlled trial" in text
    chinese = browser(people.lead, "zh-hans").get(reverse("study_templates")).content.decode()
    assert "随机对照试验" in chinese and "Randomised" not in chinese
    assert reverse("study_templates") in browser(people.lead).get(reverse("documents")).content.decode()


def test_a_clone_is_opened_and_listed(people: People) -> None:
    client = browser(people.lead)
    given = {"merchant": people.merchant.pk, "name": "Stroke trials"}
    made = client.post(reverse("study_template_clone", args=[shipped().uuid]), given)
    own = Template.objects.get(merchant=people.merchant)
    assert made["Location"] == reverse("study_template", args=[own.uuid]) and own.key == "stroke_trials"
    text = client.get(reverse("study_templates")).content.decode()
    assert "Stroke trials" in text and 'class="empty' not in text
    again = client.post(
        reverse("study_template_clone", args=[shipped().uuid]), {**given, "name": "x" * 81}, follow=True
    )
    assert "Give the template a name" in again.content.decode() and Template.objects.exclude(merchant=None).count() == 1


def test_one_is_put_away_and_taken_back(people: People, own: Template) -> None:
    client, address = browser(people.lead), reverse("study_template_archive", args=[own.uuid])
    text = client.post(address, {"archived": "1"}, follow=True).content.decode()
    assert "This template is archived" in text and 'id="desk"' not in text
    assert "archived" in client.get(reverse("study_templates")).content.decode()
    refused = press(people.lead, own, "save", reason="x", at=FIRST, key="other", label_en="Other")
    assert refused.status_code == 400 and "is archived" in refused.content.decode() and len(stored(own)) == 1
    client.post(address, {"archived": "0"})
    assert 'id="desk"' in page(people.lead, own).content.decode()
    kept = browser(people.admin).post(reverse("study_template_archive", args=[shipped().uuid]), {"archived": "1"})
    assert kept.status_code == 302 and not shipped().archived


# --- one of them --------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_a_screen_says_no_code_and_no_wrong_plural(people: People, own: Template, language: str) -> None:
    client = browser(people.lead, language)
    for at in ("", FIRST, "groups.3", "checks.1", "groups.0.fields.2"):
        draft = json.dumps(drafting.draft_of(selectors.definition_in(selectors.get_version(own))))
        given = {"do": f"open:{at}", "draft": draft, "seen": 1, "name": "Stroke trials"}
        found = client.post(reverse("study_template", args=[own.uuid]), given)
        assert found.status_code == 200 and sorted(set(faults_in(found.content.decode()))) == [], at
    for template in (own, shipped()):
        text = client.get(reverse("study_template", args=[template.uuid])).content.decode()
        assert sorted(set(faults_in(text))) == []


def test_what_comes_with_the_product_is_read_and_not_edited(people: People) -> None:
    found = page(people.admin, shipped())
    text = found.content.decode()
    assert 'id="desk"' not in text and "comes with the product" in text and "n_randomised" in text
    assert [len(group.rows) for group in found.context["groups"]] == [9, 6, 8, 6, 3, 3, 6, 8]
    refused = press(people.admin, shipped(), "save", at=FIRST, key="x", label_en="X")
    assert refused.status_code == 400 and TemplateVersion.objects.count() == 3


def test_a_part_is_opened_with_its_inputs(people: People, own: Template) -> None:
    found = press(people.lead, own, f"open:{FIRST}")
    assert found.context["spot"].typed["label_en"] == "Study (first author, year)"
    assert 'name="label_en" value="Study (first author, year)"' in found.content.decode()
    assert re.search(r'aria-expanded="true"', found.content.decode())
    closed = press(people.lead, own, f"open:{FIRST}", at=FIRST, key="study_id", label_en="Study")
    assert closed.context["spot"] is None and closed.context["groups"][0].rows[0].label == "Study"


def test_parts_are_added_moved_and_removed_before_anything_is_saved(people: People, own: Template) -> None:
    added = press(people.lead, own, "add:groups.0.fields")
    assert added.context["desk"].at == "groups.0.fields.9" and "without a name" in added.content.decode()
    draft = json.loads(added.context["draft"])
    moved = press(
        people.lead, own, "up:groups.0.fields.9", draft, at="groups.0.fields.9", label_en="Sites", type="integer"
    )
    assert [row.label for row in moved.context["groups"][0].rows][-2:] == ["Sites", "Conflicts of interest declared"]
    assert moved.context["groups"][0].rows[-2].key == "sites" and moved.context["desk"].at == "groups.0.fields.8"
    gone = press(people.lead, own, f"remove:{FIRST}", json.loads(moved.context["draft"]))
    assert gone.context["groups"][0].rows[0].key == "registration_number" and len(stored(own)) == 1
    check = press(people.lead, own, "add:checks.between")
    assert check.context["spot"].kind == "check" and len(check.context["checks"]) == 11
    saved = press(people.lead, own, "save", json.loads(moved.context["draft"]), reason="sites", name="Stroke")
    assert saved.status_code == 302 and stored(own) == [(2, "sites"), (1, "")]
    own.refresh_from_db()
    assert own.name == "Stroke"
    keys = [field.key for field in selectors.definition_in(selectors.get_version(own)).fields]
    assert keys[8] == "sites" and keys[0] == "study_id"


def test_faults_stand_at_their_inputs_and_lose_nothing(people: People, own: Template) -> None:
    typed = {"label_en": "Study", "key": "Study Id", "type": "choice", "choices": "low\nlow", "unit": "kg"}
    found = press(people.lead, own, "save", at=FIRST, **typed)
    text = found.content.decode()
    assert found.status_code == 400 and len(stored(own)) == 1
    errors = found.context["spot"].errors
    assert set(errors) == {"key", "unit", "choices"} and errors["choices"].startswith("Line 2: The key low")
    assert text.count('aria-invalid="true"') == 3 and 'value="Study Id"' in text and ">low | low\nlow | low<" in text
    assert [one.at for one in found.context["told"]] == [FIRST] * 3
    elsewhere = press(people.lead, own, "save", at="groups.1", label_en="", label_zh="", key="population")
    assert elsewhere.context["desk"].at == "groups.1" and set(elsewhere.context["spot"].errors) == {"label_en"}


def test_a_check_names_the_field_at_fault(people: People, own: Template) -> None:
    found = press(people.lead, own, "save", at="checks.2", interval="hr_interval", estimate="study_id")
    assert found.context["desk"].at == "checks.2" and found.status_code == 400
    assert [one.error != "" for one in found.context["spot"].inputs] == [False, True]
    assert 'id="error-estimate"' in found.content.decode()


def test_who_was_overtaken_is_told_and_may_save_after_the_other(people: People, own: Template) -> None:
    definition = selectors.definition_in(selectors.get_version(own))
    draft = drafting.draft_of(definition)
    del draft["groups"][1]
    templates.save_version(own, templates.checked(draft), people.admin, expected=1)
    typed = {"at": FIRST, "key": "study_id", "label_en": "Mine"}
    mine = drafting.draft_of(definition)
    found = press(people.lead, own, "save", mine, **typed)
    text = found.content.decode()
    assert found.status_code == 400 and "moved on to version 2 while you edited version 1" in text
    assert 'value="Mine"' in text and "?version=2" in text and 'value="over"' in text and len(stored(own)) == 2
    over = press(people.lead, own, "over", json.loads(found.context["draft"]), **typed)
    assert over.status_code == 302 and [number for number, _ in stored(own)] == [3, 2, 1]
    assert selectors.get_version(own, 2).definition == json.loads(json.dumps(templates_stored(draft)))


def templates_stored(draft: Any) -> Any:
    from processing.studies.definition import stored as as_stored

    return as_stored(templates.checked(draft))


def test_an_earlier_version_is_read_and_taken_up_again(people: People, own: Template) -> None:
    draft = drafting.draft_of(selectors.definition_in(selectors.get_version(own)))
    del draft["groups"][2:], draft["checks"][:]
    press(people.lead, own, "save", draft)
    earlier = page(people.lead, own, version=1)
    assert "This is version 1" in earlier.content.decode() and len(earlier.context["groups"]) == 8
    assert 'name="seen" value="2"' in earlier.content.decode()
    press(people.lead, own, "save", json.loads(earlier.context["draft"]), seen=2)
    assert selectors.get_version(own).definition == selectors.get_version(own, 1).definition
    for number in ("9", "x", "0"):
        assert page(people.lead, own, version=number).status_code == (200 if number == "x" else 404)


@pytest.mark.parametrize(
    "sent",
    [
        {"draft": "{"},
        {"draft": ""},
        {"seen": "x"},
        {"do": "drop:groups.0"},
        {"do": "remove:groups.99"},
        {"at": "groups.0.fields.99"},
        {"do": "add:checks.none"},
        {"at": "groups.0;"},
        {"draft": "x" * 300_000},
    ],
)
def test_what_cannot_be_read_is_refused_and_saves_nothing(people: People, own: Template, sent: dict[str, str]) -> None:
    found = press(people.lead, own, **{"do": "save", **sent})
    assert found.status_code == 400 and "cannot be read" in found.content.decode() and len(stored(own)) == 1


def test_enter_in_an_input_only_takes_over(people: People, own: Template) -> None:
    text = press(people.lead, own, f"open:{FIRST}").content.decode()
    first = re.search(r"<button[^>]*>", text[text.index('id="desk"') :])
    assert first is not None and 'value="keep"' in first.group()
    kept = press(people.lead, own, "keep", at=FIRST, key="study_id", label_en="Kept")
    assert kept.context["groups"][0].rows[0].label == "Kept" and kept.context["desk"].at == FIRST


def test_a_file_is_the_one_that_commands_read(people: People, own: Template) -> None:
    found = browser(people.lead).get(reverse("study_template_file", args=[own.uuid]))
    assert 'filename="own.json"' in found["Content-Disposition"]
    file, definition = files.read(found.content)
    assert (file.key, file.name) == ("own", "Stroke trials") and definition == selectors.definition_in(
        selectors.get_version(own)
    )


def test_signs_that_pages_are_made_of_stay_text(people: People, own: Template) -> None:
    typed = {"key": "study_id", "label_en": "<b>x</b>", "instruction": '"><script>alert(1)</script>'}
    text = press(people.lead, own, "keep", at=FIRST, **typed).content.decode()
    assert "<b>x</b>" not in text and "<script>alert" not in text and "&lt;b&gt;x&lt;/b&gt;" in text


def test_another_merchants_template_is_not_there(people: People) -> None:
    theirs = templates.clone_template(
        selectors.get_version(shipped()), people.other, people.admin, key="own", name="Quillwort"
    ).template
    client = browser(people.lead)
    for name in ("study_template", "study_template_file"):
        assert client.get(reverse(name, args=[theirs.uuid])).status_code == 404
    for name in ("study_template", "study_template_clone", "study_template_archive"):
        assert client.post(reverse(name, args=[theirs.uuid]), {"merchant": people.merchant.pk}).status_code == 404
    given = {"merchant": people.other.pk}
    assert client.post(reverse("study_template_clone", args=[shipped().uuid]), given).status_code == 404
    assert client.get(reverse("study_templates"), given).status_code == 404
    assert "Quillwort" not in client.get(reverse("study_templates")).content.decode()
    assert "Quillwort" in browser(people.admin).get(reverse("study_templates"), given).content.decode()
    for user in (people.uploader, people.annotator):
        assert page(user, shipped()).status_code == 403
