"""What is known of one page after people had to do with it, and what that says of its way: pure.

As on golden pages (processing/engine/quality/routes.py), with what a person left in the place of the truth.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from processing.engine.quality.routes import Confusion, confusion_of, judged, taken, wanted, wilson

Rate = tuple[float, float, float]  # the share, and the ends of its interval

# What is asked of a person after the page has gone on without one.
LATER = frozenset({"import_refused", "auto_accepted", "blind_look", "second_look", "sent_back"})
REPORTED = "reported_"


@dataclass(frozen=True)
class Look:
    """``reasons``: codes for which machines gave the page to a person; none where it went on alone. ``audited``: a
    person was asked to look at it nevertheless; else what is known of such a page came from its readers.
    ``found``: whether machines had found any product.

    ``wrong``: products that a person changed, added or took away; ``corrected``: whether anything was. ``products``:
    whether there are any, now. ``answered``: whether a model's answer was the result. ``asked_s``: seconds of people.
    ``confidence``: the page's own, ``c_doc`` its document's.
    """

    page: int
    category: str
    reasons: frozenset[str]
    corrected: bool
    wrong: int = 0
    products: bool = True
    found: bool = True
    answered: bool = False
    audited: bool = False
    asked_s: float = 0.0
    confidence: float | None = None
    c_doc: float | None = None

    @property
    def with_person(self) -> bool:
        return bool(self.reasons)

    @property
    def ways(self) -> tuple[str, str]:
        """(taken, wanted). Whether the rules alone would have been right where a model answered is not kept."""
        way = taken(person=self.with_person, asked=self.answered, products=self.found)
        by_rules = False if self.answered else None
        return way, wanted(products=self.products, right=not self.corrected, rules_right=by_rules)


@dataclass
class Tally:
    """What the looks at some pages say together."""

    looks: list[Look] = field(default_factory=list)

    @property
    def routes(self) -> Confusion:
        return confusion_of(look.ways for look in self.looks)

    @property
    def counts(self) -> dict[str, int]:
        """``pages``: of which anything is known; ``with_people`` and, of them, ``untouched``: nobody changed anything;
        ``audited`` and, of them, ``audited_wrong``; ``told``: automatic ones that readers corrected or reported."""
        people = [look for look in self.looks if look.with_person]
        audited = [look for look in self.looks if look.audited and not look.with_person]
        right, _ = judged(self.routes)
        return {
            "pages": len(self.looks),
            "corrected": sum(look.corrected for look in self.looks),
            "wrong_skus": sum(look.wrong for look in self.looks),
            "with_people": len(people),
            "untouched": sum(not look.corrected for look in people),
            "audited": len(audited),
            "audited_wrong": sum(look.corrected for look in audited),
            "told": len(self.looks) - len(people) - len(audited),
            "on_their_way": right,
        }


# Each rate, by the counts that it is a share of.
RATES = {
    "route_accuracy": ("on_their_way", "pages"),
    "correction": ("corrected", "pages"),
    "could_be_automatic": ("untouched", "with_people"),
    "automatic_wrong": ("audited_wrong", "audited"),
    "people_right": ("golden_right", "golden"),
}


def rates_of(counts: dict[str, int]) -> dict[str, Rate]:
    """Those that have something to be a share of, with Wilson's interval at 95 %."""
    rates: dict[str, Rate] = {}
    for name, (part, whole) in RATES.items():
        n, of = counts.get(part, 0), counts.get(whole, 0)
        interval = wilson(n, of)
        if interval is not None:
            rates[name] = (round(n / of, 4), *interval)
    return rates


def by_category(looks: Iterable[Look]) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    for look in looks:
        if look.category:
            tallies.setdefault(look.category, Tally()).looks.append(look)
    return tallies


def by_reason(looks: Iterable[Look]) -> dict[str, Tally]:
    """A page counts under each of its reasons; one that went on alone under none."""
    tallies: dict[str, Tally] = {}
    for look in looks:
        for reason in look.reasons:
            tallies.setdefault(reason, Tally()).looks.append(look)
    return tallies


def of_machines(codes: Iterable[str]) -> frozenset[str]:
    """The reasons that machines had, without those that came up after the page had gone on."""
    return frozenset(code for code in codes if code not in LATER and not code.startswith(REPORTED))
