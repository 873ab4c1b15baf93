"""In which other documents of the merchant the pictures of a product stand."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from ingestion.models import Job
from processing.engine.page import Picture
from processing.models import Image, Sku, SkuImage
from processing.products.also_in import DOCUMENTS_SHOWN, also_in, elsewhere, near_rows, same_file
from processing.products.likeness import looks_of
from processing.products.selectors import get_sku
from tests.support.looks import copies, jpeg, photo, picture, repainted
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_image, make_job, make_page, make_sku

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-PHASH")]
CHAIR = picture(jpeg(photo(3)))
AGAIN = next(copy for copy in copies(photo(3)) if copy.width_px < 320)
COLUMNS = ("width_px", "height_px", "content_hash", "perceptual_hash", "tones")
TABLE = picture(jpeg(photo(4)))


def product(job: Job, *pictures: Picture, page: int = 1, status: str = "BOUND", **columns: Any) -> Sku:
    """A product on a page of its own that is bound to these pictures."""
    on = make_page(job, page)
    sku = make_sku(on, status=status)
    for rank, one in enumerate(pictures, 1):
        image = make_image(
            on,
            rank,
            **{
                **{name: getattr(one, name) for name in COLUMNS},
                "looks": looks_of(job.merchant_id, one),
                **columns,
            },
        )
        SkuImage.objects.create(sku=sku, image=image, role="PRODUCT_MAIN", method="grid", confidence=0.9, rank=rank)
    return sku


def told(people: People, sku: Sku) -> list[tuple[str, str, list[str]]]:
    """Document, how, and the products there."""
    found = also_in(people.uploader, get_sku(people.uploader, sku.job.uuid, sku.sku_id))
    return [
        (document.job.source_name, str(stand.likeness.value), [sku.sku_id for sku in stand.skus])
        for document in found.documents
        for stand in document.stands
    ]


def test_the_same_file_and_what_looks_the_same_are_found_the_newest_document_first(people: People) -> None:
    sku = product(make_job(people.merchant), CHAIR)
    exact, near = (product(make_job(people.merchant), one) for one in (CHAIR, AGAIN))
    product(make_job(people.merchant), TABLE)
    product(make_job(people.merchant), picture(jpeg(repainted(photo(3)))))
    assert told(people, sku) == [
        (near.job.source_name, "same_look", [near.sku_id]),
        (exact.job.source_name, "same_file", [exact.sku_id]),
    ]
    assert told(people, near)[-1] == (sku.job.source_name, "same_look", [sku.sku_id])


def test_other_merchants_are_never_told_of(people: People) -> None:
    sku = product(make_job(people.merchant), CHAIR)
    for one in (CHAIR, AGAIN):
        product(make_job(people.other), one)
        # Nor where a row would claim the bands of this merchant.
        product(make_job(people.other), one, looks=looks_of(people.merchant.pk, one))
    assert told(people, sku) == []
    everyone = also_in(people.admin, get_sku(people.admin, sku.job.uuid, sku.sku_id))
    assert everyone.documents == [] and everyone.known


def test_logos_and_rejected_products_are_left_out(people: People) -> None:
    sku = product(make_job(people.merchant), CHAIR)
    product(make_job(people.merchant), CHAIR, role="LOGO")
    rejected = product(make_job(people.merchant), CHAIR, status="REJECTED")
    old = product(make_job(people.merchant), CHAIR)
    Sku.objects.filter(pk=old.pk).update(superseded=True)
    assert told(people, sku) == [(old.job.source_name, "same_file", []), (rejected.job.source_name, "same_file", [])]


def test_its_own_document_comes_first_without_the_picture_itself(people: People) -> None:
    job = make_job(people.merchant)
    sku, near = product(job, CHAIR), product(job, AGAIN, page=2)
    newer = product(make_job(people.merchant), CHAIR)
    assert told(people, sku) == [
        (job.source_name, "same_look", [near.sku_id]),
        (newer.job.source_name, "same_file", [newer.sku_id]),
    ]


def test_a_document_that_is_deleted_is_told_of_no_more(people: People) -> None:
    sku, other = product(make_job(people.merchant), CHAIR), product(make_job(people.merchant), CHAIR)
    assert len(told(people, sku)) == 1
    other.job.delete()
    assert told(people, sku) == []


def test_of_pictures_without_a_file_nothing_is_known(people: People) -> None:
    bare, flat = product(make_job(people.merchant)), product(make_job(people.merchant), CHAIR, content_hash="")
    for sku in (bare, flat):
        assert not also_in(people.uploader, get_sku(people.uploader, sku.job.uuid, sku.sku_id)).known


def test_what_is_shown_is_bounded_and_says_so(people: People) -> None:
    sku = product(make_job(people.merchant), CHAIR)
    for _ in range(DOCUMENTS_SHOWN + 1):
        product(make_job(people.merchant), CHAIR)
    found = also_in(people.uploader, get_sku(people.uploader, sku.job.uuid, sku.sku_id))
    assert len(found.documents) == DOCUMENTS_SHOWN and found.more


# --- what it costs ---------------------------------------------------------------------------------

ROWS = 200_000
# Hashes as of products on white: the outer rows nearly empty, the inner ones anything; one in five near another.
_FILL = """
INSERT INTO processing_image (job_id, page_id, image_id, picture, status, role, role_confidence, box, width_px,
    height_px, short_edge, grade, search_eligible, fragmented, content_hash, perceptual_hash, tones, looks,
    duplicate_reason, storage_key, version, changed)
