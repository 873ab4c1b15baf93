"""Products under another code in a new edition, all removed ones taken back in one act, and its category."""

import pytest
from django.test import Client
from django.urls import reverse

from catalogsku.core.errors import Conflict, NotFound
from catalogsku.profiles.models import CategorySchema
from ingestion.models import Job
from processing.editions.services import approving, comparing
from processing.models import Edition, EditionChange, EditionRenaming, LocalProduct, Sku
from tests.support.editions import approve, finish_all, held_downstream, make_earlier, make_later
from tests.support.people import People
from tests.support.program import Program

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-DIFF")]
BOOK = ["cover", "Alba", "Bruno", "Cleo", "Dora", "terms"]
SAID = {"product_name": "Oak chair", "size": "400x500x800", "material": "oak"}


def key(job: Job, page: int) -> str:
    return f"{job.hash8}_p{page:02d}_001"


def say(job: Job, page: int, **attributes: str) -> None:
    sku = Sku.objects.get(job=job, page__number=page, superseded=False)
    Sku.objects.filter(pk=sku.pk).update(attributes={**sku.attributes, **attributes})


@pytest.fixture
def old(people: People) -> Job:
    job = make_earlier(people.merchant, BOOK)
    say(job, 5, **SAID)
    return job


@pytest.fixture
def new(people: People, old: Job) -> Job:
    """Dora is gone and Egon new, alike in everything but the code; Egon is dearer."""
    job = make_later(people.merchant, ["cover", "Alba", "Bruno", "Cleo", "Egon", "terms"])
    finish_all(job, {5: {"Egon": "120"}})
    say(job, 5, **SAID)
    comparing.compare_edition(job.pk)
    return job


def kinds(job: Job) -> list[str]:
    return list(EditionChange.objects.filter(edition=job.pk).order_by("rank", "pk").values_list("kind", flat=True))


def take(old: Job, new: Job, *, taken: bool = True) -> None:
    approving.say_renamed(new, key(old, 5), key(new, 5), taken=taken, actor="uploader")


def test_the_pair_is_proposed_and_nothing_is_done_by_itself(old: Job, new: Job) -> None:
    pair = EditionRenaming.objects.get(edition=new.pk)
    assert (pair.earlier, pair.later, pair.state) == (key(old, 5), key(new, 5), "proposed")
    assert kinds(new) == ["added", "removed"]


def test_taken_it_is_one_renamed_product_under_the_id_that_targets_know(people: People, old: Job, new: Job) -> None:
    take(old, new)
    take(old, new)
    assert kinds(new) == ["renamed"]
    change = EditionChange.objects.get(edition=new.pk)
    assert (change.key, change.goes, change.price_change) == (key(new, 5), True, pytest.approx(0.2))
    assert {name: (before, after) for name, before, after in change.fields} == {
        "model": ("Dora", "Egon"),
        "price": ("100", "120"),
        "pictures": ("1", "1"),
    }
    edition = Edition.objects.get(job=new)
    assert (edition.tally["renamed"], edition.tally.get("removed", 0)) == (1, 0)
    comparing.compare_edition(new.pk)
    assert kinds(new) == ["renamed"], "what was said holds"
    approve(new)
    held = held_downstream(people.merchant)
    assert held[key(old, 5)] == ("Egon", "120", 2) and key(new, 5) not in held
    assert Sku.objects.get(job=new, page__number=5, superseded=False).predecessor == key(old, 5)


def test_left_it_is_two_products_and_not_proposed_again(people: People, old: Job, new: Job) -> None:
    take(old, new)
    take(old, new, taken=False)
    assert kinds(new) == ["added", "removed"]
    comparing.compare_edition(new.pk)
    assert list(EditionRenaming.objects.values_list("state", flat=True)) == ["left"]
    approve(new)
    held = LocalProduct.objects.filter(merchant=people.merchant, deleted=False).values_list("sku_key", flat=True)
    assert {key(old, 5), key(new, 5)} <= set(held)


def test_only_what_was_proposed_can_be_taken_and_only_while_it_is_open(people: People, old: Job, new: Job) -> None:
    with pytest.raises(NotFound):
        approving.say_renamed(new, key(old, 4), key(new, 5), taken=True, actor="uploader")
    approve(new)
    with pytest.raises(Conflict, match="edition_closed"):
        take(old, new)


def test_a_product_goes_on_in_one_other_at_most(old: Job, new: Job) -> None:
    take(old, new)
    told = {"earlier": key(old, 5), "later": "another", "score": 1.0}
    EditionRenaming.objects.create(edition=Edition.objects.get(job=new), **told)
    with pytest.raises(NotFound):
        approving.say_renamed(new, key(old, 5), "another", taken=True, actor="uploader")


