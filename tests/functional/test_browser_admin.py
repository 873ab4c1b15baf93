"""Configuration under /admin/ in the browser: forms with an input for each figure, reached from the product."""

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Documents, Visit
from tests.functional.test_browser_screens import unreadable
from tests.integration.test_evaluate import put, sample
from tests.support.matrix import gate_first
from tests.support.stack import Stack

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Of its own: its units know a golden set, the first page of the sample."""
    whole = sample.__wrapped__()
    skus = [sku for sku in whole["skus"] if sku["page_number"] == 1]
    folder = put(tmp_path_factory.mktemp("golden") / "shop", {**whole, "pages": whole["pages"][:1], "skus": skus})
    with Stack({"GOLDEN_DIRS": str(folder)}) as own:
        yield own


def opened(page: Page, model: str) -> None:
    """The newest version's form."""
    page.goto(f"/admin/profiles/{model}/?active__exact=1")
    page.locator("#result_list tbody th a").first.click()


def test_an_administrator_goes_from_the_product_to_a_form_and_adds_a_row(visit: Visit) -> None:
    page = visit("/", user="admin")
    page.locator("[popovertarget=person-menu]").click()
    page.get_by_role("link", name="Administration").click()
    opened(page, "routingtable")
    rows = page.locator("[data-entries] tbody tr")
    expect(rows).to_have_count(4)
    page.get_by_role("button", name="Add a row").click()
    expect(rows).to_have_count(5)
    page.locator("[name=rows-4-page_type]").select_option("D")
    page.locator("[name=rows-4-route]").fill("SKIP")
    page.locator("[name=points-complex_from]").fill("many")
    page.locator("[name=reason]").fill("pages without products")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".errorlist")).to_contain_text("complex_from must be a whole number from 0 to 1000")
    expect(page.locator("[name=rows-3-route]")).to_have_value("SKIP")
    page.locator("[name=points-complex_from]").fill("4")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".success")).to_be_visible()
    opened(page, "routingtable")
    expect(page.locator("[name=rows-3-route]")).to_have_value("SKIP")
    expect(page.locator("[name=points-complex_from]")).to_have_value("4")


def test_who_may_not_is_not_led_there(visit: Visit) -> None:
    page = visit("/", user="lead")
    page.locator("[popovertarget=person-menu]").click()
    expect(page.get_by_role("link", name="Change password")).to_be_visible()
    expect(page.get_by_role("link", name="Administration")).to_have_count(0)


@pytest.mark.parametrize("language", gate_first("zh", "en"))
def test_figures_fit_a_narrow_window(visit: Visit, language: str) -> None:
    page = visit("/admin/", user="admin", language=language, width=390)
    for model in ("thresholdprofile", "routingtable", "categoryschema"):
        opened(page, model)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), model


def test_what_would_change_is_shown_without_leaving_the_form(visit: Visit, documents: Documents) -> None:
    """The documents of the stack are sure of themselves; above what they reach, all of them are for people."""
    page = visit("/admin/", user="admin")
    opened(page, "thresholdprofile")
    for name, value in (("a", "1"), ("pv", "0.999"), ("b", "0.998")):
        page.locator(f"[name=threshold_{name}]").fill(value)
    page.get_by_role("button", name="What would change").click()
    told = page.locator("[data-effect-of] [role=status]")
    expect(told.locator(".effect-would")).to_contain_text("pages more would go to people")
    expect(told).to_contain_text("2 documents")
    expect(page.locator("[name=threshold_pv]")).to_have_value("0.999")
    page.locator("[name=threshold_pv]").fill("2")
    page.get_by_role("button", name="What would change").click()
    expect(told.locator(".errorlist")).to_be_visible()


def test_who_saved_meanwhile_is_seen_and_the_log_has_both(visit: Visit) -> None:
    first, second = visit("/admin/", user="admin"), visit("/admin/", user="admin")
    for page, minutes in ((first, "11"), (second, "12")):
        opened(page, "workrules")
        page.locator("[name=reserved_min]").fill(minutes)
        page.locator("[name=reason]").fill(f"{minutes} minutes")
    first.get_by_role("button", name="Save", exact=True).click()
    expect(first.locator(".success")).to_be_visible()
    second.get_by_role("button", name="Save", exact=True).click()
    row = second.locator(".stale tbody tr")
    expect(row).to_have_count(1)
    expect(row.locator("td")).to_have_text(["10", "11", "12"])
    second.get_by_role("button", name="Save", exact=True).click()
    expect(second.locator(".success")).to_be_visible()
    second.goto("/admin/profiles/configchange/?model=profiles.workrules")
    expect(second.locator("#result_list")).to_contain_text("11 → 12")
    expect(second.locator("#result_list")).to_contain_text("10 → 11")


def test_an_evaluation_is_started_and_its_report_is_read_in_the_browser(visit: Visit) -> None:
    page = visit("/quality/", user="admin")
    page.locator("[name=golden]").select_option("shop")
    page.locator("[name=profile]").select_option("default@1")
    page.get_by_role("button", name="Start an evaluation").click()
    expect(page.locator("[data-run]")).to_have_count(1)
    expect(page.get_by_role("button", name="Start an evaluation")).to_have_count(0)
    done = page.locator("[data-run=done]")
    expect(done).to_have_count(1, timeout=120_000)
    expect(page.get_by_role("button", name="Start an evaluation")).to_be_visible()
    done.get_by_role("link", name="Report").click()
    expect(page.locator("main")).to_contain_text("F1 of SKUs")


@pytest.mark.parametrize("scheme", gate_first("dark", "light"))
def test_what_is_configured_is_readable_in_both_lights(visit: Visit, scheme: Literal["light", "dark"]) -> None:
    page = visit("/admin/", user="admin", before=lambda page: page.emulate_media(color_scheme=scheme))
    faults = {}
    for address in (
        "/admin/",
        "/admin/profiles/",
        "/admin/profiles/workrules/",
        "/admin/processing/correctionrule/add/",
    ):
        page.goto(address)
        faults[address] = unreadable(page)
    opened(page, "thresholdprofile")
    faults["form"] = unreadable(page)
    assert not {address: found for address, found in faults.items() if found}
