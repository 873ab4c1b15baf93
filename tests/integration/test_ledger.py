"""The import ledger on the real database: every SKU reaches its target exactly once, whatever dies or is delayed."""

import random
import subprocess
import sys
from collections.abc import Callable, Sequence

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from catalogsku.core.models import Worker
from ingestion.models import Job, Page
from ingestion.services.jobs import cancel_job
from processing.imports.lifecycle import IN_FLIGHT
from processing.imports.services import answers, delivering, ledger, reconciling
from processing.imports.targets import registry
from processing.imports.targets.port import Answer, Envelope, Found, Held, Traits
from processing.models import ImportRecord, LocalProduct, Sku
from tests.support import imports
from tests.support.imports import corrected, held_products, importable, states, time_passes
from tests.support.people import People
from tests.support.rows import in_threads, make_job, make_page, make_sku, make_worker

DELIVER = (
    "import django; django.setup(); from processing.imports.services import delivering;"
    " print(delivering.deliver_pages([{page}]))"
)


def the_worker_is_found_dead() -> None:
    Worker.objects.update(seen_at=timezone.now() - timezone.timedelta(seconds=31))


# --- the plain way -------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("PL-C3", "TA-IMPKEY", "TA-T35")
def test_a_pages_skus_arrive_once_and_the_statuses_follow(people: People) -> None:
    _, page, skus = importable(people, skus=3)
    assert {bytes(row.payload) for row in ImportRecord.objects.all()} == {b"{}"}, "the product is there already"
    assert delivering.deliver_pages([page.pk]) == 3
    assert delivering.deliver_pages([page.pk]) == 0
    assert states(page) == ["CONFIRMED"] * 3
    assert set(Sku.objects.filter(page=page).values_list("status", flat=True)) == {"IMPORTED"}
    products = LocalProduct.objects.filter(merchant=people.merchant)
    assert {p.sku_key for p in products} == {s.sku_id for s in skus}
    assert all((p.received, p.generation) == (1, 1) for p in products)
    assert held_products()[skus[0].sku_id]["attributes"]["model"] == "M-1"


@pytest.mark.django_db
@pytest.mark.req("TA-SKUKEY", "TA-FHASH")
def test_the_same_file_again_sends_nothing_and_is_confirmed(people: People) -> None:
    job, page, _ = importable(people)
    delivering.deliver_pages([page.pk])
    again = make_job(people.merchant, file_sha256=job.file_sha256)
    _, second, _ = importable(people, job=again)
    assert states(second) == ["CONFIRMED"]
    assert delivering.deliver_pages([second.pk]) == 0
    assert Sku.objects.get(page=second).status == "IMPORTED"
    product = LocalProduct.objects.get(merchant=people.merchant)
    assert (product.received, product.generation) == (1, 1)
    assert list(ImportRecord.objects.order_by("pk").values_list("generation", flat=True)) == [1, 2]


@pytest.mark.django_db
@pytest.mark.req("TA-SKUKEY")
def test_the_same_file_of_another_merchant_is_another_product(people: People) -> None:
    job, page, _ = importable(people)
    delivering.deliver_pages([page.pk])
    theirs = make_job(people.other, file_sha256=job.file_sha256)
    _, second, _ = importable(people, job=theirs)
    assert states(second) == ["PENDING"]
    assert delivering.deliver_pages([second.pk]) == 1
    assert LocalProduct.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.req("PL-C3", "TA-REV")
def test_a_correction_supersedes_what_was_not_sent_and_replaces_what_was(people: People) -> None:
    _, page, (sku,) = importable(people)
    second = corrected(sku, "M-2")
    assert states(page) == ["SUPERSEDED", "PENDING"]
    assert delivering.deliver_pages([page.pk]) == 1
    corrected(second, "M-3")
    assert delivering.deliver_pages([page.pk]) == 1
    product = LocalProduct.objects.get(merchant=people.merchant)
    assert (product.received, product.generation) == (2, 3)
    assert held_products()[sku.sku_id]["attributes"]["model"] == "M-3"


