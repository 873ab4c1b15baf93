"""The SKUs of a page as a table that is edited as a spreadsheet is, and what one correction offers to the rest."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_editor import begin
from tests.functional.test_browser_screens import faults_of
from tests.functional.test_browser_workbench import NAMES_HAVE_NO_LANGUAGE, asked, in_hand, saved
from tests.support.catalogues import tables_pdf
from tests.support.matrix import gate_first
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.alone]

HEAD = ("Model", "Name", "Size", "Material", "Price", "Stacking")
PAGES, ROWS = 10, 8
# What the cells say, row by row without the last, which is for a new SKU.
TEXTS = """() => [...document.querySelectorAll(".table-sheet tbody tr")].slice(0, -1)
  .map((row) => [...row.cells].slice(1).map((cell) => cell.firstElementChild.textContent))"""
# Size and material, each in the other's column.
EXCHANGED = """attributes = attributes ||
    jsonb_build_object('size', attributes->'material', 'material', attributes->'size'),
  evidence = evidence || jsonb_build_object('size', evidence->'material', 'material', evidence->'size')"""
COMPOSED = "(field, key) => field.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, isComposing: true}))"
COLUMNS = "() => [...document.querySelectorAll('.table-column-head [data-label]')].map((head) => head.textContent)"
# Where a printed word stands in the window, in pixels.
WORD_AT = """async (word) => {
  const print = await (await fetch(document.querySelector("[data-print-url]").dataset.printUrl)).json();
  const words = print.blocks.flatMap(([, , lines]) => lines.flatMap(([, , words]) => words));
  const [, box] = words.find(([text]) => text === word);
  const middle = new DOMPoint((box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
  const at = middle.matrixTransform(document.querySelector("[data-sheet]").getScreenCTM());
  return [at.x, at.y];
}"""


def row_of(page: int, n: int) -> tuple[str, ...]:
    return (
        f"KT-{page}{n:02d}", f"Oak chair {n}", f"4{n:02d}x500x800", "Oak" if n % 2 else "Beech", f"{100 + n}.00",
        "Eight high",
    )  # fmt: skip


class PriceList:
    """A document of tables, read by the workers; each test takes a page of its own."""

    def __init__(self, stack: Stack, path: Path) -> None:
        path.write_bytes(
            tables_pdf([[HEAD, *(row_of(number, n) for n in range(1, ROWS + 1))] for number in range(1, PAGES + 1)])
        )
        self.stack = stack
        self.job = stack.upload(path)
        stack.wait_for(self.job, lambda state: state.is_left_by_machines, 200)

    def status(self, task: str) -> str:
        return str(self.stack.sql("SELECT status FROM annotation_humantask WHERE uuid = %s", task)[0][0])

    def rows(self, task: str) -> list[tuple[dict[str, Any], list[dict[str, Any]], str, dict[str, Any]]]:
        """Attributes, attributes of their own, status and evidence of the page's SKUs as they stand."""
        return self.stack.sql(
            """SELECT s.attributes, s.custom_attributes, s.status, s.evidence FROM processing_sku s
               JOIN annotation_humantask t ON t.page_id = s.page_id WHERE t.uuid = %s AND NOT s.superseded
               ORDER BY s.sku_id""",
            task,
        )

    def change(self, task: str, what: str, *parameters: Any) -> None:
        """``what``: a SET of the SKUs of the task's page."""
        self.stack.sql(
            f"""UPDATE processing_sku SET {what} WHERE NOT superseded AND page_id =
                (SELECT page_id FROM annotation_humantask WHERE uuid = %s)""",
            *parameters,
            task,
        )


_lists: dict[int, PriceList] = {}


@pytest.fixture
def price_list(stack: Stack, tmp_path: Path) -> Iterator[PriceList]:
    if id(stack) not in _lists:
        _lists[id(stack)] = PriceList(stack, tmp_path / "prices.pdf")
    yield _lists[id(stack)]
    stack.sql("UPDATE annotation_humantask SET status = 'SKIPPED' WHERE status <> 'COMPLETED'")


def opened(visit: Visit, task: str, **look: Any) -> Page:
    page = begin(visit, task, **look)
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+T")
    expect(pen(page)).to_be_focused()
    return page


def pen(page: Page) -> Locator:
    return page.locator(".table-pen")


def cell(page: Page, row: int, column: str) -> Locator:
    col = page.evaluate(COLUMNS).index(column)
    return page.locator(".table-sheet tbody tr").nth(row).locator("td").nth(col)


def column(page: Page, name: str) -> list[str]:
    col = page.evaluate(COLUMNS).index(name)
    return [row[col] for row in page.evaluate(TEXTS)]


def in_cell(page: Page, row: int, name: str) -> None:
    cell(page, row, name).click()
    expect(cell(page, row, name).locator("input")).to_be_focused()


def keys(page: Page, *names: str) -> None:
    for name in names:
        page.keyboard.press(name)


def clipboard(page: Page, text: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)


def click_word(page: Page, word: str) -> None:
    page.mouse.click(*page.evaluate(WORD_AT, word))


def submitted(page: Page, price_list: PriceList, task: str) -> None:
    page.keyboard.press("Control+Enter")
    expect(page).not_to_have_url(page.url)
    assert price_list.status(task) == "COMPLETED"


@pytest.mark.req("TA-T68")
def test_cells_are_typed_pasted_filled_and_undone(visit: Visit, price_list: PriceList) -> None:
    task = asked(price_list.stack, price_list.job, 1)
    page = opened(visit, task)
    names = column(page, "Name")
    in_cell(page, 0, "Name")
    page.keyboard.type("Ash chair")  # what was there gives way
    keys(page, "Enter", "F2")
    page.keyboard.type(", long")
    keys(page, "ArrowUp", "ArrowDown", "ArrowDown")
    page.keyboard.type("Not meant")
    keys(page, "Escape")
    assert column(page, "Name") == ["Ash chair", f"{names[1]}, long", *names[2:]]
    expect(cell(page, 2, "Name").locator("input")).to_be_focused()

    clipboard(page, 'Stool\t30x30\n"Bench, 3/4"" oak"\t120x45\n')
    keys(page, "Control+v")
    assert column(page, "Name")[2:4] == ["Stool", 'Bench, 3/4" oak']
    assert column(page, "Size")[2:4] == ["30x30", "120x45"]
    keys(page, "Control+c")
    assert page.evaluate("navigator.clipboard.readText()") == 'Stool\t30x30\n"Bench, 3/4"" oak"\t120x45'
    in_cell(page, 5, "Name")
    keys(page, "Control+v", "Control+z")
    assert column(page, "Name")[5:] == names[5:]

    in_cell(page, 0, "Material")
    page.keyboard.type("Walnut")
    keys(page, "Control+Shift+ArrowDown", "Control+d")
    assert column(page, "Material") == ["Walnut"] * ROWS
    keys(page, "Control+z")
    assert column(page, "Material")[:2] == ["Walnut", "Beech"]
    keys(page, "Control+y")
    in_cell(page, 7, "Stacking")
    keys(page, "Delete")
    saved(page)
    page.reload()
    in_hand(page)
    assert column(page, "Material") == ["Walnut"] * ROWS, "the table is shown again, with the draft"
    submitted(page, price_list, task)
    rows = price_list.rows(task)
    assert [row[0]["product_name"] for row in rows][:4] == [
        "Ash chair",
        f"{names[1]}, long",
        "Stool",
        'Bench, 3/4" oak',
    ]
    assert {row[0]["material"] for row in rows} == {"Walnut"}
    assert [len(row[1]) for row in rows] == [1] * 7 + [0]


@pytest.mark.req("TA-T68")
def test_keys_move_as_in_a_spreadsheet(visit: Visit, price_list: PriceList) -> None:
    page = opened(visit, asked(price_list.stack, price_list.job, 2))
    columns = page.evaluate(COLUMNS)

    def at() -> tuple[int, int]:
        row, col = page.evaluate(
            "() => { const cell = document.activeElement.closest('td');"
            " return [cell.parentElement.sectionRowIndex, cell.cellIndex - 1]; }"
        )
        return row, col

    last = (ROWS - 1, len(columns) - 1)
    for key, place in (
        ("Control+Home", (0, 0)),
        ("ArrowRight", (0, 1)),
        ("Tab", (0, 2)),
        ("Shift+Tab", (0, 1)),
        ("End", (0, last[1])),
        ("Tab", (1, 0)),
        ("Enter", (2, 0)),
        ("Shift+Enter", (1, 0)),
        ("Control+ArrowDown", (ROWS - 1, 0)),
        ("Control+End", last),
        ("Home", (last[0], 0)),
        ("PageUp", (0, 0)),
        ("ArrowUp", (0, 0)),
        ("ArrowLeft", (0, 0)),
    ):
        page.keyboard.press(key)
        assert at() == place, key
    keys(page, "Shift+ArrowDown", "Shift+ArrowRight")
    expect(page.locator(".table-sheet [aria-selected=true]")).to_have_count(4)
    keys(page, "Escape")
    expect(page.locator(".table-sheet [aria-selected=true]")).to_have_count(0)
    keys(page, "Control+a")
    expect(page.locator(".table-sheet [aria-selected=true]")).to_have_count(ROWS * len(columns))
    keys(page, "ArrowDown", "Escape")
    expect(page.locator("[data-form]")).to_be_focused()
    grid = page.get_by_role("grid")
    assert (grid.get_attribute("aria-rowcount"), grid.get_attribute("aria-colcount")) == (
        str(ROWS + 2),
        str(len(columns) + 1),
    )
    expect(page.locator(".table-sheet tbody tr").first).to_have_attribute("aria-rowindex", "2")
    assert page.locator(".table-sheet input").count() == 1, "one cell has the focus, the others have none"


@pytest.mark.req("TA-T68")
def test_this_column_is_the_size(visit: Visit, price_list: PriceList) -> None:
    task = asked(price_list.stack, price_list.job, 3)
    price_list.change(
        task,
        EXCHANGED,
    )
    page = opened(visit, task)
    sizes = column(page, "Material")
    assert sizes[0] == row_of(3, 1)[2]
    in_cell(page, 0, "Material")
    keys(page, "F4")
    expect(page.locator("#meaning-dialog")).to_contain_text("Material")
    page.keyboard.type("Size")
    keys(page, "Enter")
    assert column(page, "Size") == sizes
    assert column(page, "Material")[:2] == ["Oak", "Beech"]
    expect(cell(page, 0, "Size").locator("input")).to_be_focused()
    keys(page, "Control+z")
    assert column(page, "Material") == sizes
    keys(page, "Control+y")
    in_cell(page, 0, "Stacking")
    keys(page, "F4")
    expect(page.locator("#meaning-dialog select")).to_be_focused()
    page.locator("#meaning-dialog select").select_option("own ")
    page.locator("#meaning-dialog [data-own-name]").fill("Surface")
    keys(page, "Enter")
    assert column(page, "Surface") == ["Eight high"] * ROWS
    submitted(page, price_list, task)
    for n, (attributes, own, _, evidence) in enumerate(price_list.rows(task), 1):
        assert (attributes["size"], attributes["material"]) == row_of(3, n)[2:4]
        assert [(one["name"], one["value"]) for one in own] == [("Surface", "Eight high")]
        assert evidence["size"]["bbox"][0] < evidence["material"]["bbox"][0], "each with its place"


@pytest.mark.req("TA-T68")
def test_rows_are_merged_split_added_and_rejected(visit: Visit, price_list: PriceList) -> None:
    task = asked(price_list.stack, price_list.job, 4)
    page = opened(visit, task)
    models = column(page, "Model")
    in_cell(page, 0, "Model")
    keys(page, "Control+Shift+m")
    assert column(page, "Model") == [models[0], *models]
    page.keyboard.type("KT-4NEW")
    keys(page, "Enter")
    in_cell(page, 2, "Model")
    keys(page, "Shift+ArrowDown", "Shift+ArrowDown", "Control+m")
    expect(page.locator(".toast", has_text="2 rows are part of")).to_be_visible()
    expect(page.locator(".table-sheet tr.rejected")).to_have_count(2)
    in_cell(page, 6, "Model")
    keys(page, "Control+Delete")
    expect(page.locator(".table-sheet tr.rejected")).to_have_count(3)
    keys(page, "Control+Shift+Enter")
    page.keyboard.type("KT-4END")
    keys(page, "Tab")
    page.keyboard.type("Typed in the last row")
    keys(page, "Enter")
    assert len(column(page, "Model")) == ROWS + 2
    keys(page, "Escape", "Shift+T")
    expect(page.locator("[data-index] li")).to_have_count(ROWS + 2)
    expect(page.locator("#value-product_name")).to_have_value("Typed in the last row")
    submitted(page, price_list, task)
    rows = price_list.rows(task)
    kept = {row[0]["model"]: row[0]["product_name"] for row in rows if row[2] != "REJECTED"}
    assert set(kept) == {models[0], "KT-4NEW", models[1], models[4], models[6], models[7], "KT-4END"}
    assert kept["KT-4END"] == "Typed in the last row"


@pytest.mark.req("TA-T68")
def test_composing_neither_commits_nor_moves(visit: Visit, price_list: PriceList) -> None:
    task = asked(price_list.stack, price_list.job, 5)
    page = opened(visit, task, language="zh")
    in_cell(page, 1, page.evaluate(COLUMNS)[1])
    name = page.evaluate(COLUMNS)[1]
    before = column(page, name)
    devtools = page.context.new_cdp_session(page)

    def compose(text: str) -> None:
        devtools.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})

    compose("yi")
    for key in ("Enter", "Tab", "ArrowDown", "Escape", "Delete", "F2"):
        pen(page).evaluate(COMPOSED, key)
    expect(pen(page)).to_be_focused()
    expect(pen(page)).to_have_value("yi")
    assert column(page, name) == before, "nothing is said before the input method has done"
    devtools.send("Input.insertText", {"text": "橡木椅"})
    expect(pen(page)).to_have_value("橡木椅")
    assert column(page, name)[1] == "橡木椅"
    keys(page, "Enter")
    expect(cell(page, 2, name).locator("input")).to_be_focused()
    compose("chu")
    compose("")  # taken back
    assert column(page, name)[2] == before[2]
    expect(pen(page)).to_have_value(before[2])
    keys(page, "ArrowUp")
    expect(cell(page, 1, name).locator("input")).to_be_focused()
    submitted(page, price_list, task)
    assert [row[0]["product_name"] for row in price_list.rows(task)] == [before[0], "橡木椅", *before[2:]]


