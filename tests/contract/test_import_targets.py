"""What every import target must do, whatever stands behind it: one product a (merchant, SKU), the newest one."""

import hashlib
import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from catalogsku.accounts.models import Merchant
from processing.imports.targets.http import HttpTarget
from processing.imports.targets.port import Envelope, Found, Target, Traits
from processing.imports.targets.registry import LocalTarget, target_named
from processing.imports.targets.shape import Shape
from processing.models import LocalProduct
from tests.support.downstream import Downstream
from tests.support.people import People
from tests.support.rows import in_threads

TIMEOUT_S = 20.0
Make = Callable[[Downstream], Target]


@pytest.fixture
def downstream() -> Iterator[Downstream]:
    with Downstream() as server:
        yield server


def http(traits: Traits, shape: Shape | None = None) -> Callable[[Downstream], Target]:
    return lambda downstream: HttpTarget(downstream.url, traits, shape, private=True)


def renamed(downstream: Downstream) -> Target:
    """Other words for our fields."""
    downstream.names = {"sku_id": "code", "generation": "seq", "merchant_id": "shop"}
    fields = {"code": "sku_id", "seq": "generation", "shop": "merchant_id", "model": "attributes.model"}
    return HttpTarget(downstream.url, Traits(), Shape(fields), private=True)


TARGETS: dict[str, Callable[[Downstream], Target]] = {
    "local": lambda downstream: LocalTarget(),
    "http, one by one": http(Traits()),
    "http, some together": http(Traits(batch=20)),
    "http, asked by document": http(Traits(query="job")),
    "http, documents whole": http(Traits(whole_job=True)),
    "http, other names": renamed,
}
every_target = pytest.mark.parametrize("make", TARGETS.values(), ids=TARGETS)
JOB = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"


def envelope(
    merchant: Merchant,
    generation: int = 1,
    key: str = "aaaaaaaa_p01_001",
    model: str = "M-1",
    target: Target | None = None,
) -> Envelope:
    """As the ledger makes it, in the shape of the target."""
    shape = target._shape if isinstance(target, HttpTarget) else Shape()
    digest = hashlib.sha256(model.encode()).hexdigest()
    head = {
        "merchant_id": merchant.pk, "sku_id": key, "generation": generation, "revision": 1, "job_id": JOB,
        "content_hash": digest, "deleted": not model,
    }  # fmt: skip
    product = json.dumps({"attributes": {"model": model}}).encode() if model else None
    body = shape.body(head, product)
    return Envelope(merchant.pk, key, generation, body, digest, job=JOB, deleted=not model)


def holds(target: Target, sent: Envelope) -> bool:
    """The target says that it has this generation."""
    found = target.query([sent], TIMEOUT_S)[0]
    assert found is None or isinstance(found, Found)
    return found is not None and found.generation == sent.generation and found.payload_hash in ("", sent.payload_hash)


def test_targets_have_their_names(settings: Any, db: None) -> None:
    assert isinstance(target_named("local"), LocalTarget)
    for name in ("nowhere", "http"):
        with pytest.raises(KeyError):
            target_named(name)
    settings.IMPORT_URL = "https://shop.example/api"
    assert isinstance(target_named("http"), HttpTarget)


@every_target
@pytest.mark.django_db
@pytest.mark.req("TA-IMPORT", "TA-IMPKEY", "PL-C3", "TA-ADAPT")
class TestEveryTarget:
    def test_what_was_put_can_be_asked_for(self, make: Make, downstream: Downstream, people: People) -> None:
        target = make(downstream)
        sent = envelope(people.merchant, target=target)
        assert target.query([sent], TIMEOUT_S) == [None]
        assert [answer.state for answer in target.put([sent], TIMEOUT_S)] == ["CONFIRMED"]
        assert holds(target, sent)

    def test_answers_come_one_an_envelope_in_order(self, make: Make, downstream: Downstream, people: People) -> None:
        target = make(downstream)
        sent = [
            envelope(people.merchant, n, key=f"aaaaaaaa_p01_{n:03d}", model=f"M-{n}", target=target)
            for n in range(1, 31)
        ]
        assert [answer.state for answer in target.put(sent, TIMEOUT_S)] == ["CONFIRMED"] * 30
        found = target.query(list(reversed(sent)), TIMEOUT_S)
        assert [one.generation for one in found if isinstance(one, Found)] == list(range(30, 0, -1))
        assert (target.put([], TIMEOUT_S), target.query([], TIMEOUT_S)) == ([], [])

    def test_the_same_generation_again_changes_nothing(
        self, make: Make, downstream: Downstream, people: People
    ) -> None:
        target = make(downstream)
        sent = envelope(people.merchant, target=target)
        for _ in range(3):
            assert target.put([sent], TIMEOUT_S)[0].state == "CONFIRMED"
        assert holds(target, sent)

    def test_the_newest_stays_in_whatever_order_they_come(
        self, make: Make, downstream: Downstream, people: People
    ) -> None:
        target = make(downstream)
        for number, order in enumerate(itertools.permutations((1, 2, 3))):
            key = f"aaaaaaaa_p{number:02d}_001"
            sent = {n: envelope(people.merchant, n, key, f"M-{n}", target) for n in order}
            for n in order:
                target.put([sent[n]], TIMEOUT_S)
            assert holds(target, sent[3])

    def test_a_deleted_product_stays_deleted_when_an_older_one_comes_late(
        self, make: Make, downstream: Downstream, people: People
    ) -> None:
        target = make(downstream)
        old = envelope(people.merchant, 1, target=target)
        gone = envelope(people.merchant, 2, model="", target=target)
        for sent in (gone, old):
            assert target.put([sent], TIMEOUT_S)[0].state == "CONFIRMED"
        assert holds(target, gone)

    def test_merchants_do_not_meet(self, make: Make, downstream: Downstream, people: People) -> None:
        target = make(downstream)
        ours = envelope(people.merchant, 5, target=target)
        theirs = envelope(people.other, 1, model="other", target=target)
        target.put([ours, theirs], TIMEOUT_S)
        assert holds(target, ours) and holds(target, theirs)

    def test_it_never_raises_for_what_the_other_side_does(
        self, make: Make, downstream: Downstream, people: People
    ) -> None:
        target = make(downstream)
        fine = envelope(people.merchant, key="aaaaaaaa_p01_002", target=target)
        broken = replace(envelope(people.merchant, target=target), payload=b"{not json", sku_key="a" * 41)
        answers = target.put([fine, broken], TIMEOUT_S)
        assert len(answers) == 2
        assert answers[1].state in ("UNKNOWN", "REFUSED", "PENDING")


@pytest.mark.req("PL-C3")
def test_racing_generations_leave_the_newest(committed: None, people: People) -> None:
    calls = [
        lambda n=n: LocalTarget().put([envelope(people.merchant, n, model=f"M-{n}")], TIMEOUT_S) for n in range(1, 9)
    ]
    in_threads(calls)  # type: ignore[arg-type]
    assert LocalProduct.objects.get().generation == 8


@pytest.mark.req("PL-C3")
def test_a_target_that_does_not_answer_in_time_counts_as_unknown(committed: None, people: People) -> None:
    """Another transaction holds the product's row for longer than the call may take."""
    from django.db import transaction

    target, sent = LocalTarget(), envelope(people.merchant)
    target.put([sent], TIMEOUT_S)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM processing_localproduct FOR UPDATE")

        def late() -> Any:
            return target.put([envelope(people.merchant, 2, model="M-2")], 0.5)

        assert [answer.state for answer in in_threads([late])[0]] == ["UNKNOWN"]
    assert holds(target, sent)
