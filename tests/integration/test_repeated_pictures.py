"""Pictures that stand twice in a document: decided by role, kept in their rows, and the same in any order of work."""

import json
import random
from io import StringIO
from itertools import permutations
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from msgspec.structs import replace
from PIL import Image as Pillow

from ingestion.models import Job, Page
from processing.corrections.services.correcting import Found, PageState, correct_page
from processing.corrections.services.restoring import page_before, restore_page
from processing.engine.page import Picture
from processing.engine.result import PictureRole
from processing.exports import result_file
from processing.models import Image, SkuImage
from processing.products.services import repeated
from tests.integration.test_recording import found, record, result
from tests.support.looks import copies, jpeg, photo, picture, repainted
from tests.support.people import People
from tests.support.rows import make_image, make_job, make_page, make_pages

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-BR28")]
LOGO, OTHER, CHAIR = photo(1, 160, 60), photo(2, 160, 60), photo(3, 800, 700)
AGAIN = next(copy for copy in copies(LOGO) if copy.width_px < 160)


def named(one: Picture, name: str) -> Picture:
    return replace(one, id=name, file=f"{name.lower()}.jpg")


def recorded(job: Job, pages: dict[int, list[tuple[Picture, str]]], order: list[int] | None = None) -> None:
    """Page number -> its pictures with their roles; recorded one page after the other."""
    rows = {page.number: page for page in make_pages(job, sorted(pages))}
    for number in order or sorted(pages):
        record_page(rows[number], pages[number])


def record_page(page: Page, pictures: list[tuple[Picture, str]], bound: tuple[str, ...] = ()) -> None:
    here = tuple(named(one, f"P{n}") for n, (one, _) in enumerate(pictures, 1))
    roles = tuple(PictureRole(f"P{n}", role, 0.9) for n, (_, role) in enumerate(pictures, 1))
    record(page, result(found(f"A-{page.number}", pictures=bound), roles=roles), here)


def said(job: Job) -> dict[str, tuple[str, str]]:
    """Picture -> the one it repeats and why; both as page and number on it."""
    rows = Image.objects.filter(job=job).select_related("duplicate_of").order_by("page__number", "image_id")
    short = lambda image: image.image_id.split("_", 2)[2] if image else ""  # noqa: E731
    return {short(i): (short(i.duplicate_of), i.duplicate_reason) for i in rows}


def test_a_logo_counts_once_a_document_also_where_a_copy_was_encoded_anew(people: People) -> None:
    job, logo, other = make_job(people.merchant), picture(jpeg(LOGO)), picture(jpeg(OTHER))
    blue = picture(jpeg(repainted(LOGO)))
    recorded(
        job,
        {
            1: [(logo, "LOGO"), (other, "DECORATION")],
            2: [(AGAIN, "LOGO"), (logo, "DECORATION"), (blue, "LOGO")],
            3: [(AGAIN, "LOGO"), (other, "LOGO")],
        },
    )
    assert said(job) == {
        "01_001": ("", ""),
        "01_002": ("", ""),
        "02_001": ("01_001", "same_look"),
        "02_002": ("01_001", "same_file"),
        "02_003": ("", ""),  # the same shapes in other colours
        "03_001": ("01_001", "same_look"),
        "03_002": ("01_002", "same_file"),
    }


def test_products_pictures_count_once_a_page_and_by_their_bytes_alone(people: People) -> None:
    job, chair = make_job(people.merchant), picture(jpeg(CHAIR))
    near = next(copies(CHAIR))
    recorded(
        job,
        {
            1: [(chair, "PRODUCT_MAIN"), (near, "PRODUCT_MAIN"), (chair, "DETAIL")],
            2: [(chair, "PRODUCT_MAIN"), (chair, "DECORATION")],
        },
    )
    assert said(job) == {
        "01_001": ("", ""),
        "01_002": ("", ""),
        "01_003": ("01_001", "same_file"),
        "02_001": ("", ""),
        "02_002": ("", ""),  # of another kind
    }


def test_flat_ornaments_are_one_by_their_bytes_only(people: People) -> None:
    bar, longer = (picture(jpeg(Pillow.new("RGB", (width, 20), "white"))) for width in (300, 302))
    job = make_job(people.merchant)
    recorded(job, {1: [(bar, "DECORATION"), (longer, "DECORATION")], 2: [(bar, "DECORATION")]})
    assert said(job) == {"01_001": ("", ""), "01_002": ("", ""), "02_001": ("01_001", "same_file")}


def test_it_comes_to_the_same_in_any_order_of_work(people: People) -> None:
    roles = ["LOGO", "DECORATION", "PRODUCT_MAIN"]
    draw = random.Random(4)
    kept = [*copies(LOGO), *copies(OTHER), picture(jpeg(LOGO)), picture(jpeg(repainted(LOGO)))]
    pages = {n: [(draw.choice(kept), draw.choice(roles)) for _ in range(4)] for n in (1, 2, 3, 10)}
    found = []
    for order in list(permutations(pages))[::5]:
        job = make_job(people.merchant)
        recorded(job, pages, list(order))
        found.append(said(job))
    assert all(one == found[0] for one in found)
    assert {reason for _, reason in found[0].values()} == {"", "same_file", "same_look"}