@pytest.mark.parametrize("view", gate_first("table", "form"))
def test_what_the_server_says_meanwhile_does_not_end_a_composition(
    visit: Visit, price_list: PriceList, view: str
) -> None:
    page = opened(visit, asked(price_list.stack, price_list.job, 5), language="zh")
    price, name = page.evaluate(COLUMNS)[4], page.evaluate(COLUMNS)[1]
    in_cell(page, 0, price)
    page.keyboard.type("1,86O.00")
    keys(page, "Tab")
    expect(page.locator("[data-cell-error]")).to_have_count(1)  # so that each answer has something to say
    if view == "form":
        keys(page, "Escape", "Shift+T", "e", "n")
    else:
        in_cell(page, 1, name)
    field = page.locator("#value-product_name") if view == "form" else pen(page)
    page.keyboard.type("a")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Input.imeSetComposition", {"text": "yi", "selectionStart": 2, "selectionEnd": 2})
    saved(page)
    expect(field).to_have_value("ayi")
    devtools.send("Input.insertText", {"text": "椅"})
    expect(field).to_have_value("a椅")


@pytest.mark.req("TA-T68", "LX-UNLOCK")
def test_the_cell_in_hand_is_lit_and_faults_stand_in_their_cells(visit: Visit, price_list: PriceList) -> None:
    task = asked(price_list.stack, price_list.job, 6)
    page = opened(visit, task)
    boxes = page.evaluate("JSON.parse(document.getElementById('bench-data').textContent).state.skus")
    lit = "['x', 'y'].map((side) => Number(document.querySelector('[data-marks] .hl').getAttribute(side)))"
    for row, (name, key) in ((0, ("Model", "model")), (3, ("Size", "size")), (7, ("Price", "price"))):
        in_cell(page, row, name)
        x, y, *_ = boxes[row]["attributes"][key]["box"]
        assert page.evaluate(lit) == pytest.approx([x - 1, y - 1], abs=0.1)
    in_cell(page, 2, "Stacking")
    x, y = page.evaluate(lit)
    assert y == pytest.approx(boxes[2]["attributes"]["size"]["box"][1] - 1, abs=3), "also of what the category lacks"

    in_cell(page, 1, "Price")
    page.keyboard.type("1,86O.00")
    saved(page)
    expect(cell(page, 1, "Price").locator("[data-cell-error]")).to_have_count(0)  # while it is typed nobody interrupts
    keys(page, "Enter")
    fault = cell(page, 1, "Price").locator("[data-cell-error]")
    expect(fault).to_contain_text("A letter stands among the figures")
    expect(cell(page, 1, "Price")).to_have_attribute("aria-invalid", "true")
    keys(page, "Control+Enter")
    expect(cell(page, 1, "Price").locator("input")).to_be_focused()
    assert price_list.status(task) == "PROCESSING", "refused"
    expect(page.locator("[data-table-bar]")).to_contain_text("A letter stands among the figures")
    keys(page, "Enter")
    expect(fault).to_have_count(0)
    submitted(page, price_list, task)
    assert price_list.rows(task)[1][0]["price"] == "1,86O.00"


