"""What an approval sets going: in steps, after a crash from where it was, and never over a change of that moment."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from catalogsku.core import messages
from catalogsku.core.errors import Conflict
from ingestion.models import Job
from processing.catalogue.services import entries as cataloguing
from processing.corrections.services.correcting import Found, GivenSku, GivenValue, PageState, correct_page
from processing.editions.services import approving, comparing, recognising
from processing.management.commands.extract import machines_are_done
from processing.models import CatalogueEntry, Edition, ImportRecord, Sku
from processing.operations.services import cancelling
from tests.support.editions import deliver_everything, finish_all, held_downstream, make_earlier, make_later
from tests.support.people import People

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-DIFF", "PL-C3")]
BOOK = ["cover", "Alba", "Bruno", "Cleo", "Dora", "terms"]


def key(job: Job, page: int) -> str:
    return f"{job.hash8}_p{page:02d}_001"


@pytest.fixture
def old(people: People) -> Job:
    return make_earlier(people.merchant, BOOK)


@pytest.fixture
def new(people: People, old: Job) -> Job:
    """Alba dearer, Dora gone and to be taken back, Egon new; approved by the merchant."""
    job = make_later(people.merchant, ["cover", "Alba'", "Bruno", "Cleo", "Egon", "terms"])
    finish_all(job, {2: {"Alba": "120"}, 5: {"Egon": "7"}})
    approving.choose(job, goes=True, kind="removed")
    approving.approve(job, Edition.objects.get(job=job).digest, "uploader")
    return job


def state(job: Job) -> str:
    return str(Edition.objects.get(job=job).state)


def as_approved(old: Job, new: Job) -> dict[str, tuple[str, str, int]]:
    return {
        key(old, 2): ("Alba", "120", 2), key(old, 3): ("Bruno", "100", 1), key(old, 4): ("Cleo", "100", 1),
        key(new, 5): ("Egon", "7", 1),
    }  # fmt: skip


def test_the_decision_stands_before_anything_is_done(people: People, old: Job, new: Job) -> None:
    assert (state(new), Sku.objects.filter(job=new).exclude(downstream_id="").count()) == ("approving", 0)
    assert (approving.release(new.pk), deliver_everything()) == (0, 0)
    for closed in (
        lambda: approving.choose(new, goes=False, kind="changed"),
        lambda: approving.approve(new, Edition.objects.get(job=new).digest, "uploader"),
        lambda: recognising.undo(new, "uploader"),
    ):
        with pytest.raises(Conflict, match="edition_closed"):
            closed()
    assert not comparing.compare_edition(new.pk), "what was approved does not move any more"
    third = make_later(people.merchant, [*BOOK[:-1], "Fanny", "terms"])
    assert Edition.objects.get(job=third).predecessor_id == old.pk, "its products have no lasting ids yet"


def test_a_crash_between_two_steps_leaves_nothing_double_and_nothing_out(
    people: People, old: Job, new: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(approving, "SKUS_TOGETHER", 1)
    draw, steps = approving.continuing.continue_products, []

    def dies(*given: Any) -> None:
        steps.append(given)
        if len(steps) == 3:
            raise RuntimeError("the machine went down")
        draw(*given)

    monkeypatch.setattr(approving.continuing, "continue_products", dies)
    with pytest.raises(RuntimeError):
        approving.carry_out(new.pk)
    drawn = Sku.objects.filter(job=new).exclude(downstream_id="").count()
    assert (drawn, state(new), deliver_everything()) == (2, "approving", 0)
    assert approving.carry_out(new.pk)
    approving.release(new.pk)
    deliver_everything()
    assert held_downstream(people.merchant) == as_approved(old, new)
    assert ImportRecord.objects.filter(job=new, kind="put").count() == 4, "one of each product"
    assert not approving.carry_out(new.pk)


def test_a_product_that_goes_on_is_in_the_catalogue_once(people: People, old: Job, new: Job) -> None:
    cataloguing.catalogue_job(old)
    cataloguing.catalogue_pages(new, list(new.pages.filter(carried=False).values_list("pk", flat=True)))
    carried = Sku.objects.filter(job=new, page__carried=True)
    assert carried.count() == 2 == carried.filter(entry__isnull=False).count()
    assert approving.carry_out(new.pk)

    def models(job: Job) -> list[str]:
        rows = CatalogueEntry.objects.filter(job=job).order_by("page__number")
        return [model or "" for model in rows.values_list("sku__attributes__model", flat=True)]

    assert (models(old), models(new)) == (["Dora"], ["Alba", "Bruno", "Cleo", "Egon"])
    cataloguing.catalogue_job(old)
    assert models(old) == ["Dora"], "written anew they are the same"


@pytest.mark.parametrize("drawn", [0, 2, 4])
def test_cancelled_while_it_is_carried_out_the_earlier_one_speaks_for_itself_again(
    people: People, old: Job, new: Job, drawn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    cataloguing.catalogue_job(old)
    before = held_downstream(people.merchant)
    monkeypatch.setattr(approving, "SKUS_TOGETHER", 1)
    take, steps = approving._take, []

    def until_cancelled(rows: Any) -> bool:
        if len(steps) == 1 + drawn:
            cancelling.cancel(Job.objects.get(pk=new.pk), "uploader")
        steps.append(rows)
        return take(rows)

    monkeypatch.setattr(approving, "_take", until_cancelled)
    assert not approving.carry_out(new.pk)
    assert state(new) == "undone" and not approving.carry_out(new.pk)
    gone_on = Sku.objects.filter(job=new).exclude(downstream_id="").exclude(status="IMPORTED")
    assert not gone_on.exists() and deliver_everything() == 0
    assert held_downstream(people.merchant) == before
    correct(old, 2, "Alba", "90.00")
    deliver_everything()
    assert held_downstream(people.merchant)[key(old, 2)] == ("Alba", "90.00", 2)
    entries = CatalogueEntry.objects.filter(job=old, sku__superseded=False)
    on_with_it = Sku.objects.filter(job=new, status="IMPORTED").exclude(downstream_id="").count()
    assert entries.count() == 4 - on_with_it, "a product that was there as it is goes on"


def test_where_a_page_has_changed_the_merchant_looks_again(people: People, old: Job, new: Job) -> None:
    correct(new, 3, "Bruno", "95.00")
    assert not approving.carry_out(new.pk)
    assert (state(new), approving.release(new.pk), deliver_everything()) == ("open", 0, 0)
    comparing.compare_edition(new.pk)
    client = Client(headers={"accept-language": "en"})
    client.force_login(people.uploader)
    page = client.get(reverse("edition", args=[new.uuid])).content.decode()
    assert "A page changed in the moment of the approval" in page and "<ins>95.00</ins>" in page
    approving.approve(new, Edition.objects.get(job=new).digest, "uploader")
    assert approving.carry_out(new.pk)
    approving.release(new.pk)
    deliver_everything()
    assert held_downstream(people.merchant)[key(old, 3)] == ("Bruno", "95.00", 2)


def test_what_is_corrected_after_the_last_look_goes_out_corrected(
    people: People, old: Job, new: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bruno was as before when it was compared: it is not counted as delivered for that."""
    compare = comparing.compare

    def and_then_it_is_corrected(edition: Edition) -> comparing.Compared:
        found = compare(edition)
        correct(new, 3, "Bruno", "95.00")
        return found

    monkeypatch.setattr(comparing, "compare", and_then_it_is_corrected)
    assert approving.carry_out(new.pk)
    approving.release(new.pk)
    deliver_everything()
    assert held_downstream(people.merchant) == as_approved(old, new) | {key(old, 3): ("Bruno", "95.00", 2)}


