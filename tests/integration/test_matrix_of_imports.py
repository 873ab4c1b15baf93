"""Of every kind of page in the matrix a drawn one goes out, and its products end as taken and as confirmed.

The one dimension of TA-T85 that drawn catalogues do not have themselves: the outcome of the import. Pages whose text
is recognised stay out: what OCR gets wrong there is measured by `manage.py evaluate`, and their imports are the same.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotation.models import HumanTask
from annotation.tasks.services.settle import settle_pages
from ingestion.models import Page
from processing.corrections.services.correcting import GivenSku, GivenValue
from processing.imports.services import delivering, reconciling
from processing.models import ImportRecord, Sku
from tests.golden.matrix import Combination, combinations
from tests.golden.styles import STYLES
from tests.golden.styles.pens.folio import Drawn
from tests.integration.test_submitting import submit
from tests.support.downstream import Downstream, Mood
from tests.support.people import People
from tests.support.stages import as_worker, process

pytestmark = [pytest.mark.req("TA-T85"), pytest.mark.timeout(600), pytest.mark.usefixtures("committed")]

OUTCOMES = ("ASSUMED", "CONFIRMED")


@pytest.fixture
def downstream(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Downstream]:
    as_worker(monkeypatch, delivering)
    with Downstream() as server:
        settings.IMPORT_URL = server.url
        yield server


def kinds(catalogue: Drawn) -> dict[int, Combination]:
    """By page."""
    return {
        page.number: Combination(page.page_type, page.layout, page.continues, page.fragmented, page.scanned)
        for page in catalogue.pages
    }


def arrived(people: People, catalogue: Drawn, folder: Path, downstream: Downstream) -> dict[int, tuple[str, ...]]:
    """By page that is as its truth says: how each of its imports ended, first where the target only takes products,
    then once it has been asked. What machines leave to people is submitted as it was found."""
    path = folder / f"{catalogue.name}.pdf"
    path.write_bytes(catalogue.pdf)
    job = process(people, path, [])
    pages = {page.number: page for page in Page.objects.filter(job=job)}
    keys = [page.pk for page in pages.values()]
    settle_pages(keys)
    for task in HumanTask.objects.filter(page__in=keys, status="CREATED").select_related("page__job"):
        submit(people, task, *found_on(task.page), page_type=task.page.page_type)
    ended: dict[int, tuple[str, ...]] = dict.fromkeys(pages, ())
    for mood in (Mood.LATER, Mood.OK):
        downstream.otherwise = mood
        delivering.deliver_pages(keys)
        reconciling.confirm_assumed() if mood is Mood.OK else None
        settle_pages(keys)
        for number, page in pages.items():
            states = set(ImportRecord.objects.filter(page=page).values_list("state", flat=True))
            ended[number] += tuple(sorted(states))
    return {number: states for number, states in ended.items() if _is_true(catalogue, pages[number], downstream)}


def found_on(page: Page) -> list[GivenSku]:
    return [
        GivenSku(
            sku.sku_id,
            attributes={key: GivenValue(value) for key, value in sku.attributes.items() if value},
            pictures=tuple(sku.pictures.order_by("rank").values_list("image__image_id", flat=True)),
        )
        for sku in Sku.objects.filter(page=page, superseded=False).order_by("sku_id")
    ]


def _is_true(catalogue: Drawn, page: Page, downstream: Downstream) -> bool:
    """The target holds the products of the page, by their models and names, and no other."""
    keys = set(ImportRecord.objects.filter(page=page).values_list("sku_key", flat=True))
    held = [one["attributes"] for (_, sku), one in downstream.visible().items() if sku in keys]
    truth = [sku["attributes"] for sku in catalogue.truth["skus"] if sku["page_number"] == page.number]
    return sorted(map(_printed, held)) == sorted(map(_printed, truth))


def _printed(attributes: dict[str, str | None]) -> str:
    return "".join((attributes.get("model") or attributes.get("product_name") or "").split())


@pytest.mark.long
def test_every_kind_of_page_has_one_whose_products_end_as_taken_and_as_confirmed(
    people: People, tmp_path: Path, downstream: Downstream
) -> None:
    """A page without products sends nothing, whatever the target says."""
    missing = {one for one in combinations() if not one.recognised}
    for style in STYLES:
        catalogue = style.draw()
        of_page = kinds(catalogue)
        if not missing & set(of_page.values()):
            continue
        for number, states in arrived(people, catalogue, tmp_path, downstream).items():
            kind = of_page[number]
            if states == (() if kind.page_type == "D" else OUTCOMES):
                missing.discard(kind)
    assert not missing