@pytest.mark.req("TA-T68")
def test_one_correction_is_offered_to_the_other_rows(visit: Visit, price_list: PriceList) -> None:
    task = asked(price_list.stack, price_list.job, 7)
    price_list.change(
        task,
        """attributes = attributes || jsonb_build_object('size', attributes->'material'),
           evidence = evidence || jsonb_build_object('size', evidence->'material')""",
    )
    page = opened(visit, task)
    ghosts, offer = page.locator("[data-cell-ghost]"), page.locator("[data-offer]")
    in_cell(page, 4, "Size")
    page.keyboard.type("as typed")  # what a person has said is not touched
    in_cell(page, 0, "Size")
    click_word(page, row_of(7, 1)[2])
    assert column(page, "Size")[0] == row_of(7, 1)[2]
    expect(ghosts).to_have_count(ROWS - 2)
    expect(page.locator(".bench-offers .line")).to_have_count(ROWS - 2)
    expect(offer).to_contain_text(f"{ROWS - 2} more: {row_of(7, 2)[2]}")
    expect(pen(page)).to_be_focused()
    keys(page, "Escape")
    expect(ghosts).to_have_count(0)
    expect(page.locator(".bench-offers .line")).to_have_count(0)
    expect(offer).to_be_hidden()
    assert column(page, "Size")[1] == "Beech", "refused"

    click_word(page, row_of(7, 1)[2])
    expect(ghosts).to_have_count(ROWS - 2)
    keys(page, "Control+g")
    expect(ghosts).to_have_count(0)
    sizes = [row_of(7, n)[2] for n in range(1, ROWS + 1)]
    assert column(page, "Size") == [*sizes[:4], "as typed", *sizes[5:]]
    keys(page, "Control+z")
    assert column(page, "Size")[1] == "Beech"
    keys(page, "Control+y")
    submitted(page, price_list, task)
    for n, (attributes, _, _, evidence) in enumerate(price_list.rows(task), 1):
        if n != 5:
            assert attributes["size"] == row_of(7, n)[2]
            assert (evidence["size"]["quote"], evidence["size"]["method"]) == (row_of(7, n)[2], "person")
            assert evidence["size"]["bbox"][0] < evidence["material"]["bbox"][0]


