"""One real browser on a document's page, in a process of its own (`python -m tests.bench.browser`).

Reads {address, path, cookie, chromium} as one JSON line, says `ready` once the page is live, and answers every further
line with what its tiles have shown since: [[page id, version, shown at], ...]. Ends with its input. Needs Playwright
and a Chromium.
"""

import importlib.util
import json
import os
import select
import shutil
import sys
from typing import Any

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
# The shell has no windows to draw and takes half the processor time a page.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Every change of a tile's version with the time when the document had it.
WATCH = """() => {
  window.noted = [];
  new MutationObserver((changes) => {
    const at = Date.now() / 1000;
    for (const { target } of changes)
      if (target.dataset.row)
        window.noted.push([Number(target.dataset.row.split(":")[1]), Number(target.dataset.v), at]);
  }).observe(document.querySelector("[data-live-body]"), { subtree: true, attributeFilter: ["data-v"] });
}"""
LIVE = """() => document.querySelector("[data-live-state]")?.dataset.live === "live"
  && !document.querySelector(".grid-more")"""


def find_browser() -> str | None:
    """The program to drive, where one and Playwright are installed."""
    if importlib.util.find_spec("playwright") is None:
        return None
    return next((path for name in (os.environ.get("CHROMIUM"), *NAMES) if name and (path := shutil.which(name))), None)


def run(address: str, path: str, cookie: str, chromium: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=address)
        name, _, value = cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": address}])
        page = context.new_page()
        page.goto(path)
        page.wait_for_function(LIVE, timeout=60_000)
        page.evaluate(WATCH)
        print("ready", flush=True)
        while _next_line(page):
            print(json.dumps(page.evaluate("window.noted.splice(0)")), flush=True)
        browser.close()


def _next_line(page: Any) -> str:
    """Playwright's messages are worked on while there is none."""
    while not select.select([sys.stdin], [], [], 0)[0]:
        page.wait_for_timeout(100)
    return sys.stdin.readline()


if __name__ == "__main__":
    run(**json.loads(sys.stdin.readline()))
