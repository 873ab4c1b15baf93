"""What proving makes of a truth's own quotes, and of decoys: the same numbers, each changed, with the true quote.

No model has a part in it: a value is proved that a person read with its quote, and what nobody may prove is not.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from processing.engine.quality.study_measure import Counts
from processing.engine.quality.study_truth import Asked, StudyTruth

# Of these a value is nothing but numbers, and each of its digits says something.
NUMERIC = frozenset({"number", "integer", "percentage", "interval"})
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")


class Trial(msgspec.Struct, frozen=True):
    """``text``: None where the quote alone is looked for, as of a choice. ``is_decoy``: nobody may prove it."""

    field: str
    text: str | None
    quote: str
    page: int
    is_decoy: bool = False


def trials_of(truth: StudyTruth, asked: Mapping[str, Asked]) -> list[Trial]:
    """Every value of the truth with its quote, each number of it followed by its decoys."""
    trials = []
    for record in truth.records:
        for key, value in record.fields.items():
            if value is not None:
                text = None if asked[key].is_chosen else value.value
                trials.append(Trial(key, text, value.quote, value.page))
                if asked[key].type in NUMERIC:
                    decoys = decoys_of(value.value, value.quote)
                    trials += [Trial(key, decoy, value.quote, value.page, True) for decoy in decoys]
    return trials


def decoys_of(text: str, quote: str) -> list[str]:
    """Each digit changed by one, each decimal mark dropped, each sign dropped; without what the quote says, too."""
    changed = dict.fromkeys(_changed(text))
    return [decoy for decoy in changed if not _says(quote, decoy)]


def _changed(text: str) -> Iterator[str]:
    for n, sign in enumerate(text):
        before, after = text[:n], text[n + 1 :]
        if sign.isascii() and sign.isdigit():
            yield f"{before}{(int(sign) + 1) % 10}{after}"
        elif after[:1].isdigit():
            is_mark = sign in ".·" and before[-1:].isdigit()
            is_sign = _plain(sign) == "-" and not before.rstrip()[-1:].isdigit()
            if is_mark or is_sign:
                yield before + after


def _says(quote: str, decoy: str) -> bool:
    """By a count of its own, which knows nothing of how proving reads: the number stands there as one."""
    words, number = _plain(quote), re.escape(_plain(decoy))
    return re.search(rf"(?<![\d.·-]){number}(?![\d]|[.·]\d)", words) is not None


def _plain(text: str) -> str:
    return text.translate(_DASHES)


def counts_of(trials: Sequence[Trial], grades: Sequence[str]) -> dict[str, Counts]:
    """By field. ``grades``: of each trial."""
    seen: dict[str, Counter[str]] = {}
    for trial, grade in zip(trials, grades, strict=True):
        what = "decoys" if trial.is_decoy else "quotes"
        seen.setdefault(trial.field, Counter()).update([what, f"{what}_{grade}"])
    known = Counts.__struct_fields__
    return {field: Counts(**{name: n for name, n in told.items() if name in known}) for field, told in seen.items()}
