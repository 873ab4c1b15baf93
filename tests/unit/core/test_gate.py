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


def test_thousands_that_end_as_they_start_are_let_in_one_after_the_other():
    gate, inside = Gate(1), []

    def gone(n):
        inside.append(n)
        gate.leave()

    gate.enter(lambda: None)
    for n in range(5000):
        gate.enter(lambda n=n: gone(n))
    gate.leave()
    assert inside == list(range(5000))
    gate.enter(lambda: inside.append("next"))
    assert inside[-1] == "next"
