"""How figures of days are shown: readings of a period, charts over it, and its categories and operations."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from annotation.figures import selectors
from annotation.figures.models import OTHER
from annotation.figures.selectors import Period
from annotation.figures.sums import MICRO, Sums, sum_of
from catalogsku.accounts.merchants import chosen_merchant, merchants_of
from catalogsku.accounts.models import Merchant, User
from catalogsku.core import clock, moments
from catalogsku.core.charts import Chart, Series, chart
from processing.llm.presenters import OPERATIONS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

TODAY, WEEKS, YEAR = "today", "weeks", "year"
RANGES: "dict[str, StrOrPromise]" = {
    TODAY: pgettext_lazy("figures", "Today"),
    WEEKS: gettext_lazy("Four weeks"),
    YEAR: gettext_lazy("A year"),
}
DAYS_SHOWN, WEEKS_SHOWN = 28, 53
HEADS = {TODAY: gettext_lazy("Hour"), WEEKS: gettext_lazy("Day"), YEAR: gettext_lazy("Week from")}


@dataclass(frozen=True)
class Point:
    """``begins``: the day, or the first day of the week; ``name``: as shown under a bar."""

    begins: date
    name: str
    sums: Sums


@dataclass(frozen=True)
class Shown:
    """All that one screen, file or answer says. ``range``: one of RANGES."""

    range: str
    period: Period
    merchant: Merchant | None
    points: list[Point]
    whole: Sums
    categories: dict[str, Sums]
    operations: dict[str, int]


@dataclass(frozen=True)
class Reading:
    word: str
    text: str
    note: str = ""


@dataclass(frozen=True)
class PartRow:
    name: str
    cells: list[str]


def period_of(kind: str, today: date) -> Period:
    """A year begins with a Monday."""
    days = {TODAY: 0, WEEKS: DAYS_SHOWN - 1, YEAR: 7 * (WEEKS_SHOWN - 1) + today.weekday()}[kind]
    return Period(today - timedelta(days=days), today)


def shown(actor: User, kind: str, merchant: Merchant | None) -> Shown:
    """Three statements, whatever has happened. An unknown ``kind`` is four weeks."""
    kind = kind if kind in RANGES else WEEKS
    period = period_of(kind, clock.today())
    rows = selectors.figures_of(actor, merchant, period)
    if kind == TODAY:
        hours = selectors.by_hour(rows)
        points = [Point(period.first, f"{hour:02d}:00", hours.get(hour, Sums())) for hour in range(24)]
    else:
        points = list(_points(period, selectors.by_day(rows), 1 if kind == WEEKS else 7))
    categories = selectors.by_category(rows)
    return Shown(kind, period, merchant, points, sum_of(categories.values()), categories, selectors.by_operation(rows))


def _points(period: Period, days: dict[date, Sums], step: int) -> Iterator[Point]:
    """Days without figures too."""
    for n in range(0, (period.last - period.first).days + 1, step):
        begins = period.first + timedelta(days=n)
        own = [days[day] for day in (begins + timedelta(days=k) for k in range(step)) if day in days]
        yield Point(begins, moments.day(begins), sum_of(own))


def figures_context(actor: User, kind: str, named: str) -> dict[str, Any]:
    """``named``: id of a merchant, or nothing for all that ``actor`` sees. Raises NotFound for another's."""
    merchants = merchants_of(actor)
    merchant = chosen_merchant(merchants, named, actor) if named else None
    found = shown(actor, kind, merchant)
    return {
        "ranges": [(key, word, key == found.range) for key, word in RANGES.items()],
        "range": found.range,
        "merchant": merchant,
        "merchants": merchants,
        "first": found.period.first,
        "last": found.period.last,
        "counted_at": selectors.counted_at(),
        "is_empty": found.whole.is_nothing,
        "readings": _readings(found.whole),
        "charts": _charts(found),
        "category_heads": [str(word) for word in CATEGORY_HEADS],
        "categories": _category_rows(found.categories),
        "operations": _operation_rows(found.operations),
    }


