"""Figures of days: counted from rows, kept when they go, shown to whom they belong, for programs and spreadsheets."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.figures import presenters, selectors
from annotation.figures.services.gathering import MOST_CATEGORIES, due_days, gather, gather_due
from annotation.figures.sums import COUNTED
from annotation.models import DayFigures, HumanTask
from catalogsku.accounts.models import User
from catalogsku.core.facts import all_facts
from catalogsku.core.models import Transition
from ingestion.models import Job
from tests.support.figures import a_day, at, came, finished, make_figures, moved, paid, worked
from tests.support.people import People
from tests.support.program import Program

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-MET")]


@pytest.fixture
def today() -> date:
    return timezone.localdate()


def row(day: date, merchant: Any = None, category: str = "lamps") -> dict[str, Any]:
    found = DayFigures.objects.filter(day=day, merchant=merchant, category=category).values(
        *COUNTED, "operations", "hours"
    )
    return dict(found.get())


EXPECTED = {
    "documents_in": 1, "documents_out": 1, "pages_in": 4, "pages_machine": 2, "pages_person": 1, "pages_skipped": 1,
    "pages_degraded": 1, "products": 10, "corrections": 3, "tasks": 1, "person_s": 120.0, "cost_micro": 50_000,
    "operations": {"read_page": 40_000, "evaluate_document": 10_000},
    "hours": {"9": [1, 0, 0], "10": [1, 0, 1], "11": [0, 1, 0]},
}  # fmt: skip


def test_a_day_is_counted_by_merchant_and_for_all_together(people: People, today: date) -> None:
    day = today - timedelta(days=3)
    a_day(people.merchant, people.annotator, day)
    a_day(people.other, people.annotator, day)
    gather(day)
    assert row(day, people.merchant) == row(day, people.other) == EXPECTED
    both = row(day)
    assert (both["pages_machine"], both["cost_micro"], both["hours"]["10"]) == (4, 100_000, [2, 0, 2])
    assert row(day, category="")["pages_machine"] == 0, "the day's mark"


def test_counted_again_it_is_the_same_and_what_is_deleted_stays_counted(people: People, today: date) -> None:
    day = today - timedelta(days=10)
    job = a_day(people.merchant, people.annotator, day)
    gather_due()
    assert row(day, people.merchant) == EXPECTED
    gather(day)
    assert row(day, people.merchant) == EXPECTED and DayFigures.objects.filter(day=day).count() == 3
    HumanTask.objects.filter(job=job).delete()
    Transition.objects.filter(job_id=job.pk).delete()
    Job.objects.filter(pk=job.pk).delete()
    gather_due()
    assert row(day, people.merchant) == EXPECTED


@pytest.mark.req("TA-KEEP")
def test_a_day_of_which_documents_have_gone_stays_as_it_was(people: People, today: date) -> None:
    """Rules for keeping may delete after one day, and the log be archived."""
    day = today - timedelta(days=1)
    job, other = (a_day(people.merchant, people.annotator, day) for _ in range(2))
    gather(day)
    before = row(day, people.merchant)
    Transition.objects.filter(job_id=job.pk).delete()
    assert gather(day) == 0 and row(day, people.merchant) == before
    assert day not in due_days(today), "it was looked at"
    paid(other, day, 5_000)
    for status in ("AI_COMPLETED",) * 5:
        finished(other, at(day, 20), status)
    gather(day)
    assert row(day, people.merchant)["pages_machine"] == 7, "more than before is counted anew"


def test_a_page_counts_where_its_last_move_of_the_day_was_an_outcome(people: People, today: date) -> None:
    first, second = today - timedelta(days=5), today - timedelta(days=4)
    job = came(people.merchant, at(first, 1))
    page = finished(job, at(first, 2))
    moved(page, "HUMAN_QUEUED", at(first, 3))
    moved(page, "HUMAN_COMPLETED", at(second, 4))
    cancelled = finished(job, at(second, 5))
    moved(cancelled, "SKIPPED", at(second, 6), trigger="cancelled")
    worked(page, people.annotator, at(second, 4), seconds=9, purpose="honeypot")
    for day in (first, second):
        gather(day)
    assert (row(first, people.merchant, "")["pages_machine"], row(first, people.merchant, "")["documents_in"]) == (0, 1)
    later = row(second, people.merchant, "")
    assert (later["pages_person"], later["pages_machine"], later["pages_skipped"], later["person_s"]) == (1, 0, 0, 0)


def test_a_day_is_that_of_the_installations_zone(people: People, today: date, settings: Any) -> None:
    settings.TIME_ZONE = "Asia/Shanghai"
    with timezone.override("Asia/Shanghai"):
        day = today - timedelta(days=4)
        job = came(people.merchant, at(day, 0, 30))
        finished(job, at(day, 0, 30))
        finished(job, at(day, 23, 30))
        gather(day)
        found = row(day, people.merchant, "")
    assert found["pages_machine"] == 2 and set(found["hours"]) == {"0", "23"}


@pytest.mark.parametrize("code", ["answer_unusable", "page_not_drawn", "semantic"])
def test_a_model_that_answered_was_not_away(people: People, today: date, code: str) -> None:
    job = came(people.merchant, at(today, 0))
    finished(job, at(today, 0), fallback_reason=code, validation={"asked": [{"code": code}]})
    finished(job, at(today, 0), fallback_reason="http_503", validation={"asked": [{"code": "http_503"}]})
    finished(job, at(today, 0), fallback_reason="open", validation={"asked": []})
    gather(today)
    assert row(today, people.merchant, "")["pages_degraded"] == 1


def test_categories_are_bounded(people: People, today: date) -> None:
    for n in range(MOST_CATEGORIES + 5):
        job = came(people.merchant, at(today, 0), category=f"c{n:02d}")
        for _ in range(2 if n else 1):
            finished(job, at(today, 0))
    gather(today)
    rows = DayFigures.objects.filter(day=today, merchant=people.merchant)
    assert rows.count() == MOST_CATEGORIES + 1 and row(today, people.merchant, "*")["pages_machine"] == 9
    assert not rows.filter(category="c00").exists()


def test_days_that_were_never_counted_are_caught_up_and_settled_ones_left_alone(people: People, today: date) -> None:
    assert due_days(today) == [today], "a new installation"
    a_day(people.merchant, people.annotator, today - timedelta(days=40))
    assert len(due_days(today)) == 31
    gather_due()
    assert due_days(today)[-1] == today - timedelta(days=40)
    gather_due()
    assert due_days(today) == [today]
    yesterday = today - timedelta(days=1)
    DayFigures.objects.filter(day=yesterday).update(gathered_at=at(today) - timedelta(days=1))
    assert due_days(today) == [today, yesterday], "before it was over"
    DayFigures.objects.filter(day=today - timedelta(days=2)).update(gathered_at=timezone.now() - timedelta(hours=7))
    assert today - timedelta(days=2) in due_days(today), "within two days of its end, six hours later"
    DayFigures.objects.filter(day=today - timedelta(days=9)).update(gathered_at=timezone.now() - timedelta(days=5))
    assert today - timedelta(days=9) not in due_days(today), "two days after its end nothing changes any more"


def test_it_runs_by_the_schedule() -> None:
    from catalogsku.core.periodic import cron_tasks

    assert cron_tasks()["figures"].cron == "*/10 * * * *"


# --- the screen -----------------------------------------------------------------------------------------


def client_of(user: User, language: str = "en") -> Client:
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = language
    return client


def shown(user: User, query: str = "", language: str = "en") -> str:
    found = client_of(user, language).get(reverse("figures") + query)
    assert found.status_code == 200
    return found.content.decode()


EN = (
    *("Pages done", "by people", "Finished by people", "Work of people a document", "2.0 min", "33.3 %"),
    *("Corrections per 100 products", "30.0", "0.05 USD", "Without the model", "lamps", "Days of"),
    *("Evaluation of the document", "20.0 %"),
)
ZH = ("完成的页", "人工", "每百个产品的更正", "lamps")


@pytest.mark.parametrize(("language", "words"), [("en", EN), ("zh-hans", ZH)])
@pytest.mark.parametrize("kind", ["weeks", "year"])
def test_it_shows_charts_and_the_same_as_tables(
    people: People, today: date, language: str, words: tuple[str, ...], kind: str
) -> None:
    a_day(people.merchant, people.annotator, today - timedelta(days=2))
    gather_due()
    text = shown(people.admin, f"?range={kind}", language)
    for word in words:
        assert word in text, word
    assert text.count('role="img"') >= 8 and text.count("<details") == 8 and "style=" not in text.split("<main")[1]


def test_today_is_by_hours_and_stands_on_the_screen_of_operations(people: People, today: date) -> None:
    admin = client_of(people.admin)
    of_operations = {"hx-request": "true"}
    assert f'hx-get="{reverse("figures")}"' in admin.get(reverse("operations")).content.decode()
    assert "chart-pages" not in admin.get(reverse("figures"), headers=of_operations).content.decode()
    job = came(people.merchant, at(today, 0))
    finished(job, at(today, 0))
    gather(today)
    text = shown(people.lead, "?range=today")
    assert "00:00: by machines 1, by people 0, skipped 0" in text and text.count("chart-column") == 24
    part = admin.get(reverse("figures"), headers=of_operations).content.decode()
    assert "00:00: by machines 1" in part and "Pages done today" in part and "<html" not in part


def test_without_figures_it_says_when_they_come(people: People) -> None:
    assert "No figures in this time" in shown(people.lead) and "Nothing was done today yet" in shown(
        people.lead, "?range=today"
    )
    assert "No figures in this time" in shown(people.lead, "?range=whatever"), "an unknown time is four weeks"


def test_everybody_sees_their_own_merchants_alone(people: People, today: date) -> None:
    a_day(people.merchant, people.annotator, today - timedelta(days=1))
    a_day(people.other, people.annotator, today - timedelta(days=1), "Secret pumps")
    gather_due()
    everything = presenters.shown(people.admin, "weeks", None)
    assert everything.whole.pages_done == 8 and set(everything.operations) == {"read_page", "evaluate_document"}
    assert presenters.shown(people.admin, "weeks", people.other).whole.pages_done == 4
    own = presenters.shown(people.lead, "weeks", None)
    assert own.whole.pages_done == 4 and own.operations["read_page"] == 40_000
    assert "Secret" not in shown(people.lead) and "Secret" in shown(people.admin)
    for name in ("figures", "figures_file"):
        for named in (str(people.other.pk), "999999", "x"):
            assert client_of(people.lead).get(reverse(name), {"merchant": named}).status_code == 404
    assert presenters.shown(people.outsider, "year", None).whole.is_nothing


def test_a_file_has_what_is_shown_and_no_formulas(people: People, today: date) -> None:
    a_day(people.merchant, people.annotator, today - timedelta(days=1), "=cmd()")
    gather_due()
    found = client_of(people.lead).get(reverse("figures_file"), {"range": "weeks"})
    assert found["Content-Type"] == "text/csv; charset=utf-8" and "figures-weeks-" in found["Content-Disposition"]
    lines = list(csv.DictReader(io.StringIO(found.content.decode("utf-8-sig"))))
    days = [line for line in lines if line["by"] == "time"]
    assert len(days) == 28 and days[-2]["pages_person"] == "1" and days[-1]["intervention"] == ""
    assert [line["of"] for line in lines if line["by"] == "category"] == ["'=cmd()"]
    cost = {line["of"]: line["cost_usd"] for line in lines if line["by"] == "operation"}
    assert cost == {"read_page": "0.04", "evaluate_document": "0.01"}


@pytest.mark.req("TA-API")
def test_programs_get_the_same(people: People, today: date) -> None:
    a_day(people.merchant, people.annotator, today - timedelta(days=1))
    gather_due()
    lead = Program(people.lead)
    found = lead("GET", "/ops/figures?range=year").json()
    assert found["whole"]["pages_machine"] == 2 and len(found["points"]) == 53 and found["counted_at"]
    assert found["categories"][0]["of"] == "lamps" and found["operations"]["read_page"] == 0.04
    assert found["points"][0]["figures"]["intervention"] is None
    hours = lead("GET", "/ops/figures?range=today").json()["points"]
    assert len(hours) == 24 and hours[3]["of"] == f"{today}T03:00"
    assert lead("GET", "/ops/figures?range=ever").status_code == 422
    assert lead("GET", f"/ops/figures?merchant_id={people.other.pk}").status_code == 404
    assert Program(people.annotator)("GET", "/ops/figures").status_code == 403


# --- a year of it ---------------------------------------------------------------------------------------


def test_a_year_of_many_merchants_is_read_by_few_statements_and_rows(people: People) -> None:
    """All together are rows of their own: the screen reads as few for a hundred merchants as for two."""
    make_figures(371, [people.merchant, people.other], tuple(f"c{n}" for n in range(8)))
    counts = {}
    for who in (people.admin, people.lead):
        client = client_of(who)
        client.get(reverse("figures"), {"range": "year"})
        with CaptureQueriesContext(connection) as asked:
            client.get(reverse("figures"), {"range": "year"})
        counts[who.username] = len([1 for one in asked if "dayfigures" in one["sql"]])
        assert len(asked) <= 14, [one["sql"][:80] for one in asked]
    assert set(counts.values()) == {4}
    connection.cursor().execute("ANALYZE annotation_dayfigures")
    period = presenters.period_of("year", timezone.localdate())
    (plan,) = json.loads(selectors.figures_of(people.lead, None, period).explain(analyze=True, format="json"))
    scans = list(nodes_of(plan["Plan"]))
    assert {scan.get("Index Name") for scan in scans} & {"one_row_of_figures_a_day"}, scans
    looked_at = max(scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0) for scan in scans)
    assert looked_at == 8 * ((period.last - period.first).days + 1), "one merchant's rows of the year, no other"


def nodes_of(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", []):
        yield from nodes_of(part)


def test_what_is_counted_every_ten_minutes_reads_the_days_own_rows(people: People, today: date) -> None:
    """Of a long log only the blocks of that day, by an index that costs next to nothing to write."""
    job = came(people.merchant, at(today - timedelta(days=300)))
    Transition.objects.bulk_create(
        (
            Transition(
                entity="page",
                entity_id=1,
                job_id=job.pk,
                target="AI_QUEUED",
                trigger="x",
                actor="y",
                at=at(today - timedelta(days=300 - n // 200)),
            )
            for n in range(60_000)
        ),
        5_000,
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT brin_summarize_new_values('transitions_by_time')")
        cursor.execute("ANALYZE core_transition")
    plan = Transition.objects.filter(at__gte=at(today), at__lt=at(today + timedelta(days=1))).explain()
    assert "transitions_by_time" in plan, plan


def test_a_deleted_merchant_takes_its_rows_and_not_those_of_all(people: People, today: date) -> None:
    from ingestion.keeping.policies import policy_of

    a_day(people.merchant, people.annotator, today - timedelta(days=1))
    gather_due()
    take = policy_of(DayFigures).merchant
    assert take is not None
    take(people.merchant).delete()
    assert not DayFigures.objects.filter(merchant=people.merchant).exists()
    assert row(today - timedelta(days=1))["pages_machine"] == 2


def test_cost_is_of_the_day_that_paid_it(people: People, today: date) -> None:
    job = came(people.merchant, at(today, 0))
    paid(job, today - timedelta(days=1), 7)
    gather(today)
    gather(today - timedelta(days=1))
    assert row(today, people.merchant, "")["cost_micro"] == 0
    assert row(today - timedelta(days=1), people.merchant, "")["cost_micro"] == 7


# --- metrics --------------------------------------------------------------------------------------------


@pytest.mark.req("TA-MET", "TA-METLIST")
def test_metrics_tell_today_by_merchant_and_category_within_a_bound(people: People, today: date) -> None:
    assert facts_named("day_pages")[("machine",)] == 0, "nothing was counted yet"
    job = came(people.merchant, at(today, 0), category="lamps")
    page = finished(job, at(today, 0), "HUMAN_COMPLETED", products=5)
    worked(page, people.annotator, at(today, 0), seconds=60, changes=2)
    paid(job, today, 30_000)
    gather(today)
    assert facts_named("day_pages") == {("machine",): 0, ("person",): 1, ("skipped",): 0, ("degraded",): 0}
    assert facts_named("day_documents") == {("in",): 1, ("out",): 0} and facts_named("day_products") == {(): 5}
    own = (str(people.merchant.pk), "lamps")
    for name, figure in (("people_seconds", 60), ("people_tasks", 1), ("people_pages", 1), ("corrections", 2)):
        assert facts_named(f"day_{name}") == {own: figure}
    assert facts_named("day_cost_usd") == {own: 0.03}
    rows = (
        DayFigures(day=today, merchant=people.other, category=f"c{n}", person_s=1, gathered_at=timezone.now())
        for n in range(70)
    )
    DayFigures.objects.bulk_create(rows)
    seconds = facts_named("day_people_seconds")
    assert len(seconds) == 51 and seconds[own] == 60 and seconds["other", "other"] == 21
    assert set(facts_named("day_corrections")) == set(seconds), "the same series of each metric"


def facts_named(name: str) -> dict[tuple[str, ...], float]:
    return dict(next(entry for entry in all_facts() if entry.name == name).read())