@pytest.mark.django_db
@pytest.mark.req("TA-CANCEL")
def test_a_cancelled_job_sends_nothing_more(people: People) -> None:
    job, page, _ = importable(people)
    cancel_job(job, "uploader")
    assert delivering.deliver_pages([page.pk]) == 0
    ImportRecord.objects.update(created_at=timezone.now() - imports.HOUR)
    assert ledger.due_pages() == []
    assert (states(page), LocalProduct.objects.count()) == (["PENDING"], 0)


@pytest.mark.django_db
def test_a_held_job_sends_nothing_until_it_is_let_go(people: People) -> None:
    job, page, _ = importable(people)
    Job.objects.filter(pk=job.pk).update(import_hold=True)
    assert delivering.deliver_pages([page.pk]) == 0
    Job.objects.filter(pk=job.pk).update(import_hold=False)
    assert delivering.deliver_pages([page.pk]) == 1


@pytest.mark.django_db
@pytest.mark.req("TA-SKUKEY")
def test_an_import_belongs_to_the_merchant_of_its_job(people: People) -> None:
    importable(people)
    with pytest.raises(IntegrityError, match="import_job_of_merchant"), transaction.atomic():
        ImportRecord.objects.update(merchant=people.other)
        with transaction.get_connection().cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.mark.django_db
@pytest.mark.req("PL-C3")
def test_the_database_refuses_two_imports_of_one_sku_in_flight(people: People) -> None:
    _, page, (sku,) = importable(people)
    corrected(sku, "M-2")
    with pytest.raises(IntegrityError, match="one_in_flight"), transaction.atomic():
        ImportRecord.objects.filter(page=page).update(state="SENDING")


# --- dying at the worst moment -------------------------------------------------------------------


