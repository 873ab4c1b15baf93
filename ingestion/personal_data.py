"""What personal data documents show, kind by kind and page by page; never the data itself (TA-PII)."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogsku.core.personal_data import Kind
from ingestion.lifecycle import PageStatus
from ingestion.models import Job, Page

RANGES_SHOWN = 6


@dataclass(frozen=True)
class Shown:
    """``count``: different values page by page, so that one on ten pages counts ten times; ``pages``: numbers."""

    kind: Kind
    count: int
    pages: list[int]

    @property
    def words(self) -> str:
        words = {
            Kind.PHONE: ngettext("%(n)s telephone number", "%(n)s telephone numbers", self.count),
            Kind.MAIL: ngettext("%(n)s mail address", "%(n)s mail addresses", self.count),
            Kind.IDENTITY: ngettext("%(n)s identity number", "%(n)s identity numbers", self.count),
            Kind.CARD: ngettext("%(n)s card number", "%(n)s card numbers", self.count),
            Kind.IBAN: ngettext("%(n)s bank account number", "%(n)s bank account numbers", self.count),
        }[self.kind]
        return words % {"n": self.count}

    @property
    def sentence(self) -> str:
        where = ngettext("%(what)s on page %(pages)s", "%(what)s on pages %(pages)s", len(self.pages))
        return where % {"what": self.words, "pages": ranges(self.pages)}


def shown_in(pages: QuerySet[Page]) -> list[Shown]:
    """Of these pages, in the order of the kinds; empty for none."""
    counts, numbers = Counter[str](), defaultdict[str, list[int]](list)
    rows = pages.filter(personal_data__isnull=False).exclude(personal_data={}).order_by("number")
    for number, of_page in rows.values_list("number", "personal_data"):
        for kind, count in (of_page or {}).items():
            counts[kind] += count
            numbers[kind].append(number)
    return [Shown(kind, counts[kind], numbers[kind]) for kind in Kind if counts[kind]]


def counts(pages: QuerySet[Page]) -> dict[str, int]:
    return {str(one.kind): one.count for one in shown_in(pages)}


def shown_by(job: Job) -> list[Shown]:
    return shown_in(Page.objects.filter(job=job))


def not_looked_at(job: Job) -> QuerySet[Page]:
    """Its pages that were read before anybody looked."""
    read = Page.objects.filter(job=job, personal_data__isnull=True).exclude(reader="")
    return read.exclude(status=PageStatus.BLANK)


def ranges(numbers: Sequence[int]) -> str:
    """ "1, 3-5" of sorted numbers; of many the first ones."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    shown = ["–".join(map(str, part)) for part in parts[:RANGES_SHOWN]]
    return ", ".join(shown) + (_(" and others") if len(parts) > RANGES_SHOWN else "")
