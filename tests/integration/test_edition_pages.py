"""An edition in the browser, over the API and for operators: every state of its page, and who may decide."""

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from catalogsku.accounts.models import User
from ingestion.models import Job
from processing.editions.services import approving
from processing.models import Edition, EditionChange
from tests.support.editions import deliver_everything, finish_all, held_downstream, make_earlier, make_later
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job, make_page

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-DIFF", "X-MATRIX")]
BOOK = ["cover", "Alba", "Bruno", "Cleo", "Dora", "terms"]


@pytest.fixture
def old(people: People) -> Job:
    return make_earlier(people.merchant, BOOK)


@pytest.fixture
def new(people: People, old: Job) -> Job:
    """Alba dearer, Bruno gone, Egon new; all pages done."""
    job = make_later(people.merchant, ["cover", "Alba'", "Cleo", "Dora", "Egon", "terms"])
    finish_all(job, {2: {"Alba": "125"}, 5: {"Egon": "7"}})
    return job


def browser(user: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    user.language = "en"
    user.save(update_fields=["language"])
    client.force_login(user)
    return client


def shown(user: User, job: Job, query: str = "", **headers: Any) -> str:
    answer = browser(user).get(reverse("edition", args=[job.uuid]) + query, **headers)
    assert answer.status_code == 200
    return answer.content.decode()


def press(user: User, name: str, job: Job, **fields: str) -> str:
    """What the person then reads."""
    answer = browser(user).post(reverse(name, args=[job.uuid]), fields, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_shows_changes_with_old_and_new_price_and_per_cent(people: People, new: Job) -> None:
    page = shown(people.uploader, new)
    for part in ("<del>100</del>", "<ins>125</ins>", "+25.0 %", "Egon", "Bruno", "Stays delivered", "data-approve"):
        assert part in page
    assert page.index("Alba") < page.index("Egon") < page.index("Bruno")
    assert "Alba" not in shown(people.uploader, new, "?show=removed").split("<tbody>")[1]


def test_the_page_says_what_there_is_where_there_are_no_changes(people: People, old: Job) -> None:
    alone = make_job(people.merchant)
    assert "a catalogue of its own" in shown(people.uploader, alone)
    assert f'value="{old.uuid}"' in shown(people.uploader, alone)
    assert "It is an edition of this" not in shown(people.annotator, alone)
    running = make_later(people.merchant, ["cover", "Alba'", *BOOK[2:]])
    assert "1 page is still in work" in shown(people.uploader, running)
    same = make_later(people.merchant, [*BOOK[:-1], "other terms"])
    finish_all(same)
    assert "Nothing has changed" in shown(people.uploader, same)
    with_region = shown(people.uploader, same, "?seen=old", headers={"X-Fragment": "region"})
    assert "<table" not in with_region
    assert "newer changes" in with_region


def test_both_pages_stand_side_by_side(people: People, old: Job, new: Job) -> None:
    client = browser(people.uploader)
    for change in EditionChange.objects.filter(edition=new.pk):
        answer = client.get(reverse("edition_change", args=[new.uuid, change.key])).content.decode()
        assert (reverse("page_image", args=[old.uuid, 2]) in answer) == (change.kind == "changed")
    assert client.get(reverse("edition_change", args=[new.uuid, "nothing"])).status_code == 404


def test_who_may_decide(people: People, new: Job) -> None:
    """The uploader's colleague, the lead and the admin; an annotator looks; the other merchant sees no such page."""
    seen = Edition.objects.get(job=new).digest
    for name in ("edition_approve", "edition_undo", "edition_choose", "edition_declare"):
        url = reverse(name, args=[new.uuid])
        assert browser(people.annotator).post(url, {"seen": seen}).status_code == 403
        assert browser(people.other_uploader).post(url, {"seen": seen}).status_code == 404
    assert "data-approve" not in shown(people.annotator, new)
    assert browser(people.other_uploader).get(reverse("edition", args=[new.uuid])).status_code == 404
    assert Edition.objects.get(job=new).state == "open"
    assert "Approved" in press(people.colleague, "edition_approve", new, seen=seen)
    assert Edition.objects.get(job=new).actor == people.colleague.username


def test_a_change_is_left_out_and_the_rest_approved(people: People, old: Job, new: Job) -> None:
    alba = EditionChange.objects.get(edition=new.pk, kind="changed").key
    assert "1 change noted" in press(people.uploader, "edition_choose", new, key=alba, goes="0", page="1")
    assert "1 change noted" in press(people.uploader, "edition_choose", new, kind="removed", goes="1", show="removed")
    assert "newer than those" in press(people.uploader, "edition_approve", new, seen="something else")
    said = press(people.uploader, "edition_approve", new, seen=Edition.objects.get(job=new).digest)
    assert "Approved, being prepared" in said and "data-approve" not in said
    assert "no edition that waits" in press(people.uploader, "edition_choose", new, key=alba, goes="1")
    approving.carry_out(new.pk)
    approving.release(new.pk)
    deliver_everything()
    told = {model: price for model, price, _ in held_downstream(people.merchant).values()}
    assert told == {"Alba": "100", "Cleo": "100", "Dora": "100", "Egon": "7"}


def test_declared_and_undone_in_the_browser(people: People, old: Job) -> None:
    job = make_job(people.merchant)
    make_page(job, 1)
    assert "nothing of it goes out" in press(people.uploader, "edition_declare", job, edition_of=str(old.uuid))
    assert "known as an edition already" in press(people.uploader, "edition_declare", job, edition_of=str(old.uuid))
    assert "a document of its own" in press(people.uploader, "edition_undo", job)
    theirs = make_earlier(people.other, ["Alba"])
    assert "Not found" in press(people.uploader, "edition_declare", job, edition_of=str(theirs.uuid))


@pytest.mark.req("TA-API")
def test_a_program_reads_chooses_and_approves(people: People, old: Job, new: Job) -> None:
    program = Program(people.uploader)
    edition = program("GET", f"/jobs/{new.uuid}/edition").json()
    assert (edition["edition_of"], edition["state"], edition["pages_open"]) == (str(old.uuid), "open", 0)
    changes = program("GET", f"/jobs/{new.uuid}/edition/changes").json()["items"]
    assert {(one["kind"], one["goes"]) for one in changes} == {("changed", True), ("added", True), ("removed", False)}
    key = next(one["key"] for one in changes if one["kind"] == "added")
    body = {"goes": False, "keys": [key]}
    assert program("POST", f"/jobs/{new.uuid}/edition/choose", body).json() == {"changes": 1}
    late = program("POST", f"/jobs/{new.uuid}/edition/approve", {"digest": "old"})
    assert (late.status_code, late.json()["code"]) == (409, "edition_moved_on")
    done = program("POST", f"/jobs/{new.uuid}/edition/approve", {"digest": edition["digest"]})
    assert done.json()["state"] == "approving"
    approving.carry_out(new.pk)
    assert program("GET", f"/jobs/{new.uuid}/edition").json()["state"] == "approved"
    assert program("GET", f"/jobs/{old.uuid}/edition").status_code == 404


def test_a_large_edition_needs_few_queries(people: People, new: Job, django_assert_max_num_queries: Any) -> None:
    client = browser(people.uploader)
    address = reverse("edition", args=[new.uuid])
    client.get(address)
    with django_assert_max_num_queries(13):
        client.get(address)


def test_an_operator_holds_and_lets_go_in_the_browser_and_by_command(people: People, old: Job, capsys: Any) -> None:
    assert "Held by lead" in press(people.lead, "imports_hold", old, act="hold")
    assert browser(people.uploader).post(reverse("imports_hold", args=[old.uuid])).status_code == 403
    assert "go on" in press(people.lead, "imports_hold", old, act="let_go")
    call_command("imports", "hold", str(old.uuid))
    assert "Held." in capsys.readouterr().out
    old.refresh_from_db()
    assert (old.import_hold, old.import_held_by) == (True, "operator")
    call_command("imports", "reopen", str(old.uuid), "--json")
    assert '{"documents": 1}' in capsys.readouterr().out
    call_command("imports", "reopen", str(old.uuid))
    assert "Nothing to do." in capsys.readouterr().out


def test_an_operator_holds_and_lets_go_in_the_admin(people: People, old: Job) -> None:
    client, url = browser(people.admin), reverse("admin:ingestion_job_changelist")
    for action, holder in (("hold_imports", people.admin.username), ("let_imports_go", "")):
        answer = client.post(url, {"action": action, "_selected_action": [old.pk]}, follow=True)
        assert answer.status_code == 200
        old.refresh_from_db()
        assert old.import_held_by == holder
