"""The pages of stored reports over golden sets: what they show, and what they say where something is missing."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from catalogsku.accounts.models import User
from processing.engine.quality.measure import Counts, PageMeasure
from processing.engine.quality.report import FileMeasure, Report, Spending, make_report
from processing.engine.quality.routes import wilson
from processing.models import EvalReport, EvalRun
from processing.quality.routes_shown import interval_words
from processing.quality.services import runs
from tests.integration.test_evaluate import put, sample  # noqa: F401
from tests.support.people import People
from tests.support.reports import BAD, PICTURE, make_golden_report, make_stored_report

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-T49", "GR-GATE")]


def page(user: User, path: str, language: str = "en") -> str:
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = language
    found = client.get(path)
    assert found.status_code == 200
    return str(found.content.decode())


def shown(user: User, report: EvalReport, query: str = "") -> str:
    return page(user, reverse("quality_report", args=[report.uuid]) + query)


def test_without_reports_the_page_says_how_one_comes_to_be(people: People) -> None:
    text = page(people.lead, reverse("quality"))
    assert "No report yet" in text and "evaluate --golden DIR --store" in text


def test_the_list_tells_figures_gate_and_change_newest_first(people: People) -> None:
    first = make_stored_report(golden="first")
    total = {**first.total, "f1": first.total["f1"] - 0.1, "human_share": 0.0}
    make_stored_report(golden="second", total=total, passed=True)
    make_stored_report(make_golden_report(msgspec.structs.replace(BAD, page_number=3)), golden="other pages")
    text = page(people.admin, reverse("quality"))
    assert text.index("other pages") < text.index("second") < text.index("first")
    assert text.count("−0.100") == 2, "once for the eye, once for the ear; only the same pages are compared"
    assert "worse −0.100" in text and "chip-done" in text and "F1 of SKUs" in text


def test_the_list_has_pages(people: People) -> None:
    report = make_golden_report()
    for n in range(21):
        make_stored_report(report, golden=f"run {n:02d}")
    first, second = (page(people.lead, reverse("quality") + query) for query in ("", "?page=2"))
    assert "run 20" in first and "run 00" not in first and "1–20 of 21" in first
    assert "run 00" in second and "run 20" not in second


def test_a_report_shows_gate_confusion_groups_and_slips_in_words(people: People) -> None:
    text = shown(people.lead, make_stored_report())
    for words in (
        "at least 0.7",
        "Page type photos instead of mixed",
        "1 SKU missed: AX-2",
        "1 SKU too many: ZZ-9",
        "read as 125.0, the page says 12.50",
        "not read, the page says E27",
        "the truth names no such value",
        "which is not on the page",
        "price from 100",
        "1 of 2 pictures lost",
        "lighting",
        "text layer",
    ):
        assert words in text, words
    assert "confused" in text and "The first run over these pages" in text


def test_both_sides_show_the_page_with_their_own_boxes(people: People) -> None:
    report = make_stored_report()
    truth, found = shown(people.lead, report).split("<figcaption>")[1:]
    picture = reverse("quality_picture", args=[report.uuid, 0])
    assert picture in truth and picture in found
    assert "AX-2: not found" in truth and "picture lost" in truth and "ZZ-9" not in truth
    assert "ZZ-9: not in the truth" in found.split("</figure>")[0] and "judged-unbound" in found
    client = Client()
    client.force_login(people.lead)
    answer = client.get(picture)
    assert b"".join(answer.streaming_content) == PICTURE  # type: ignore[attr-defined]
    assert client.get(reverse("quality_picture", args=[report.uuid, 1])).status_code == 404


def test_a_page_without_a_picture_and_a_lost_file_are_said(people: People) -> None:
    assert "No picture of this page was kept" in shown(people.lead, make_stored_report(pictures=[]))
    report = make_stored_report()
    default_storage.delete(report.pictures[0]["key"])
    client = Client()
    client.force_login(people.lead)
    assert client.get(reverse("quality_picture", args=[report.uuid, 0])).status_code == 404
    assert "AX-2: not found" in shown(people.lead, report)


@pytest.mark.req("TA-CAL")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            [
                "Way taken",
                "On the right way",
                "0.500",
                "Confidence of the document",
                "Rows of tables",
                "USD a right SKU",
            ],
        ),
        ("zh-hans", ["实际去向", "去向正确", "0.500", "表格行", "每个正确 SKU"]),
    ],
)
def test_a_report_shows_which_way_pages_took_and_which_was_right(
    people: People, language: str, words: list[str]
) -> None:
    text = page(people.lead, reverse("quality_report", args=[make_stored_report(routed_report()).uuid]), language)
    for word in (*words, interval_words(wilson(1, 2))):
        assert word in text, word


def routed_report() -> Report:
    """A page that went alone rightly, and one that should have been a person's."""
    good = PageMeasure(1, "A", "A", Counts(pages=1), 0.0, route="automatic", right_route="automatic")
    bad = msgspec.structs.replace(BAD, route="automatic", right_route="person")
    spent = Spending(2, 100, 0, 10, 5_000)
    file = FileMeasure("s/lamps", "s", "lamps.pdf", "lighting", (good, bad), route="HYBRID", c_doc=0.7, spending=spent)
    return make_report([file], [], "2026-11-20T10:00:00+00:00", {}, spent)