@pytest.mark.req("TA-T68")
def test_the_form_offers_the_same_to_the_other_skus(visit: Visit, price_list: PriceList) -> None:
    task = asked(price_list.stack, price_list.job, 8)
    price_list.change(task, "attributes = attributes || jsonb_build_object('size', NULL)")
    page = opened(visit, task)
    keys(page, "Escape", "Shift+T", "e", "s")
    expect(page.locator("#value-size")).to_be_focused()
    n = int(page.locator("[data-head-tag]").inner_text()[1:])
    click_word(page, row_of(8, n)[2])
    expect(page.locator("[data-offer]")).to_contain_text(f"{ROWS - 1} more")
    keys(page, "Control+g")
    expect(page.locator("#value-size")).to_have_value(row_of(8, n)[2])
    submitted(page, price_list, task)
    assert [row[0]["size"] for row in price_list.rows(task)] == [row_of(8, n)[2] for n in range(1, ROWS + 1)]


@pytest.mark.parametrize(
    ("language", "theme", "width"), gate_first(("en", "dark", 1280), ("zh", "light", 1440), ("zh", "dark", 390))
)
def test_the_table_is_clean(
    visit: Visit, seen: Seen, price_list: PriceList, language: str, theme: str, width: int
) -> None:
    task = asked(price_list.stack, price_list.job, 9)
    price_list.change(task, "attributes = attributes || jsonb_build_object('size', attributes->'material')")
    price_list.change(
        task,
        """evidence = evidence || jsonb_build_object('product_name', jsonb_build_object('quote', '', 'page_number', 9,
           'match', 0, 'method', 'model', 'bbox', jsonb_build_array(0, 0, 595, 842)))""",
    )
    page = opened(visit, task, language=language, theme=theme, width=width)
    names = page.evaluate(COLUMNS)
    in_cell(page, 1, names[4])
    page.keyboard.type("1,86O.00")
    keys(page, "Enter")
    expect(page.locator("[data-cell-error]")).to_have_count(1)
    faults = []
    for act in ("cells", "meaning"):
        if act == "meaning":
            keys(page, "F4")
            expect(page.locator("#meaning-dialog")).to_be_visible()
        page.evaluate(NAMES_HAVE_NO_LANGUAGE)
        faults += [f"{act}: {fault}" for fault in faults_of(page, language)]
    assert not faults, "\n".join(faults)
    assert not seen.complaints


def test_who_looks_on_sees_the_table_and_changes_nothing(visit: Visit, price_list: PriceList) -> None:
    task = asked(price_list.stack, price_list.job, 10)
    page = opened(visit, task)
    lead = visit(f"/tasks/{task}/", user="lead")
    expect(lead.locator("[data-bench-banner]")).to_contain_text("has this page in hand")
    keys(lead, "Shift+T")
    expect(pen(lead)).to_have_js_property("readOnly", True)
    in_cell(page, 0, "Name")
    page.keyboard.type("Seen by both")
    saved(page)
    expect(cell(lead, 0, "Name")).to_contain_text("Seen by both")
    in_cell(lead, 0, "Name")
    lead.keyboard.type("x")
    keys(lead, "Delete", "Control+d")
    expect(cell(lead, 0, "Name")).to_contain_text("Seen by both")
    lead.get_by_role("button", name="Take over").click()
    in_hand(lead)
    expect(page.locator("[data-lock=lost]")).to_be_visible()
    expect(pen(page)).to_have_js_property("readOnly", True)
    assert json.dumps(column(lead, "Name")) == json.dumps(column(page, "Name"))
