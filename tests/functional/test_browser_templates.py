"""A template of studies is cloned, put together and saved in the browser, by keys too, in both languages and widths."""

import re

import pytest
from playwright.sync_api import expect

from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_screens import faults_of

pytestmark = [pytest.mark.browser, pytest.mark.req("LX-FIELDS", "LX-SYS")]


def test_a_clone_is_edited_and_saved(visit: Visit, seen: Seen) -> None:
    page = visit("/templates/", user="lead")
    expect(page.get_by_text("Templates that come with the product")).to_be_visible()
    page.get_by_role("button", name="Clone Randomised controlled trial").click()
    expect(page).to_have_url(re.compile(r"/templates/[0-9a-f-]{36}/$"))
    address = page.url

    page.get_by_role("button", name="Edit Registration number").click()
    name = page.get_by_label("Name in English")
    expect(name).to_be_focused()
    expect(name).to_be_in_viewport()
    name.fill("Register")
    page.get_by_label("Where and how the value is found").fill("On the title page.\nElse in the methods.")
    page.keyboard.press("Tab")
    name.press("Enter")  # takes over, saves nothing
    expect(page.get_by_role("button", name="Done Register")).to_be_visible()
    expect(page.get_by_text("not saved yet")).to_be_visible()
    assert not faults_of(page, "en")

    page.get_by_role("button", name="Move Register up").click()
    page.get_by_role("button", name="Add a group").click()
    page.get_by_label("Name in English").fill("Own")
    page.get_by_role("button", name="Save as the next version").click()
    fault = page.get_by_text("This group has no field").first
    expect(fault).to_be_visible()
    assert not faults_of(page, "en")
    page.get_by_role("button", name="Add a field").last.click()
    page.get_by_label("Name in English").fill("Sites")
    page.get_by_label("Type").select_option("integer")
    page.get_by_label("Why (kept with the version)").fill("sites")
    page.get_by_role("button", name="Save as the next version").click()
    expect(page.get_by_text("Saved as version 2")).to_be_visible()
    expect(page.locator("tbody tr").first).to_contain_text("Register")
    expect(page.locator("code").get_by_text("sites")).to_be_visible()

    for theme, width in (("dark", 1440), ("light", 390)):
        page = visit(address, user="lead", language="zh", theme=theme, width=width)
        page.get_by_role("button", name="编辑 注册号").click()
        expect(page.get_by_label("英文名称")).to_have_value("Register")
        assert not faults_of(page, "zh"), (theme, width)
    assert not [complaint for complaint in seen.complaints if "400" not in complaint]


def test_who_was_overtaken_keeps_the_draft(visit: Visit, seen: Seen) -> None:
    page = visit("/templates/", user="lead")
    page.get_by_role("button", name="Clone Cohort study").click()
    other = visit(page.url, user="lead")
    for at, label in ((other, "Theirs"), (page, "Mine")):
        at.get_by_role("button", name="Edit Source of data").click()
        at.get_by_label("Name in English").fill(label)
        at.get_by_role("button", name="Save as the next version").click()
    expect(other.get_by_text("Saved as version 2")).to_be_visible()
    expect(page.get_by_text("moved on to version 2 while you edited version 1")).to_be_visible()
    expect(page.get_by_label("Name in English")).to_have_value("Mine")
    assert not faults_of(page, "en")
    page.get_by_role("button", name="Save mine as the next version").click()
    expect(page.get_by_text("Saved as version 3")).to_be_visible()
    expect(page.get_by_role("cell", name="Mine", exact=True)).to_be_visible()
    assert not [complaint for complaint in seen.complaints if "400" not in complaint]
