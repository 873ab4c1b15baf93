"""What people have said of one study, from its decisions: who has, and two of them side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalogsku.accounts.models import User
from catalogsku.core.errors import NotFound, Refused
from processing.studies import comparing
from processing.studies.comparing import Act, Figures, LastWords, Pair
from processing.studies.lifecycle import RecordStatus
from processing.studies.models import Decision, Record
from processing.studies.studies_seen import Study
from processing.studies.values import Value, values_in


@dataclass(frozen=True)
class Reviewer:
    """``fields``: how many they have decided."""

    user: User
    fields: int


@dataclass(frozen=True)
class Comparison:
    """``people``: all who have decided, who decided most first. ``one``, ``other``: None where there is nobody."""

    people: Sequence[Reviewer]
    one: User | None
    other: User | None
    pairs: Sequence[Pair]
    figures: Figures


def last_words_of(study: Study) -> LastWords:
    """Of parts that count: what was left out is none."""
    records = [record.pk for record in _counted(study)]
    columns = ("pk", "record_id", "field", "by_id", "verdict", "before__decision")
    rows = Decision.objects.filter(record__in=records).order_by("pk").values_list(*columns)
    return comparing.last_words([Act(*row) for row in rows])


def people_of(words: LastWords) -> Sequence[Reviewer]:
    fields: dict[int, int] = {}
    for by in words.values():
        for person in by:
            fields[person] = fields.get(person, 0) + 1
    people = [Reviewer(user, fields[user.pk]) for user in User.objects.filter(pk__in=fields)]
    return sorted(people, key=lambda one: (-one.fields, one.user.username))


def is_comparable(study: Study) -> bool:
    """At least two people have decided."""
    return len({person for by in last_words_of(study).values() for person in by}) > 1


def compare(study: Study, one: str = "", other: str = "") -> Comparison:
    """``one``, ``other``: user names; where none is named, of those left the one who decided most. Raises
    NotFound(not_found) for a person who has decided nothing here, Refused(bad_request) for the same one twice."""
    words = last_words_of(study)
    people = people_of(words)
    if one and one == other:
        raise Refused("bad_request", what="other")
    first = _named(people, one, but=other)
    second = _named(people, other, but=first.username if first else "")
    if first is None:
        return Comparison(people, None, None, (), comparing.figures_of(()))
    chosen = {first.pk, second.pk if second else 0}
    said = _values([pk for by in words.values() for person, pk in by.items() if person in chosen])
    asked = [(record.pk, field) for record in _counted(study) for field in study.fields(record.repeat)]
    pairs = comparing.pairs_of(asked, words, said, first.pk, second.pk if second else None)
    return Comparison(people, first, second, pairs, comparing.figures_of(pairs))


def _counted(study: Study) -> Sequence[Record]:
    return [record for record in study.records if record.status != RecordStatus.REJECTED]


def _named(people: Sequence[Reviewer], name: str, *, but: str) -> User | None:
    if not name:
        return next((person.user for person in people if person.user.username != but), None)
    user = next((person.user for person in people if person.user.username == name), None)
    if user is None:
        raise NotFound("not_found")
    return user


def _values(decisions: Sequence[int]) -> Mapping[int, Value]:
    rows = Decision.objects.filter(pk__in=decisions).values_list("pk", "value")
    return {pk: values_in([value])[0] for pk, value in rows}
