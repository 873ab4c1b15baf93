"""Two people's words on the same study side by side: rules, the screen, what is taken there, and the API."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalogsku.accounts.models import User
from catalogsku.core.errors import Refused
from ingestion.models import Job
from processing.models import Decision, Record
from processing.studies import comparing, studies_compared
from processing.studies.services import reviewing
from processing.studies.services.reviewing import Answer
from processing.studies.studies_seen import get_study
from processing.studies.values import Value, values_in
from tests.integration.test_study_screens import browser, main_of, seen_of
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job
from tests.support.screen_words import faults_in
from tests.support.studies import add_record, found, make_study, say

pytestmark = [pytest.mark.django_db, pytest.mark.req("LX-SYS", "X-MATRIX")]


@pytest.fixture
def job(people: People) -> Job:
    job = make_study(people.merchant)
    say(
        main_of(job), found("registration_number", "NCT01234567", "registered as NCT01234567"), found("country", "Peru")
    )
    add_record(job, found("n_randomised", "45", page=2), repeat="per_arm", part="Exercise")
    return job


def record_of(job: Job, part: str = "") -> Record:
    return Record.objects.get(job=job, part=part)


def says(user: User, job: Job, field: str, text: str = "", *, part: str = "", verdict: Any = "corrected") -> None:
    """Whatever counts there now."""
    record = record_of(job, part)
    reviewing.decide(user, record, field, Answer(verdict, text, seen=seen_of(record, field)))


def takes_back(user: User, job: Job, field: str, *, part: str = "") -> None:
    record = record_of(job, part)
    reviewing.withdraw(user, record, field, seen_of(record, field))


def compared(people: People, job: Job, one: str = "annotator", other: str = "lead") -> Any:
    return studies_compared.compare(get_study(people.admin, job.uuid), one, other)


def marks(people: People, job: Job) -> dict[str, str]:
    return {pair.field.key: pair.mark for pair in compared(people, job).pairs}


def address(job: Job) -> str:
    return reverse("study_compare", args=[job.uuid])


def screen(user: Any, job: Job, language: str = "en", **parameters: str) -> str:
    answer = browser(user, language).get(address(job), parameters, follow=True)
    assert answer.status_code == 200
    return str(answer.content.decode())


# --- rules --------------------------------------------------------------------------------------------


def test_what_is_confirmed_and_what_is_typed_alike_agree(people: People, job: Job) -> None:
    says(people.annotator, job, "registration_number", verdict="confirmed")
    says(people.lead, job, "registration_number", "nct01234567")
    says(people.annotator, job, "n_randomised_total", "1,092")
    says(people.lead, job, "n_randomised_total", "1092")
    says(people.annotator, job, "country", "Peru")
    says(people.lead, job, "country", "Chile")
    assert marks(people, job) == {"registration_number": "agree", "n_randomised_total": "agree", "country": "differ"}


def test_not_reported_is_the_same_as_itself_alone(people: People, job: Job) -> None:
    for user in (people.annotator, people.lead):
        says(user, job, "country", verdict="not_reported")
    says(people.annotator, job, "funding_source", verdict="not_reported")
    says(people.lead, job, "funding_source", "A council")
    assert marks(people, job) == {"country": "agree", "funding_source": "differ"}


def test_only_what_one_of_both_has_decided_is_there(people: People, job: Job) -> None:
    says(people.annotator, job, "country", "Peru")
    says(people.lead, job, "n_randomised", "45", part="Exercise")
    says(people.uploader, job, "registration_number", verdict="confirmed")
    assert marks(people, job) == {"country": "single", "n_randomised": "single"}


def test_the_last_word_of_a_person_counts_and_what_was_taken_back_is_none(people: People, job: Job) -> None:
    for text in ("Peru", "Chile"):
        says(people.annotator, job, "country", text)
    says(people.lead, job, "country", "Peru")
    assert marks(people, job) == {"country": "differ"}
    takes_back(people.lead, job, "country")
    assert [one.user for one in compared(people, job, "", "").people] == [people.annotator]
    takes_back(people.annotator, job, "country")
    (pair,) = compared(people, job, "annotator", "").pairs
    assert pair.one.text == "Peru", "what the same person had said before"
    takes_back(people.lead, job, "country")
    (pair,) = compared(people, job, "annotator", "").pairs
    assert pair.one.text == "Peru", "of the study it was taken back by another one: it is still what they said"


def test_what_somebody_confirmed_is_taken_though_nobody_would_type_it_so(people: People, job: Job) -> None:
    """Print has "92 adults" where a number is asked for."""
    say(main_of(job), found("n_randomised_total", "92 adults", "In all, 92 adults"))
    says(people.annotator, job, "n_randomised_total", verdict="confirmed")
    says(people.lead, job, "n_randomised_total", "91")
    with pytest.raises(Refused, match="value_form"):
        says(people.lead, job, "n_randomised_total", "93 adults")
    says(people.lead, job, "n_randomised_total", "92 adults")
    assert marks(people, job) == {"n_randomised_total": "agree"}


def test_a_part_that_was_left_out_is_none(people: People, job: Job) -> None:
    for user in (people.annotator, people.lead):
        says(user, job, "n_randomised", "45", part="Exercise")
    assert marks(people, job) == {"n_randomised": "agree"}
    reviewing.set_rejected(people.lead, record_of(job, "Exercise"), rejected=True)
    assert compared(people, job, "", "").people == []


def test_people_are_those_who_have_decided_by_how_much(people: People, job: Job) -> None:
    says(people.lead, job, "country", "Peru")
    for field in ("country", "registration_number"):
        says(people.annotator, job, field, "Peru")
    shown = compared(people, job, "", "")
    assert [(one.user, one.fields) for one in shown.people] == [(people.annotator, 2), (people.lead, 1)]
    assert (shown.one, shown.other) == (people.annotator, people.lead)
    assert compared(people, job, "", "annotator").one == people.lead


def test_figures_count_what_both_decided(people: People, job: Job) -> None:
    fields = ("country", "registration_number", "funding_source", "condition", "n_randomised_total")
    for field in fields[:4]:
        says(people.annotator, job, field, "Peru")
    says(people.lead, job, "country", "Peru")
    says(people.lead, job, "registration_number", verdict="not_reported")
    says(people.annotator, job, "registration_number", verdict="not_reported")
    says(people.lead, job, "funding_source", verdict="not_reported")
    says(people.lead, job, "n_randomised_total", "9")
    figures = compared(people, job).figures
    assert (figures.both, figures.agreed, figures.differing, figures.single) == (3, 2, 1, 2)
    assert figures.share == pytest.approx(2 / 3)
    # Two of three alike; by chance (2 · 1 + 1 · 2) / 9.
    assert figures.kappa == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))


@pytest.mark.parametrize(
    ("said", "kappa"),
    [
        ([], None),
        ([(True, True)] * 5, None),
        ([(True, True), (False, False)], 1.0),
        ([(True, False), (False, True)], -1.0),
        # The table of twenty, five, ten and fifteen by which kappa is commonly shown.
        ([(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10 + [(False, False)] * 15, 0.4),
    ],
)
def test_kappa_is_cohens(said: list[tuple[bool, bool]], kappa: float | None) -> None:
    assert comparing.kappa_of(said) == (None if kappa is None else pytest.approx(kappa))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("0·84", "0.84", True), ("12.50", "12.5", False), ("-20", "20", False), ("Low  risk", "low risk", True)],
)
def test_no_digit_or_sign_is_folded_away(one: str, other: str, same: bool) -> None:
    first, second = (Value("n", text, verdict="corrected") for text in (one, other))
    assert comparing.say_the_same(first, second) is same


def test_many_fields_are_asked_for_at_once(people: People, job: Job) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            screen(people.lead, job, one="annotator", other="lead")
        return len(asked)

    for user in (people.annotator, people.lead):
        says(user, job, "country", "Peru")
    queries()
    few = queries()
    for n in range(6):
        add_record(job, repeat="per_arm", part=f"Arm {n}")
        for user in (people.annotator, people.lead):
            says(user, job, "n_randomised", str(n), part=f"Arm {n}")
    assert len(compared(people, job).pairs) == 7
    assert queries() == few


# --- the screen ---------------------------------------------------------------------------------------


def test_before_two_people_have_decided_it_says_so_and_nothing_leads_there(people: People, job: Job) -> None:
    study = reverse("study", args=[job.uuid])
    assert "Nobody has decided yet" in screen(people.lead, job)
    says(people.annotator, job, "country", "Peru")
    text = screen(people.lead, job)
    assert 'class="empty' in text and "has decided so far" in text and "Annotator</span>" in text
    assert "目前只有" in screen(people.lead, job, "zh-hans")
    assert address(job) not in browser(people.lead).get(study).content.decode()
    says(people.lead, job, "country", "Peru")
    assert address(job) in browser(people.annotator).get(study).content.decode()


def test_the_address_carries_both_people_and_the_filter(people: People, job: Job) -> None:
    says(people.annotator, job, "country", "Peru")
    says(people.lead, job, "country", "Chile")
    says(people.uploader, job, "country", "Chile")
    client = browser(people.lead)
    for parameters, wanted in (
        ("", "?one=annotator&other=lead"),
        ("?show=differ", "?show=differ&one=annotator&other=lead"),
        ("?one=lead&other=lead", "?one=lead&other=annotator"),
        ("?one=nobody", "?one=annotator&other=lead"),
        ("?other=annotator", "?other=annotator&one=lead"),
    ):
        answer = client.get(address(job) + parameters)
        assert (answer.status_code, answer["Location"]) == (302, address(job) + wanted), parameters
    text = screen(people.lead, job, one="uploader", other="lead")
    assert "They agree</span>" in text and "They differ</span>" not in text
    text = screen(people.lead, job, one="uploader", other="lead", show="differ")
    assert "They differ nowhere" in text and "<table" not in text


def test_differences_stand_first_with_words_quote_page_and_the_way_to_the_field(people: People, job: Job) -> None:
    says(people.annotator, job, "registration_number", verdict="confirmed")
    says(people.lead, job, "registration_number", "NCT01234567")
    says(people.annotator, job, "country", "Peru")
    says(people.lead, job, "country", verdict="not_reported")
    says(people.annotator, job, "n_randomised", verdict="confirmed", part="Exercise")
    text = screen(people.uploader, job, one="annotator", other="lead")
    at = [
        text.index(f'id="pair-{record_of(job, part).uuid}-{field}"')
        for part, field in (("", "country"), ("Exercise", "n_randomised"), ("", "registration_number"))
    ]
    assert at == sorted(at)
    assert "They differ</span>" in text and "Only one has decided</span>" in text and "They agree</span>" in text
    assert "registered as NCT01234567" in text and "p. 2" in text and "Has not decided" in text
    arm = record_of(job, "Exercise").uuid
    study = reverse("study", args=[job.uuid])
    assert f'href="{study}?part={arm}&amp;field=n_randomised"' in text
    assert f'href="{study}?group=identification&amp;field=country"' in text
    assert "50 %" in text or "50&nbsp;%" in text
    only = screen(people.uploader, job, one="annotator", other="lead", show="single")
    assert only.count("<tr id=") == 1 and "n_randomised" in only


def test_a_choice_is_named_and_a_unit_stands_beside_it(people: People, job: Job) -> None:
    for user, key in ((people.annotator, "parallel"), (people.lead, "crossover")):
        says(user, job, "study_design", key)
    text = screen(people.lead, job, one="annotator", other="lead")
    assert ">Parallel groups</b>" in text and ">parallel</b>" not in text


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_word_is_in_the_readers_language(people: People, job: Job, language: str) -> None:
    assert not set(faults_in(screen(people.lead, job, language)))
    says(people.annotator, job, "registration_number", verdict="confirmed")
    says(people.lead, job, "registration_number", verdict="not_reported")
    says(people.annotator, job, "country", "Peru")
    says(people.lead, job, "country", "Peru")
    for show in ("all", "differ", "single", "agree"):
        assert not set(faults_in(screen(people.lead, job, language, one="annotator", other="lead", show=show)))


# --- taking one of both -------------------------------------------------------------------------------


def taken(user: Any, job: Job, do: str, **said: Any) -> Any:
    record = main_of(job)
    sent = {"record": record.uuid, "field": "country", "do": do, "seen": seen_of(record, "country"), **said}
    sent |= {"compared": "one=annotator&other=lead&show=differ"}
    return browser(user).post(reverse("study_decide", args=[job.uuid]), sent, follow=True)


def test_one_side_is_taken_as_an_ordinary_decision(people: People, job: Job) -> None:
    says(people.annotator, job, "country", "Peru")
    says(people.lead, job, "country", "Chile")
    text = screen(people.uploader, job, one="annotator", other="lead")
    assert text.count('name="compared"') == 1, "what counts already is not taken"
    assert 'name="text" value="Peru"' in text and 'name="do" value="corrected"' in text
    answer = taken(people.uploader, job, "corrected", text="Peru")
    back = f"{address(job)}?one=annotator&other=lead&show=differ#pair-{main_of(job).uuid}-country"
    assert answer.redirect_chain == [(back, 302)]
    last = Decision.objects.order_by("pk").last()
    assert last and (last.by, last.verdict, last.value["text"]) == (people.uploader, "corrected", "Peru")
    assert marks(people, job) == {"country": "differ"}, "what both said stays"
    assert 'name="text" value="Chile"' in answer.content.decode()
    taken(people.lead, job, "not_reported")
    text = screen(people.uploader, job, one="annotator", other="uploader")
    assert "Counts now:" in text and ">not reported</b>" in text
    assert marks(people, job) == {"country": "differ"}


def test_not_reported_is_taken_as_such(people: People, job: Job) -> None:
    says(people.annotator, job, "country", verdict="not_reported")
    says(people.lead, job, "country", "Chile")
    assert 'name="do" value="not_reported"' in screen(people.lead, job, one="annotator", other="lead")
    taken(people.lead, job, "not_reported")
    assert marks(people, job) == {"country": "agree"}


def test_who_decides_on_what_has_moved_on_is_told(people: People, job: Job) -> None:
    says(people.annotator, job, "country", "Peru")
    says(people.lead, job, "country", "Chile")
    before = Decision.objects.count()
    answer = taken(people.uploader, job, "corrected", text="Peru", seen=0)
    assert "Somebody has decided on this value meanwhile" in answer.content.decode()
    assert address(job) in answer.redirect_chain[0][0] and Decision.objects.count() == before


def test_of_an_approved_or_cancelled_study_nothing_is_taken(people: People, job: Job) -> None:
    says(people.annotator, job, "country", "Peru")
    says(people.lead, job, "country", "Chile")
    Record.objects.filter(job=job).update(status="APPROVED")
    assert 'name="compared"' not in screen(people.lead, job)
    Record.objects.filter(job=job).update(status="REVIEW")
    assert 'name="compared"' in screen(people.lead, job)
    Job.objects.filter(pk=job.pk).update(status="CANCELLED")
    assert 'name="compared"' not in screen(people.lead, job)


def test_where_it_leads_back_to_is_this_study(people: People, job: Job) -> None:
    said = {"record": main_of(job).uuid, "field": "country", "do": "not_reported", "seen": 0}
    url = reverse("study_decide", args=[job.uuid])
    found = browser(people.lead).post(url, said | {"compared": "//elsewhere.example/\r\nX: y"})
    assert (
        found.status_code == 302 and found["Location"].startswith(f"{address(job)}?") and "\n" not in found["Location"]
    )


# --- programs -----------------------------------------------------------------------------------------


def test_a_program_is_told_the_same(people: People, job: Job) -> None:
    program, path = Program(people.uploader), f"/studies/{job.uuid}/compare"
    assert program("get", path).json() == {
        "people": [], "one": None, "other": None, "both": 0, "agreed": 0, "single": 0, "share": None, "kappa": None,
        "fields": [],
    }  # fmt: skip
    says(people.annotator, job, "registration_number", verdict="confirmed")
    says(people.lead, job, "registration_number", verdict="not_reported")
    says(people.lead, job, "n_randomised", "46", part="Exercise")
    shown = program("get", f"{path}?one=annotator&other=lead").json()
    assert shown["people"] == [{"username": "lead", "fields": 2}, {"username": "annotator", "fields": 1}]
    assert {key: shown[key] for key in ("one", "other", "both", "agreed", "single", "share", "kappa")} == {
        "one": "annotator", "other": "lead", "both": 1, "agreed": 0, "single": 1, "share": 0.0, "kappa": 0.0,
    }  # fmt: skip
    first, second = shown["fields"]
    assert first == {
        "record_id": str(main_of(job).uuid), "repeat": "none", "part": "", "field": "registration_number",
        "mark": "differ", "other": {"verdict": "not_reported", "text": "", "quote": "", "page": None},
        "one": {
            "verdict": "confirmed", "text": "NCT01234567", "quote": "registered as NCT01234567", "page": 1,
        },
    }  # fmt: skip
    assert (second["repeat"], second["part"], second["mark"], second["one"]) == ("per_arm", "Exercise", "single", None)


@pytest.mark.req("TA-ERRMAP")
def test_who_is_not_to_be_compared_has_a_code(people: People, job: Job) -> None:
    says(people.annotator, job, "country", "Peru")
    program, path = Program(people.uploader), f"/studies/{job.uuid}/compare"

    def told(parameters: str) -> tuple[int, str]:
        answer = program("get", path + parameters)
        return answer.status_code, answer.json().get("code", "")

    assert told("?one=lead") == (404, "not_found"), "who has decided nothing here"
    assert told("?one=annotator&other=annotator") == (400, "bad_request")
    assert told(f"?one={'a' * 151}") == (422, "bad_request")
    assert told("?one=annotator") == (200, "")
    plain = make_job(people.merchant)
    assert program("get", f"/studies/{plain.uuid}/compare").status_code == 404
    assert browser(people.lead).get(address(plain)).status_code == 404


@pytest.mark.parametrize("name", ["other_uploader", "outsider"])
def test_it_is_there_for_its_merchant_alone(people: People, job: Job, name: str) -> None:
    says(people.annotator, job, "country", "Peru")
    says(people.lead, job, "country", "Chile")
    assert browser(people.named(name)).get(address(job)).status_code == 404
    assert Program(people.named(name))("get", f"/studies/{job.uuid}/compare").status_code == 404
    assert values_in(main_of(job).values)
