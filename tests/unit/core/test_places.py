"""Whose line stays open and whose gives way."""

import gc

import pytest

from catalogsku.core.places import IDLE_S, Bounds, NoPlace, Place, Places


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def places(clock):
    return Places(Bounds(a_person=2, a_merchant=3, in_all=4), clock)


def opened(places, person, merchant, ended=None):
    place = places.take(person, frozenset({merchant}))
    place.end = (lambda: ended.append(place)) if ended is not None else (lambda: None)
    return place


def test_each_bound_refuses_by_its_name(places):
    kept = [opened(places, 1, 7), opened(places, 1, 7)]
    with pytest.raises(NoPlace) as full:
        places.take(1, frozenset({7}))
    assert full.value.bound == "person"
    kept.append(opened(places, 2, 7))
    with pytest.raises(NoPlace) as full:
        places.take(3, frozenset({7}))
    assert full.value.bound == "merchant"
    kept.append(opened(places, 4, 8))
    with pytest.raises(NoPlace) as full:
        places.take(5, frozenset({9}))
    assert full.value.bound == "all"
    assert len(places) == 4


def test_the_one_that_has_been_silent_longest_gives_way(places, clock):
    ended: list[Place] = []
    first, second = opened(places, 1, 7, ended), opened(places, 1, 7, ended)
    clock.now_s += IDLE_S
    places.heard(first)
    third = opened(places, 1, 7)
    assert ended == [second]
    with pytest.raises(NoPlace):
        places.take(1, frozenset({7}))
    assert len(places) == len([first, third])


def test_nobody_gives_way_for_another_person(places, clock):
    kept = [opened(places, person, 7) for person in (1, 2, 3)]
    clock.now_s += 10 * IDLE_S
    with pytest.raises(NoPlace):
        places.take(4, frozenset({7}))
    assert len(places) == len(kept)


def test_what_has_no_end_never_gives_way(places, clock):
    kept = [places.take(1, frozenset({7})) for _ in range(2)]
    clock.now_s += 10 * IDLE_S
    with pytest.raises(NoPlace):
        places.take(1, frozenset({7}))
    assert len(places) == len(kept)


def test_a_place_is_left_once_and_by_who_forgets_it(places):
    place = opened(places, 1, 7)
    places.leave(place)
    places.leave(place)
    assert len(places) == 0
    place = places.take(1, frozenset({7}))
    assert len(places) == 1
    del place
    gc.collect()
    assert len(places) == 0
