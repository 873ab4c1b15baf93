"""Every message declares at its actor how it is queued, bounded and repeated."""

import dramatiq
import pytest

from ingestion.lifecycle import JOB, PAGE, PAGE_IMPORT
from ingestion.services.dispatch import JOB_STAGES, PAGE_STAGES
from processing.lifecycle import IMPORT, SKU

UNITS = {"cpu", "llm", "out", "quick"}
SANDBOX_WALL_MS = 260_000


def actors() -> list[dramatiq.Actor]:
    broker = dramatiq.get_broker()
    return [broker.get_actor(name) for name in sorted(broker.get_declared_actors())]


@pytest.mark.req("X-ACTOR")
def test_every_actor_declares_queue_time_limit_retries_and_backoff() -> None:
    assert len(actors()) >= 10
    for actor in actors():
        assert actor.queue_name in UNITS, actor.actor_name
        assert {"time_limit", "max_retries", "min_backoff"} <= set(actor.options), actor.actor_name


def test_work_in_the_sandbox_may_take_longer_than_the_sandbox_waits() -> None:
    for actor in actors():
        if actor.queue_name == "cpu":
            assert actor.options["time_limit"] > SANDBOX_WALL_MS, actor.actor_name


def test_whatever_is_sent_by_name_has_an_actor_on_the_unit_it_is_counted_for() -> None:
    known = {actor.actor_name: actor.queue_name for actor in actors()}
    for doing in (*JOB_STAGES.values(), *PAGE_STAGES.values()):
        assert known[doing.actor] == doing.unit
    for lifecycle in (JOB, PAGE, PAGE_IMPORT, SKU, IMPORT):
        for entry in lifecycle.moves:
            assert entry.news is None or entry.news.actor in known, entry
