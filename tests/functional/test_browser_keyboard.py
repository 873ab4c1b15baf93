"""The whole way without a mouse, and keys that belong to an input method."""

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Documents, Visit
from tests.support.stack import Stack

pytestmark = pytest.mark.browser


def test_from_sign_in_to_the_proof_of_a_value_by_keys_alone(visit: Visit, stack: Stack, documents: Documents) -> None:
    page = visit("/login/", user="")
    page.keyboard.type("uploader")
    page.keyboard.press("Tab")
    page.keyboard.type("demo-uploader")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{stack.address}/")
    page.wait_for_load_state()

    page.keyboard.press("j")
    expect(page.locator("tr.at a")).to_be_focused()
    while page.locator("tr.at").get_attribute("data-key") != documents.en:
        before = page.locator("tr.at").get_attribute("data-key")
        page.keyboard.press("j")
        assert page.locator("tr.at").get_attribute("data-key") != before, "the document is not in the list"
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{stack.address}/jobs/{documents.en}/")
    page.wait_for_load_state()

    tab_to(page, ".tile")
    page.keyboard.press("ArrowRight")
    expect(page.locator('.tile[data-page="2"]')).to_be_focused()
    expect(page.locator("#page-card")).to_contain_text("Page 2")
    page.keyboard.press("Enter")
    expect(page.locator("#page-dialog h2")).to_have_text("Page 2")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#page-dialog h2")).to_have_text("Page 1")
    page.keyboard.press("Escape")
    expect(page.locator('.tile[data-page="1"]')).to_be_focused()

    page.keyboard.press("g")
    page.keyboard.press("r")
    expect(page).to_have_url(f"{stack.address}/results/")
    page.goto(f"/jobs/{documents.en}/results/")
    tab_to(page, "[data-evidence]")
    page.keyboard.press("Enter")
    expect(page.locator("#evidence .hl")).to_be_visible()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.matches('[data-evidence]')"), "focus comes back to the cell"


def tab_to(page: Page, selector: str, at_most: int = 60) -> None:
    for _ in range(at_most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} is not reached by Tab")


def test_the_address_of_a_page_opens_it(visit: Visit, documents: Documents) -> None:
    page = visit(f"/jobs/{documents.en}/#page-2")
    expect(page.locator("#page-dialog h2")).to_have_text("Page 2")
    page.keyboard.press("Escape")
    expect(page.locator('.tile[data-page="2"]')).to_be_focused()
    assert "#" not in page.url


def test_keys_of_an_input_method_are_not_commands(visit: Visit, documents: Documents) -> None:
    page = visit("/", language="zh")
    search = page.locator("[data-search]")
    search.focus()
    devtools = page.context.new_cdp_session(page)
    devtools.send("Input.imeSetComposition", {"text": "yi", "selectionStart": 2, "selectionEnd": 2})
    heard = page.evaluate_handle(
        "() => { const heard = []; addEventListener('keydown', (e) => heard.push([e.key, e.isComposing]), true);"
        " return heard; }"
    )
    for key in ("j", "Enter", "?"):
        page.evaluate(
            "key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, isComposing: true}))",
            key,
        )
    assert heard.evaluate("heard => heard.filter(([, composing]) => composing).length") == 3
    assert page.locator("tr.at").count() == 0 and page.locator("#keys-dialog[open]").count() == 0
    devtools.send("Input.insertText", {"text": "椅"})
    assert search.input_value() == "椅"
    page.locator("body").press("j")
    search.evaluate("field => field.blur()")
    page.keyboard.press("j")
    expect(page.locator("tr.at")).to_have_count(1)


def test_single_letter_keys_can_be_switched_off(visit: Visit, documents: Documents) -> None:
    page = visit("/")
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_be_visible()
    expect(page.locator("[data-keys-list]")).to_contain_text("next row")
    page.get_by_label("Single-letter keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert page.locator("tr.at").count() == 0
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_be_visible()
