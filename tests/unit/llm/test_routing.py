"""Which model is asked: every row of the table, models that failed, models that are wanted, and how quickly."""

import time

import pytest

from catalogsku.profiles.routes import default_rows
from processing.engine.page import Features
from processing.llm.routing import Points, Priced, Routes, Row, complexity_of, select_model
from tests.support.promises import within

CHEAP, DEAR = Priced("qwen3.7-plus", 4_000_000), Priced("gemini-3.8-flash", 10_000_000)
BOTH = (DEAR, CHEAP)
DEFAULT = Routes(tuple(Row(**row) for row in default_rows()))


@pytest.mark.req("LA-ROUTE")
@pytest.mark.parametrize(
    ("features", "complexity"),
    [
        ({}, "simple"),
        ({"fragmented_pictures": 3}, "simple"),
        ({"fragmented_pictures": 1, "columns": 2}, "complex"),
        ({"ocr_ratio": 0.31, "blocks": 21}, "complex"),
        ({"ocr_ratio": 0.30, "blocks": 21, "columns": 2}, "simple"),
        ({"ocr_ratio": 0.31, "fragmented_pictures": 1}, "complex"),
        ({"columns": 2, "blocks": 20, "fragmented_pictures": 0}, "simple"),
    ],
)
def test_three_points_make_a_page_complex(features: dict[str, float], complexity: str) -> None:
    assert complexity_of(Features(**features), Points()) == complexity  # type: ignore[arg-type]


@pytest.mark.req("LA-ROUTE")
@pytest.mark.parametrize(
    ("operation", "page_type", "complexity", "route", "first"),
    [
        ("read_page", "A", "complex", "strong", DEAR.name),
        ("read_page", "D", "simple", "cheap", CHEAP.name),
        ("read_page", "B", "simple", "cheap", CHEAP.name),
        ("read_page", "C", "complex", "strong", DEAR.name),
        ("evaluate_document", "", "simple", "strong", DEAR.name),
        ("unknown", "B", "complex", "strong", DEAR.name),  # no row: by complexity
        ("unknown", "B", "simple", "cheap", CHEAP.name),
    ],
)
def test_the_table_says_who_is_asked_first(
    operation: str, page_type: str, complexity: str, route: str, first: str
) -> None:
    choice = select_model(DEFAULT, operation, page_type, complexity, BOTH)
    assert (choice.route, *choice.models[:1]) == (route, *([first] if first else []))
    assert len(choice.models) in (0, 2)


def test_the_page_type_comes_before_the_complexity_and_a_name_may_be_a_route() -> None:
    rows = (Row("x", "B", "any", "qwen3.7-plus"), Row("x", "any", "complex", "strong"), Row("x", "any", "any", "RULES"))
    routes = Routes(rows)
    assert select_model(routes, "x", "B", "complex", BOTH).models == (CHEAP.name, DEAR.name)
    assert select_model(routes, "x", "C", "complex", BOTH).models == (DEAR.name, CHEAP.name)
    assert select_model(routes, "x", "C", "simple", BOTH).route == "RULES"


@pytest.mark.req("LA-ROLLBACK")
def test_one_switch_sends_every_question_to_the_strong_model() -> None:
    routes = Routes(DEFAULT.rows, prefer_always=True)
    for operation, page_type in (("read_page", "A"), ("read_page", "D"), ("evaluate_document", "B")):
        assert select_model(routes, operation, page_type, "simple", BOTH).models[0] == DEAR.name


@pytest.mark.req("LA-SEM")
def test_models_that_failed_go_last_and_where_all_did_none_is_asked() -> None:
    given = (DEFAULT, "read_page", "B", "simple", BOTH)
    assert select_model(*given, [CHEAP.name]).models == (DEAR.name, CHEAP.name)
    assert select_model(*given, [CHEAP.name, DEAR.name]).models == ()
    assert select_model(*given, [CHEAP.name], CHEAP.name).models == (DEAR.name, CHEAP.name)
    assert select_model(*given, (), DEAR.name).models == (DEAR.name, CHEAP.name)


def test_without_models_there_is_a_route_and_nobody_to_ask() -> None:
    choice = select_model(DEFAULT, "read_page", "B", "simple", ())
    assert (choice.route, choice.models) == ("cheap", ())


@pytest.mark.req("LA-ROUTE")
def test_it_takes_less_than_a_millisecond() -> None:
    turns = 1000
    began_s = time.process_time()
    for _ in range(turns):
        select_model(DEFAULT, "read_page", "B", "complex", BOTH, [CHEAP.name])
    assert (time.process_time() - began_s) / turns < within(0.001)
