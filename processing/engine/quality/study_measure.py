"""One paper's result beside its truth: which values are right, and how far people are told to trust them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from processing.engine.assignment import best_assignment
from processing.engine.kinds.folding import same_text
from processing.engine.quality.study_truth import (
    Asked,
    Repeat,
    StudyTruth,
    TruthRecord,
    TruthValue,
    check_fields,
    folded,
)

RESULT_VERSION = "study-1.0"
# A part that is called by its own name, and one whose values only say that name; what its values agree in decides
# between parts of one name.
_CALLED, _SAYS_SO, _EACH_RIGHT = 1.0, 0.5, 0.001


class ResultValue(msgspec.Struct, frozen=True):
    """As in a result file: ``text`` is empty where the study does not report it; ``grade``: None without a quote."""

    field: str
    text: str
    method: str = ""
    grade: Literal["green", "yellow", "red"] | None = None
    verdict: str | None = None


class ResultOffer(msgspec.Struct, frozen=True):
    field: str
    text: str


class ResultRecord(msgspec.Struct, frozen=True):
    repeat: Repeat
    part: str
    status: str
    values: tuple[ResultValue, ...]
    offers: tuple[ResultOffer, ...]


class ResultTemplate(msgspec.Struct, frozen=True):
    key: str
    version: int
    fields: tuple[Asked, ...]


class ResultJob(msgspec.Struct, frozen=True):
    file_hash: str
    status: str
    cost_micro: int = 0


class StudyResult(msgspec.Struct, frozen=True):
    """What is judged of a study's result file (docs/studies.md); its other fields are passed over."""

    schema_version: Literal["study-1.0"]
    job: ResultJob
    template: ResultTemplate
    records: tuple[ResultRecord, ...]


class Counts(msgspec.Struct, frozen=True):
    """Numbers of values on fields that the truth speaks of.

    ``wanted``: that the paper reports; ``answered``: given, also where it reports none; ``right`` of these, by grade;
    ``green``: all of that grade, ``green_wrong`` of these; ``offered``: not right, but beside it stands what is.
    ``unreported``: fields that the paper does not report; ``left_empty`` of these.
    ``parts``: arms or outcomes of the truth; ``parts_met`` of these, of ``parts_found``.
    ``quotes``: of the truth, and how they are proved; ``decoys``: of its numbers, and those that are taken for proved.
    """

    wanted: int = 0
    answered: int = 0
    right: int = 0
    right_green: int = 0
    right_yellow: int = 0
    right_red: int = 0
    green: int = 0
    green_wrong: int = 0
    offered: int = 0
    unreported: int = 0
    left_empty: int = 0
    parts: int = 0
    parts_met: int = 0
    parts_found: int = 0
    quotes: int = 0
    quotes_green: int = 0
    quotes_yellow: int = 0
    quotes_red: int = 0
    decoys: int = 0
    decoys_green: int = 0


def sum_counts(counts: Iterable[Counts]) -> Counts:
    rows = [msgspec.structs.astuple(one) for one in counts]
    return Counts(*map(sum, zip(*rows, strict=True))) if rows else Counts()


class StudySlip(msgspec.Struct, frozen=True):
    """A value that is not as the truth says. ``missed``: none is given; ``wrong``; ``false``: the paper reports none.
    ``offered``: whether the right one stands beside it."""

    field: str
    part: str
    kind: Literal["missed", "wrong", "false"]
    wanted: str
    text: str
    grade: str
    offered: bool = False


class StudyMeasure(msgspec.Struct, frozen=True):
    """``by_field``: key and counts; ``by_repeat``: the arms and outcomes that were met. ``methods``: who found values,
    and how many."""

    by_field: dict[str, Counts]
    by_repeat: dict[str, Counts]
    slips: tuple[StudySlip, ...]
    methods: dict[str, int]


def decode_result(data: bytes) -> StudyResult:
    """Raises ValueError for anything that is no result file of a study."""
    try:
        return msgspec.json.decode(data, type=StudyResult)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ValueError(f"no result file of a study: {error}") from error