def today_chart(actor: User) -> Chart | None:
    """Of the screen of operations; nothing on a day on which no page has come out yet."""
    day = clock.today()
    hours = selectors.by_hour(selectors.figures_of(actor, None, Period(day, day)))
    if not any(sums.pages_done for sums in hours.values()):
        return None
    points = [Point(day, f"{hour:02d}:00", hours.get(hour, Sums())) for hour in range(24)]
    return _pages_chart(points, str(HEADS[TODAY]), sum_of(hours.values()))


# --- in words -------------------------------------------------------------------------------------------


def count(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == round(value) else f"{value:.1f}"


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def minutes(value: float) -> str:
    return _("%(n)s min") % {"n": f"{value:.1f}"}


def rate(value: float) -> str:
    return f"{value:.1f}"


def money(value: float) -> str:
    """Cents, and of less than a dollar what is behind them."""
    text = f"{value:,.2f}" if value >= 1 or not value else f"{value:.4f}"
    return f"{text.removesuffix('0').removesuffix('0') if len(text.partition('.')[2]) > 2 else text} USD"


def _or_dash(value: float | None, written: Callable[[float], str]) -> str:
    return "—" if value is None else written(value)


def _pages(n: int) -> str:
    return ngettext("%(n)s page", "%(n)s pages", n) % {"n": count(n)}


def _readings(whole: Sums) -> list[Reading]:
    came = _("%(n)s came in") % {"n": count(whole.documents_in)}
    return [
        Reading(_("Pages done"), count(whole.pages_done), came_pages(whole)),
        Reading(_("Documents done"), count(whole.documents_out), came),
        Reading(_("Finished by people"), _or_dash(whole.intervention, percent), _pages(whole.pages_person)),
        Reading(_("Work of people a document"), _or_dash(whole.minutes_a_document, minutes), worked(whole)),
        Reading(
            _("Corrections per 100 products"),
            _or_dash(whole.corrections_a_hundred, rate),
            ngettext("%(n)s product", "%(n)s products", whole.products) % {"n": count(whole.products)},
        ),
        Reading(_("Models a document"), _or_dash(whole.usd_a_document, money), money(whole.cost_usd)),
        Reading(_("Without the model"), _or_dash(whole.degraded, percent), _pages(whole.pages_degraded)),
    ]


def came_pages(whole: Sums) -> str:
    return ngettext("%(n)s page came in", "%(n)s pages came in", whole.pages_in) % {"n": count(whole.pages_in)}


def worked(whole: Sums) -> str:
    tasks = ngettext("%(n)s task", "%(n)s tasks", whole.tasks) % {"n": count(whole.tasks)}
    hours = _("%(n)s h") % {"n": f"{whole.person_s / 3600:.1f}"}
    return pgettext("between facts", "%(a)s, %(b)s") % {"a": tasks, "b": hours}


# --- charts ---------------------------------------------------------------------------------------------


def _charts(found: Shown) -> list[Chart]:
    head, points, whole = str(HEADS[found.range]), found.points, found.whole
    pages = _pages_chart(points, head, whole)
    if found.range == TODAY:
        return [pages]
    return [pages, _documents_chart(points, head, whole), *_share_charts(points, head, whole)]


def _pages_chart(points: Sequence[Point], head: str, whole: Sums) -> Chart:
    series = [
        Series(_("by machines"), "main", [point.sums.pages_machine for point in points]),
        Series(_("by people"), "person", [point.sums.pages_person for point in points]),
        Series(_("skipped"), "hollow", [point.sums.pages_skipped for point in points]),
    ]
    return chart(
        "pages",
        _("Pages done today") if head == str(HEADS[TODAY]) else _("Pages done"),
        head,
        [point.name for point in points],
        series,
        count,
        whole=count(whole.pages_done),
        description=_span(points, _("Pages by who finished them.")),
    )


def _documents_chart(points: Sequence[Point], head: str, whole: Sums) -> Chart:
    series = [
        Series(_("came in"), "hollow", [point.sums.documents_in for point in points]),
        Series(_("done"), "main", [point.sums.documents_out for point in points]),
    ]
    return chart(
        "documents",
        _("Documents"),
        head,
        [point.name for point in points],
        series,
        count,
        whole=count(whole.documents_out),
        description=_span(points, _("Documents that came in and that were done.")),
        stacked=False,
    )


# (attribute of Sums, how it looks, how it is written, its title, what it says)
_SHARES: "tuple[tuple[str, str, Callable[[float], str], StrOrPromise, StrOrPromise], ...]" = (
    ("intervention", "person", percent, gettext_lazy("Finished by people"),
     gettext_lazy("Of the pages with a result, those that a person finished.")),
    ("minutes_a_document", "person", minutes, gettext_lazy("Work of people a document"),
     gettext_lazy("Minutes of closed tasks, by the documents done.")),
    ("corrections_a_hundred", "main", rate, gettext_lazy("Corrections per 100 products"),
     gettext_lazy("Values that people changed, by the products of the pages done.")),
    ("degraded", "fault", percent, gettext_lazy("Without the model"),
     gettext_lazy("Of the pages done, those that a model was to be asked about while it was away or over budget.")),
    ("cost_usd", "main", money, gettext_lazy("Cost of models"), gettext_lazy("What calls of models cost.")),
    ("usd_a_document", "main", money, gettext_lazy("Models a document"),
     gettext_lazy("What calls of models cost, by the documents done.")),
)  # fmt: skip


def _share_charts(points: Sequence[Point], head: str, whole: Sums) -> Iterator[Chart]:
    for name, look, written, title, says in _SHARES:
        series = [Series(str(title), look, [getattr(point.sums, name) for point in points])]
        yield chart(
            name,
            str(title),
            head,
            [point.name for point in points],
            series,
            written,
            whole=_or_dash(getattr(whole, name), written),
            description=_span(points, str(says)),
        )


def _span(points: Sequence[Point], says: str) -> str:
    params = {"says": says, "first": points[0].name, "last": points[-1].name}
    return _("%(says)s From %(first)s to %(last)s; the table below has the figures.") % params


# --- parts ----------------------------------------------------------------------------------------------

CATEGORY_HEADS = (
    *(gettext_lazy("Pages done"), gettext_lazy("Finished by people"), gettext_lazy("Work of people a document")),
    *(gettext_lazy("Corrections per 100 products"), gettext_lazy("Cost of models"), gettext_lazy("Models a document")),
)
CATEGORIES_SHOWN = 21


def _category_rows(categories: dict[str, Sums]) -> list[PartRow]:
    ranked = sorted(categories.items(), key=lambda entry: (entry[0] == OTHER, -entry[1].pages_done, entry[0]))
    rows = [(name, sums) for name, sums in ranked if not sums.is_nothing]
    shown_rows, rest = rows[:CATEGORIES_SHOWN], rows[CATEGORIES_SHOWN:]
    if rest:  # those that are one already among them
        shown_rows.append((OTHER, sum_of(sums for _name, sums in rest)))
    return [PartRow(category_word(name), _category_cells(sums)) for name, sums in shown_rows]


def category_word(name: str) -> str:
    return {"": _("without a category"), OTHER: pgettext("categories", "all others")}.get(name, name)


def _category_cells(sums: Sums) -> list[str]:
    return [
        count(sums.pages_done),
        _or_dash(sums.intervention, percent),
        _or_dash(sums.minutes_a_document, minutes),
        _or_dash(sums.corrections_a_hundred, rate),
        money(sums.cost_usd),
        _or_dash(sums.usd_a_document, money),
    ]


def _operation_rows(operations: dict[str, int]) -> list[PartRow]:
    whole = sum(operations.values())
    return [
        PartRow(str(OPERATIONS.get(name, name)), [money(micro / MICRO), percent(micro / whole)])
        for name, micro in operations.items()
        if whole
    ]
