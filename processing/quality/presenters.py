"""How reports over golden sets are shown: figures with their change, gate, groups, and the worst pages in words."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from catalogsku.profiles.words import ATTRIBUTES
from processing.engine.quality.compare import LOWER_IS_BETTER
from processing.engine.quality.measure import BoxOnPage, PageMeasure
from processing.engine.quality.report import Report, WorstPage, decode_report
from processing.engine.quality.totals import Figures
from processing.engine.quality.values import Slip
from processing.pages.words import PAGE_TYPES
from processing.quality.models import EvalReport
from processing.quality.routes_shown import report_ways

PAGES_AT_ONCE = 4  # two pictures of a page each
SLIPS_SHOWN = 12
NAMES_SHOWN = 8

FIGURES = {
    "pages": gettext_lazy("Pages"),
    "f1": gettext_lazy("F1 of SKUs"),
    "attribute_accuracy": gettext_lazy("Right values"),
    "hallucination_rate": gettext_lazy("Invented values"),
    "binding_recovered": gettext_lazy("Pictures found"),
    "binding_wrong": gettext_lazy("Wrong pictures"),
    "page_type_accuracy": gettext_lazy("Page type"),
    "human_share": gettext_lazy("To people"),
    "page_type_kappa": gettext_lazy("Page type right, beyond chance"),
    "calibration_error": gettext_lazy("Error of confidence"),
    "auc": gettext_lazy("Right above wrong (AUC)"),
}
SHOWN = ("f1", "attribute_accuracy", "hallucination_rate", "binding_recovered", "binding_wrong", "page_type_accuracy",
         "human_share")  # fmt: skip
GROUPS = {
    "by_golden": gettext_lazy("Golden set"),
    "by_category": gettext_lazy("Category"),
    "by_page_type": gettext_lazy("Page type"),
    "by_holder": gettext_lazy("Who has the page"),
    "by_text": gettext_lazy("Where the text comes from"),
}
MEMBERS = {
    "machine": gettext_lazy("machines alone"),
    "person": gettext_lazy("a person"),
    "layer": gettext_lazy("text layer"),
    "recognised": gettext_lazy("recognised (OCR)"),
    "none": gettext_lazy("not read"),
}
SLIPS = {
    "absent": ("cross", "person", gettext_lazy("not read, the page says %(wanted)s")),
    "different": ("pencil", "person", gettext_lazy("read as %(given)s, the page says %(wanted)s")),
    "extra": ("flag", "person", gettext_lazy("read as %(given)s, the truth names no such value")),
    "hallucinated": ("warning", "fault", gettext_lazy("given as %(given)s, which is not on the page")),
}


@dataclass(frozen=True)
class Figure:
    """``change``: signed, against the run before over the same pages; empty where there is none or nothing changed."""

    key: str
    label: str
    text: str
    change: str
    tone: str
    said: str


@dataclass(frozen=True)
class ReportRow:
    url: str
    golden: str
    made_at: datetime
    commit: str
    profile: str
    pages: int
    skus: int
    passed: bool
    failed: str
    figures: list[Figure]


@dataclass(frozen=True)
class GateRow:
    label: str
    limit: str
    text: str
    verdict: str
    why: str


@dataclass(frozen=True)
class GroupRow:
    name: str
    pages: int
    skus: int
    figures: list[Figure]


@dataclass(frozen=True)
class SlipRow:
    sku: str
    label: str
    icon: str
    tone: str
    sentence: str


@dataclass(frozen=True)
class Overlay:
    """``css``: sku, picture or unbound. ``tag``: printed on what is wrong, most boxes have none."""

    css: str
    title: str
    box: tuple[float, float, float, float]
    tag: str


@dataclass(frozen=True)
class PageRow:
    """``truth`` and ``found``: boxes on the picture, which is empty where the page could not be rendered."""

    name: str
    page_number: int
    loss: float
    troubles: list[tuple[str, str]]
    picture_url: str
    width_pt: float
    height_pt: float
    truth: list[Overlay]
    found: list[Overlay]
    slips: list[SlipRow]
    more_slips: int


def report_row(report: EvalReport) -> ReportRow:
    """``report.before``: the total of the run before, as list_reports gives it."""
    counts = report.total["counts"]
    return ReportRow(
        url=reverse("quality_report", args=[report.uuid]),
        golden=report.golden,
        made_at=report.made_at,
        commit=report.commit,
        profile=report.profile.words if report.profile else "",
        pages=counts["pages"],
        skus=counts["matched"] + counts["missed"],
        passed=report.passed,
        failed=_listed([_figure_word(line["figure"]) for line in report.gate if line["verdict"] == "failed"]),
        figures=[_figure(key, report.total, getattr(report, "before", None)) for key in SHOWN],
    )


def report_context(report: EvalReport, before: EvalReport | None, number: str | None) -> dict[str, Any]:
    """``number``: of the page of worst pages. Figures, gate and confusion are there even where the content is not."""
    report.before = before.total if before else None  # type: ignore[attr-defined]
    content = _content(report)
    context = {
        "report": report_row(report),
        "before_url": reverse("quality_report", args=[before.uuid]) if before else "",
        "before_at": before.made_at if before else None,
        "gate": [_gate_row(line) for line in report.gate],
        "confusion": _confusion(report.total["confusion"]),
        "readable": content is not None,
    }
    if content is not None:
        pages: Any = Paginator(content.worst, PAGES_AT_ONCE).get_page(number)
        pages.object_list = [_page_row(report, content, worst) for worst in pages.object_list]
        context |= {"groups": list(_groups(content)), "page": pages, "skipped": content.skipped}
        context |= report_ways(content)
    return context


def _content(report: EvalReport) -> Report | None:
    """None where another version of the product has written it."""
    try:
        return decode_report(zlib.decompress(report.content))
    except (zlib.error, ValueError):
        return None


def _figure_word(key: str) -> str:
    return str(FIGURES.get(key, key))


def _figure(key: str, total: dict[str, Any], before: dict[str, Any] | None = None) -> Figure:
    value, earlier = total[key], (before or {}).get(key)
    text = "—" if value is None else f"{value:.3f}"
    change, tone, said = "", "", ""
    if value is not None and earlier is not None and round(value - earlier, 3):
        better = (value > earlier) != (key in LOWER_IS_BETTER)
        change = f"{value - earlier:+.3f}".replace("-", "−")
        tone, said = ("done", _("better")) if better else ("fault", _("worse"))
    return Figure(key, _figure_word(key), text, change, tone, said)


def _gate_row(line: dict[str, Any]) -> GateRow:
    bound = _("at least %(limit)s") if line["bound"] == "at least" else _("at most %(limit)s")
    text = "—" if line["value"] is None else f"{line['value']:.3f}"
    return GateRow(_figure_word(line["figure"]), bound % {"limit": line["limit"]}, text, line["verdict"], line["why"])


def _confusion(table: dict[str, dict[str, int]]) -> dict[str, Any]:
    """``rows``: (type, [(count, whether it is the right type)])."""
    kinds = [kind for kind in PAGE_TYPES if kind in table or any(kind in row for row in table.values())]
    return {
        "found": [(kind, PAGE_TYPES[kind]) for kind in kinds],
        "rows": [
            (kind, PAGE_TYPES[kind], [(row.get(other, 0), other == kind) for other in kinds])
            for kind, row in sorted(table.items())
        ],
    }


def _groups(content: Report) -> Iterator[tuple[str, list[GroupRow]]]:
    for name, label in GROUPS.items():
        members: dict[str, Figures] = getattr(content, name)
        yield str(label), [_group_row(_member_word(name, key), figures) for key, figures in members.items()]
    yield _("File"), [_group_row(entry.file.name, entry.figures) for entry in content.files]


def _member_word(group: str, key: str) -> str:
    if group == "by_page_type":
        return f"{key} {PAGE_TYPES[key]}"
    if group in ("by_holder", "by_text"):
        return str(MEMBERS[key])
    return key or "—"


def _group_row(name: str, figures: Figures) -> GroupRow:
    total = {key: getattr(figures, key) for key in SHOWN}
    n = figures.counts
    return GroupRow(name, n.pages, n.matched + n.missed, [_figure(key, total) for key in SHOWN])


def _page_row(report: EvalReport, content: Report, worst: WorstPage) -> PageRow:
    files = (entry.file for entry in content.files if entry.file.name == worst.name)
    page = next(page for file in files for page in file.pages if page.page_number == worst.page_number)
    places = [(picture["name"], picture["page_number"]) for picture in report.pictures]
    at = places.index((worst.name, worst.page_number)) if (worst.name, worst.page_number) in places else None
    return PageRow(
        name=worst.name,
        page_number=worst.page_number,
        loss=worst.loss,
        troubles=list(_troubles(page)),
        picture_url="" if at is None else reverse("quality_picture", args=[report.uuid, at]),
        width_pt=0.0 if at is None else report.pictures[at]["width_pt"],
        height_pt=0.0 if at is None else report.pictures[at]["height_pt"],
        truth=[_overlay(box, page.missed, page.lost_pictures) for box in page.boxes if box.whose == "truth"],
        found=[_overlay(box, page.false, page.wrong_pictures) for box in page.boxes if box.whose != "truth"],
        slips=[_slip_row(slip) for slip in page.slips[:SLIPS_SHOWN]],
        more_slips=max(0, len(page.slips) - SLIPS_SHOWN),
    )


def _overlay(box: BoxOnPage, wrong_skus: tuple[str, ...], wrong_pictures: tuple[str, ...]) -> Overlay:
    if box.kind == "sku":
        name, wrong = box.label or _("no name"), box.label in wrong_skus
        verdict = _("not found") if box.whose == "truth" else _("not in the truth")
        return Overlay("sku", f"{name}: {verdict}" if wrong else name, box.bbox, name if wrong else "")
    wrong = box.label in wrong_pictures
    verdict = _("picture lost") if box.whose == "truth" else _("wrong picture")
    css = "unbound" if box.whose == "unbound" else "picture"
    return Overlay(css, verdict if wrong else _("picture"), box.bbox, verdict if wrong else "")


def _troubles(page: PageMeasure) -> Iterator[tuple[str, str]]:
    """(tone, sentence) of everything that is wrong on the page."""
    n = page.counts
    if page.failure:
        yield "fault", _("Not read: %(why)s") % {"why": page.failure}
    if page.found_type != page.truth_type:
        kinds = {"found": PAGE_TYPES[page.found_type], "truth": PAGE_TYPES[page.truth_type]}
        yield "person", _("Page type %(found)s instead of %(truth)s") % kinds
    if n.missed:
        yield (
            "person",
            ngettext("%(n)s SKU missed: %(names)s", "%(n)s SKUs missed: %(names)s", n.missed)
            % {"n": n.missed, "names": _names(page.missed)},
        )
    if n.false:
        yield (
            "person",
            ngettext("%(n)s SKU too many: %(names)s", "%(n)s SKUs too many: %(names)s", n.false)
            % {"n": n.false, "names": _names(page.false)},
        )
    if wrong := n.asked - n.right:
        yield "person", _("%(n)s of %(all)s values wrong") % {"n": wrong, "all": n.asked}
    if n.hallucinated:
        yield "fault", ngettext("%(n)s value invented", "%(n)s values invented", n.hallucinated) % {"n": n.hallucinated}
    if lost := n.pictures - n.recovered:
        yield "person", _("%(n)s of %(all)s pictures lost") % {"n": lost, "all": n.pictures}
    if n.wrong_bindings:
        words = ngettext("%(n)s wrong picture", "%(n)s wrong pictures", n.wrong_bindings)
        yield "fault", words % {"n": n.wrong_bindings}


def _names(names: tuple[str, ...]) -> str:
    shown = _listed([name or _("no name") for name in names[:NAMES_SHOWN]])
    return shown + (" …" if len(names) > NAMES_SHOWN else "")


def _listed(words: list[str]) -> str:
    return pgettext("between names", ", ").join(words)


def _slip_row(slip: Slip) -> SlipRow:
    icon, tone, sentence = SLIPS[slip.kind]
    values = {"given": slip.given, "wanted": slip.wanted}
    return SlipRow(slip.sku or _("no name"), _key_word(slip.key), icon, tone, str(sentence) % values)


def _key_word(key: str) -> str:
    kind, colon, rest = key.partition(":")
    if colon:
        return rest if kind == "custom" else _("price from %(quantity)s") % {"quantity": rest}
    return str(ATTRIBUTES.get(key, key))
