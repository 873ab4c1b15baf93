"""A small model of the import protocol, walked through completely: two revisions of a SKU, two workers that may be
killed anywhere, a network that delays, loses and never hurries. Every state that can be reached is looked at.

The model moves its rows by the ledger's own table of moves. Downstream trusts whatever comes last: what keeps an older
revision from overwriting a newer one, and a SKU from being there twice, is the protocol alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import pytest

from processing.imports.lifecycle import IMPORT, IN_FLIGHT, Delivery

D = Delivery
MOST_TRIES, MOST_KILLS = 2, 2
CLAIMED, WAITING, ANSWERED = "claimed", "waiting", "answered"


@dataclass(frozen=True)
class Rules:
    """The protocol; each rule can be left out. ``contents``: of the revisions, in their order."""

    inserts: bool = False
    query: bool = True
    one_in_flight: bool = True
    settle_time: bool = True
    resend_blindly: bool = False  # an inserting target gets again what it cannot be asked about
    remember_uncertain: bool = True
    contents: str = "ab"


class Row(NamedTuple):
    content: str
    state: str = D.PENDING
    tries: int = 0
    uncertain: bool = False


class Worker(NamedTuple):
    """What a worker has in hand: the row, the try that its claim was for, how far it is."""

    row: int
    attempt: int
    phase: str


class State(NamedTuple):
    """``net``: (row, attempt) of requests on their way; ``held``: rows as they arrived downstream."""

    rows: tuple[Row, ...]
    workers: tuple[Worker | None, ...] = (None, None)
    net: tuple[tuple[int, int], ...] = ()
    held: tuple[int, ...] = ()
    kills: int = 0


def moved(state: State, at: int, to: str, **more: object) -> State:
    row = state.rows[at]
    changed = row._replace(state=IMPORT.check_path(row.state, to), **more)  # type: ignore[arg-type]
    return state._replace(rows=(*state.rows[:at], changed, *state.rows[at + 1 :]))


def hand(state: State, who: int, worker: Worker | None) -> State:
    return state._replace(workers=tuple(worker if n == who else w for n, w in enumerate(state.workers)))


def steps(state: State, rules: Rules) -> Iterator[State]:
    yield from corrected(state, rules)
    for who, worker in enumerate(state.workers):
        if worker is None:
            yield from claimed(state, who, rules)
        else:
            yield from worked(state, who, worker)
    yield from carried(state, rules)
    yield from settled(state, rules)


def corrected(state: State, rules: Rules) -> Iterator[State]:
    """The next revision: what has not gone out does not go out; what is confirmed already needs no call."""
    if len(state.rows) == len(rules.contents):
        return
    content, now = rules.contents[len(state.rows)], state
    certain: str | None = None
    for row in state.rows:
        if row.state == D.CONFIRMED:
            certain = row.content
        elif row.state == D.ASSUMED or (row.uncertain and rules.remember_uncertain):
            certain = None
    flying = any(row.state in IN_FLIGHT for row in state.rows)
    for at, row in enumerate(state.rows):
        if row.state == D.PENDING:
            now = moved(now, at, D.SUPERSEDED)
    first = D.CONFIRMED if certain == content and not flying else D.PENDING
    yield now._replace(rows=(*now.rows, Row(content, first)))


def claimed(state: State, who: int, rules: Rules) -> Iterator[State]:
    flying = any(row.state in IN_FLIGHT for row in state.rows)
    for at, row in enumerate(state.rows):
        if row.state != D.PENDING or row.tries == MOST_TRIES or (flying and rules.one_in_flight):
            continue
        if at != len(state.rows) - 1:
            yield moved(state, at, D.SUPERSEDED)
        else:
            sent = moved(state, at, D.SENDING, tries=row.tries + 1)
            yield hand(sent, who, Worker(at, row.tries + 1, CLAIMED))


def worked(state: State, who: int, worker: Worker) -> Iterator[State]:
    at, attempt, phase = worker
    if state.kills < MOST_KILLS:
        yield hand(state, who, None)._replace(kills=state.kills + 1)
    if phase == CLAIMED:
        net = tuple(sorted((*state.net, (at, attempt))))
        yield hand(state._replace(net=net), who, worker._replace(phase=WAITING))
        return
    mine = state.rows[at].state == D.SENDING and state.rows[at].tries == attempt  # the claim still holds
    heard = D.CONFIRMED if phase == ANSWERED else D.UNKNOWN  # or the call's time is over
    free = hand(state, who, None)
    yield moved(free, at, heard) if mine else free


def carried(state: State, rules: Rules) -> Iterator[State]:
    """A request arrives, and is answered or not; or it is lost."""
    for request in set(state.net):
        net = list(state.net)
        net.remove(request)
        gone = state._replace(net=tuple(net))
        yield gone
        arrived = gone._replace(held=(*state.held, request[0]) if rules.inserts else (request[0],))
        yield arrived
        for who, worker in enumerate(state.workers):
            if worker == Worker(*request, WAITING):
                yield hand(arrived, who, Worker(*request, ANSWERED))


def settled(state: State, rules: Rules) -> Iterator[State]:
    in_hand = {(worker.row, worker.attempt) for worker in state.workers if worker is not None}
    for at, row in enumerate(state.rows):
        if row.state == D.SENDING and (at, row.tries) not in in_hand:
            yield moved(state, at, D.UNKNOWN)
        if row.state != D.UNKNOWN or (rules.settle_time and any(request[0] == at for request in state.net)):
            continue
        if rules.query:
            there = at in state.held if rules.inserts else state.held[-1:] == (at,)
            yield moved(state, at, D.CONFIRMED if there else D.PENDING)
        elif not rules.inserts or rules.resend_blindly:
            yield moved(state, at, D.PENDING, uncertain=True)
        else:
            yield moved(state, at, D.ASSUMED, uncertain=True)


def fault(state: State, rules: Rules) -> str:
    """What is wrong with a state; at rest the downstream must hold the latest."""
    if list(state.held) != sorted(state.held):
        return "older after newer"
    if len(set(state.held)) < len(state.held):
        return "twice"
    rest = len(state.rows) == len(rules.contents) and not state.net and state.workers == (None, None)
    last = state.rows[-1]
    if not rest or last.state != D.CONFIRMED:
        return ""
    held = state.rows[state.held[-1]].content if state.held else None
    return "" if held == last.content else "lost"


def explore(rules: Rules) -> tuple[set[str], int, int]:
    """(faults, states, states at rest with everything confirmed)."""
    start = State((Row(rules.contents[0]),))
    seen, todo, faults, done = {start}, [start], set(), 0
    while todo:
        state = todo.pop()
        found = fault(state, rules)
        if found:
            faults.add(found)
            continue
        done += len(state.rows) == len(rules.contents) and state.rows[-1].state == D.CONFIRMED
        for after in steps(state, rules):
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return faults, len(seen), done


UPSERT, INSERT = Rules(), Rules(inserts=True)


@pytest.mark.req("TA-IMPKEY", "PL-C3")
@pytest.mark.parametrize(
    "rules",
    [
        UPSERT,
        INSERT,
        replace(UPSERT, query=False),
        replace(INSERT, query=False),
        replace(UPSERT, contents="aba"),
        replace(UPSERT, contents="aba", query=False),
    ],
    ids=["upsert", "insert", "upsert, no query", "insert, no query", "and back", "and back, no query"],
)
def test_in_every_history_each_sku_is_there_once_and_is_the_latest(rules: Rules) -> None:
    faults, states, done = explore(rules)
    assert faults == set()
    assert states > 100 and done > 5, "the walk got somewhere"


@pytest.mark.req("TA-IMPKEY", "PL-C3")
@pytest.mark.parametrize(
    ("rules", "wrong"),
    [
        (replace(UPSERT, one_in_flight=False), "lost"),
        (replace(INSERT, one_in_flight=False), "older after newer"),
        (replace(UPSERT, settle_time=False), "lost"),
        (replace(INSERT, settle_time=False), "twice"),
        (replace(INSERT, query=False, resend_blindly=True), "twice"),
        (replace(UPSERT, contents="aba", query=False, remember_uncertain=False), "lost"),
    ],
    ids=["two in flight", "two in flight, insert", "no settle time", "no settle time, insert", "no query", "forgetful"],
)
def test_without_any_one_of_its_rules_it_goes_wrong(rules: Rules, wrong: str) -> None:
    assert wrong in explore(rules)[0]
