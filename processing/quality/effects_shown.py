"""What a change of configuration would have done, in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from catalogsku.profiles.columns import WORDS
from ingestion.lifecycle import Route
from processing.quality.services.effects import Effect

NOTES = {
    "new_key": gettext_lazy("No profile of this name is active yet, so no document has gone by it."),
    "partial_skus": gettext_lazy("Which partial SKUs would go to people: what is lenient now does not mark them."),
}


@dataclass(frozen=True)
class ShownEffect:
    """``over``: which documents were looked at; ``would``: what would change; ``unknown``: what cannot be said."""

    over: str
    would: list[str]
    unknown: list[str]


def shown_effect(effect: Effect) -> ShownEffect:
    over = ngettext(
        "From %(n)s document of the last 30 days with %(pages)s pages whose result is stored:",
        "From %(n)s documents of the last 30 days with %(pages)s pages whose result is stored:",
        effect.documents,
    )
    counts = {"n": effect.documents, "pages": effect.pages}
    if not effect.documents:
        return ShownEffect(_("No document of the last 30 days went by it, so nothing can be said."), [], _notes(effect))
    return ShownEffect(over % counts, effect_words(effect), [*_unknown(effect), *_notes(effect)])


def effect_words(effect: Effect) -> list[str]:
    """What would change, a sentence each."""
    return list(_would(effect)) or [_("Nothing would change in them.")]


def _would(effect: Effect) -> Iterator[str]:
    people, models = effect.people, effect.models
    if n := people["more"]:
        yield ngettext("%(n)s page more would go to people", "%(n)s pages more would go to people", n) % {"n": n}
    if n := people["fewer"]:
        yield ngettext("%(n)s page fewer would go to people", "%(n)s pages fewer would go to people", n) % {"n": n}
    if n := models["more"]:
        yield ngettext("%(n)s page more asked of models", "%(n)s pages more asked of models", n) % {"n": n}
    if n := models["fewer"]:
        yield ngettext("%(n)s page fewer asked of models", "%(n)s pages fewer asked of models", n) % {"n": n}
    yield from _of_work(effect)
    for (now, then), n in sorted(effect.routes.items()):
        words = ngettext("%(n)s document: %(then)s, now %(now)s", "%(n)s documents: %(then)s, now %(now)s", n)
        yield words % {"n": n, "then": Route(then).label, "now": Route(now).label}


def _of_work(effect: Effect) -> Iterator[str]:
    """As whole products, and hours to a tenth."""
    wrong, hours = round(effect.wrong_skus), round(effect.people_s / 3600, 1)
    if wrong < 0:
        yield ngettext("about %(n)s wrong SKU fewer", "about %(n)s wrong SKUs fewer", -wrong) % {"n": -wrong}
    elif wrong:
        yield ngettext("about %(n)s wrong SKU more", "about %(n)s wrong SKUs more", wrong) % {"n": wrong}
    if hours > 0:
        yield _("%(n)s h more work of people") % {"n": hours}
    elif hours:
        yield _("%(n)s h less work of people") % {"n": -hours}


def _unknown(effect: Effect) -> Iterator[str]:
    if n := effect.worked_on:
        words = ngettext(
            "%(n)s page that people have worked on: whether it would still have come to them.",
            "%(n)s pages that people have worked on: whether they would still have come to them.",
            n,
        )
        yield words % {"n": n}
    if n := effect.answered:
        words = ngettext(
            "%(n)s page that models have answered: whether they would still be asked.",
            "%(n)s pages that models have answered: whether they would still be asked.",
            n,
        )
        yield words % {"n": n}
    if n := effect.left_out:
        words = ngettext(
            "%(n)s older document was not looked at, so that you need not wait.",
            "%(n)s older documents were not looked at, so that you need not wait.",
            n,
        )
        yield words % {"n": n}


def _notes(effect: Effect) -> list[str]:
    """Of a figure: that pages would have to be read again for it."""
    read_again = _("What “%(figure)s” would change: the pages would have to be read again.")
    return [str(NOTES[code]) if code in NOTES else read_again % {"figure": WORDS[code].label} for code in effect.notes]
