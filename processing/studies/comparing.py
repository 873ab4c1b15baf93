"""What two people have said of the same study, field by field, and how far they agree; pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from processing.engine.kinds.folding import same_text
from processing.studies.definition import Field
from processing.studies.values import WITHDRAWN, Value

Mark = Literal["differ", "single", "agree"]


class Act(NamedTuple):
    """A row of ``Decision``: ids of record and person; ``takes_back``: id of the decision that a withdrawal takes
    back."""

    id: int
    record: int
    field: str
    by: int
    verdict: str
    takes_back: int | None


# By record and field, then by person: id of the decision that is their last word.
LastWords = dict[tuple[int, str], dict[int, int]]


def last_words(acts: Sequence[Act]) -> LastWords:
    """``acts``: the oldest first. What a person took back themselves was not said: what they had said before counts
    again. What another one took back of the study is still their word."""
    said_by = {act.id: act.by for act in acts}
    taken_back = {
        act.takes_back for act in acts if act.verdict == WITHDRAWN and said_by.get(act.takes_back or 0) == act.by
    }
    words: LastWords = {}
    for act in acts:
        if act.verdict != WITHDRAWN and act.id not in taken_back:
            words.setdefault((act.record, act.field), {})[act.by] = act.id
    return words


def say_the_same(one: Value, other: Value) -> bool:
    """That the paper does not report it is said by "not reported" alone; values are the same where their folded texts
    are, whether confirmed or corrected."""
    if "not_reported" in (one.verdict, other.verdict):
        return one.verdict == other.verdict
    return same_text(one.text, other.text)


@dataclass(frozen=True)
class Pair:
    """A field of a record (its id) that at least one of two people has decided; None: that person has not."""

    record: int
    field: Field
    one: Value | None
    other: Value | None

    @property
    def mark(self) -> Mark:
        if self.one is None or self.other is None:
            return "single"
        return "agree" if say_the_same(self.one, self.other) else "differ"


def pairs_of(
    asked: Iterable[tuple[int, Field]], words: LastWords, said: Mapping[int, Value], one: int, other: int | None
) -> list[Pair]:
    """In the order of ``asked``, (record, field). ``said``: by decision; ``one``, ``other``: ids of people, None where
    there is nobody to compare with."""
    pairs = []
    for record, field in asked:
        by = words.get((record, field.key), {})
        both = [said[by[person]] if person is not None and person in by else None for person in (one, other)]
        if any(both):
            pairs.append(Pair(record, field, *both))
    return pairs


@dataclass(frozen=True)
class Figures:
    """Numbers of fields. ``single``: that only one of both has decided. ``kappa``: Cohen's, of the two categories "a
    value" and "not reported" over the fields that both decided; values themselves are free text, for which no agreement
    by chance can be said. None where there are no such fields, or chance alone explains all (everybody said the same
    category throughout)."""

    both: int
    agreed: int
    single: int
    kappa: float | None

    @property
    def differing(self) -> int:
        return self.both - self.agreed

    @property
    def share(self) -> float | None:
        """Of the fields that both decided, those on which they agree, 0 to 1; None without any."""
        return self.agreed / self.both if self.both else None


def figures_of(pairs: Sequence[Pair]) -> Figures:
    marks = [pair.mark for pair in pairs]
    reported = [
        (pair.one.verdict != "not_reported", pair.other.verdict != "not_reported")
        for pair in pairs
        if pair.one and pair.other
    ]
    return Figures(len(reported), marks.count("agree"), marks.count("single"), kappa_of(reported))


def kappa_of(said: Sequence[tuple[bool, bool]]) -> float | None:
    """Cohen's kappa, (p_o - p_e) / (1 - p_e), of two people who each put every item into one of two categories; None
    without items, or where p_e is 1. J. Cohen, A coefficient of agreement for nominal scales, Educational and
    Psychological Measurement 20 (1960), 37-46."""
    n = len(said)
    first, second = sum(one for one, _other in said), sum(other for _one, other in said)
    by_chance = first * second + (n - first) * (n - second)  # of n², so that nothing is rounded
    if by_chance == n * n:
        return None
    observed = sum(one == other for one, other in said) * n
    return (observed - by_chance) / (n * n - by_chance)
