"""The way that each page took beside the one that was right; C_doc, reading, pictures and cost by category."""

from collections.abc import Sequence

import msgspec
import pytest

from processing.engine.page import Cell, Table
from processing.engine.quality.compare import compare
from processing.engine.quality.measure import Counts, PageMeasure, UnderstoodPage
from processing.engine.quality.report import FileMeasure, Spending, decode_report, encode_report, make_report
from processing.engine.quality.routes import ROUTES, added, confusion_of, judged, wilson
from processing.engine.quality.totals import figures_of
from processing.engine.result import Asked, Sku
from processing.quality.routes_told import way_lines
from tests.unit.quality.made import measured, page, sku, truth, truth_sku

pytestmark = pytest.mark.req("TA-T49", "TA-CAL")

TRUTH = truth(truth_sku(model="X1", size="10"))
EMPTY = truth(types={1: "D"})
RIGHT, WRONG = sku(model="X1", size="10"), sku(model="X1", size="11")


def ways(one: PageMeasure) -> tuple[str, str]:
    return one.route, one.right_route


def by_model(understood: UnderstoodPage, rules: UnderstoodPage) -> UnderstoodPage:
    """As a model answered it, with what the rules alone had made of the page."""
    assert understood.result is not None
    answered = msgspec.structs.replace(understood.result, asked=(Asked("read_page", model="m"),))
    return msgspec.structs.replace(understood, result=answered, rules=rules.result)


@pytest.mark.parametrize(
    ("found", "blockers", "expected"),
    [
        ([RIGHT], (), ("automatic", "automatic")),
        ([WRONG], (), ("automatic", "person")),
        ([RIGHT], ("low_confidence",), ("person", "automatic")),
        ([WRONG], ("low_confidence",), ("person", "person")),
    ],
)
def test_automatic_is_right_where_nothing_is_wrong_and_a_person_where_something_is(
    found: Sequence[Sku], blockers: tuple[str, ...], expected: tuple[str, str]
) -> None:
    assert ways(measured(TRUTH, page(*found, blockers=blockers))[0]) == expected


def test_to_skip_is_right_where_there_is_no_product() -> None:
    assert ways(measured(EMPTY, page(kind="D"))[0]) == ("skip", "skip")
    assert ways(measured(EMPTY, page(RIGHT))[0]) == ("automatic", "skip")
    assert ways(measured(TRUTH, page(kind="D"))[0]) == ("skip", "person")


def test_a_model_is_right_where_the_rules_alone_were_wrong() -> None:
    right, wrong = page(RIGHT), page(WRONG)
    assert ways(measured(TRUTH, by_model(right, wrong))[0]) == ("model", "model")
    assert ways(measured(TRUTH, by_model(right, right))[0]) == ("model", "automatic"), "it was asked for nothing"
    assert ways(measured(TRUTH, by_model(wrong, right))[0]) == ("model", "person")
    unanswered = msgspec.structs.replace(right, rules=wrong.result)
    assert ways(measured(TRUTH, unanswered)[0]) == ("automatic", "automatic"), "nobody answered"


def test_a_page_that_was_not_read_goes_to_a_person_rightly() -> None:
    assert ways(measured(TRUTH)[0]) == ("person", "person")


def test_the_matrix_counts_pages_and_the_accuracy_has_its_interval() -> None:
    pages = [measured(TRUTH, page(RIGHT))[0]] * 3 + [measured(TRUTH, page(WRONG))[0]]
    figures = figures_of(pages)
    assert figures.routes == {"automatic": {"automatic": 3, "person": 1}}
    assert figures.route_accuracy == 0.75 and figures.route_interval == wilson(3, 4)
    assert judged(added([figures.routes, figures.routes])) == (6, 8)


def test_wilsons_interval_is_that_of_the_books_and_stays_within_0_and_1() -> None:
    assert wilson(8, 10) == (0.4902, 0.9433)
    assert wilson(0, 10) == (0.0, 0.2775) and wilson(10, 10) == (0.7225, 1.0)
    assert wilson(0, 0) is None


def test_every_way_of_the_matrix_is_one_of_the_four() -> None:
    with pytest.raises(KeyError):
        confusion_of([("automatic", "elsewhere")])
    assert list(confusion_of((way, way) for way in reversed(ROUTES))) == list(ROUTES)


# --- what the report says of it ---------------------------------------------------------------------