def measure_study(truth: StudyTruth, result: StudyResult, name: str) -> StudyMeasure:
    """Raises TruthError, which calls the truth ``name``, where it speaks of what the template does not ask."""
    check_fields(truth, result.template.fields, name)
    asked = {field.key: field for field in result.template.fields}
    found = [record for record in result.records if record.status != "REJECTED"]
    counts: dict[str, list[Counts]] = defaultdict(list)
    by_repeat: dict[str, Counts] = {}
    slips: list[StudySlip] = []
    for repeat in ("none", "per_arm", "per_outcome"):
        truths = [record for record in truth.records if record.repeat == repeat]
        records = [record for record in found if record.repeat == repeat]
        pairs = match_parts(truths, records, asked)
        if repeat != "none":
            by_repeat[repeat] = Counts(parts=len(truths), parts_met=len(pairs), parts_found=len(records))
        for n, record in enumerate(truths):
            for key, wanted in record.fields.items():
                judged, slip = _judged(asked[key], record.part, wanted, records[pairs[n]] if n in pairs else None)
                counts[key].append(judged)
                slips += [slip] if slip else []
    methods: dict[str, int] = defaultdict(int)
    for value in (value for record in found for value in record.values):
        methods[value.method] += 1
    by_field = {field: sum_counts(counts[field]) for field in asked if field in counts}
    return StudyMeasure(by_field, by_repeat, tuple(slips), dict(sorted(methods.items())))


def match_parts(
    truths: Sequence[TruthRecord], records: Sequence[ResultRecord], asked: Mapping[str, Asked]
) -> dict[int, int]:
    """Indices of ``records`` by those of ``truths``, one to one: by a name that both have, else by what the values say
    that a part must have; of several the assignment whose values agree most. What is said once is one."""
    if truths and truths[0].repeat == "none":
        return {0: 0} if records else {}
    weights = {
        (t, r): sure + _EACH_RIGHT * _agreeing(truth, record, asked)
        for t, truth in enumerate(truths)
        for r, record in enumerate(records)
        if (sure := _certainty(truth, record, asked))
    }
    return dict(best_assignment(weights))


def is_right(field: Asked, wanted: TruthValue, text: str) -> bool:
    """Of a choice by its key, else as two people's values are compared."""
    texts = (wanted.value, *wanted.accept)
    return text in texts if field.is_chosen else any(same_text(text, one) for one in texts)


def _certainty(truth: TruthRecord, record: ResultRecord, asked: Mapping[str, Asked]) -> float:
    if folded(record.part) in truth.names:
        return _CALLED
    for value in record.values:
        field, wanted = asked.get(value.field), truth.fields.get(value.field)
        if field and field.required and field.type == "text" and value.text:
            named = folded(value.text) in truth.names
            if named or (wanted is not None and is_right(field, wanted, value.text)):
                return _SAYS_SO
    return 0.0


def _agreeing(truth: TruthRecord, record: ResultRecord, asked: Mapping[str, Asked]) -> int:
    return sum(
        value.field in asked and wanted is not None and is_right(asked[value.field], wanted, value.text)
        for value in record.values
        if (wanted := truth.fields.get(value.field)) is not None
    )


def _judged(
    field: Asked, part: str, wanted: TruthValue | None, record: ResultRecord | None
) -> tuple[Counts, StudySlip | None]:
    value = next((one for one in record.values if one.field == field.key), None) if record else None
    text = value.text if value else ""
    grade = (value.grade or "") if value and text else ""
    green = grade == "green"
    if wanted is None:
        counts = Counts(unreported=1, left_empty=not text, answered=bool(text), green=green, green_wrong=green)
        return counts, StudySlip(field.key, part, "false", "", text, grade) if text else None
    right = bool(text) and is_right(field, wanted, text)
    offers = [one.text for one in record.offers if one.field == field.key] if record else []
    offered = not right and any(is_right(field, wanted, one) for one in offers)
    counts = Counts(
        wanted=1,
        answered=bool(text),
        right=right,
        right_green=right and green,
        right_yellow=right and grade == "yellow",
        right_red=right and grade == "red",
        green=green,
        green_wrong=green and not right,
        offered=offered,
    )
    kind: Literal["wrong", "missed"] = "wrong" if text else "missed"
    return counts, None if right else StudySlip(field.key, part, kind, wanted.value, text, grade, offered)
