"""What every import target must do, whatever stands behind it: one product a (merchant, SKU), the newest one."""

import hashlib
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from catalogsku.accounts.models import Merchant
from processing.delivery.port import Envelope, Found, Target
from processing.delivery.targets import LocalTarget, target_named
from processing.models import LocalProduct
from tests.support.people import People
from tests.support.rows import in_threads

TARGETS: list[Callable[[], Target]] = [LocalTarget]
every_target = pytest.mark.parametrize("make", TARGETS, ids=lambda make: make.__name__)
TIMEOUT_S = 20.0


def envelope(merchant: Merchant, generation: int = 1, key: str = "aaaaaaaa_p01_001", model: str = "M-1") -> Envelope:
    payload = json.dumps({"generation": generation, "product": {"model": model}}).encode()
    return Envelope(merchant.pk, key, generation, payload, hashlib.sha256(model.encode()).hexdigest())


def found(sent: Envelope) -> Found:
    return Found(sent.generation, sent.payload_hash)


def test_the_local_target_has_its_name() -> None:
    assert isinstance(target_named("local"), LocalTarget)
    with pytest.raises(KeyError):
        target_named("nowhere")


@every_target
@pytest.mark.django_db
@pytest.mark.req("TA-IMPKEY", "PL-C3")
class TestEveryTarget:
    def test_what_was_put_can_be_asked_for(self, make: Callable[[], Target], people: People) -> None:
        target, sent = make(), envelope(people.merchant)
        assert target.query(sent.merchant_id, sent.sku_key) is None
        assert [answer.state for answer in target.put([sent], TIMEOUT_S)] == ["CONFIRMED"]
        assert target.query(sent.merchant_id, sent.sku_key) == found(sent)

    def test_answers_come_one_an_envelope_in_order(self, make: Callable[[], Target], people: People) -> None:
        sent = [envelope(people.merchant, key=f"aaaaaaaa_p01_{n:03d}", model=f"M-{n}") for n in range(50)]
        target = make()
        assert [answer.state for answer in target.put(sent, TIMEOUT_S)] == ["CONFIRMED"] * 50
        assert all(target.query(e.merchant_id, e.sku_key) == found(e) for e in sent)
        assert target.put([], TIMEOUT_S) == []

    def test_the_same_generation_again_changes_nothing(self, make: Callable[[], Target], people: People) -> None:
        target, sent = make(), envelope(people.merchant)
        for _ in range(3):
            assert target.put([sent], TIMEOUT_S)[0].state == "CONFIRMED"
        assert target.query(sent.merchant_id, sent.sku_key) == found(sent)

    def test_the_newest_stays_in_whatever_order_they_come(self, make: Callable[[], Target], people: People) -> None:
        generations = [envelope(people.merchant, n, model=f"M-{n}") for n in (1, 2, 3)]
        for number, order in enumerate(itertools.permutations(generations)):
            key = f"aaaaaaaa_p{number:02d}_001"
            target = make()
            for one in order:
                target.put([Envelope(one.merchant_id, key, one.generation, one.payload, one.payload_hash)], TIMEOUT_S)
            assert target.query(people.merchant.pk, key) == found(generations[2])

    def test_merchants_do_not_meet(self, make: Callable[[], Target], people: People) -> None:
        target, ours, theirs = make(), envelope(people.merchant, 5), envelope(people.other, 1, model="other")
        target.put([ours, theirs], TIMEOUT_S)
        assert target.query(people.merchant.pk, ours.sku_key) == found(ours)
        assert target.query(people.other.pk, theirs.sku_key) == found(theirs)

    def test_it_never_raises_for_what_the_other_side_does(self, make: Callable[[], Target], people: People) -> None:
        broken = envelope(people.merchant)
        broken = Envelope(broken.merchant_id, broken.sku_key, 1, b"{not json", broken.payload_hash)
        answers = make().put([envelope(people.merchant, key="aaaaaaaa_p01_002"), broken], TIMEOUT_S)
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
    assert target.query(people.merchant.pk, sent.sku_key) == found(sent)
