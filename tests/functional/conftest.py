"""A real browser on the real product: one Chromium, a context a visit, people signed in, documents that are read."""

import contextlib
import inspect
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Error,
    Page,
    Playwright,
    Request,
    WebError,
    expect,
    sync_playwright,
)

from tests.support.catalogues import encrypted_pdf, tables_pdf
from tests.support.stack import Stack, family, stack

__all__ = ["stack"]

# A machine that is busy with the workers needs longer than Playwright's five seconds for a page.
PATIENCE_MS = 20_000
# Of a context that closes: now and then Chromium never answers, and Playwright waits for it without an end.
CLOSES_WITHIN_S = 20
# A page of the product with nothing on it: for one of another origin Chromium would start another process.
BARE = "/healthz"
PROFILE = b"playwright_chromiumdev_profile"  # in the command line of each Chromium that Playwright started
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
HEADERS = {
    "en": ("Model", "Name", "Size", "Material", "Price", "MOQ"),
    "zh": ("型号", "品名", "尺寸", "材质", "价格", "起订量"),
}
NAMES = {"en": ("Oak chair", "Oak"), "zh": ("橡木餐椅", "橡木")}
NAMES_OF_FILES = {"en": "Chairs.pdf", "zh": "餐椅目录.pdf"}
ROWS = 6


def catalogue(language: str, series: str, pages: int = 2) -> bytes:
    """A price list of ``pages`` tables in one language; its models begin with ``series``."""
    name, material = NAMES[language]

    def row(n: int) -> tuple[str, ...]:
        return (f"{series}-{n:03d}", f"{name} {n}", f"{400 + n}x500x800", material, f"{100 + n}.00", "20")

    return tables_pdf(
        [[HEADERS[language], *(row(page * 100 + n) for n in range(1, ROWS + 1))] for page in range(1, pages + 1)]
    )


@dataclass
class Seen:
    """What a browser context complained about, and which hosts it asked."""

    complaints: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)

    def watch(self, context: BrowserContext, *, hosts: bool) -> Callable[[], None]:
        """Ends it. ``hosts``: each request is told, which costs as much as it does to make them."""
        heard: dict[str, Callable[..., None]] = {"console": self._say, "weberror": self._fail}
        if hosts:
            heard["request"] = self._ask
        for event, hear in heard.items():
            context.on(event, hear)  # type: ignore[call-overload]

        def end() -> None:
            for event, hear in heard.items():
                context.remove_listener(event, hear)

        return end

    def _fail(self, error: WebError) -> None:
        self.complaints.append(f"script: {error.error}")

    def _ask(self, request: Request) -> None:
        self.hosts.add(urlsplit(request.url).netloc)

    def _say(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"console: {message.text} ({message.location['url']})")


Visit = Callable[..., Page]
Leave = Callable[[Page], None]
Visits = dict[Page, tuple[BrowserContext, Callable[[], None]]]


class Chromium:
    """Started by the first test that wants it, and again where it has died."""

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._idle: dict[str, list[tuple[BrowserContext, Page]]] = {}

    def browser(self, path: str) -> Browser:
        if self._playwright is None:
            self._playwright = sync_playwright().start()
            expect.set_options(timeout=PATIENCE_MS)
        if self._browser is None or not self._browser.is_connected():
            self._idle.clear()
            self._browser = self._playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        return self._browser

    def window(self, browser: Browser, address: str) -> tuple[BrowserContext, Page]:
        """A context and its page that no test has. Its cache may hold those files of the product that stay as they are,
        and nothing else. Without them each visit asks for a hundred; and a page that is new has a process of its own to
        start. Each of the two is more than half of what a visit costs then."""
        idle = self._idle.setdefault(address, [])
        if idle:
            return idle.pop()
        context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=address)
        context.set_default_timeout(PATIENCE_MS)
        return context, context.new_page()

    def give_back(self, context: BrowserContext, page: Page, address: str) -> None:
        """For the next test: empty, and without all that the product has left in it. Closed where that cannot be."""
        try:
            self._empty(context, page, address)
        except Error:
            self.close(context)
        else:
            self._idle[address].append((context, page))

    def _empty(self, context: BrowserContext, page: Page, address: str) -> None:
        with _killed_after(CLOSES_WITHIN_S):
            for other in context.pages:
                if other is not page:
                    other.close()
            page.on("dialog", Dialog.accept)  # a form that is not saved asks whether to leave it
            page.goto(f"{address}{BARE}")
            page.evaluate("sessionStorage.clear(); window.name = ''")
            page.mouse.move(0, 0)
            page.remove_listener("dialog", Dialog.accept)
            devtools = context.new_cdp_session(page)
            devtools.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "all"})
            devtools.detach()
            context.clear_cookies()

    def close(self, context: BrowserContext) -> None:
        """A context, and Chromium with it where that takes too long: the next test starts another one."""
        with _killed_after(CLOSES_WITHIN_S):
            context.close()

    def end(self) -> None:
        self._idle.clear()
        if self._browser is not None:
            with _killed_after(CLOSES_WITHIN_S):
                self._browser.close()
        if self._playwright is not None:
            self._playwright.stop()
        self._browser = self._playwright = None