def test_the_first_of_a_thousand_pages_is_that_of_the_lowest_number(people: People) -> None:
    job, logo = make_job(people.merchant), picture(jpeg(LOGO))
    recorded(job, {9: [(logo, "LOGO")], 1000: [(logo, "LOGO")], 200: [(logo, "LOGO")]}, [1000, 200, 9])
    assert said(job) == {"09_001": ("", ""), "200_001": ("09_001", "same_file"), "1000_001": ("09_001", "same_file")}


def test_a_rerun_that_sees_it_otherwise_gives_the_place_to_the_next(people: People) -> None:
    job, logo = make_job(people.merchant), picture(jpeg(LOGO))
    recorded(job, {1: [(logo, "LOGO")], 2: [(logo, "LOGO")], 3: [(AGAIN, "LOGO")]})
    Page.objects.filter(job=job, number=1).update(status="AI_QUEUED")
    record_page(Page.objects.get(job=job, number=1), [(logo, "PRODUCT_MAIN")])
    assert said(job) == {"01_001": ("", ""), "02_001": ("", ""), "03_001": ("02_001", "same_look")}


def test_a_product_loses_no_picture_by_it(people: People) -> None:
    """Bound pictures stay bound, whatever they repeat."""
    job, logo = make_job(people.merchant), picture(jpeg(LOGO))
    pages = make_pages(job, [1, 2])
    for page in pages:
        record_page(page, [(logo, "LOGO")], ("P1",))
    assert said(job)["02_001"] == ("01_001", "same_file")
    assert sorted(SkuImage.objects.values_list("image__image_id", flat=True)) == [
        f"img_{job.hash8}_01_001",
        f"img_{job.hash8}_02_001",
    ]


@pytest.mark.req("TA-JSON")
def test_result_json_names_the_first_in_the_columns_that_it_had(people: People) -> None:
    job, logo = make_job(people.merchant), picture(jpeg(LOGO))
    recorded(job, {1: [(logo, "LOGO")], 2: [(logo, "LOGO")]})
    images = result_file.result(job)["images"]
    assert [(i["is_duplicate"], i["duplicate_of"]) for i in images] == [(False, None), (True, images[0]["image_id"])]
    assert set(images[0]) == set(result_file_schema()["required"])


def result_file_schema() -> Any:
    return json.loads(result_file.SCHEMA_FILE.read_text())["properties"]["images"]["items"]


def test_another_document_of_the_same_file_has_firsts_of_its_own(people: People) -> None:
    logo = picture(jpeg(LOGO))
    for _ in range(2):
        job = make_job(people.merchant, file_sha256="5" * 64)
        recorded(job, {1: [(logo, "LOGO")]})
        assert said(job) == {"01_001": ("", "")}


def test_what_is_decided_already_is_not_written_again(people: People) -> None:
    page = make_page(make_job(people.merchant))
    first, again = make_image(page, 1, role="LOGO"), make_image(page, 2, role="LOGO")
    for changed in (True, False):
        before = _xmin()
        with transaction.atomic():
            repeated.in_turn(page.job)
            repeated.decide(page.job, [page.pk])
        assert (_xmin() != before) is changed
    again.refresh_from_db()
    assert again.duplicate_of == first


def _xmin() -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, xmin::text, ctid::text FROM processing_image ORDER BY id")
        return cursor.fetchall()


def test_an_operator_has_it_decided_for_documents_from_before(people: People) -> None:
    job, logo = make_job(people.merchant), picture(jpeg(LOGO))
    recorded(job, {1: [(logo, "LOGO")], 2: [(logo, "LOGO")]})
    Image.objects.filter(job=job).update(duplicate_of=None, duplicate_reason="")
    out = StringIO()
    call_command("pictures", job=str(job.uuid), json=True, stdout=out)
    assert json.loads(out.getvalue()) == {"documents": 1, "repeated": 1}
    assert said(job)["02_001"] == ("01_001", "same_file")


def test_a_person_who_says_that_a_picture_is_a_product_takes_it_out_of_the_marks(people: People) -> None:
    job, logo = make_job(people.merchant), picture(jpeg(LOGO))
    recorded(job, {1: [(logo, "LOGO")], 2: [(logo, "LOGO")], 3: [(logo, "LOGO")]})
    page = Page.objects.get(job=job, number=1)
    name = f"img_{job.hash8}_01_001"
    before = page_before(page)
    state = PageState(page_type="A", skus=(), roles={name: "PRODUCT_MAIN"})
    with transaction.atomic():
        correct_page(job, page, state, Found.of(job, page), "anna")
    assert said(job) == {"01_001": ("", ""), "02_001": ("", ""), "03_001": ("02_001", "same_file")}
    with transaction.atomic():
        restore_page(job, page, before, "anna")
    assert said(job) == {
        "01_001": ("", ""),
        "02_001": ("01_001", "same_file"),
        "03_001": ("01_001", "same_file"),
    }