def correct(job: Job, number: int, model: str, price: str) -> None:
    page, job = job.pages.get(number=number), Job.objects.get(pk=job.pk)
    values = {"model": GivenValue(model), "price": GivenValue(price)}
    given = PageState(page_type="A", skus=(GivenSku(sku_id=key(job, number), attributes=values),))
    with transaction.atomic():
        correct_page(job, page, given, Found.of(job, page), "annotator")


def test_the_sweep_rings_for_an_approval_that_nobody_has_in_hand(new: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[Any] = []
    monkeypatch.setattr(messages, "send", lambda *message: rung.append(message))
    row = Edition.objects.filter(job=new)
    assert approving.send_approved() == 0, "its own message is on the way"
    row.update(decided_at=Now() - timedelta(seconds=60), lease_until=Now() + timedelta(seconds=60))
    assert approving.send_approved() == 0
    assert not approving.carry_out(new.pk), "somebody has it in hand"
    row.update(lease_until=Now() - timedelta(seconds=1))
    assert (approving.send_approved(), rung) == (1, [("carry_out_edition", new.pk)])
    Job.objects.filter(pk=new.pk).update(status="CANCELLED")
    assert approving.send_approved() == 0
    assert not approving.carry_out(new.pk)


def test_a_command_does_not_wait_for_the_merchants_approval(people: People, old: Job) -> None:
    job = make_later(people.merchant, ["cover", "Alba'", "Bruno", "Cleo", "Egon", "terms"])
    assert not machines_are_done(Job.objects.get(pk=job.pk))
    finish_all(job, {2: {"Alba": "120"}, 5: {"Egon": "7"}})
    assert machines_are_done(Job.objects.get(pk=job.pk, import_hold=True))
