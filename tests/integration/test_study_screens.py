"""Screens of studies: the list by template, one study in sections, what people decide there, and who may."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from msgspec.structs import replace

from catalogsku.accounts.models import User
from ingestion.models import Job
from processing.engine.kinds.proving import Reason
from processing.exports.services import exporting
from processing.exports.services.exporting import contents_of
from processing.models import Decision, Export, Record
from processing.studies import study_shown
from processing.studies.services import reviewing
from processing.studies.values import stored, values_in
from tests.integration.test_studies import _worker, given  # noqa: F401
from tests.support.people import People
from tests.support.screen_words import faults_in

pytestmark = [pytest.mark.django_db, pytest.mark.req("LX-UNLOCK", "LX-QUOTE", "X-MATRIX")]

HTMX = {"HX-Request": "true"}
REVIEWERS = ("uploader", "annotator", "lead", "admin")


def browser(user: Any, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    client.cookies["django_language"] = language
    return client


@pytest.fixture
def paper(people: People, tmp_path: Path) -> Job:
    return given(people, tmp_path / "paper.pdf")


def study_url(job: Job, name: str = "study") -> str:
    return reverse(name, args=[job.uuid])


def main_of(job: Job) -> Record:
    return Record.objects.get(job=job, repeat="none", superseded=False)


def seen_of(record: Record, field: str) -> int:
    record.refresh_from_db()
    return next((value.decision for value in values_in(record.values) if value.field == field), 0)


def decide(user: Any, record: Record, field: str, do: str, **typed: Any) -> str:
    said = {"record": record.uuid, "field": field, "do": do, "seen": 0, **typed}
    found = browser(user).post(study_url(record.job, "study_decide"), said, headers=HTMX)
    assert found.status_code == 200, found.content
    return str(found.content.decode())


# --- the list -----------------------------------------------------------------------------------------


def test_who_has_no_study_is_told_how_one_begins(people: People) -> None:
    text = browser(people.uploader).get(reverse("studies")).content.decode()
    assert 'class="empty' in text and "Upload a paper" in text
    assert "Upload a paper" not in browser(people.annotator).get(reverse("studies")).content.decode()
    assert "还没有研究" in browser(people.uploader, "zh-hans").get(reverse("studies")).content.decode()


def test_a_row_a_study_with_what_was_found_and_how_far_it_is(people: People, paper: Job) -> None:
    client = browser(people.annotator)
    text = client.get(reverse("studies")).content.decode()
    assert 'lang="und">Registration number</th>' in text and "NCT01234567" in text
    assert study_url(paper) in text and "To be reviewed" in text
    assert '<td class="num">2</td><td class="num">3</td>' in text, "arms and outcomes"
    progress = re.search(r"(\d+) / (\d+)</td>", text)
    assert progress and progress[1] == "0"
    decide(people.annotator, main_of(paper), "registration_number", "confirmed")
    again = re.search(r"(\d+) / (\d+)</td>", client.get(reverse("studies")).content.decode())
    assert again and (again[1], again[2]) == ("1", progress[2])
    decide(people.annotator, main_of(paper), "country", "not_reported")
    text = client.get(reverse("studies")).content.decode()
    assert text.count('aria-label="Not reported"') == 1 and text.count('aria-label="Proved"') == 1


def test_the_address_is_the_list(people: People, paper: Job, tmp_path: Path) -> None:
    client, url = browser(people.lead), reverse("studies")
    for address, there in (
        ("?template=rct", True),
        ("?template=rct/1", True),
        ("?template=nothing", True),
        ("?show=approved", False),
        ("?show=open&q=pap", True),
        ("?q=other", False),
        ("?page=9", True),
        (f"?template={main_of(paper).template_version.template.uuid}", True),
        ("?template=rct/99999999999", True),
    ):
        found = client.get(url + address)
        assert found.status_code == 200 and (study_url(paper) in found.content.decode()) == there, address
    given(people, tmp_path / "other.pdf", "cohort", registration="NCT07654321")
    text = client.get(url + "?template=cohort").content.decode()
    assert "NCT01234567" not in text and "Cohort study (1)" in text


@pytest.mark.parametrize(("status", "word"), [("REJECTED", "Refused"), ("CANCELLED", "Cancelled")])
def test_a_paper_that_was_refused_is_not_being_read(people: People, paper: Job, status: str, word: str) -> None:
    Record.objects.filter(job=paper).update(status="WAITING")
    Job.objects.filter(pk=paper.pk).update(status=status, stage="NONE")
    client, url = browser(people.uploader), reverse("studies")
    text = client.get(url).content.decode()
    assert f"{word}</span>" in text and "Being read</span>" not in text
    assert "Being read <b>0" in text and "Refused or cancelled <b>1" in text
    for show, there in (("machines", False), ("ended", True)):
        assert (study_url(paper) in client.get(url, {"show": show}).content.decode()) == there
    text = client.get(study_url(paper)).content.decode()
    assert "The paper is being read" not in text and "stands on the document" in text
    assert 'value="confirmed"' not in text and "data-approve" not in text


def test_no_list_speaks_of_refused_papers_where_there_is_none(people: People, paper: Job) -> None:
    assert "Refused or cancelled" not in browser(people.uploader).get(reverse("studies")).content.decode()


def test_the_list_asks_as_often_for_many_as_for_one(people: People, paper: Job, tmp_path: Path) -> None:
    client, url = browser(people.lead), reverse("studies")
    client.get(url)
    with CaptureQueriesContext(connection) as one:
        client.get(url)
    for n in range(3):
        given(people, tmp_path / f"more{n}.pdf", registration=f"NCT0765432{n}")
    with CaptureQueriesContext(connection) as many:
        assert client.get(url).content.decode().count("NCT0") > 4
    assert len(many) == len(one)


# --- one study ----------------------------------------------------------------------------------------


def test_a_study_opens_where_its_address_says(people: People, paper: Job) -> None:
    client = browser(people.annotator)
    text = client.get(study_url(paper)).content.decode()
    assert "NCT01234567" in text and 'data-boxes="1 ' in text and "Falls, n (%)" in text
    assert text.count("data-loaded") == 1 and "events_control" not in text
    falls = Record.objects.get(job=paper, part="Falls, n (%)")
    text = client.get(study_url(paper), {"part": str(falls.uuid), "field": "events_control"}).content.decode()
    assert 'data-field="events_control"' in text and "NCT01234567" not in text
    rows = client.get(study_url(paper, "study_fields"), {"part": str(falls.uuid)}).content.decode()
    assert 'data-field="events_control"' in rows and "<html" not in rows
    for wrong in ({"group": "nothing"}, {"part": "x"}, {"part": str(falls.job.uuid)}):
        assert client.get(study_url(paper, "study_fields"), wrong).status_code == 404
        assert client.get(study_url(paper), wrong).status_code == 200
    assert 'data-field="study_id"' in client.get(study_url(paper, "study_fields")).content.decode()
    page = client.get(reverse("study_page", args=[paper.uuid, 2])).content.decode()
    assert f"/jobs/{paper.uuid}/pages/2/image" in page and 'data-number="2"' in page
    assert client.get(reverse("study_page", args=[paper.uuid, 9])).status_code == 404


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_word_is_in_the_readers_language(people: People, paper: Job, language: str) -> None:
    client = browser(people.lead, language)
    decide(people.lead, main_of(paper), "registration_number", "confirmed")
    decide(people.lead, main_of(paper), "country", "not_reported")
    for url in (reverse("studies"), study_url(paper), study_url(paper) + "?group=identification"):
        faults = set(faults_in(client.get(url).content.decode()))
        assert faults <= {("None", "None")}, f"{url}: who paid may be nobody, which is a word here"


def test_every_reason_of_the_rules_has_its_words() -> None:
    further = {"offered", "chosen", "models_differ", "injection_suspected"}  # of studies.values
    assert set(study_shown.REASON_WORDS) == {*get_args(Reason), *further}


def test_who_was_asked_stands_under_the_title_and_beside_the_value(people: People, paper: Job) -> None:
    main, client = main_of(paper), browser(people.annotator)
    assert "Read by" not in client.get(study_url(paper)).content.decode(), "rules are nobody"
    said = [replace(value, method="qwen-x") for value in values_in(main.values)]
    answers = [{"group": "a", "model": "qwen-x"}, {"group": "b", "code": "over_budget_day"}]
    rows = [{"model": "", "code": "", "prompt": "1.1", "call": 1, **answer} for answer in answers]
    Record.objects.filter(pk=main.pk).update(values=stored(said), asked=rows)
    text = client.get(study_url(paper)).content.decode()
    assert "Answered by qwen-x; some questions were not: the budget of the day is spent" in text
    assert text.count("Read by qwen-x") == text.count("Read by") == len(said) > 1, "of a field without a value nobody"
    Record.objects.filter(pk=main.pk).update(asked=rows[1:])
    assert "没有模型回答：" in browser(people.annotator, "zh-hans").get(study_url(paper)).content.decode()


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"stage": "ASK", "status": "PROCESSING"}, "Models are asked about the paper"),
        ({"status": "AWAITING_GO", "models_state": "asking"}, "2 of 2 pages would be asked, about 0.31 USD"),
    ],
)
def test_it_is_said_that_models_are_asked_or_wait_for_a_go_ahead(
    people: People, paper: Job, columns: dict[str, Any], words: str
) -> None:
    assert words not in browser(people.lead).get(study_url(paper)).content.decode()
    Job.objects.filter(pk=paper.pk).update(models_pages=2, models_estimated_micro=310_000, **columns)
    assert words in browser(people.lead).get(study_url(paper)).content.decode()


# --- taking it away ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_a_study_is_taken_away_from_its_screen_with_what_studies_have(
    people: People, paper: Job, language: str
) -> None:
    client = browser(people.lead, language)
    screen = client.get(study_url(paper)).content.decode()
    assert 'aria-controls="export-panel"' in screen and f"/exports/?job={paper.uuid}" in screen
    panel = client.get(reverse("export_panel"), {"job": paper.uuid}, headers=HTMX).content.decode()
    assert "SKU" not in panel and 'name="pictures"' not in panel and 'name="layout"' not in panel
    assert re.findall(r'name="kind" value="(\w+)"', panel) == ["xlsx", "csv", "json"]
    asked = {"job": paper.uuid, "kind": "csv", "which": "all", "columns": ["study", "value"], "headings": "en"}
    client.post(reverse("export_make"), asked, headers=HTMX)
    export = Export.objects.get()
    assert (export.job, export.kind, export.columns, export.headings) == (paper, "csv", ["study", "value"], "en")
    exporting.make_export(export.pk)
    answer = client.get(reverse("export_panel"), {"job": paper.uuid}, headers={**HTMX, "X-Fragment": "region"})
    export.refresh_from_db()
    assert (
        export.status == "DONE"
        and f"{export.skus} {'value' if language == 'en' else '个值'}" in answer.content.decode()
    )


def test_all_studies_of_a_template_are_taken_away_from_their_list(people: People, paper: Job) -> None:
    client = browser(people.uploader)
    screen = client.get(reverse("studies")).content.decode()
    address = f"merchant={people.merchant.pk}&amp;listed=template%3Drct"
    assert f"/exports/?{address}" in screen
    panel = client.get(
        reverse("export_panel"), {"merchant": people.merchant.pk, "listed": "template=rct"}, headers=HTMX
    )
    assert "Randomised controlled trial" in panel.content.decode()
    asked = {
        "merchant": people.merchant.pk,
        "which": "listed",
        "listed": "template=rct",
        "kind": "xlsx",
        "headings": "en",
    }
    text = client.post(reverse("export_make"), asked, headers=HTMX).content.decode()
    export = Export.objects.get()
    assert (export.job, export.wanted, export.kind) == (
        None,
        "template=rct",
        "xlsx",
    ) and "Randomised controlled" in text
    assert client.post(reverse("export_make"), asked).headers["Location"] == reverse("studies"), "without scripts"


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_a_template_that_there_is_not_is_refused_with_its_sentence(people: People, paper: Job, language: str) -> None:
    address = {"merchant": people.merchant.pk, "listed": "template=never"}
    found = browser(people.lead, language).get(reverse("export_panel"), address)
    said = {"en": "There is no template “never”. There are: rct.", "zh-hans": "never"}[language]
    assert found.status_code == 400 and said in found.content.decode()


@pytest.mark.parametrize(
    ("kind", "type_"),
    [
        ("csv", "text/csv; charset=utf-8"),
        ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("json", "application/json"),
    ],
)
def test_a_study_as_it_stands_comes_at_once(people: People, paper: Job, kind: str, type_: str) -> None:
    """What is in it: test_study_files."""
    client, address = browser(people.lead), reverse("export", args=[paper.uuid, kind])
    found = client.get(address)
    assert (found.status_code, found["Content-Type"]) == (200, type_)
    assert found["Content-Disposition"].startswith("attachment") and f".{kind}" in found["Content-Disposition"]
    if kind != "json":
        assert b"NCT01234567" in b"".join(contents_of(paper).at_once(paper, "csv", ""))
    assert client.get(address, {"template": "rct"}).status_code == 400, "one study has no filter"


def test_who_may_not_export_is_not_offered_it(people: People, paper: Job) -> None:
    for address in (study_url(paper), reverse("studies")):
        assert "export-panel" not in browser(people.annotator).get(address).content.decode()
    assert browser(people.annotator).get(reverse("export_panel"), {"job": paper.uuid}).status_code == 403
    assert browser(people.other_uploader).get(reverse("export_panel"), {"job": paper.uuid}).status_code == 404


@pytest.mark.parametrize("who", REVIEWERS)
def test_who_may_decide_and_nobody_elses_people(people: People, paper: Job, who: str) -> None:
    row = decide(people.named(who), main_of(paper), "registration_number", "confirmed")
    assert 'data-verdict="confirmed"' in row and "Confirmed by" in row and 'value="withdrawn"' in row
    said = {"record": main_of(paper).uuid, "field": "registration_number", "do": "not_reported", "seen": 0}
    assert browser(people.other_uploader).post(study_url(paper, "study_decide"), said).status_code == 404


def test_a_value_is_corrected_withdrawn_and_said_to_be_missing(people: People, paper: Job) -> None:
    main = main_of(paper)
    row = decide(people.lead, main, "n_randomised_total", "corrected", text="92", quote="In all, 92 adults", page="1")
    assert "Corrected by" in row and "printed in one place" in row
    row = decide(people.lead, main, "n_randomised_total", "withdrawn", seen=seen_of(main, "n_randomised_total"))
    assert 'data-verdict=""' in row
    row = decide(people.lead, main, "n_randomised_total", "not_reported")
    assert 'data-stand="absent"' in row
    row = decide(people.lead, main, "study_design", "corrected", text="parallel")
    assert ">Parallel groups</b>" in row


def test_what_is_offered_is_taken(people: People, paper: Job) -> None:
    main = main_of(paper)
    value = next(value for value in values_in(main.values) if value.field == "funding_source")
    Record.objects.filter(pk=main.pk).update(
        offers=[
            *main.offers,
            {"field": "funding_source", "text": "Council for Healthy Ageing", "quote": value.quote, "page": 1},
        ]
    )
    row = decide(people.lead, main, "funding_source", "offer:1")
    assert 'data-verdict="corrected"' in row and "Council for Healthy Ageing</b>" in row
    assert "Somebody has decided" in decide(people.lead, main, "country", "offer:1")
    of_a_list = decide(people.lead, main, "study_design", "offer:1")
    assert 'aria-invalid="true"' in of_a_list and not Decision.objects.filter(field="study_design").exists()


def test_a_refusal_stands_at_the_field_and_loses_nothing(people: People, paper: Job) -> None:
    main = main_of(paper)
    row = decide(people.lead, main, "n_randomised_total", "corrected", text="ninety", quote="my quote", page="7")
    assert 'value="ninety"' in row and ">my quote</textarea>" in row and 'value="7"' in row
    assert "“ninety” is not of the form" in row and "Whole number" in row
    reviewing.decide(people.annotator, main, "n_randomised_total", reviewing.Answer("corrected", "91"))
    row = decide(people.lead, main, "n_randomised_total", "corrected", text="90")
    assert "Somebody has decided on this value meanwhile" in row
    assert (
        'value="90"' in row and ">91</b>" in row and f'name="seen" value="{seen_of(main, "n_randomised_total")}"' in row
    )
    assert "nothing_to_confirm" not in decide(people.lead, main, "country", "confirmed")
    assert "There is no value to confirm" in decide(people.lead, main, "country", "confirmed")
    url = study_url(paper, "study_decide")
    for said in ({}, {"record": main.uuid, "field": "country", "do": "eat", "seen": 0}):
        assert browser(people.lead).post(url, said).status_code == 302
    for said in ({"field": "nothing"}, {"record": paper.uuid}):
        wrong = {"record": main.uuid, "field": "country", "do": "confirmed", "seen": 0, **said}
        assert browser(people.lead).post(url, wrong).status_code == 404


def test_without_scripts_a_decision_leads_back_to_its_field(people: People, paper: Job) -> None:
    said = {"record": main_of(paper).uuid, "field": "country", "do": "confirmed", "seen": 0}
    found = browser(people.lead).post(study_url(paper, "study_decide"), said, follow=True)
    assert found.redirect_chain == [(study_url(paper) + "?group=identification&field=country", 302)]
    assert "There is no value to confirm" in found.content.decode()


def test_parts_are_added_left_out_and_taken_in_again(people: People, paper: Job) -> None:
    client, url = browser(people.annotator), study_url(paper, "study_part")
    found = client.post(url, {"do": "add", "repeat": "per_arm", "part": "Waiting list"})
    added = Record.objects.get(job=paper, part="Waiting list")
    assert found["Location"] == f"{study_url(paper)}?part={added.uuid}"
    refused = client.post(url, {"do": "add", "repeat": "per_arm", "part": "Waiting list"})
    text = refused.content.decode()
    assert refused.status_code == 400 and "There is “Waiting list” already" in text and 'value="Waiting list"' in text
    for do, status in (("leave", "REJECTED"), ("take", "REVIEW")):
        client.post(url, {"do": do, "record": added.uuid})
        added.refresh_from_db()
        assert added.status == status
    again = client.post(url, {"do": "leave", "record": main_of(paper).uuid}, follow=True)
    assert "approved or left out already" in again.content.decode()
    assert client.post(url, {"do": "leave", "record": paper.uuid}).status_code == 404


def approve(user: User, job: Job, **said: str) -> Any:
    return browser(user).post(study_url(job, "study_approve"), {"do": "approve", **said}, headers=HTMX)


def test_a_study_is_approved_after_what_is_in_its_way(people: People, paper: Job) -> None:
    text = approve(people.lead, paper).content.decode()
    assert "Leave the rest out" in text and "Values on which nobody has decided" in text
    text = approve(people.lead, paper, rest="drop").content.decode()
    assert "Study (first author, year)" in text and "study_id" not in text
    for record, field in reviewing.lacking(paper, drop_rest=True):
        reviewing.decide(people.lead, record, field.key, reviewing.Answer("not_reported"))
    done = approve(people.lead, paper, rest="drop")
    assert done.headers["HX-Refresh"] == "true" and main_of(paper).status == "APPROVED"
    text = browser(people.lead).get(study_url(paper)).content.decode()
    assert "Open it again" in text and 'value="confirmed"' not in text and 'name="text"' not in text
    assert "approved or left out already" in decide(people.lead, main_of(paper), "country", "not_reported")
    browser(people.lead).post(study_url(paper, "study_approve"), {"do": "reopen"})
    assert main_of(paper).status == "REVIEW"


def test_who_has_approved_is_led_to_the_next_study_that_waits(people: People, paper: Job, tmp_path: Path) -> None:
    older, newer = (given(people, tmp_path / f"{n}.pdf", registration=f"NCT0000000{n}") for n in (1, 2))
    given(people, tmp_path / "cohort.pdf", "cohort", registration="NCT00000003")
    Record.objects.filter(job=newer, repeat="none").update(status="FOUND")
    other = browser(people.other_uploader)
    assert other.get(study_url(paper)).status_code == 404
    link = f'href="{study_url(older)}" data-next-study'
    assert link in browser(people.lead).get(study_url(paper)).content.decode(), "of this template, round the end"
    for record, field in reviewing.lacking(paper, drop_rest=True):
        reviewing.decide(people.lead, record, field.key, reviewing.Answer("not_reported"))
    done = approve(people.lead, paper, rest="drop")
    assert done.headers["HX-Redirect"] == study_url(older)
    assert "data-next-study" not in browser(people.lead).get(study_url(older)).content.decode(), "none is left"


def test_a_field_is_left_that_has_a_value_or_has_to_have_one(people: People, paper: Job) -> None:
    client = browser(people.lead)

    def left() -> set[str]:
        rows = re.findall(
            r'data-field="(\w+)"[^>]*?( data-left)?(?= data-page)', client.get(study_url(paper)).content.decode()
        )
        return {field for field, is_left in rows if is_left}

    before = left()
    assert {"study_id", "study_design", "registration_number"} <= before and "country" not in before
    decide(people.lead, main_of(paper), "registration_number", "confirmed")
    decide(people.lead, main_of(paper), "study_id", "not_reported")
    assert left() == before - {"registration_number", "study_id"}
    rows = browser(people.lead).get(study_url(paper)).content.decode()
    assert re.search(r'data-section="group=population"[^>]*data-left', rows), "a section says whether to look into it"


def test_a_document_that_is_no_study_has_no_such_screen(people: People) -> None:
    from tests.support.rows import make_job

    job = make_job(people.merchant)
    for name in ("study", "study_fields", "study_sync"):
        assert browser(people.lead).get(study_url(job, name)).status_code == 404


def test_what_changed_is_told_to_who_asks(people: People, paper: Job) -> None:
    client, url = browser(people.annotator), study_url(paper, "study_sync")
    before = client.get(url).json()["records"]
    assert len(before) == 6
    decide(people.lead, main_of(paper), "registration_number", "confirmed")
    after = client.get(url).json()["records"]
    assert {key for key in after if after[key] != before[key]} == {str(main_of(paper).uuid)}