def killed_while_delivering(page: Page, place: str, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", DELIVER.format(page=page.pk)],
        env={**environment, "CRASH_AT": place},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == -9, done.stderr


@pytest.mark.req("PL-C3", "TA-T52")
@pytest.mark.parametrize(("place", "arrived"), [("import.before_call", 0), ("import.after_call", 3)])
def test_killed_between_claim_and_record_each_sku_still_arrives_once(
    committed: None, people: People, process_environment: dict[str, str], place: str, arrived: int
) -> None:
    _, page, _ = importable(people, skus=3)
    killed_while_delivering(page, place, process_environment)
    assert states(page) == ["SENDING"] * 3
    assert LocalProduct.objects.count() == arrived
    assert reconciling.settle_unknown() == 0, "its worker still counts as alive"
    assert states(page) == ["SENDING"] * 3
    the_worker_is_found_dead()
    assert reconciling.settle_unknown() == 0, "the request may still be on its way"
    assert states(page) == ["UNKNOWN"] * 3
    assert delivering.deliver_pages([page.pk]) == 0
    time_passes(page)
    assert reconciling.settle_unknown() == 3
    assert delivering.deliver_pages([page.pk]) == 3 - arrived
    assert states(page) == ["CONFIRMED"] * 3
    assert list(LocalProduct.objects.values_list("received", flat=True)) == [1] * 3
    assert set(Sku.objects.values_list("status", flat=True)) == {"IMPORTED"}


@pytest.mark.django_db
@pytest.mark.req("PL-C3")
def test_an_answer_that_a_living_worker_never_wrote_down_is_settled_too(people: People) -> None:
    """The database went away between call and record; the process lives on, so no death frees its import."""
    _, page, _ = importable(people)
    worker = make_worker("out")
    ledger._claim(ImportRecord.objects.filter(page=page), worker, 10)
    assert reconciling.settle_unknown() == 0
    assert states(page) == ["SENDING"]
    time_passes(page)
    assert reconciling.settle_unknown() == 1
    assert delivering.deliver_pages([page.pk]) == 1
    assert states(page) == ["CONFIRMED"]


@pytest.mark.django_db
@pytest.mark.req("PL-C3", "TA-LEASE")
def test_a_late_answer_is_not_recorded_once_the_import_was_settled(people: People) -> None:
    _, page, _ = importable(people)
    batch = ledger._claim(ImportRecord.objects.filter(page=page), make_worker("out"), 10)
    the_worker_is_found_dead()
    reconciling.settle_unknown()
    answers.record_answers(batch, [Answer.refused("late")])
    assert states(page) == ["UNKNOWN"]
    time_passes(page)
    reconciling.settle_unknown()
    answers.record_answers(batch, [Answer.refused("later")])
    assert states(page) == ["PENDING"]
    assert delivering.deliver_pages([page.pk]) == 1


@pytest.mark.django_db
@pytest.mark.req("PL-C3", "TA-LEASE")
def test_a_late_answer_is_not_taken_for_that_of_the_import_sent_again(people: People) -> None:
    _, page, _ = importable(people)
    rows = ImportRecord.objects.filter(page=page)
    late = ledger._claim(rows, make_worker("out"), 10)
    the_worker_is_found_dead()
    reconciling.settle_unknown()
    time_passes(page)
    reconciling.settle_unknown()
    again = ledger._claim(rows, make_worker("out"), 10)
    answers.record_answers(late, [Answer.refused("late")])
    assert states(page) == ["SENDING"]
    answers.record_answers(again, [Answer.confirmed()])
    assert states(page) == ["CONFIRMED"]


@pytest.mark.req("PL-C3")
def test_sixteen_workers_send_each_of_two_hundred_skus_once(committed: None, people: People) -> None:
    pages = [importable(people, skus=20)[1] for _ in range(10)]
    workers = [make_worker("out") for _ in range(16)]

    def deliver(worker: Worker) -> Callable[[], int]:
        def work() -> int:
            order = random.Random(worker.pk).sample(pages, len(pages))
            return sum(ledger.deliver(ImportRecord.objects.filter(page=page), worker) for page in order)

        return work

    assert sum(in_threads([deliver(worker) for worker in workers])) == 200
    assert ImportRecord.objects.filter(state="CONFIRMED", attempt=1).count() == 200
    assert LocalProduct.objects.filter(received=1).count() == 200


@pytest.mark.req("PL-C3")
def test_racing_jobs_on_one_file_never_have_one_sku_in_flight_twice(committed: None, people: People) -> None:
    first, page, _ = importable(people, skus=5)
    second = make_job(people.merchant, file_sha256=first.file_sha256)
    again = make_page(second, 1, "AI_COMPLETED")
    skus = [make_sku(again, n, attributes={"model": f"other {n}"}) for n in range(1, 6)]
    claimed = ledger._claim(ImportRecord.objects.filter(page=page), make_worker("out"), 10)
    with transaction.atomic():
        ledger.open_imports(second, skus)
    assert delivering.deliver_pages([again.pk]) == 0, "the older ones are in flight"
    answers.record_answers(claimed, ledger._call(registry.target_named("local"), claimed))
    assert delivering.deliver_pages([again.pk]) == 5
    assert set(LocalProduct.objects.values_list("generation", "received")) == {(2, 2)}


# --- an older generation that comes back ---------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("PL-C3", "TA-REV")
def test_an_older_generation_that_was_never_sent_does_not_stand_in_the_way_of_the_newer(people: People) -> None:
    _, page, (sku,) = importable(people)
    batch = ledger._claim(ImportRecord.objects.filter(page=page), make_worker("out"), 10)
    corrected(sku, "M-2")
    answers.record_answers(batch, [Answer.not_sent("connection refused")])
    time_passes(page)
    assert delivering.deliver_pages([page.pk]) == 1
    assert states(page) == ["SUPERSEDED", "CONFIRMED"]
    assert held_products()[sku.sku_id]["attributes"]["model"] == "M-2"


@pytest.mark.django_db
@pytest.mark.req("PL-C3")
def test_what_was_only_assumed_since_is_no_reason_to_send_nothing(people: People) -> None:
    _, page, (sku,) = importable(people)
    delivering.deliver_pages([page.pk])
    second = corrected(sku, "M-2")
    batch = ledger._claim(ImportRecord.objects.filter(page=page), make_worker("out"), 10)
    answers.record_answers(batch, [Answer.assumed()])
    corrected(second, "M-1")
    assert states(page)[-1] == "PENDING", "the target may hold M-2"


# --- random histories ----------------------------------------------------------------------------


class SlowTarget:
    """An inserting target behind a network that delays and loses; what arrives is kept in order, and can be queried."""

    traits = Traits(batch=200)

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.on_the_way: list[Envelope] = []
        self.arrived: list[Envelope] = []

    def put(self, envelopes: Sequence[Envelope], timeout_s: float) -> list[Answer]:
        return [self._one(envelope) for envelope in envelopes]

    def _one(self, envelope: Envelope) -> Answer:
        fate = self.chance.choice(["answered", "answer lost", "delayed", "request lost", "not sent"])
        if fate in ("answered", "answer lost"):
            self.arrived.append(envelope)
        elif fate == "delayed":
            self.on_the_way.append(envelope)
        return {"answered": Answer.confirmed(), "not sent": Answer.not_sent("refused")}.get(fate, Answer.lost(fate))

    def network_settles(self) -> None:
        """Whatever was on its way arrives or is lost; the settle time is longer than that takes."""
        late, self.on_the_way = self.on_the_way, []
        self.arrived += [envelope for envelope in late if self.chance.random() < 0.6]

    def query(self, envelopes: Sequence[Envelope], timeout_s: float) -> list[Held]:
        return [self._held(e.merchant_id, e.sku_key) for e in envelopes]

    def _held(self, merchant_id: int, sku_key: str) -> Found | None:
        held = [e for e in self.arrived if (e.merchant_id, e.sku_key) == (merchant_id, sku_key)]
        return Found(held[-1].generation, held[-1].payload_hash) if held else None


@pytest.mark.django_db
@pytest.mark.req("PL-C3", "TA-IMPKEY", "TA-REV")
@pytest.mark.parametrize("seed", range(25))
def test_after_any_history_the_target_holds_the_latest_and_took_nothing_twice(
    people: People, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)
    target = SlowTarget(chance)
    monkeypatch.setitem(registry._TARGETS, "local", target)
    _, page, (sku,) = importable(people)
    rows = ImportRecord.objects.filter(page=page)
    worker = make_worker("out")
    in_hand: list[tuple[list[ImportRecord], list[Answer]]] = []

    def step(name: str) -> None:
        nonlocal sku
        if name == "correct":
            sku = corrected(sku, f"M-{chance.randint(1, 3)}")
        elif name == "claim" and (batch := ledger._claim(rows, worker, 10)):
            in_hand.append((batch, target.put([_envelope(row) for row in batch], 20)))
        elif name == "record" and in_hand:
            answers.record_answers(*in_hand.pop(chance.randrange(len(in_hand))))
        elif name == "kill" and in_hand:
            in_hand.pop(chance.randrange(len(in_hand)))
        elif name == "wait":
            target.network_settles()
            time_passes(page)
            reconciling.settle_unknown()
        assert rows.filter(state__in=IN_FLIGHT).count() <= 1

    for _ in range(30):
        step(chance.choices(["correct", "claim", "record", "kill", "wait"], [1, 4, 3, 1, 2])[0])
    for _ in range(60):
        for name in ("record", "kill", "wait", "claim", "record"):
            step(name)
        if not rows.filter(state__in=["PENDING", *IN_FLIGHT]).exists():
            break
    assert set(states(page)) <= {"CONFIRMED", "SUPERSEDED"}
    keys = [envelope.idempotency_key for envelope in target.arrived]
    assert len(keys) == len(set(keys)), "the same generation was taken twice"
    assert [e.generation for e in target.arrived] == sorted(e.generation for e in target.arrived)
    newest = rows.order_by("-generation")[0]
    assert target.arrived[-1].payload_hash == newest.payload_hash
    sku.refresh_from_db()
    assert sku.status == "IMPORTED"


def _envelope(row: ImportRecord) -> Envelope:
    return Envelope(row.merchant_id, row.sku_key, row.generation, bytes(row.payload), row.payload_hash)
