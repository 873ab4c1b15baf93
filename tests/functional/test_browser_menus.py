"""Whatever floats over a page stays in the window, and a mouse reaches each item of it."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.functional.conftest import Documents, Leave, Visit
from tests.functional.test_browser_workbench import Sample, in_hand, sample
from tests.support.matrix import gate_first
from tests.support.stack import Stack

__all__ = ["sample"]
pytestmark = pytest.mark.browser

SIZES = ((1440, 900), (1024, 768), (390, 844))
PASSWORD, NEXT_PASSWORD = "seven grey herons", "eight grey herons"
FLOATING = "dialog[open], [popover]:popover-open"
# Floating layers that are not wholly in the window, and items of them that the mouse does not meet at their middle.
ASTRAY = """(floating) => [...document.querySelectorAll(floating)].flatMap((layer) => {
  const words = (element) => element.textContent.trim().slice(0, 30);
  const name = (element) => `${element.tagName} ${element.id || element.className} "${words(element)}"`;
  const box = layer.getBoundingClientRect();
  const outside = box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight || !box.width;
  const items = [...layer.querySelectorAll("a[href], button, input, select, textarea, summary")]
    .filter((item) => item.checkVisibility({ visibilityProperty: true }));
  const unmet = items.filter((item) => {
    item.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, top, width, height } = item.getBoundingClientRect();
    const met = document.elementFromPoint(left + width / 2, top + height / 2);
    return !met || !(item.contains(met) || item.closest("label")?.contains(met));
  });
  const far = outside ? [`${name(layer)} at ${JSON.stringify(box)}`] : [];
  return [...far, ...unmet.map((item) => `${name(layer)} hides ${name(item)}`)];
})"""


def astray(page: Page) -> list[str]:
    found: list[str] = page.evaluate(ASTRAY, FLOATING)
    return found


def opened_by(page: Page, opener: Locator, opens: str) -> list[str]:
    """By a press of the mouse; Esc closes it."""
    opener.click()
    expect(page.locator(opens)).to_be_visible()
    page.wait_for_timeout(50)  # two frames: it is where it stays
    faults = [f"{page.url} {page.viewport_size}: {fault}" for fault in astray(page)]
    page.keyboard.press("Escape")
    expect(page.locator(opens)).to_be_hidden()
    return faults


def every_menu(page: Page) -> Iterator[tuple[Locator, str]]:
    """Buttons that are there and what they open."""
    for opener in page.locator("[popovertarget], [data-opens], [data-keys-help], [data-act=skip]").all():
        if opener.is_visible() and opener.is_enabled():
            named = opener.get_attribute("popovertarget") or opener.get_attribute("data-opens")
            help_ = opener.get_attribute("data-keys-help") is not None
            yield opener, f"#{named or ('keys-dialog' if help_ else 'skip-dialog')}"
    for opener, opens in (("[data-evidence]", "#evidence"), ("a.model", "#sku-dialog"), (".tile", "#page-dialog")):
        if page.locator(opener).count() and page.locator(opens).count():
            yield page.locator(opener).first, opens


@pytest.mark.parametrize("language", gate_first("en", "zh"))
def test_every_menu_and_dialog_opens_inside_the_window(
    visit: Visit, leave: Leave, documents: Documents, sample: Sample, language: str
) -> None:
    task, job, faults, seen = sample.task(8), documents.of(language), [], set()
    for path, user in (
        ("/", "uploader"),
        (f"/jobs/{job}/", "uploader"),
        (f"/jobs/{job}/results/", "uploader"),
        (f"/catalogue/?document={job}", "uploader"),
        ("/tasks/", "lead"),
        ("/ops/", "admin"),
        (f"/tasks/{task}/?claim=1", "annotator"),
    ):
        page = visit(path, user=user, language=language)
        if "claim" in path:
            in_hand(page)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for opener, opens in every_menu(page):
                seen.add(opens)
                faults += opened_by(page, opener, opens)
            for dialog in page.locator("dialog").all():  # also those that only an event opens
                dialog.evaluate("dialog => dialog.showModal()")
                faults += [f"{path} {width}: {fault}" for fault in astray(page)]
                dialog.evaluate("dialog => dialog.close()")
        leave(page)
    assert not faults, "\n".join(dict.fromkeys(faults))
    assert seen >= {"#person-menu", "#keys-dialog", "#evidence", "#sku-dialog", "#page-dialog", "#skip-dialog"}


@pytest.mark.parametrize("language", gate_first("zh", "en"))
def test_one_changes_the_password_and_signs_out_by_the_mouse(visit: Visit, stack: Stack, language: str) -> None:
    """At the narrowest window, with nothing but presses of the mouse besides what is typed."""
    person = {"username": f"mouse-{language}", "password": PASSWORD, "role": "uploader", "display_name": "Mo Mouse"}
    told = {"language": "zh-hans" if language == "zh" else "en", "merchants": []}
    status, _, body = stack.person("admin").ask(
        "/api/v1/auth/users",
        method="POST",
        body=json.dumps(person | told).encode(),
        headers={"Content-Type": "application/json"},
    )
    assert status == 201, body
    page = visit("/login/", user="", language=language, width=390)
    for password in (PASSWORD, NEXT_PASSWORD):
        page.locator("[name=username]").fill(person["username"])
        page.locator("[name=password]").fill(password)
        page.locator("button[type=submit].btn-primary").click()
        expect(page).to_have_url(f"{stack.address}/")
        if password == PASSWORD:
            page.locator("[popovertarget=person-menu]").click()
            page.locator("#person-menu a[href='/password/']").click()
            page.locator("[name=old_password]").fill(PASSWORD)
            page.locator("[name=new_password1]").fill(NEXT_PASSWORD)
            page.locator("[name=new_password2]").fill(NEXT_PASSWORD)
            page.locator("form .btn-primary").click()
            expect(page).to_have_url(f"{stack.address}/")
        page.locator("[popovertarget=person-menu]").click()
        page.locator("#person-menu [type=submit]").click()
        expect(page).to_have_url(f"{stack.address}/login/")


def test_a_button_that_is_pressed_before_the_scripts_are_there_is_pressed_once_they_are(visit: Visit) -> None:
    page = visit("/")
    held: list[Route] = []
    page.route("**/js/theme.js", lambda route: held.append(route))  # of a built-in one it keeps nothing
    page.goto(page.url, wait_until="commit")
    root, button = page.locator("html"), page.get_by_role("button", name="Switch between light and dark")
    button.click()
    expect(root).to_have_attribute("data-theme", "light")
    page.wait_for_timeout(100)
    assert held, "the scripts are not there"
    for route in held:
        route.continue_()
    expect(root).to_have_attribute("data-theme", "dark")
    button.click()
    expect(root).to_have_attribute("data-theme", "light")
