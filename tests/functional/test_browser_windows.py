"""The windows of the tests themselves: the next visit has that of the one before, and nothing of what was in it."""

import pytest

from tests.functional.conftest import Leave, Visit

pytestmark = pytest.mark.browser

WRITE = """() => {
  sessionStorage.kept = localStorage.kept = window.name = document.cookie = "kept=1";
  addEventListener("beforeunload", (event) => event.preventDefault());
}"""
READ = "() => [sessionStorage.kept, localStorage.kept, window.name, document.cookie].join().includes('kept')"


def test_the_next_visit_finds_nothing_of_the_one_before(visit: Visit, leave: Leave) -> None:
    page = visit("/")
    page.evaluate(WRITE)
    page.keyboard.press("Tab")  # a page that nobody has touched may not ask whether to be left
    assert page.evaluate(READ)
    leave(page)
    again = visit("/", user="lead", language="zh")
    assert again == page, "the same window"
    assert not again.evaluate(READ)
    assert again.evaluate("document.documentElement.lang") == "zh-hans"


def test_a_page_that_a_test_has_changed_is_nobody_elses(visit: Visit, leave: Leave) -> None:
    page = visit("/")
    page.route("**/nothing", lambda route: route.abort())
    leave(page)
    assert page.is_closed() and visit("/") != page
