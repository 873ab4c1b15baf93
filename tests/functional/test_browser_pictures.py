"""Pictures of what the screens show when they are empty, wait, fail and are full, in both languages and themes.

SCREENS=docs/screens .venv/bin/pytest tests/functional/test_browser_pictures.py tests/functional/test_browser_screens.py
makes those in docs/screens.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.functional.conftest import Documents, Visit
from tests.functional.test_browser_screens import KEPT_IN, keep
from tests.functional.test_browser_states import Held
from tests.functional.test_browser_workbench import Sample, in_hand, sample, saved

__all__ = ["sample"]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.alone,
    pytest.mark.skipif(not KEPT_IN, reason="pictures for the documentation: asked for by SCREENS"),
]
LOOKS = [(language, theme) for language in ("en", "zh") for theme in ("light", "dark")]
EMPTY = {
    "documents": ("/", "other"), "all-results": ("/results/", "other"), "catalogue": ("/catalogue/", "other"),
    "reports": ("/reports/", "other"), "tasks": ("/tasks/", "annotator"),
}  # fmt: skip


@pytest.fixture(params=LOOKS, ids="-".join)
def look(request: pytest.FixtureRequest) -> tuple[str, str]:
    language, theme = request.param
    return language, theme


Shoot = Callable[[Page, str], None]


@pytest.fixture
def shoot(look: tuple[str, str]) -> Shoot:
    """Keeps what the page shows under the name of its screen and state."""
    return lambda page, name: keep(page, Path(str(KEPT_IN)) / f"{name}-{'-'.join(look)}.webp")


def test_empty(visit: Visit, sample: Sample, look: tuple[str, str], shoot: Shoot) -> None:
    sample.forget()
    for name, (path, user) in EMPTY.items():
        page = visit(path, user=user, language=look[0], theme=look[1])
        expect(page.locator(".empty").first).to_be_visible()
        shoot(page, f"{name}-empty")


def test_documents_that_fail(
    visit: Visit, documents: Documents, look: tuple[str, str], shoot: Shoot, tmp_path: Path
) -> None:
    (tmp_path / "Letter.pdf").write_text("Dear Sir")
    sockets: list[WebSocketRoute] = []

    def relay(socket: WebSocketRoute) -> None:
        """The first one is let through."""
        socket.connect_to_server() if not sockets else socket.close(code=1011)
        sockets.append(socket)

    page = visit("/", language=look[0], theme=look[1])
    page.set_input_files("[data-file]", tmp_path / "Letter.pdf")
    expect(page.locator(".upload").filter(has_text="Letter.pdf")).to_be_visible()
    shoot(page, "documents-error")
    page = visit(
        f"/jobs/{documents.of(look[0])}/",
        language=look[0],
        theme=look[1],
        before=lambda page: page.route_web_socket("**/ws/**", relay),
    )
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")
    sockets[0].close(code=1011)
    expect(page.locator("[data-live-state]")).not_to_have_attribute("data-live", "live")
    shoot(page, "document-error")


def test_results_that_wait_and_fail(visit: Visit, documents: Documents, look: tuple[str, str], shoot: Shoot) -> None:
    page = visit(f"/jobs/{documents.of(look[0])}/results/", language=look[0], theme=look[1])
    held = Held("**/skus/**")
    held.begin(page)
    cell = page.locator("[data-evidence]").first
    cell.click()
    expect(cell).to_have_attribute("aria-busy", "true")
    shoot(page, "results-loading")
    held.fail()
    expect(page.locator(".toast")).to_be_visible()
    shoot(page, "results-error")


def test_tasks(visit: Visit, sample: Sample, look: tuple[str, str], shoot: Shoot) -> None:
    for number in (4, 5, 6, 8, 9):
        sample.task(number)
    page = visit("/tasks/", user="lead", language=look[0], theme=look[1])
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")
    shoot(page, "tasks-full")


def test_the_workbench(visit: Visit, sample: Sample, look: tuple[str, str], shoot: Shoot) -> None:
    address = f"/tasks/{sample.task(8)}/"
    page = visit(address, user="annotator", language=look[0], theme=look[1])
    expect(page.locator("[data-lock=free]")).to_be_visible()
    expect(page.locator("[data-ready=true]")).to_be_visible()
    shoot(page, "workbench-free")
    for key, part in (("h", "past"), ("d", "around")):
        held = Held(f"**/{part}/")
        held.begin(page)
        page.keyboard.press(key)
        place = page.locator(f"[data-{part}-part]")
        expect(place.locator(".skeleton").first).to_be_visible()
        shoot(page, f"workbench-{part}-loading")
        held.fail()
        expect(place).not_to_have_attribute("aria-busy", "true")
        shoot(page, f"workbench-{part}-error")
        held.let_go()
        place.get_by_role("button").last.click()
        expect(place.locator("li, figure, section, table").first).to_be_visible()
        shoot(page, f"workbench-{part}")
        page.keyboard.press(key)
    page.goto(f"{address}?claim=1")
    in_hand(page)
    expect(page.locator("[data-ready=true]")).to_be_visible()
    shoot(page, "workbench-full")
    for key, name in (("p", "page"), ("s", "skip"), ("?", "keys")):
        page.keyboard.press("Escape")
        page.keyboard.press(key)
        expect(page.locator("dialog[open]")).to_be_visible() if name != "page" else None
        shoot(page, f"workbench-{name}")
        page.keyboard.press("Escape")
    page.set_viewport_size({"width": 640, "height": 900})
    shoot(page, "workbench-narrow")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.keyboard.press("Control+Enter")  # refused: a name is not printed
    shoot(page, "workbench-refused")
    page.context.set_offline(True)
    page.locator("[data-field=product_name] input").first.fill("Offline")
    expect(page.locator("[data-save-state]")).to_have_attribute("data-state", "offline")
    shoot(page, "workbench-error")
    page.context.set_offline(False)
    saved(page)
