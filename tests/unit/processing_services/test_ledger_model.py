"""An exhaustive model of the import ledger: one SKU, two generations, two workers that may die anywhere, a network.

Every move of the model is looked up in the real table of moves. Without any one of its four safeguards the model finds
a history that loses, doubles or reverses an import; with all four it finds none.
"""

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from processing.imports.lifecycle import IMPORT

SENDS_MAX = 3


class Row(NamedTuple):
    state: str
    attempt: int


class Hand(NamedTuple):
    """A worker with a claimed row; ``step``: claimed, sent, answered."""

    generation: int
    attempt: int
    step: str


class World(NamedTuple):
    rows: tuple[Row | None, Row | None]
    hands: tuple[Hand | None, Hand | None]
    on_the_way: frozenset[tuple[int, int]]
    arrived: tuple[int, ...]


class Rules(NamedTuple):
    inserting: bool
    one_in_flight: bool = True
    settle_time: bool = True
    query: bool = True
    newest_only: bool = True


START = World((Row("PENDING", 0), None), (None, None), frozenset(), ())


def moved(row: Row, trigger: str, target: str) -> Row:
    assert row.state in IMPORT.sources(trigger, target), f"{row.state} -> {target} by {trigger} is not declared"
    return Row(target, row.attempt + (trigger == "claimed"))


def with_row(world: World, generation: int, row: Row) -> World:
    return world._replace(rows=(row, world.rows[1]) if generation == 1 else (world.rows[0], row))


def with_hand(world: World, worker: int, hand: Hand | None) -> World:
    return world._replace(hands=(hand, world.hands[1]) if worker == 0 else (world.hands[0], hand))


def following(world: World, rules: Rules) -> Iterator[World]:
    if world.rows[1] is None:  # a person corrects
        first = world.rows[0]
        assert first is not None
        if first.state == "PENDING":
            first = moved(first, "superseded", "SUPERSEDED")
        yield world._replace(rows=(first, Row("PENDING", 0)))
    for worker, hand in enumerate(world.hands):
        yield from claims(world, rules, worker) if hand is None else works(world, worker, hand)
    for generation, attempt in world.on_the_way:
        left = world.on_the_way - {(generation, attempt)}
        kept = (*world.arrived, generation) if rules.inserting else (generation,)
        yield world._replace(on_the_way=left, arrived=kept)
        yield world._replace(on_the_way=left)
    yield from sweeps(world, rules)


def claims(world: World, rules: Rules, worker: int) -> Iterator[World]:
    for generation, row in enumerate(world.rows, 1):
        if row is None or row.state != "PENDING" or row.attempt >= SENDS_MAX:
            continue
        if rules.newest_only and world.rows[1] is not None and generation == 1:
            continue
        other = world.rows[2 - generation]
        if rules.one_in_flight and other is not None and other.state in ("SENDING", "UNKNOWN"):
            continue
        claimed = moved(row, "claimed", "SENDING")
        yield with_hand(with_row(world, generation, claimed), worker, Hand(generation, claimed.attempt, "claimed"))


def works(world: World, worker: int, hand: Hand) -> Iterator[World]:
    yield with_hand(world, worker, None)  # kill -9
    row = world.rows[hand.generation - 1]
    holds = row == Row("SENDING", hand.attempt)
    request = (hand.generation, hand.attempt)
    if hand.step == "claimed":
        sent = with_hand(world, worker, hand._replace(step="sent"))
        yield sent._replace(on_the_way=world.on_the_way | {request})
        unsent = with_row(world, hand.generation, moved(row, "not_sent", "PENDING")) if holds and row else world
        yield with_hand(unsent, worker, None)
    elif hand.step == "sent":
        if request not in world.on_the_way and hand.generation in world.arrived:
            yield with_hand(world, worker, hand._replace(step="answered"))
        lost = with_row(world, hand.generation, moved(row, "answer_lost", "UNKNOWN")) if holds and row else world
        yield with_hand(lost, worker, None)
    else:
        done = with_row(world, hand.generation, moved(row, "confirmed", "CONFIRMED")) if holds and row else world
        yield with_hand(done, worker, None)


def sweeps(world: World, rules: Rules) -> Iterator[World]:
    for generation, row in enumerate(world.rows, 1):
        if row is None:
            continue
        held = any(h and (h.generation, h.attempt) == (generation, row.attempt) for h in world.hands)
        if row.state == "SENDING" and not held:
            yield with_row(world, generation, moved(row, "answer_lost", "UNKNOWN"))
        flying = any(sent[0] == generation for sent in world.on_the_way)
        if row.state == "UNKNOWN" and not (rules.settle_time and (flying or held)):
            if rules.query and generation in world.arrived:
                yield with_row(world, generation, moved(row, "confirmed", "CONFIRMED"))
            else:
                yield with_row(world, generation, moved(row, "not_sent", "PENDING"))
    first, second = world.rows
    if first is not None and second is not None and first.state == "PENDING":
        yield with_row(world, 1, moved(first, "superseded", "SUPERSEDED"))


def broken(world: World) -> str:
    if any(world.arrived.count(generation) > 1 for generation in (1, 2)):
        return "taken twice"
    ended = all(row is None or row.state in ("CONFIRMED", "SUPERSEDED") for row in world.rows)
    quiet = world.rows[1] is not None and not world.on_the_way and world.hands == (None, None)
    return "the correction is lost or overwritten" if ended and quiet and world.arrived[-1:] != (2,) else ""


def explore(rules: Rules) -> tuple[int, int, set[str]]:
    """(worlds, ends, what went wrong) over every history."""
    seen, todo, wrong, ends = {START}, deque([START]), set(), 0
    while todo:
        world = todo.popleft()
        wrong.add(broken(world))
        ends += world.rows[1] is not None and world.rows[1].state == "CONFIRMED"
        for after in following(world, rules):
            if after not in seen and not broken(world):
                seen.add(after)
                todo.append(after)
    return len(seen), ends, wrong - {""}


@pytest.mark.req("PL-C3", "TA-IMPKEY", "TA-SKUKEY")
@pytest.mark.parametrize("inserting", [False, True], ids=["upsert", "insert"])
def test_no_history_loses_doubles_or_reverses_an_import(inserting: bool) -> None:
    worlds, ends, wrong = explore(Rules(inserting))
    assert wrong == set()
    assert worlds > 500 and ends > 20, "the model has looked around"


@pytest.mark.req("PL-C3")
@pytest.mark.parametrize(
    ("rules", "harm"),
    [
        (Rules(True, one_in_flight=False), "the correction is lost or overwritten"),
        (Rules(True, settle_time=False), "taken twice"),
        (Rules(True, query=False), "taken twice"),
        (Rules(True, newest_only=False), "the correction is lost or overwritten"),
        (Rules(False, newest_only=False), "the correction is lost or overwritten"),
        (Rules(False, one_in_flight=False), "the correction is lost or overwritten"),
        (Rules(False, settle_time=False), "the correction is lost or overwritten"),
    ],
    ids=[
        "insert, two in flight",
        "insert, no settle time",
        "insert, no query",
        "insert, older ones too",
        "upsert, older ones too",
        "upsert, two in flight",
        "upsert, no settle time",
    ],
)
def test_without_any_one_safeguard_harm_is_done(rules: Rules, harm: str) -> None:
    assert harm in explore(rules)[2]