def test_a_report_of_before_there_were_routes_is_shown_without_them(people: People) -> None:
    assert "Way taken" not in shown(people.lead, make_stored_report())


def test_worst_pages_come_a_few_at_a_time(people: People) -> None:
    bad = [msgspec.structs.replace(BAD, page_number=n, loss=float(10 - n)) for n in range(2, 8)]
    report = make_stored_report(make_golden_report(*bad))
    first, second = shown(people.lead, report), shown(people.lead, report, "?page=2")
    assert first.count('class="judged-pair"') == 4 and second.count('class="judged-pair"') == 2
    assert "page 2" in first and "page 7" not in first.split("groups-title")[0] and "page 7" in second


def test_a_report_without_fault_says_so(people: People) -> None:
    good = PageMeasure(2, "B", "B", Counts(pages=1, matched=1, asked=1, right=1, values=1), 0.0)
    assert "Every page is as its truth says" in shown(people.lead, make_stored_report(make_golden_report(good)))


@pytest.mark.parametrize("content", [b"", b"rubbish"])
def test_a_report_of_another_version_keeps_its_figures(people: People, content: bytes) -> None:
    text = shown(people.lead, make_stored_report(content=content))
    assert "cannot be shown" in text and "at least 0.7" in text and "confused" in text
    assert "Worst pages" not in text


def test_reports_take_few_queries(people: People, django_assert_max_num_queries: object) -> None:
    report = make_stored_report()
    client = Client()
    client.force_login(people.lead)
    for path in (reverse("quality"), reverse("quality_report", args=[report.uuid])):
        with django_assert_max_num_queries(12):  # type: ignore[operator]
            assert client.get(path).status_code == 200


def test_a_report_that_is_not_there_is_not_found(people: People) -> None:
    client = Client()
    client.force_login(people.admin)
    nowhere = "00000000-0000-0000-0000-000000000009"
    for name, arguments in (("quality_report", [nowhere]), ("quality_picture", [nowhere, 0])):
        assert client.get(reverse(name, args=arguments)).status_code == 404


# --- runs that are started here ------------------------------------------------------------------


@pytest.fixture
def golden(settings: Any, tmp_path: Path, sample: dict[str, Any]) -> Path:  # noqa: F811
    truth = {**sample, "pages": sample["pages"][:1], "skus": [s for s in sample["skus"] if s["page_number"] == 1]}
    settings.GOLDEN_DIRS = [str(put(tmp_path / "shop", truth))]
    return tmp_path / "shop"


def start(user: User, **given: str) -> str:
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = "en"
    answer = client.post(reverse("quality_run"), {"golden": "shop", "profile": "default@1", **given}, follow=True)
    return str(answer.content.decode())


def test_without_a_set_an_administrator_is_told_where_they_are_named(people: People) -> None:
    assert "GOLDEN_DIRS" in page(people.admin, reverse("quality"))
    assert "GOLDEN_DIRS" not in page(people.lead, reverse("quality"))


def test_an_administrator_starts_one_run_at_a_time(people: People, golden: Path) -> None:
    assert "Start an evaluation" in page(people.admin, reverse("quality"))
    assert "Start an evaluation" not in page(people.lead, reverse("quality"))
    shown = start(people.admin)
    assert "has been started" in shown and "Waiting" in shown and "default, version 1" in shown
    assert "Start an evaluation" not in shown and "One at a time" in shown
    assert "Runs that are waiting or under way already: 1." in start(people.admin)
    assert EvalRun.objects.count() == 1
    assert "no golden set of this name" in start(people.admin, golden="/etc")


def test_how_far_a_run_is_is_told_while_it_is_under_way(
    people: People, golden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(people.admin)
    seen: list[tuple[int, str, str]] = []

    def measured(files: Any, means: Any, told: Any) -> list[Any]:
        told(0, files[0].name, 1, 4)
        row = EvalRun.objects.get()
        seen.append((row.percent, row.file, page(people.lead, reverse("quality"))))
        raise ValueError("the disk is full")

    monkeypatch.setattr(runs, "measure_all", measured)
    EvalRun.objects.update(dispatched_at=None)
    runs.do_run(EvalRun.objects.get().pk)
    [(percent, file, shown)] = seen
    assert (percent, file) == (25, "shop/fasteners") and 'value="25"' in shown and "shop/fasteners" in shown
    ended = page(people.lead, reverse("quality"))
    assert "Failed" in ended and "the disk is full" in ended and "<progress" not in ended


def test_only_what_changes_is_fetched_again(people: People, golden: Path) -> None:
    client = Client(headers={"X-Fragment": "region"})
    client.force_login(people.admin)
    fragment = client.get(reverse("quality")).content.decode()
    assert "<html" not in fragment and 'name="golden"' in fragment
