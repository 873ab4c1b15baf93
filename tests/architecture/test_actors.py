"""Every message declares at its actor how it is queued, bounded and repeated."""

import dramatiq
import pytest

from ingestion import stages
from ingestion.kinds import KINDS
from ingestion.lifecycle import JOB, PAGE, PAGE_IMPORT
from ingestion.services import dispatch
from processing.imports.lifecycle import IMPORT
from processing.pages.services import taking_turns
from processing.products.lifecycle import SKU

UNITS = {"cpu", "llm", "out", "quick"}
SANDBOX_WALL_MS = 260_000
# The longest are an evaluation over golden sets and a backup.
MOST_MS = 6 * 3_600_000


def actors() -> list[dramatiq.Actor]:
    broker = dramatiq.get_broker()
    return [broker.get_actor(name) for name in sorted(broker.get_declared_actors())]


@pytest.mark.req("X-ACTOR")
def test_every_actor_declares_queue_time_limit_retries_and_backoff() -> None:
    assert len(actors()) >= 10
    for actor in actors():
        assert actor.queue_name in UNITS, actor.actor_name
        told = {name: actor.options[name] for name in ("time_limit", "max_retries", "min_backoff")}
        assert 30_000 <= told["time_limit"] <= MOST_MS, (actor.actor_name, told)
        assert 0 <= told["max_retries"] <= 3 and told["min_backoff"] >= 500, (actor.actor_name, told)


def test_work_in_the_sandbox_may_take_longer_than_the_sandbox_waits() -> None:
    for actor in actors():
        if actor.queue_name == "cpu":
            assert actor.options["time_limit"] > SANDBOX_WALL_MS, actor.actor_name


def test_whatever_is_sent_by_name_has_an_actor_on_the_unit_it_is_counted_for() -> None:
    known = {actor.actor_name: actor.queue_name for actor in actors()}
    for unit in stages.UNITS:
        assert known[dispatch.turn_actor(unit)] == unit
    for lifecycle in (JOB, PAGE, PAGE_IMPORT, SKU, IMPORT):
        for entry in lifecycle.moves:
            assert entry.news is None or entry.news.actor in known, entry


def test_every_stage_that_machines_work_on_has_its_service() -> None:
    for key, kind in KINDS.items():
        assert set(taking_turns.DO[key]) == kind.stages, key
    assert set().union(*taking_turns.DO.values()) == {*stages.JOB_STAGES, *stages.PAGE_STAGES}
