"""The screen, the admin and the API of merchants' words: who may, what is shown, and that nothing reaches another."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from catalogsku.accounts.models import User
from catalogsku.profiles.models import MerchantDictionary
from catalogsku.profiles.services import set_dictionary
from tests.support.own_words import SHEET, WORDS
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job
from tests.support.stages import as_worker, process

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-DICT", "X-MATRIX")]


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    as_worker(monkeypatch)


def browser(user: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def press(user: User, merchant: Any, do: str, **fields: Any) -> Any:
    given = {"merchant": merchant.pk, "category": "", "do": do, **fields}
    return browser(user).post(reverse("dictionary"), given)


def stored() -> list[tuple[int, list[dict[str, str]]]]:
    return list(MerchantDictionary.objects.order_by("pk").values_list("version", "entries"))


def test_words_are_put_together_and_saved_as_a_version(people: People) -> None:
    first = {"word": ["Ref. forn.", "  ", "pol"], "means": ["label:model", "label:model", "unit:in"]}
    page = press(people.lead, people.merchant, "change", **first)
    assert page.status_code == 200 and not stored()
    draft = page.context["draft"]
    assert [row.means for row in page.context["rows"]] == ["Model", "in"] and "not saved yet" in page.content.decode()
    page = press(people.lead, people.merchant, "save", draft=draft, seen=0, remove=["1"], reason="spring")
    assert page.status_code == 302
    row = MerchantDictionary.objects.get()
    assert (row.entries, row.reason, row.created_by, row.merchant) == (
        WORDS[:1],
        "spring",
        people.lead,
        people.merchant,
    )


def test_who_was_overtaken_is_told_and_loses_nothing(people: People) -> None:
    set_dictionary(people.merchant, "", WORDS[:1], people.admin, "x")
    page = press(people.lead, people.merchant, "save", draft=json.dumps(WORDS), seen=0)
    assert page.status_code == 400 and "moved on to version 1" in page.content.decode() and len(stored()) == 1
    assert len(page.context["rows"]) == 3


@pytest.mark.parametrize("word", ["(a+)+(", "a*", r"(\d)\1"])
def test_a_pattern_at_fault_is_named_with_its_code(people: People, word: str) -> None:
    page = press(people.lead, people.merchant, "save", word=word, means="pattern:model")
    assert page.status_code == 400 and "pattern_" in page.context["desk"].error and not stored()


def test_a_file_is_shown_before_it_is_saved(people: People) -> None:
    file = SimpleUploadedFile("w.csv", "\ufeffkind,word,means\r\nlabel,Ref. forn.,model\r\n".encode())
    page = press(people.lead, people.merchant, "change", file=file)
    assert [row.word for row in page.context["rows"]] == ["Ref. forn."] and not stored()
    broken = press(people.lead, people.merchant, "change", file=SimpleUploadedFile("w.csv", b"\x00\xff" * 9))
    assert broken.status_code == 400 and not broken.context["rows"]


@pytest.mark.parametrize("draft", ["{", "[1]", '[{"kind":"x","word":"y","means":"z"}]', '[{"word":"x"}]'])
def test_a_draft_that_is_none_is_an_empty_one(people: People, draft: str) -> None:
    page = press(people.lead, people.merchant, "change", draft=draft)
    assert page.status_code == 200 and not page.context["rows"]


def test_an_earlier_version_is_taken_up_again(people: People) -> None:
    set_dictionary(people.merchant, "", WORDS, people.admin, "first")
    set_dictionary(people.merchant, "", [], people.admin, "second")
    page = press(people.lead, people.merchant, "again", version=1)
    assert len(page.context["rows"]) == 3 and len(stored()) == 2


def test_what_is_exported_is_of_this_merchant(people: People) -> None:
    set_dictionary(people.merchant, "", WORDS, people.admin, "x")
    set_dictionary(people.other, "", [{**WORDS[0], "word": "Quillwort"}], people.admin, "x")
    client = browser(people.lead)
    found = client.get(reverse("dictionary_file"), {"merchant": people.merchant.pk})
    assert found.content.decode("utf-8-sig").splitlines()[1] == "label,Ref. forn.,model"
    assert json.loads(client.get(reverse("dictionary_file"), {"format": "json"}).content) == WORDS
    assert client.get(reverse("dictionary_file"), {"merchant": people.other.pk}).status_code == 404


def test_another_merchants_words_and_documents_are_not_there(people: People) -> None:
    set_dictionary(people.other, "", [{**WORDS[0], "word": "Quillwort"}], people.admin, "x")
    theirs = make_job(people.other, total_pages=1)
    for do in ("change", "try", "save", "again"):
        assert press(people.lead, people.other, do).status_code == 404
    assert browser(people.lead).get(reverse("dictionary"), {"merchant": people.other.pk}).status_code == 404
    page = press(people.lead, people.merchant, "try", job=str(theirs.uuid))
    assert page.status_code == 400 and "Quillwort" not in page.content.decode() and page.context["desk"].tried is None
    assert browser(people.lead).get(reverse("dictionary"), {"category": "none"}).status_code == 404
    assert browser(people.uploader).get(reverse("dictionary")).status_code == 403


@pytest.mark.usefixtures("worker")
def test_a_trial_shows_values_before_and_after(people: People, tmp_path: Path) -> None:
    job = process(people, tmp_path / "lista.pdf", [SHEET])
    page = press(people.lead, people.merchant, "try", draft=json.dumps(WORDS), job=str(job.uuid), pages="1, 9")
    rows = {(row.product, row.what, row.before, row.after) for row in page.context["changed"]}
    assert ("AB-10", "Price", "", "12,50") in rows and page.context["desk"].tried.counts["gained"] == 3
    assert "<ins>12,50</ins>" in page.content.decode() and not stored()


@pytest.mark.usefixtures("worker")
def test_what_no_dictionary_knows_is_offered_and_taken_up(people: People, tmp_path: Path) -> None:
    process(people, tmp_path / "lista.pdf", [SHEET, SHEET])
    client = browser(people.lead)
    assert client.get(reverse("dictionary")).context["discovery"] is None
    found = client.get(reverse("dictionary"), {"find": "1"}).content.decode()
    assert "Ref. forn." in found and "word=Ref.%20forn." in found
    taken = client.get(reverse("dictionary"), {"word": "Ref. forn."})
    assert taken.context["new_rows"][0][0] == "Ref. forn."


# --- the API ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("worker")
def test_programs_append_list_and_try(people: People, tmp_path: Path) -> None:
    job, lead = process(people, tmp_path / "lista.pdf", [SHEET]), Program(people.lead)
    given = {"entries": WORDS, "expected_version": 0, "reason": "spring"}
    tried = lead("post", "/dictionaries/try", {"entries": WORDS, "job_id": str(job.uuid), "pages": [1]}).json()
    assert (tried["changed_pages"], tried["pages_changed"][0]["after"][0]["price"]) == (1, "12,50") and not stored()
    made = lead("put", "/dictionaries", given)
    assert made.status_code == 201 and made.json()["version"] == 1
    assert lead("put", "/dictionaries", given).json()["code"] == "version_taken"
    assert [row["entries"] for row in lead("get", "/dictionaries").json()["items"]] == [WORDS]
    assert lead("get", f"/dictionaries/{made.json()['id']}").json()["merchant_id"] == people.merchant.pk


def test_programs_of_another_merchant_see_and_change_nothing(people: People) -> None:
    row = set_dictionary(people.other, "", WORDS, people.admin, "x")
    job, lead = make_job(people.other), Program(people.lead)
    assert lead("get", "/dictionaries").json()["items"] == []
    assert lead("get", f"/dictionaries/{row.pk}").status_code == 404
    given = {"merchant_id": people.other.pk, "entries": [], "expected_version": 1, "reason": "x"}
    assert lead("put", "/dictionaries", given).status_code == 404
    assert lead("post", "/dictionaries/try", {"entries": [], "job_id": str(job.uuid)}).status_code == 404
    admin = Program(people.admin)  # sees both, and still tries no words of one on documents of the other
    body = {"merchant_id": people.merchant.pk, "entries": [], "job_id": str(job.uuid)}
    assert admin("post", "/dictionaries/try", body).status_code == 404
    assert len(stored()) == 1


def test_the_api_names_the_entry_at_fault(people: People) -> None:
    body = {"entries": [WORDS[0], {**WORDS[1], "means": "cloth"}], "expected_version": 0, "reason": "x"}
    found = Program(people.lead)("put", "/dictionaries", body)
    assert (found.status_code, found.json()["code"]) == (422, "dictionary_invalid")
    assert "Entry 2" in found.json()["title"] and "bad_meaning" in found.json()["title"]


# --- the admin ----------------------------------------------------------------------------------------


def test_the_admin_makes_versions_and_refuses_a_stale_form(people: People) -> None:
    client = browser(people.admin)
    address = reverse("admin:profiles_merchantdictionary_add")
    form = {"merchant": people.merchant.pk, "category": "furniture", "reason": "x", "entries-rows": "1"}
    form |= {"entries-0-kind": "label", "entries-0-word": "Ref. forn.", "entries-0-means": "model"}
    assert client.post(address, form).status_code == 302 and stored() == [(1, WORDS[:1])]
    assert client.post(address, form).status_code == 200 and len(stored()) == 1  # it is there: opened, not made again
    row = MerchantDictionary.objects.get()
    change = reverse("admin:profiles_merchantdictionary_change", args=[row.pk])
    assert client.post(change, {**form, "seen_version": "1", "entries-0-means": "brand"}).status_code == 302
    assert [version for version, _ in stored()] == [1, 2]
    assert client.post(change, {**form, "seen_version": "1"}).status_code == 200 and len(stored()) == 2
