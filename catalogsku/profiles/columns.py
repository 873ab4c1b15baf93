"""What may stand in each JSON of a configuration, for people: its columns with kinds, ranges, units and words.

Kinds, ranges and choices are taken from what checks the JSON (figures, schemas, routes), so that a form cannot ask for
other things than admin, API and commands accept.
"""

import types
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args, get_origin, get_type_hints

import msgspec
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.profiles import dictionaries, figures, routes, schemas
from catalogsku.profiles.figures import Figures

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Kind = Literal["text", "words", "choice", "number", "whole", "switch", "exact"]


class Column(NamedTuple):
    """``kind``: words are texts, one a line; exact is a number that is kept as it was written. ``default``: what is not
    written into an entry where it stands there; None where everything is written."""

    key: str
    label: "StrOrPromise"
    kind: Kind
    help: "StrOrPromise" = ""
    unit: "StrOrPromise" = ""
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    default: object = None
    is_needed: bool = True

    @property
    def range(self) -> str:
        if self.least is None or self.most is None:
            return ""
        return str(_("%(least)g to %(most)g")) % {"least": self.least, "most": self.most}


class Said(NamedTuple):
    label: "StrOrPromise"
    help: "StrOrPromise" = ""
    unit: "StrOrPromise" = ""


SHARE = pgettext_lazy("unit", "share")
POINTS = pgettext_lazy("unit", "points")
PT = pgettext_lazy("unit", "pt on A4")
WORDS: dict[str, Said] = {
    "text_readability": Said(_("readable text"), _("How much of the page's text is real characters."), SHARE),
    "layout_quality": Said(_("clean layout"), _("No overprinted, turned or tiny lines."), SHARE),
    "table_structure": Said(_("tables understood"), _("Rows of product tables that were read whole."), SHARE),
    "image_quality": Said(_("quality of pictures"), _("By the short edge of product pictures."), SHARE),
    "image_text_relation": Said(_("pictures bound"), _("SKUs whose picture is decided."), SHARE),
    "product_density": Said(_("complete products"), _("How complete the products of the page are."), SHARE),
    "all_blank_reject": Said(
        _("a blank document goes to people"), _("Else it ends by itself, with nothing found in it.")
    ),
    "ocr_rate_penalty_threshold": Said(
        _("little text below"), _("Share of pages with text below which the document loses points."), SHARE
    ),
    "ocr_rate_penalty_weight": Said(_("taken off for little text"), _("From the document's confidence."), POINTS),
    "no_images_penalty_weight": Said(_("taken off without pictures"), _("From the document's confidence."), POINTS),
    "min_text_chars_for_blank": Said(
        _("blank below"),
        _("A page with fewer characters and no picture is blank."),
        pgettext_lazy("unit", "characters"),
    ),
    "score_variance_threshold": Said(
        _("uneven above"), _("Variance of page scores above which an automatic document is looked at page by page.")
    ),
    "page_type_min_confidence": Said(
        _("sure of a page's type from"), _("A page below it is looked at by a person."), SHARE
    ),
    "no_product_skip_confidence": Said(
        _("sure that there is no product from"), _("A page is skipped only from this confidence on."), SHARE
    ),
    "skips_checked": Said(
        _("skipped pages to check"),
        _("Of each document, the least certain ones; more while products are found on them. Empty: 2; 0: none."),
    ),
    "skip_doubtful_below": Said(
        _("a skip is doubtful below"), _("Only skipped pages below it are checked; empty: 0.95."), SHARE
    ),
    "product_score": Said(_("a table of products from"), _("Signs of products in a table; empty: 3."), POINTS),
    "gap_l1": Said(_("gap, one large picture"), _("Of one product and its picture; empty: 200."), PT),
    "gap_l2": Said(_("gap, grid of cards"), _("Empty: 100."), PT),
    "gap_l3": Said(_("gap, mixed page"), _("Empty: 150."), PT),
    "gap_l4": Said(_("gap, dense list"), _("Empty: 80."), PT),
    "ambiguous_below": Said(_("bound in doubt below"), _("Distance between two candidates; empty: 0.2."), SHARE),
    "max_candidates": Said(_("most candidates"), _("Pictures that a person is offered; empty: 3.")),
    "max_skus": Said(_("most SKUs a page"), _("More are a finding; empty: 50.")),
    "max_skus_table_page": Said(_("most SKUs a page of tables"), _("Empty: 200.")),
    "invalid_share": Said(_("invalid SKUs above"), _("More are a finding; empty: 0.3."), SHARE),
    "missing_fields_share": Said(_("SKUs with missing fields above"), _("More are a finding; empty: 0.5."), SHARE),
    "small_main_share": Said(_("small main pictures above"), _("More are a finding; empty: 0.5."), SHARE),
    "min_short_edge_px": Said(_("a picture is small below"), _("Its short edge; empty: 640."), _("pixels")),
    "error_factor": Said(_("confidence on an error"), _("The page's is multiplied by it; empty: 0.7.")),
    "coverage_min": Said(_("covered at least"), _("Less of the page's text is a finding; empty: 0.7."), SHARE),
    "fragmented": Said(_("pictures in pieces"), _("Added where a page's pictures are cut into pieces."), POINTS),
    "recognised": Said(_("recognised text"), _("Added where much of the text was recognised, not printed."), POINTS),
    "columns": Said(_("several columns"), _("Added where text stands in columns."), POINTS),
    "blocks": Said(_("many blocks"), _("Added where a page has many blocks of text."), POINTS),
    "recognised_above": Said(_("much is recognised above"), _("Share of recognised text; above 1: never.")),
    "blocks_above": Said(_("many blocks above"), "", pgettext_lazy("unit", "blocks")),
    "complex_from": Said(_("a page is complex from"), _("The sum of the points above."), POINTS),
    "key": Said(_("key"), _("Small letters, digits and underscores.")),
    "label_zh": Said(_("Chinese label")),
    "label_en": Said(_("English label")),
    "synonyms": Said(_("further labels"), _("One a line, in any language.")),
    "type": Said(_("type")),
    "unit": Said(_("unit"), _("The one meant where none is printed.")),
    "required": Said(_("required")),
    "group": Said(_("group")),
    "rule": Said(_("rule")),
    "field": Said(_("attribute"), _("Its key.")),
    "min": Said(_("smallest"), _("In the printed unit.")),
    "max": Said(_("largest"), _("In the printed unit; for max_count: values in one cell.")),
    "pattern": Said(_("pattern"), _("Regular expression of the whole value.")),
    "severity": Said(_("severity")),
    "action": Said(_("action"), _("note marks the SKU, review sends it to a person.")),
    "kind": Said(_("kind")),
    "word": Said(_("word"), _("As catalogues print it; of a pattern the expression of a whole text.")),
    "means": Said(_("means"), _("Of its kind, as docs/dictionaries.md lists; for labels also a key of the category.")),
    "operation": Said(_("question")),
    "page_type": Said(_("page type")),
    "complexity": Said(_("complexity")),
    "route": Said(_("route"), _("RULES, SKIP, strong, cheap, or a model's name.")),
}


