"""Screenshots: pages that people or models look at are drawn large, in a sandboxed child, and kept beside the preview.

Reading draws a page only small. Whoever comes to look says so here, or by ``ingestion.services.screenshots``; where a
page cannot be drawn any more its preview stays what there is.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet

from catalogsku.core import storage
from ingestion.models import Job, Page
from ingestion.services.jobs import locked_with_files
from processing.engine.reading.rendering import screenshot_name
from processing.pages.models import PageContent
from processing.pages.services.drawing import DRAWING
from processing.pages.services.reading import check_image, kept_pages, password_of
from processing.sandboxed import frozen, sandboxes
from processing.sandboxed.metered import Metered

TASK = "processing.engine.drawing.children:draw_screenshots"
# Children that pages may end until the rest is left as it is.
MOST_FAILURES = 3


def draw_pages(page_ids: Sequence[int]) -> None:
    """The message's work."""
    pages = Page.objects.filter(pk__in=page_ids)
    for job in Job.objects.filter(pk__in=pages.values("job")).order_by("pk"):
        draw_screenshots(job, list(pages.filter(job=job).values_list("number", flat=True)))


def draw_screenshots(job: Job, numbers: Collection[int]) -> None:
    """Of those of the pages that have only a preview; one that cannot be drawn keeps it. Outside of a transaction."""
    wanted = list(_without(job, numbers).order_by("number").values_list("number", flat=True))
    if not wanted:
        return
    kept = {
        number: content.files.get(screenshot_name(number), "") for number, content in kept_pages(job, wanted).items()
    }
    keys = {number: key for number, key in kept.items() if key and storage.has_file(key)}
    keys |= _drawn(job, [number for number in wanted if number not in keys])
    if keys:
        _record(job, keys)


def _without(job: Job, numbers: Collection[int]) -> QuerySet[Page]:
    return Page.objects.filter(job=job, number__in=numbers, screenshot_key="").exclude(preview_key="")


def _drawn(job: Job, numbers: Sequence[int]) -> dict[int, str]:
    """Names in storage by page, of those that could be drawn."""
    if not numbers or not storage.has_file(job.source_key):
        return {}
    keys, left, failures = dict[int, str](), list(numbers), 0
    with storage.local_copy(job.source_key) as source:
        while left and failures < MOST_FAILURES:
            with sandboxes.work_folder() as out:
                request = {
                    "path": str(source),
                    "password": password_of(job),
                    "out": str(out),
                    "settings": frozen.jsonable(frozen.reading_settings()),
                    "pages": left,
                }
                outcome = Metered(job, Page, ()).run(TASK, request, left, out, [source], DRAWING)
                keys |= {number: _stored(job, number, out) for number, name in outcome.finished.items() if name}
            if not outcome.finished and outcome.culprit is None:
                break
            failures += outcome.culprit is not None
            left = [number for number in left if number not in outcome.finished and number != outcome.culprit]
    return {number: key for number, key in keys.items() if key}


def _stored(job: Job, number: int, out: Path) -> str:
    """What a child has left in its folder may be anything: empty where it is no picture."""
    path = out / screenshot_name(number)
    try:
        if not sandboxes.is_own_file(path):
            return ""
        check_image(path)
    except (OSError, ValueError):
        return ""
    key = f"{storage.file_prefix(job.merchant_id, job.file_sha256)}/{frozen.reading_key()}/{path.name}"
    storage.link_file(key, path)
    return key


@transaction.atomic
def _record(job: Job, keys: Mapping[int, str]) -> None:
    """Under the lock that deleting takes: a page whose pictures have gone meanwhile gets none again."""
    numbers = set()
    if locked_with_files(job.pk) is not None:
        pages = {page.number: page for page in _without(job, keys).only("pk", "number").select_for_update(of=("self",))}
        for number, page in pages.items():
            Page.objects.filter(pk=page.pk).update(screenshot_key=keys[number], **Page.visible_change())
        numbers = set(pages)
        for content in PageContent.objects.filter(pk__in=[c.pk for c in kept_pages(job, sorted(numbers)).values()]):
            PageContent.objects.filter(pk=content.pk).update(
                files={**content.files, screenshot_name(content.number): keys[content.number]}
            )
    for number in keys.keys() - numbers:
        if not Page.objects.filter(screenshot_key=keys[number]).exists():
            storage.delete_file(keys[number])
