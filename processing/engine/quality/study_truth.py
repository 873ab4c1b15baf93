"""A truth of a study: what a person read in one paper for the fields of a template, each value with a quote."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

import msgspec

from processing.engine.kinds.folding import fold_text
from processing.engine.quality.truth import PageNumber, TruthError

Repeat = Literal["none", "per_arm", "per_outcome"]
Words = Annotated[str, msgspec.Meta(pattern=r"\S")]
Sha256 = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]


class TruthPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything of a truth says what it means and nothing else."""


class TruthPaper(TruthPart, frozen=True):
    """``name``: of the PDF beside the truth, or its path in the folder of papers. ``source``: where anyone finds it."""

    name: Words
    sha256: Sha256
    source: str = ""


class TruthValue(TruthPart, frozen=True):
    """``value``: as printed, of a choice its key, of yes and no ``yes`` or ``no``; ``accept``: further right texts.
    ``quote`` stands on ``page``, counted from 1, and says the value."""

    value: Words
    quote: Words
    page: PageNumber
    accept: tuple[Words, ...] = ()


class TruthRecord(TruthPart, frozen=True):
    """What is said once, or of one arm or outcome: ``part`` is its name, ``also`` what else the paper calls it.
    ``fields``: by key; None: the paper does not report it. Fields that are not named are not judged."""

    repeat: Repeat
    fields: dict[str, TruthValue | None]
    part: str = ""
    also: tuple[Words, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        return frozenset(map(folded, (self.part, *self.also)))


class StudyTruth(TruthPart, frozen=True):
    """``template``: key and version of what was asked, as in "rct/1". ``maker``: publisher or journal, whose papers
    share their faults. All arms are listed; of outcomes some may be."""

    schema_version: Literal["study-1.0"]
    kind: Literal["study"]
    file: TruthPaper
    template: Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]*/[1-9][0-9]*$")]
    maker: Words
    records: Annotated[tuple[TruthRecord, ...], msgspec.Meta(min_length=1)]


class Asked(msgspec.Struct, frozen=True):
    """A field of the template, as a result file lists it."""

    key: str
    type: str
    repeat: Repeat
    required: bool = False
    choices: tuple[str, ...] = ()

    @property
    def is_chosen(self) -> bool:
        """Its value is one of a list, which print does not say."""
        return self.type in ("choice", "boolean")

    @property
    def keys(self) -> tuple[str, ...]:
        return ("yes", "no") if self.type == "boolean" else self.choices


def folded(name: str) -> str:
    return " ".join(fold_text(name))


_decoder = msgspec.json.Decoder(StudyTruth)


def read_study_truth(data: bytes, name: str) -> StudyTruth:
    """``name`` stands in the errors. Raises TruthError with the place of every problem."""
    try:
        truth = _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise TruthError(name, (str(error),)) from error
    if problems := tuple(_problems(truth)):
        raise TruthError(name, problems)
    return truth


def check_fields(truth: StudyTruth, fields: Iterable[Asked], name: str) -> None:
    """Raises TruthError where the truth speaks of fields that the template does not ask, or asks otherwise."""
    asked = {field.key: field for field in fields}
    problems = []
    for n, record in enumerate(truth.records):
        for key, value in record.fields.items():
            at = f" - at `$.records[{n}].fields.{key}`"
            field = asked.get(key)
            if field is None:
                problems.append(f"{truth.template} asks no such field{at}")
            elif field.repeat != record.repeat:
                problems.append(f"{truth.template} asks it {field.repeat}, not {record.repeat}{at}")
            elif value is not None and field.is_chosen and (wrong := {value.value, *value.accept} - {*field.keys}):
                problems.append(f"{', '.join(sorted(wrong))}: none of {', '.join(field.keys)}{at}")
    if problems:
        raise TruthError(name, tuple(problems))


def _problems(truth: StudyTruth) -> Iterator[str]:
    names = Counter((record.repeat, name) for record in truth.records for name in record.names)
    for n, record in enumerate(truth.records):
        at = f" - at `$.records[{n}]`"
        if not record.fields:
            yield f"Says nothing of any field{at}"
        if (record.repeat == "none") != (not record.part.strip()):
            yield f"What is said once has no part, an arm or outcome is named by one{at}"
        elif record.repeat == "none" and record.also:
            yield f"Only an arm or outcome is also called something{at}"
        for name in sorted(record.names):
            if names[record.repeat, name] > 1:
                yield f"{name or 'What is said once'} is there {names[record.repeat, name]} times{at}"