@contextlib.contextmanager
def _killed_after(seconds: float) -> Iterator[None]:
    """Chromium is killed where the block has not ended by then, and with it ends whatever waits for its answer."""
    killed: list[int] = []

    def kill() -> None:
        for pid in family(os.getpid()):
            with contextlib.suppress(OSError):
                if PROFILE in Path(f"/proc/{pid}/cmdline").read_bytes():
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    timer = threading.Timer(seconds, kill)
    timer.start()
    try:
        yield
    except Error:
        if not killed:
            raise
    finally:
        timer.cancel()
        timer.join()
    if killed:
        warnings.warn(f"Chromium did not close within {seconds:.0f} s and was killed", stacklevel=2)


_running = Chromium()


@pytest.fixture
def browser(chromium: str) -> Browser:
    return _running.browser(chromium)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Playwright's event loop would be in the way of asynchronous tests."""
    if nextitem is None or not nextitem.get_closest_marker("browser"):
        _running.end()


@pytest.fixture
def seen() -> Seen:
    return Seen()


# By what a test takes a page in hand: nobody undoes it.
TAKES_IN_HAND = (
    *("context", "clock", "on", "once", "route", "add_init_script", "add_locator_handler", "emulate_media"),
    *("expose_binding", "expose_function", "set_default_navigation_timeout", "set_default_timeout"),
    *("route_from_har", "route_web_socket", "set_extra_http_headers"),
)


@pytest.fixture
def taken_in_hand(monkeypatch: pytest.MonkeyPatch) -> list[Page]:
    """Pages that the test has changed, or their context, and not only visited."""
    pages: list[Page] = []
    for name in TAKES_IN_HAND:
        original = inspect.getattr_static(Page, name)

        def noted(page: Page, original: Any = original) -> Any:
            pages.append(page)
            return original.__get__(page)

        monkeypatch.setattr(Page, name, property(noted))
    return pages


@pytest.fixture
def visits() -> Visits:
    """Those that have not been left: their context, and what ends the watch on it."""
    return {}


@pytest.fixture
def leave(browser: Browser, stack: Stack, visits: Visits, taken_in_hand: list[Page]) -> Leave:
    """Ends a visit before its test ends: for one that makes many, of which each needs the window of the one before."""

    def leave_page(page: Page) -> None:
        context, unwatch = visits.pop(page)
        unwatch()
        if page in taken_in_hand or page.is_closed() or not browser.is_connected():
            _running.close(context)
        else:
            _running.give_back(context, page, stack.address)

    return leave_page


@pytest.fixture
def visit(
    browser: Browser,
    stack: Stack,
    seen: Seen,
    visits: Visits,
    leave: Leave,
    taken_in_hand: list[Page],
    request: pytest.FixtureRequest,
) -> Iterator[Visit]:
    """A browser context at an address: ``visit("/", user="lead", language="zh", theme="dark", width=1280)``. Each visit
    has one of its own, with nothing in it that another one left."""
    wants_hosts = "seen" in inspect.signature(request.function).parameters

    def open_page(
        path: str,
        user: str = "uploader",
        language: str = "en",
        theme: str = "light",
        width: int = 1440,
        before: Callable[[Page], None] | None = None,
    ) -> Page:
        context, page = _running.window(browser, stack.address)
        visits[page] = context, seen.watch(context, hosts=wants_hosts)
        cookies = {"django_language": "zh-hans" if language == "zh" else "en", "theme": theme}
        if user:
            cookies |= {
                cookie.name: cookie.value or ""
                for cookie in stack.person(user).cookies
                if cookie.name in ("sessionid", "csrftoken")
            }
        context.add_cookies([{"name": key, "value": value, "url": stack.address} for key, value in cookies.items()])
        page.set_viewport_size({"width": width, "height": 900})
        if before:
            taken_in_hand.append(page)
            before(page)
        page.goto(path)
        return page

    yield open_page
    for page in list(visits):
        leave(page)


@dataclass(frozen=True)
class Documents:
    """Ids of documents that the workers have left, by the language they are written in; and one that was refused."""

    en: str
    zh: str
    refused: str

    def of(self, language: str) -> str:
        return self.zh if language == "zh" else self.en


_documents: dict[int, Documents] = {}


def sent_and_read(stack: Stack, folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Ids of documents that the workers have left, in the order of ``files`` (name: content)."""
    jobs = []
    for name, content in files.items():
        (folder / name).write_bytes(content)
        jobs.append(stack.upload(folder / name))
    for job in jobs:
        stack.wait_for(job, lambda state: state.is_left_by_machines or state.status == "REJECTED", 120)
    return jobs


@pytest.fixture(scope="module")
def documents(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Documents:
    """Read once for all modules that share the stack."""
    if id(stack) not in _documents:
        files = {
            NAMES_OF_FILES["en"]: catalogue("en", "ACE"),
            NAMES_OF_FILES["zh"]: catalogue("zh", "BDF"),
            "Locked.pdf": encrypted_pdf("open-sesame", "owner"),
        }
        _documents[id(stack)] = Documents(*sent_and_read(stack, tmp_path_factory.mktemp("documents"), files))
    return _documents[id(stack)]
