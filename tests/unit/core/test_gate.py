"""Those who wait at a gate come in in their order, and none is forgotten."""

from catalogsku.core.gate import Gate


def test_lets_as_many_in_as_it_has_room_for_and_the_rest_in_order():
    gate, inside = Gate(2), []
    for name in "abcd":
        gate.enter(lambda name=name: inside.append(name))
    assert inside == ["a", "b"]
    gate.leave()
    assert inside == ["a", "b", "c"]
    gate.leave()
    gate.leave()
    assert inside == ["a", "b", "c", "d"]


def test_room_that_nobody_waits_for_is_kept():
    gate, inside = Gate(1), []
    gate.enter(lambda: inside.append("a"))
    gate.leave()
    gate.enter(lambda: inside.append("b"))
    gate.enter(lambda: inside.append("c"))
    assert inside == ["a", "b"]