def of_figures(by_key: Figures, *, exact: bool = False) -> tuple[Column, ...]:
    """``exact``: numbers that are kept as text, so that their sum is exact."""

    def column(key: str, figure: figures.Figure) -> Column:
        said, kind = WORDS[key], cast(Kind, "exact" if exact else figure.kind)
        if figure.kind == "switch":
            return Column(key, said.label, "switch", said.help)
        return Column(
            key, said.label, kind, said.help, said.unit, figure.least, figure.most, is_needed=figure.is_needed
        )

    return tuple(column(key, figure) for key, figure in by_key.items())


def of_struct(kind: type[msgspec.Struct]) -> tuple[Column, ...]:
    hints = get_type_hints(kind)

    def column(field: Any) -> Column:
        said, hint, is_needed = WORDS[field.name], hints[field.name], field.required
        default = None if is_needed else field.default
        choices = get_args(hint) if get_origin(hint) is Literal else ()
        return Column(
            field.name, said.label, _kind_of(hint), said.help, said.unit, None, None, choices, default, is_needed
        )

    return tuple(map(column, msgspec.structs.fields(kind)))


def _kind_of(hint: Any) -> Kind:
    if get_origin(hint) is Literal:
        return "choice"
    if get_origin(hint) is tuple:
        return "words"
    if isinstance(hint, types.UnionType) and float in get_args(hint):
        return "number"
    return "switch" if hint is bool else "text"


def of_choices(by_key: Iterable[tuple[str, tuple[str, ...]]]) -> tuple[Column, ...]:
    """Texts; a choice where there are choices."""
    return tuple(
        Column(key, WORDS[key].label, "choice" if choices else "text", WORDS[key].help, choices=choices)
        for key, choices in by_key
    )


# By the model's column: what one object holds, and what each entry of a list holds.
OBJECTS: dict[str, tuple[Column, ...]] = {
    "weights": of_figures({key: figures.Figure(float(value)) for key, value in figures.WEIGHTS.items()}, exact=True),
    "prescan_rules": of_figures(figures.PRESCAN_RULES),
    "classification": of_figures(figures.CLASSIFICATION),
    "limits": of_figures(figures.LIMITS),
    "points": of_figures(routes.POINTS),
}
ENTRIES: dict[str, tuple[Column, ...]] = {
    "attributes": of_struct(schemas.Attribute),
    "entries": of_struct(dictionaries.Word),
    "rules": of_struct(schemas.Rule),
    "rows": of_choices(routes.CHOICES.items()),
}
# What the plain columns mean, with their ranges and units.
HELP: dict[str, "StrOrPromise"] = {
    "category": _("Holds for documents of this category; empty: for all that have none of their own."),
    "threshold_a": _("From 0 to 1, above PV: a document from here on is delivered without a person."),
    "threshold_pv": _("From 0 to 1, between B and A: a page below it goes to a person."),
    "threshold_b": _("From 0 to 1, below PV: a document below it goes to people whole."),
    "weights": _("Six shares that sum to 1: how much each side of a page counts in its score."),
    "reason": _("Why you change it; kept with the change for good."),
    "parent_key": _("Key of the category above; its attributes and rules hold here too."),
    "prefer_always": _("Every question goes to the strong model, as if the table had no rows."),
    "rules_from": _("A share from 0.5 on: the rules' confidence from which no model is asked; above 1: never."),
    "high_after_min": _("Minutes in which nobody holds the task; fewer than the next level."),
    "escalate_after_min": _("Minutes in which nobody holds the task; fewer than the next level."),
    "accept_after_min": _("Minutes in which nobody holds the task; fewer than the next level."),
    "skip_after_min": _("Minutes in which nobody holds the task; the last level."),
    "accept_above": _("A share from 0 to below 1."),
    "audit_ratio": _("A share from 0 to 1."),
    "reserved_min": _("Minutes."),
    "hard_below": _("A share from 0 to 1."),
    "hard_accuracy": _("A share from 0 to 1."),
    "verdict_least": _("A share from 0 to 1, at most the largest."),
    "verdict_most": _("A share from 0 to 1."),
    "honeypot_ratio": _("A share from 0.05 to 0.15, or 0 for none."),
    "blind_ratio": _("A share from 0 to 1; drawn every night, at most 30 pages. It measures what machines do alone."),
}