def test_both_codes_are_shown_and_one_press_takes_them(people: People, old: Job, new: Job) -> None:
    client = Client(headers={"accept-language": "en"})
    client.force_login(people.uploader)
    address = reverse("edition", args=[new.uuid])
    page = client.get(address).content.decode()
    assert "Renamed?" in page and "<del>Dora</del>" in page and "<ins>Egon</ins>" in page
    client.force_login(people.annotator)
    assert "<del>Dora</del>" in (looked := client.get(address).content.decode()) and "One product" not in looked
    client.force_login(people.uploader)
    given = {"earlier": key(old, 5), "later": key(new, 5), "taken": "1"}
    assert client.post(reverse("edition_rename", args=[new.uuid]), given).status_code == 302
    page = client.get(address).content.decode()
    assert "Renamed?" not in page and "Two products" in page and kinds(new) == ["renamed"]
    assert client.get(address, {"show": "renamed"}).content.decode().count("data-toggle") == 1


def test_programs_read_and_say_it(people: People, old: Job, new: Job) -> None:
    program, path = Program(people.uploader), f"/jobs/{new.uuid}/edition"
    (told,) = program("get", f"{path}/renamings").json()["items"]
    assert (told["earlier_sku_id"], told["sku_id"], told["taken"]) == (key(old, 5), key(new, 5), None)
    given = {"earlier_sku_id": key(old, 5), "sku_id": key(new, 5), "taken": True}
    before = Edition.objects.get(job=new).digest
    answer = program("post", f"{path}/renamings", given)
    assert answer.status_code == 200 and answer.json()["digest"] != before
    assert program("get", f"{path}/renamings").json()["items"][0]["taken"] is True
    assert [one["kind"] for one in program("get", f"{path}/changes?kind=renamed").json()["items"]] == ["renamed"]
    assert program("post", f"{path}/renamings", {**given, "sku_id": "x"}).status_code == 404


# --- all removed in one act ------------------------------------------------------------------------------


@pytest.fixture
def shrunk(people: People, old: Job) -> Job:
    """Of the book Cleo and Dora are gone, and Fanny is new."""
    job = make_later(people.merchant, ["cover", "Alba", "Bruno", "Fanny", "terms"])
    finish_all(job, {4: {"Fanny": "7"}})
    return job


def goes(job: Job) -> dict[str, bool]:
    rows = EditionChange.objects.filter(edition=job.pk, kind="removed")
    return dict(rows.values_list("earlier__attributes__model", "goes"))


def test_all_removed_are_taken_back_in_one_act_which_can_be_undone(people: People, shrunk: Job, old: Job) -> None:
    assert goes(shrunk) == {"Cleo": False, "Dora": False}
    approving.choose(shrunk, goes=True, keys=[f"-{key(old, 4)}"])
    client = Client(headers={"accept-language": "en"})
    client.force_login(people.uploader)
    address = reverse("edition", args=[shrunk.uuid])
    assert "Take all 2 removed products back" in client.get(address).content.decode()
    client.post(reverse("edition_choose", args=[shrunk.uuid]), {"kind": "removed", "goes": "1"})
    assert goes(shrunk) == {"Cleo": True, "Dora": True}
    comparing.compare_edition(shrunk.pk)
    assert "1 change was noted in one act" in client.get(address).content.decode()
    client.post(reverse("edition_choose_undo", args=[shrunk.uuid]))
    assert goes(shrunk) == {"Cleo": True, "Dora": False}, "what was said singly stays"
    assert "noted in one act" not in client.get(address).content.decode()
    assert approving.take_back_choice(shrunk) == 0


def test_what_is_said_singly_afterwards_is_not_undone(shrunk: Job, old: Job) -> None:
    approving.choose(shrunk, goes=True, kind="removed")
    approving.choose(shrunk, goes=False, keys=[f"-{key(old, 4)}"])
    program = Program(shrunk.uploader or old.uploader)
    assert program("post", f"/jobs/{shrunk.uuid}/edition/choose/undo").status_code == 401
    assert approving.take_back_choice(shrunk) == 1
    assert goes(shrunk) == {"Cleo": False, "Dora": False}
    approve(shrunk)
    with pytest.raises(Conflict, match="edition_closed"):
        approving.take_back_choice(shrunk)


# --- the category ----------------------------------------------------------------------------------------


def furniture() -> CategorySchema:
    return CategorySchema.objects.exclude(key="general").filter(active=True).order_by("pk")[0]


@pytest.mark.parametrize("named", ["", "general"])
def test_a_new_edition_has_the_category_of_the_one_before(people: People, named: str) -> None:
    schema = furniture()
    make_earlier(people.merchant, BOOK, category=schema.key, schema=schema)
    job = make_later(people.merchant, [*BOOK[:-1], "Egon", "terms"], category=named)
    assert (job.category, job.schema_id) == (schema.key, schema.pk)
    assert job.pages.filter(carried=True).count() == 6, "its pages are taken over under the same schema"


def test_a_category_that_somebody_has_named_stays(people: People) -> None:
    one, other = CategorySchema.objects.exclude(key="general").filter(active=True).order_by("pk")[:2]
    make_earlier(people.merchant, BOOK, category=one.key, schema=one)
    job = make_later(people.merchant, [*BOOK[:-1], "Egon", "terms"], category=other.key, schema=other)
    assert (Edition.objects.filter(job=job).exists(), job.category) == (True, other.key)
