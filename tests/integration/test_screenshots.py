"""Pages are drawn large once somebody looks at them: in a sandboxed child, once, and not where their pictures went."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from catalogsku.core import messages, storage
from catalogsku.core.sandbox import Outcome
from ingestion.keeping.services import expiring
from ingestion.models import Job
from ingestion.presentation import picture_address
from ingestion.services import screenshots as asking
from processing.engine.reading.rendering import screenshot_name
from processing.pages.receivers import hear_pages
from processing.pages.services import reading
from processing.pages.services.screenshots import draw_pages, draw_screenshots
from processing.sandboxed import metered
from tests.support import kept
from tests.support.kept import at_work, ended, process
from tests.support.people import People

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    at_work(monkeypatch, settings, tmp_path / "media")
    monkeypatch.setattr(asking, "_lately", asking._Lately())


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Pages that were asked for, a list a message."""
    asked: list[list[int]] = []
    real = messages.send

    def send(name: str, *args: Any, **more: Any) -> bool:
        if name == "draw_screenshots":
            asked.append(list(args[0]))
            return True
        return real(name, *args, **more)

    monkeypatch.setattr(messages, "send", send)
    return asked


def read(people: People, tmp_path: Path, name: str = "AB") -> Job:
    job = process(people, tmp_path / f"{name}.pdf", [name, "ZZ"])
    job.pages.update(screenshot_key="")
    return job


def longest(key: str) -> int:
    with storage.open_file(key) as file, Image.open(file) as shown:
        return max(shown.size)


def test_a_page_is_read_small_and_drawn_large_once(people: People, tmp_path: Path, monkeypatch: Any) -> None:
    job = read(people, tmp_path)
    page = job.pages.get(number=1)
    assert longest(page.preview_key) == 768 and page.awaits_screenshot and page.shown_key == page.preview_key
    draw_pages([page.pk])
    page.refresh_from_db()
    assert longest(page.screenshot_key) == 1536 and page.shown_key == page.screenshot_key
    assert reading.kept_pages(job, [1])[1].files[screenshot_name(1)] == page.screenshot_key
    assert job.pages.get(number=2).awaits_screenshot, "nobody has looked at that one"

    monkeypatch.setattr("processing.pages.services.screenshots.Metered", None)
    draw_pages([page.pk])
    twin = process(people, tmp_path / "AB.pdf", ["AB", "ZZ"], key="twin")
    assert twin.pages.get(number=1).screenshot_key == page.screenshot_key, "it is drawn already"
    twin.pages.update(screenshot_key="")
    draw_screenshots(twin, [1])
    assert twin.pages.get(number=1).screenshot_key == page.screenshot_key


def test_pictures_that_went_meanwhile_do_not_come_back(people: People, tmp_path: Path) -> None:
    job = ended(read(people, tmp_path), 31)
    draw_screenshots(job, [1])
    assert expiring.empty_documents(60)["pictures"] == 1
    assert not kept.screenshots(job) and not any("_screen" in name or "_preview" in name for name in kept.stored())
    draw_screenshots(job, [1, 2])
    assert not kept.screenshots(job)


def test_what_is_drawn_while_pictures_go_is_deleted(people: People, tmp_path: Path, monkeypatch: Any) -> None:
    job = read(people, tmp_path)
    real = reading.check_image

    def gone(path: Path) -> None:
        real(path)
        job.pages.update(preview_key="")

    monkeypatch.setattr("processing.pages.services.screenshots.check_image", gone)
    draw_screenshots(job, [1])
    assert job.pages.get(number=1).screenshot_key == "" and not any("_screen" in name for name in kept.stored())


def test_without_a_source_the_preview_stays(people: People, tmp_path: Path) -> None:
    job = read(people, tmp_path)
    storage.delete_file(job.source_key)
    draw_screenshots(job, [1])
    assert job.pages.get(number=1).awaits_screenshot


def test_one_page_that_ends_its_child_leaves_the_others(people: People, tmp_path: Path, monkeypatch: Any) -> None:
    job = read(people, tmp_path)
    real = metered.Metered.run

    def run(self: Any, task: str, request: Any, numbers: Any, *more: Any) -> Outcome:
        return Outcome({}, 1, "crashed:SIGSEGV") if 1 in numbers else real(self, task, request, numbers, *more)

    monkeypatch.setattr(metered.Metered, "run", run)
    draw_screenshots(job, [1, 2])
    assert [page.awaits_screenshot for page in job.pages.order_by("number")] == [True, False]


def test_pages_that_go_to_people_are_asked_for(
    people: People, tmp_path: Path, sent: list[list[int]], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        hear_pages("HUMAN_QUEUED", [Moved(n) for n in range(40)])
        hear_pages("AI_COMPLETED", [Moved(41)])
    assert list(map(len, sent)) == [32, 8] and sent[0][0] == 0


class Moved:
    def __init__(self, number: int) -> None:
        self.id = number


def test_who_looks_at_a_page_sees_it_at_once_and_then_large(
    people: People, client: Client, tmp_path: Path, sent: list[list[int]]
) -> None:
    job = read(people, tmp_path)
    page = job.pages.get(number=1)
    client.force_login(people.admin)
    address = reverse("page_image", args=[job.uuid, 1])
    first = client.get(address)
    assert b"".join(first.streaming_content) and first["Cache-Control"] == "private, no-store"
    waits = client.get(f"{address}?whole")
    assert (waits.status_code, waits["Cache-Control"]) == (202, "private, no-store")
    assert sent == [[page.pk]], "once for both"
    draw_pages(sent[0])
    large = client.get(f"{address}?whole")
    assert large.status_code == 200 and "max-age" in large["Cache-Control"]
    b"".join(large.streaming_content)

    other = reverse("page_image", args=[job.uuid, 2])
    storage.delete_file(job.source_key)
    assert client.get(f"{other}?whole").status_code == 404, "it cannot be drawn any more"
    assert b"".join(client.get(other).streaming_content)
    assert len(sent) == 1


def test_one_merchant_asks_for_so_many_pages_at_once(monkeypatch: Any) -> None:
    lately, now = asking._Lately(), [100.0]
    monkeypatch.setattr(asking, "time", SimpleNamespace(monotonic=lambda: now[0]))
    assert [lately.takes(n, 1) for n in range(30)].count(True) == asking.MOST_OF_A_MERCHANT
    assert lately.takes(100, 2), "another one's pages are asked for all the same"
    now[0] += asking.AGAIN_AFTER_S + 1
    assert lately.takes(0, 1) and not lately.takes(0, 1)


def test_addresses_say_whether_more_is_to_come(people: People, tmp_path: Path) -> None:
    job = read(people, tmp_path)
    page = job.pages.get(number=1)
    plain = reverse("page_image", args=[job.uuid, 1])
    assert picture_address(job.uuid, page) == f"{plain}?preview"
    page.screenshot_key = "x"
    assert picture_address(job.uuid, page) == plain
    page.screenshot_key = page.preview_key = page.thumbnail_key = ""
    assert picture_address(job.uuid, page) == ""