def file_of(name: str, category: str, found: Sku, c_doc: float, spent: Spending | None = None) -> FileMeasure:
    pages = measured(TRUTH, page(found))
    route = "AUTO" if c_doc >= 0.9 else "HYBRID"
    return FileMeasure(name, "set", f"{name}.pdf", category, pages, route=route, c_doc=c_doc, spending=spent)


def test_the_report_has_routes_c_doc_and_cost_by_category() -> None:
    spent = Spending(2, 100, 0, 10, 5_000)
    files = [file_of("a", "lighting", RIGHT, 0.95, spent), file_of("b", "tools", WRONG, 0.62, spent)]
    report = make_report(files, [], "2026-11-29T10:00:00+00:00", {}, Spending(4, 200, 0, 20, 10_000))
    assert report.by_category["lighting"].route_accuracy == 1.0 and report.by_category["tools"].route_accuracy == 0.0
    assert report.c_doc is not None and (report.c_doc.documents, report.c_doc.mean) == (2, 0.785)
    assert report.c_doc.tenths == (0, 0, 0, 0, 0, 0, 1, 0, 0, 1)
    assert report.c_doc_by_category["tools"].routes == {"HYBRID": 1}
    assert report.spending_by_category["tools"].cost_micro == 5_000
    assert decode_report(encode_report(report)) == report
    told = "\n".join(way_lines(report))
    for words in ("route accuracy", "0.500", "lighting", "C_doc", "0.0050 USD", "no right SKU", "reading_order"):
        assert words in told, words
    assert not make_report(files, [], "2026-11-29T10:00:00+00:00", {}).spending_by_category, "of replayed answers none"


def test_a_comparison_tells_whether_more_pages_take_the_right_way() -> None:
    before, after = (
        make_report([file_of("a", "", found, 0.5)], [], "2026-11-29T10:00:00+00:00", {}) for found in (WRONG, RIGHT)
    )
    changes = {change.figure: change.direction for change in compare(before, after).total}
    assert changes["route_accuracy"] == "better"


# --- reading ------------------------------------------------------------------------------------------


def test_reading_order_is_the_share_of_neighbours_that_stay_so() -> None:
    lines = truth(types={1: "D"}, text="one\ntwo\nthree")
    counts = [measured(lines, page(kind="D", text=text))[0].counts for text in ("one\ntwo\nthree", "three\none\ntwo")]
    assert [(n.neighbours_kept, n.neighbours) for n in counts] == [(2, 2), (1, 2)]
    unread = measured(lines, page(kind="D", text="one\nthree"))[0].counts
    assert (unread.neighbours_kept, unread.neighbours) == (1, 1), "what was not read is told by text_read"


def test_without_quoted_lines_the_order_of_the_products_is_looked_at() -> None:
    two = truth(truth_sku(model="X1"), truth_sku(model="Y2"))
    counts = measured(two, page(sku(model="X1"), sku(model="Y2"), text="Y2\nX1"))[0].counts
    assert (counts.neighbours_kept, counts.neighbours) == (0, 1)


def read_as(*rows: tuple[str, ...]) -> UnderstoodPage:
    one = page(RIGHT)
    assert one.parsed is not None
    cells = tuple(Cell(r, c, text, (0, 0, 1, 1)) for r, row in enumerate(rows) for c, text in enumerate(row))
    table = Table("t", (0, 0, 1, 1), len(rows), max(map(len, rows)), cells)
    return msgspec.structs.replace(one, parsed=msgspec.structs.replace(one.parsed, tables=(table,)))


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ([("X1", "10"), ("Y2", "12")], 2),
        ([("X1", "Y2"), ("10", "12")], 2),  # products side by side
        ([("X1", ""), ("Y2", "10")], 1),  # the row was torn
        ([("X1", "100")], 1),  # another number
        ([("X1", "10 cm")], 2),
    ],
)
def test_a_tables_row_is_kept_where_the_products_values_stand_together(rows: list[tuple[str, ...]], kept: int) -> None:
    counts = measured(TRUTH, read_as(*rows))[0].counts
    assert (counts.cells_kept, counts.cells) == (kept, 2)


def test_pictures_agree_by_the_pairs_that_truth_and_result_share() -> None:
    figures = figures_of([PageMeasure(1, "A", "A", Counts(pages=1, pictures=3, recovered=2, wrong_bindings=1), 0.0)])
    assert figures.picture_text == 0.5
