"""One address per document shows what its state needs, after any reload, with its last 100 events (LX-ONEURL)."""

import pytest
from django.test import Client

from catalogsku.core.moves import audit_rows
from ingestion.lifecycle import JobStatus
from ingestion.page_groups import groups_of
from ingestion.standing import standing
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_sku

pytestmark = [pytest.mark.django_db, pytest.mark.req("LX-ONEURL")]

UPLOAD = {"en": "appear here as soon as the file is checked", "zh-hans": "预检完就出现在这里"}
RESULTS = {"en": "Download what is ready", "zh-hans": "下载已完成部分"}
# What a person has to find at the document's address in this state: addresses and words.
SHOWN: dict[str, tuple[str, ...]] = {
    "UPLOADED": ("upload",), "EVALUATING": ("upload",), "EVALUATED": ("tiles",), "EVAL_FAILED": ("tiles",),
    "PROCESSING": ("tiles", "results", "cancel"), "DEGRADED_HUMAN": ("tiles", "results", "cancel"),
    "PARTIAL_IMPORTED": ("tiles", "results"), "PARTIAL_FAILED": ("tiles", "results", "retry"),
    "FULL_IMPORTED": ("tiles", "results"), "ORPHANED": ("tiles", "held"), "CANCELLED": ("tiles",),
    "REJECTED": ("password",), "AWAITING_GO": ("tiles", "results", "cancel"),
}  # fmt: skip


def test_every_state_is_looked_at() -> None:
    assert set(SHOWN) == set(JobStatus.values)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("status", SHOWN)
def test_the_address_shows_what_the_state_needs(people: People, status: str, language: str) -> None:
    needs = SHOWN[status]
    held = {"held_reason": "stuck"} if "held" in needs else {}
    job = make_job(people.merchant, status, failure_code="password_needed" if status == "REJECTED" else "", **held)
    if "tiles" in needs:
        page = make_page(job, 1, "DEAD_LETTER" if "retry" in needs else "AI_COMPLETED", sku_count=1)
        make_sku(page)
    client = Client()
    client.force_login(people.uploader)
    client.cookies["django_language"] = language
    html = client.get(f"/jobs/{job.uuid}/").content.decode()
    again = client.get(f"/jobs/{job.uuid}/").content.decode()
    found = {
        "upload": UPLOAD[language] in html,
        "tiles": 'id="tiles"' in html,
        "results": f"/jobs/{job.uuid}/results/" in html and RESULTS[language] in html,
        "cancel": 'id="cancel-dialog"' in html,
        "retry": f"/jobs/{job.uuid}/retry/" in html,
        "held": 'class="notice notice-person"' in html,
        "password": f"/jobs/{job.uuid}/password/" in html,
    }
    assert {name for name in needs if not found[name]} == set()
    assert str(standing(job, groups_of(job)).word) in html or language != "en"
    assert again.count("<") == html.count("<"), "a reload shows the same"


def test_whatever_comes_or_goes_within_a_state_is_a_new_shape_of_the_page(people: People) -> None:
    """An open page fetches all of itself where the shape that it hears of is not its own."""
    client = Client()
    client.force_login(people.uploader)

    def shape() -> str:
        heard = client.get(f"/jobs/{job.uuid}/sync/").json()["figures"]["shape"]
        assert client.get(f"/jobs/{job.uuid}/region/")["X-Job-Shape"] == heard
        assert f'data-live-shape="{heard}"' in client.get(f"/jobs/{job.uuid}/").content.decode()
        return str(heard)

    def change(**fields: str | bool) -> None:
        type(job).objects.filter(pk=job.pk).update(**fields)

    job = make_job(people.merchant, "REJECTED", failure_code="password_needed")
    shapes = [shape()]
    change(failure_code="password_wrong")
    shapes.append(shape())
    change(status="PROCESSING", failure_code="")
    shapes.append(shape())
    make_page(job, 1, "DEAD_LETTER")
    shapes.append(shape())
    make_sku(make_page(job, 2, "AI_COMPLETED", sku_count=1))
    shapes.append(shape())
    change(held_reason="stuck")
    shapes.append(shape())
    change(held_reason="", import_hold=True)
    shapes.append(shape())
    assert len(set(shapes)) == len(shapes), shapes
    assert shape() == shapes[-1]


def test_the_last_hundred_events_are_there(people: People) -> None:
    job = make_job(people.merchant, "PROCESSING")
    page = make_page(job, 7, "AI_COMPLETED")
    for _ in range(105):
        audit_rows("page", job.pk, {page.pk: {}}, target="AI_COMPLETED", trigger="understood")
    audit_rows("job", job.pk, {job.pk: {}}, target="PROCESSING", trigger="routed")
    client = Client()
    client.force_login(people.uploader)
    html = client.get(f"/jobs/{job.uuid}/region/?part=side").content.decode()
    log = html[html.index("activity") :].partition("</ol>")[0]
    assert log.count("<li>") == 100 and "7" in log
