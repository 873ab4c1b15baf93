"""Every screen in both languages and themes: nothing forbidden, foreign, clipped or unreadable.

With SCREENS (see test_browser_pictures) a picture of each is kept, in all four looks.
"""

import io
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.functional.conftest import NAMES_OF_FILES, Documents, Leave, Seen, Visit
from tests.support.catalogues import encrypted_pdf
from tests.support.matrix import gate_first
from tests.support.stack import Stack

pytestmark = pytest.mark.browser

AXE = (Path(__file__).parents[1] / "support/vendor/axe-4.14.1.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SLOW_MS = 4000
SLOW_BODIES = f"""
const text = Response.prototype.text;
Response.prototype.text = async function () {{
  const whole = await text.call(this);
  await new Promise((go) => setTimeout(go, {SLOW_MS}));
  return whole;
}};
"""
HAN = re.compile(r"[\u3400-\u9fff]")
WORD = re.compile(r"[A-Za-z][A-Za-z_.'’-]*")
# What stays Latin in Chinese: words of the trade, keys, names of people, merchants and profiles, the other language.
LATIN = {
    *(
        "SKU",
        "PDF",
        "OCR",
        "SLA",
        "AI",
        "MB",
        "KB",
        "C_doc",
        "JSON",
        "CSV",
        "XLSX",
        "ZIP",
        "Excel",
        "CatalogSKU",
        "EN",
        "ID",
    ),
    *("Enter", "Esc", "Lin", "Xiao", "LX", "Zhao", "Ning", "ZN", "Wang", "Lei", "WL", "Harbour", "Home", "default"),
    *("Webhook", "gemini-.", "Gemini", "Qwen", "USD", "API", "Admin", "UTC"),
}
VISIBLE_TEXT = """() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent.closest("script, style, kbd, code, .doc-name, [lang]:not(html)")) continue;
    if (parent.checkVisibility({ visibilityProperty: true })) texts.push(walker.currentNode.textContent);
  }
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
    if (!element.checkVisibility()) continue;
    for (const name of ["aria-label", "title", "placeholder", "alt"]) texts.push(element.getAttribute(name) ?? "");
  }
  return texts.join("\\n");
}"""
# Text that its box cuts off. What may be cut has the whole in its title or is a name with its own place.
CLIPPED = """() => [...document.querySelectorAll(
    `button, .btn, .chip, .filter, .tile-foot, .tile-word, .phase-figure, .phase-name, .reading dd, th, .hint,
     .rail-item, label, h1, h2, dt, .mark`)]
  .filter((e) => e.checkVisibility() && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1)
  .map((e) => `${e.className} ${e.tagName} ${e.textContent.trim().slice(0, 40)} ${e.scrollWidth} > ${e.clientWidth}`)"""
# WCAG 2.5.8 leaves out links inside a sentence and boxes whose label is a target with them.
SMALL = """() => [...document.querySelectorAll("a, button, input:not([type=hidden]), select, summary")]
  .filter((e) => e.checkVisibility() && !e.matches(".skip, .doc-name, .model, .crumbs a, label input"))
  .map((e) => [e, e.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.width < 24 || box.height < 24))
  .map(([e, box]) => `${e.tagName} ${e.className} ${e.textContent.trim().slice(0, 30)} ${box.width}x${box.height}`)"""
LOOK = "document.documentElement.lang + innerWidth"

Screen = Callable[[Page, str], None]


def is_live(page: Page, _job: str) -> None:
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")


def show_page(page: Page, job: str) -> None:
    is_live(page, job)
    page.locator(".tile").first.click()
    expect(page.locator("#page-dialog")).to_be_visible()


def show_evidence(page: Page, _job: str) -> None:
    page.locator("[data-evidence]").first.click()
    expect(page.locator("#evidence .hl")).to_be_visible()


def show_sku(page: Page, _job: str) -> None:
    page.locator("a.model").first.click()
    expect(page.locator("#sku-dialog")).to_be_visible()


def show_export(page: Page, _job: str) -> None:
    page.keyboard.press("Shift+E")
    expect(page.locator("#export-panel")).to_be_visible()


def show_keys(page: Page, _job: str) -> None:
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_be_visible()


def stay(page: Page, _job: str) -> None:
    expect(page.locator("h1").first).to_be_visible()


def add_receiver(page: Page, _job: str) -> None:
    """Of events that do not happen here, at an address that no resolver knows, another one for each look."""
    page.locator('[name="url"]').fill(f"https://hooks.invalid/{page.evaluate(LOOK)}")
    page.locator('[value="job.partly_failed"]').check()
    page.locator('form[action="/webhooks/"] .btn-primary').click()
    expect(page.locator(".hook-secret")).to_contain_text("whsec_")


def show_receiver(page: Page, _job: str) -> None:
    page.locator(f'.doc-name[title$="/{page.evaluate(LOOK)}"]').click()
    is_live(page, _job)


# name: (address, who, what to do there)
SCREENS: dict[str, tuple[str, str, Screen]] = {
    "sign-in": ("/login/", "", stay),
    "documents": ("/", "uploader", is_live),
    "no document matches": ("/?q=nothing-has-this-name", "annotator", stay),
    "keys": ("/", "lead", show_keys),
    "document": ("/jobs/{job}/", "uploader", is_live),
    "page": ("/jobs/{job}/", "uploader", show_page),
    "refused": ("/jobs/{refused}/", "uploader", is_live),
    "results": ("/jobs/{job}/results/", "uploader", stay),
    "evidence": ("/jobs/{job}/results/", "uploader", show_evidence),
    "sku": ("/jobs/{job}/results/", "annotator", show_sku),
    "export": ("/jobs/{job}/results/", "uploader", show_export),
    "all results": ("/results/", "lead", stay),
    "catalogue": ("/catalogue/?document={job}", "uploader", stay),
    "nothing like this in the catalogue": ("/catalogue/?q=nothing-has-this-name", "lead", stay),
    "reports": ("/reports/", "uploader", stay),
    "notices": ("/notices/", "uploader", stay),
    "edition": ("/jobs/{job}/edition/", "uploader", stay),
    "imports of a document": ("/jobs/{job}/imports/", "lead", stay),
    "imports": ("/imports/", "admin", stay),
    "tasks": ("/tasks/", "lead", stay),
    "closed tasks": ("/tasks/closed/", "lead", stay),
    "people": ("/tasks/people/", "lead", stay),
    "attributes": ("/tasks/attributes/", "admin", stay),
    "API": ("/api/v1/docs", "admin", stay),
    "evaluation": ("/jobs/{job}/evaluation/", "uploader", stay),
    "models": ("/models/", "lead", is_live),
    "quality": ("/quality/", "lead", stay),
    "calibration": ("/quality/calibration/", "admin", stay),
    "keeping": ("/keeping/", "admin", stay),
    "find a person": ("/keeping/people/", "lead", stay),
    "words": ("/words/", "lead", stay),
    "study templates": ("/templates/", "lead", stay),
    "figures": ("/ops/figures/", "admin", stay),
    "webhook's secret": ("/webhooks/", "lead", add_receiver),
    "webhook": ("/webhooks/", "lead", show_receiver),
    "password": ("/password/", "uploader", stay),
    "missing": ("/jobs/00000000-0000-0000-0000-000000000000/", "uploader", stay),
}
LOOKS = [("en", "dark", 1280), ("zh", "light", 1440)]
KEPT_IN = os.environ.get("SCREENS")
LOOKS += [("en", "light", 1440), ("zh", "dark", 1280)] if KEPT_IN else []


@pytest.mark.parametrize(("language", "theme", "width"), gate_first(*LOOKS), ids=lambda part: str(part))
def test_every_screen_is_clean(
    visit: Visit, seen: Seen, stack: Stack, documents: Documents, language: str, theme: str, width: int
) -> None:
    faults: list[str] = []
    pages: dict[str, Page] = {}
    for number, (name, (address, user, act)) in enumerate(SCREENS.items(), LOOKS.index((language, theme, width))):
        path = address.format(job=documents.of(language), refused=documents.refused)
        if user in pages:
            pages[user].goto(path)
        else:
            pages[user] = visit(path, user=user, language=language, theme=theme, width=width)
        page = pages[user]
        act(page, documents.of(language))
        if KEPT_IN:
            keep(page, Path(KEPT_IN) / f"{name.replace(' ', '-').replace(chr(39), '')}-{language}-{theme}.webp")
        faults += [f"{name}: {fault}" for fault in misplaced(page, language)]
        if KEPT_IN or number % 2:  # the looks take turns: half of this test's time goes into it
            faults += [f"{name}: {fault}" for fault in unreadable(page)]
        # The page that is not there is the only one whose own answer is an error.
        complaints = [c for c in seen.complaints if not (name == "missing" and "404" in c)]
        faults += [f"{name}: {complaint}" for complaint in complaints]
        seen.complaints.clear()
    assert not faults, "\n".join(faults)
    assert seen.hosts == {stack.address.removeprefix("http://")}


def keep(page: Page, file: Path) -> None:
    Image.open(io.BytesIO(page.screenshot())).save(file, quality=50, method=6)


def faults_of(page: Page, language: str) -> list[str]:
    return misplaced(page, language) + unreadable(page)


def misplaced(page: Page, language: str) -> list[str]:
    """Words of the other language, what is cut off, too small or too wide."""
    faults = []
    lang = page.evaluate("document.documentElement.lang")
    if lang != ("zh-hans" if language == "zh" else "en"):
        faults.append(f"the page says that its language is {lang}")
    faults += [f"foreign word {word}" for word in foreign_words(page.evaluate(VISIBLE_TEXT), language)]
    faults += [f"clipped {what}" for what in page.evaluate(CLIPPED)]
    faults += [f"small target {what}" for what in page.evaluate(SMALL)]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        faults.append("the page scrolls sideways")
    return faults


def unreadable(page: Page) -> list[str]:
    """What axe says of it."""
    faults = []
    page.evaluate(AXE)
    answer = page.evaluate("rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", RULES)
    for found in answer["violations"]:
        if found["impact"] in ("serious", "critical"):
            nodes = "; ".join(node["html"][:120] for node in found["nodes"][:3])
            faults.append(f"axe {found['id']} ({found['impact']}): {nodes}")
    return faults


def foreign_words(text: str, language: str) -> set[str]:
    """Chinese in an English screen; in a Chinese one Latin words that are no codes, names or words of the trade."""
    for name in (*NAMES_OF_FILES.values(), "Large.pdf", "Locked.pdf"):
        text = text.replace(name, "")
    if language == "en":
        return {match.group() for match in HAN.finditer(text)}
    text = re.sub(r"\S+\.pdf", "", text)
    text = re.sub(r"\b(?=\w*\d)[\w-]+", "", text)
    words = {word for word in WORD.findall(text) if word not in LATIN and not word.startswith("BDF")}
    return {word for word in words if not (len(word) == 1 and word.isupper())}  # a letter is the name of a key


# What would move for longer than a blink: by itself, or as its state changes; their boxes before and after them too.
MOVES = """() => [...document.querySelectorAll("*")].flatMap((e) => [null, "::before", "::after"].flatMap((part) => {
  const style = getComputedStyle(e, part);
  const longest = (text) => Math.max(...text.split(",").map(parseFloat));
  const moves = style.animationName !== "none" && longest(style.animationDuration) > 0.01
    || longest(style.transitionDuration) > 0.01;
  return moves ? [`${e.tagName} ${e.className}${part ?? ""}`] : [];
}))"""


@pytest.mark.parametrize("width", [1440, 390])
def test_the_card_of_a_page_without_rail_stands_in_the_middle(visit: Visit, width: int) -> None:
    """The first screen that anybody sees."""
    for address in ("/login/", "/nothing/"):
        page = visit(address, user="", width=width)
        card, high = page.locator(".lone-card").bounding_box(), page.viewport_size["height"]  # type: ignore[index]
        assert card is not None and card["width"] >= min(400, width - 48), address
        assert abs(card["x"] + card["width"] / 2 - width / 2) < 12, (address, card)
        assert abs(card["y"] + card["height"] / 2 - high / 2) < 80, (address, card)


def test_nothing_moves_where_less_motion_is_wanted(visit: Visit, documents: Documents) -> None:
    """Checklist 24 of docs/people.md."""
    for path in ("/", f"/jobs/{documents.en}/", f"/jobs/{documents.en}/results/", "/tasks/"):
        page = visit(path, user="lead")
        is_live(page, documents.en) if "results" not in path else None
        assert page.evaluate(MOVES) != [], "a page on which nothing ever moves shows nothing"
        page.emulate_media(reduced_motion="reduce")
        assert page.evaluate(MOVES) == [], path


@pytest.mark.req("X-MATRIX")
def test_each_role_is_offered_what_it_may_do(visit: Visit, leave: Leave, documents: Documents) -> None:
    offers = {}
    for user in ("uploader", "annotator", "lead", "admin"):
        page = visit("/", user=user)
        rail = [page.locator(f".rail [data-go={letter}]").count() > 0 for letter in "dqro"]
        offers[user] = (page.locator("[data-choose]").count() > 0, *rail)
        assert page.locator(f'tr[data-key="{documents.en}"]').count() == 1
        leave(page)
    assert offers["uploader"][0] and not offers["annotator"][0]
    assert offers["lead"][2] and not offers["uploader"][2], "tasks are for those who do them"
    assert offers["admin"][4] and not offers["annotator"][4], "operations are for the admin"
    other = visit("/", user="other")
    assert other.locator(f'tr[data-key="{documents.en}"]').count() == 0
    answer = other.goto(f"/jobs/{documents.en}/")
    assert answer is not None and answer.status == 404


def enter_password(page: Page, password: str) -> None:
    """And waits for the page that answers: the one before it may already show what came of it."""
    page.get_by_label("Password of the file").fill(password)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_a_password_opens_a_refused_file(visit: Visit, stack: Stack, tmp_path: Path) -> None:
    (tmp_path / "Secret.pdf").write_bytes(encrypted_pdf("open-sesame", "owner"))
    job = stack.upload(tmp_path / "Secret.pdf")
    stack.wait_for(job, lambda state: state.status == "REJECTED", 60)
    page = visit(f"/jobs/{job}/")
    expect(page.locator(".notice-fault")).to_contain_text("protected by a password")
    enter_password(page, "wrong")
    expect(page.locator(".notice-fault")).to_contain_text("does not open", timeout=40_000)
    enter_password(page, "open-sesame")
    expect(page.locator(".tile").first).to_be_visible(timeout=60_000)
    assert page.locator(".notice-fault").count() == 0


def test_what_is_typed_while_a_fresh_region_arrives_stays(visit: Visit, stack: Stack, tmp_path: Path) -> None:
    """The region's first bytes are there before its field is used, and its last ones after that."""
    (tmp_path / "Locked.pdf").write_bytes(encrypted_pdf("open-the-door", "owner"))
    job = stack.upload(tmp_path / "Locked.pdf")
    stack.wait_for(job, lambda state: state.status == "REJECTED", 60)
    page = visit(f"/jobs/{job}/", before=lambda page: page.add_init_script(SLOW_BODIES))
    expect(page.locator("[data-live-state]")).to_have_attribute("data-live", "live")
    field = page.get_by_label("Password of the file")
    with page.expect_response("**/region/"):
        stack.person().ask(
            f"/api/v1/jobs/{job}/password",
            method="POST",
            body=b'{"password": "wrong"}',
            headers={"Content-Type": "application/json"},
        )
    field.fill("half a pass")
    page.wait_for_timeout(SLOW_MS + 1000)
    assert field.input_value() == "half a pass"
