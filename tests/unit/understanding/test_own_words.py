"""A merchant's own words: what they change on their pages, and that they change nothing on anybody else's."""

import threading
import time
from pathlib import Path

import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding import rules
from processing.engine.understanding.config import AnalystConfig, Word
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.in_force import in_force
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.normalise import currency_of, normalised, price
from processing.engine.understanding.rules.shapes import is_code, is_extent, is_on_request, is_price, price_spans
from processing.engine.understanding.rules.wording import is_note, is_total
from processing.engine.understanding.view import PageView
from tests.unit.understanding.pages import line, page, table

HEADS = ["Ref. forn.", "Nome prod.", "PVP c/ iva"]
ROWS = [HEADS, ["Alfa", "Cadeira de jantar", "12,50"], ["Beta", "Mesa de centro", "99,00"]]
MEANS = zip(HEADS, ("model", "product_name", "price"), strict=True)
LABELS = tuple(Word("label", head, means) for head, means in MEANS)


def understood(one: ParsedPage, *words: Word) -> PageResult:
    return understand_page(one, (), DocumentFacts(), AnalystConfig(words=words))


def values(result: PageResult) -> list[dict[str, str]]:
    return [{key: value.text for key, value in sku.attributes.items()} for sku in result.skus]


@pytest.mark.req("TA-DICT")
def test_own_heads_name_the_columns_of_a_table() -> None:
    one = page(tables=[table(ROWS)])
    wanted = [
        {"model": "Alfa", "product_name": "Cadeira de jantar", "price": "12,50"},
        {"model": "Beta", "product_name": "Mesa de centro", "price": "99,00"},
    ]
    assert values(understood(one)) != wanted
    assert values(understood(one, *LABELS)) == wanted


@pytest.mark.req("TA-DICT")
def test_two_merchants_of_one_process_have_no_word_in_common() -> None:
    """The very same page, in turns: what was kept for one is never another's answer."""
    one = page(tables=[table(ROWS)])
    without = understood(one)
    other = (Word("label", "Ref. forn.", "brand"), Word("label", "Nome prod.", "foreign"))
    for _ in range(3):
        assert understood(one, *LABELS) == understood(page(tables=[table(ROWS)]), *LABELS)
        assert understood(one) == without
        assert understood(one, *other) not in (without, understood(one, *LABELS))
    assert label_kind("Ref. forn.") is None


def test_threads_do_not_hear_each_others_words() -> None:
    heard: dict[str, set[str | None]] = {"brand": set(), "model": set()}
    both = threading.Barrier(2)

    def merchant(means: str) -> None:
        with in_force((Word("label", "Ref. forn.", means),)):
            both.wait(timeout=10)
            for _ in range(300):
                heard[means].add(label_kind("Ref. forn."))

    threads = [threading.Thread(target=merchant, args=(means,)) for means in heard]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == {"brand": {"brand"}, "model": {"model"}}


def test_words_end_with_the_page_even_where_a_stage_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("processing.engine.understanding.pipeline._result", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        understood(page(), *LABELS)
    assert label_kind("Ref. forn.") is None


def test_an_own_word_is_heard_before_a_built_in_one() -> None:
    with in_force((Word("label", "Brand", "series"),)):
        assert label_kind("Brand") == label_kind("brand:") == "series" and label_kind("Price") == "price"
    assert label_kind("Brand") == "brand"


def test_keywords() -> None:
    said = {"siehe Liste": "on_request", "Zwischensumme netto": "total", "Anm. d. Red.": "note"}
    with in_force(tuple(Word("keyword", word, role) for word, role in said.items())):
        assert is_on_request("Siehe  Liste") and is_total("Zwischensumme netto: 300") and is_note("Anm. d. Red.: neu")
        assert price("siehe Liste") is not None
    assert not is_on_request("siehe Liste") and not is_total("Zwischensumme netto: 300")


def test_running_matter_is_left_out_by_word_and_by_pattern() -> None:
    body = [line("Model: L-1", 30, 120), line("Price: $5.6", 30, 140), line("Katalog Nord", 30, 300)]
    body += [line("Blatt 7 von 9", 30, 320)]
    own = (Word("keyword", "Katalog Nord", "running"), Word("pattern", r"Blatt \d+ von \d+", "running"))
    printed = [one.text for one in _lines(body)]
    assert {"Katalog Nord", "Blatt 7 von 9"} <= set(printed)
    with in_force(own):
        assert [one.text for one in _lines(body)] == ["Model: L-1", "Price: $5.6"]


def _lines(body: list[Line]) -> list[Line]:
    return PageView(page(*body), (), DocumentFacts(), AnalystConfig()).lines


def test_units_and_currencies() -> None:
    own = (Word("unit", "pol", "in"), Word("unit", "quilos", "kg"), Word("unit", "Kz", "USD"))
    with in_force(own):
        assert normalised({"size": "12 pol", "weight": "3,5 Quilos"}, {}) == {
            "size": {"values": [12], "unit": "in"},
            "weight": {"values": [3.5], "unit": "kg"},
        }
        assert is_extent("12 pol") and currency_of("Kz 1.200") == "USD" and is_price("1200 Kz")
        assert price_spans("Cadeira 1200 Kz") == ((8, 15),) and not is_price("1200 Kzx")
        assert normalised({"size": "10"}, {"size": "pol"})["size"] == {"values": [10], "unit": "in"}
    assert not is_price("1200 Kz") and not is_extent("12 pol")


def test_patterns_say_what_a_code_is() -> None:
    own = (Word("pattern", r"[A-Z][a-z]+ \d+ [a-z]+", "model"), Word("pattern", r"EN-\d+", "not_model"))
    assert not is_code("Nordic 12 wide") and is_code("EN-1335")
    with in_force(own):
        assert is_code("Nordic 12 wide") and not is_code("EN-1335")


@pytest.mark.req("TA-DICT")
def test_no_pattern_makes_a_page_slow() -> None:
    cruel = ["(a+)+b", "(a|a)*b", "(.*)(.*)(.*)(.*)(.*)x", "(a?){40}a{40}", "((a*)*)*b", r"(\w*\d*)*-"]
    rows = [["Ref", "Name", "Price"], *([f"{'a' * 40}{n}!", f"{'a' * 30}!{n}", "12.50"] for n in range(100))]
    one = page(tables=[table(rows)])
    understood(one)
    begun = time.process_time()
    understood(one)
    usual = time.process_time() - begun
    begun = time.process_time()
    understood(one, *(Word("pattern", pattern, "model") for pattern in cruel))
    assert time.process_time() - begun < 10 * usual + 2


def test_nothing_that_depends_on_words_is_kept_without_them() -> None:
    """``kept`` alone keeps answers by the words in force; what is kept otherwise asks no words."""
    root = Path(rules.__file__ or rules.__path__[0]).parent
    root = root.parent if root.name == "rules" else root
    keeps = {str(file.relative_to(root)) for file in root.rglob("*.py") if "lru_cache" in file.read_text()}
    assert keeps == {"records/score.py", "rules/folding.py", "rules/in_force.py", "rules/labels.py", "rules/shapes.py"}
    for name in ("rules/labels.py", "rules/shapes.py"):  # by the words, or by their marks, themselves
        source = (root / name).read_text()
        assert source.count("@lru_cache") == 1 and "@lru_cache(maxsize=16)\ndef _own_" in source