SELECT {job}, {page}, 'img_' || n, 'P1', 'DELIVERABLE', 'PRODUCT_MAIN', 0.9, '[0,0,1,1]', 320, 240, 240, 'good', false,
    false, md5(n::text) || md5(n::text), hash, repeat('7f', 48), {looks}, '', 'k/' || n, 1, pg_current_xact_id()
FROM (SELECT n, '00' || substr(md5((n - n % 5 / 4)::text), 1, 12) || '00' AS hash FROM generate_series(1, {rows}) n) f
"""
_BANDS = (
    "ARRAY["
    + ", ".join(
        f"({{merchant}}::bigint << 18) | {band << 16} | ("
        + " | ".join(
            f"(get_bit(('x' || hash)::bit(64), {63 - at}) << {n})"
            for n, at in enumerate(at for at in range(64) if (at // 8 + at % 8) % 4 == band)
        )
        + ")"
        for band in range(4)
    )
    + "]"
)


def plan(sql: str, values: Any) -> list[dict[str, Any]]:
    """Its nodes, as run."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", values)
        [(found,)] = cursor.fetchall()
    tree = json.loads(found) if isinstance(found, str) else found
    nodes, left = [], [tree[0]["Plan"]]
    while left:
        node = left.pop()
        nodes.append(node)
        left += node.get("Plans", [])
    print(tree[0]["Execution Time"], "ms")
    return nodes


def test_among_two_hundred_thousand_pictures_both_questions_go_by_their_index(people: People) -> None:
    sku = product(make_job(people.merchant), CHAIR)
    page = make_page(make_job(people.merchant))
    looks = _BANDS.format(merchant=people.merchant.pk)
    with connection.cursor() as cursor:
        cursor.execute(_FILL.format(job=page.job_id, page=page.pk, looks=looks, rows=ROWS))
        cursor.execute("ANALYZE processing_image")
    some = Image.objects.get(image_id="img_77")
    assert sorted(some.looks) == sorted(looks_of(people.merchant.pk, some)), "filled as the product fills"
    image = sku.pictures.get().image
    Image.objects.filter(pk=image.pk).update(perceptual_hash=some.perceptual_hash, looks=some.looks, tones=some.tones)
    image.refresh_from_db()
    rows = elsewhere(people.uploader, sku)
    near = near_rows(rows, people.merchant.pk, [image])[:500]
    nodes = plan(*near.query.sql_with_params())
    scans = {node.get("Index Name") for node in nodes}
    assert "images_by_look" in scans
    assert not [
        node for node in nodes if node["Node Type"] == "Seq Scan" and node["Relation Name"] == "processing_image"
    ]
    [heap] = [node for node in nodes if node["Node Type"] == "Bitmap Heap Scan"]
    looked_at = (heap["Actual Rows"] + heap.get("Rows Removed by Filter", 0)) * heap["Actual Loops"]
    assert looked_at < ROWS / 20
    exact = same_file(rows, [image.content_hash])[:500]
    assert "images_by_file" in {node.get("Index Name") for node in plan(*exact.query.sql_with_params())}


# --- as people and programs are told ---------------------------------------------------------------


def test_who_may_see_results_is_told_and_nobody_of_another_merchant(people: People, client: Client) -> None:
    sku, other = product(make_job(people.merchant), CHAIR), product(make_job(people.merchant), AGAIN)
    address = reverse("sku_also_in", args=[sku.job.uuid, sku.sku_id])
    client.cookies["django_language"] = "en"
    client.force_login(people.uploader)
    words = client.get(address).content.decode()
    assert other.job.source_name in words and "looks the same" in words
    assert f"q={other.sku_id}#first" in words
    for person, status in ((people.other_uploader, 404), (people.outsider, 404)):
        client.force_login(person)
        assert client.get(address).status_code == status


def test_programs_get_the_same(people: People) -> None:
    sku, other = product(make_job(people.merchant), CHAIR), product(make_job(people.merchant), CHAIR, page=7)
    answer = Program(people.uploader)("GET", f"/jobs/{sku.job.uuid}/skus/{sku.sku_id}/also-in")
    assert answer.status_code == 200
    own, there = sku.pictures.get().image.image_id, other.pictures.get().image.image_id
    stand = {
        "page_number": 7,
        "image_id": there,
        "own_image_id": own,
        "likeness": "same_file",
        "sku_ids": [other.sku_id],
    }
    document = {"job_id": str(other.job.uuid), "source_file": other.job.source_name, "pictures": [stand]}
    assert answer.json() == {"items": [document], "more": False}
