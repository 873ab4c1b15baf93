"""How pages and documents are shown: the words, icons and tones of tiles, cards, phases and filters.

The same values go into the first rendering of a page and, as leaf values, over its socket.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from ingestion.lifecycle import (
    PAGES_WITH_MACHINES,
    PAGES_WITH_PEOPLE,
    ImportState,
    JobStatus,
    PageStage,
    PageStatus,
    SkipReason,
)
from ingestion.models import Page
from ingestion.reasons import reason_sentence, reason_word, sentences


@dataclass(frozen=True)
class Look:
    """``group``: the filter that the state belongs to."""

    word: Any
    icon: str
    tone: str
    group: str


TILES: dict[str, Look] = {
    "PENDING": Look(pgettext_lazy("page", "Waiting"), "waiting", "ink2", "queued"),
    "BLANK": Look(pgettext_lazy("page", "Blank"), "blank", "ink2", "empty"),
    "AI_QUEUED": Look(pgettext_lazy("page", "Queued"), "queued", "ink2", "queued"),
    "AI_PROCESSING": Look(pgettext_lazy("page", "Reading"), "running", "acc", "reading"),
    "AI_COMPLETED": Look(pgettext_lazy("page", "Read"), "bolt-line", "machine", "read"),
    "AI_FAILED": Look(pgettext_lazy("page", "Retry"), "flag", "fault", "failed"),
    "SKIPPED": Look(pgettext_lazy("page", "Skipped"), "slash", "ink2", "empty"),
    "HUMAN_QUEUED": Look(pgettext_lazy("page", "Needs people"), "person", "person", "people"),
    "HUMAN_PROCESSING": Look(pgettext_lazy("page", "In hand"), "eye", "person", "people"),
    "HUMAN_COMPLETED": Look(pgettext_lazy("page", "Checked"), "check", "done", "delivered"),
    "IMPORTED_CONFIRMED": Look(pgettext_lazy("page", "Delivered"), "checks", "done", "delivered"),
    "IMPORTED_ASSUMED": Look(pgettext_lazy("page", "Sent"), "sent", "done", "delivered"),
    "IMPORT_FAILED": Look(pgettext_lazy("page", "Deliver"), "refused", "fault", "failed"),
    "DEAD_LETTER": Look(pgettext_lazy("page", "Stopped"), "stopped", "fault", "failed"),
}
JOBS: dict[str, Look] = {
    JobStatus.UPLOADED: Look("", "gauge", "acc", "running"),
    JobStatus.EVALUATING: Look("", "gauge", "acc", "running"),
    JobStatus.EVALUATED: Look("", "gauge", "acc", "running"),
    JobStatus.PROCESSING: Look("", "running", "acc", "running"),
    JobStatus.ORPHANED: Look("", "clock", "person", "running"),
    JobStatus.AWAITING_GO: Look("", "price", "person", "people"),
    JobStatus.DEGRADED_HUMAN: Look("", "hand", "person", "people"),
    JobStatus.PARTIAL_IMPORTED: Look("", "person", "person", "people"),
    JobStatus.PARTIAL_FAILED: Look("", "flag", "fault", "failed"),
    JobStatus.EVAL_FAILED: Look("", "flag", "fault", "failed"),
    JobStatus.FULL_IMPORTED: Look("", "checks", "done", "finished"),
    JobStatus.REJECTED: Look("", "slash", "fault", "failed"),
    JobStatus.CANCELLED: Look("", "slash", "ink2", "cancelled"),
}
# What a queued page waits for beside its turn.
WAITS_FOR = {PageStage.PRICE: pgettext_lazy("page", "Not asked"), PageStage.BATCH: pgettext_lazy("page", "In a batch")}
PAGE_GROUPS = {
    "all": gettext_lazy("All"),
    "delivered": pgettext_lazy("page", "Delivered"),
    "read": pgettext_lazy("page", "To deliver"),
    "reading": pgettext_lazy("page", "Reading"),
    "queued": pgettext_lazy("page", "Queued"),
    "people": pgettext_lazy("page", "Needs people"),
    "failed": gettext_lazy("Failed"),
    "empty": gettext_lazy("Blank, skipped"),
}
# Of a kind whose pages do not settle it: nothing of them is delivered, and no person has one in hand.
GROUPS_OF_READ_PAGES = {
    **{key: PAGE_GROUPS[key] for key in ("all", "read", "reading", "queued", "failed", "empty")},
    "read": TILES["AI_COMPLETED"].word,
}
GROUP_ICONS = {
    "all": "", "delivered": "checks", "read": "bolt-line", "reading": "running", "queued": "queued",
    "people": "person", "failed": "flag", "empty": "slash",
}  # fmt: skip
GROUP_TONES = {"delivered": "done", "read": "machine", "reading": "acc", "people": "person", "failed": "fault"}
# Pages that nobody has anything to do with but their delivery.
DONE_WITH = (PageStatus.AI_COMPLETED, PageStatus.HUMAN_COMPLETED, PageStatus.SKIPPED, PageStatus.BLANK)

# From the quietest state to the one that needs somebody most; the worst of a bin wins.
SEVERITY = (
    *("BLANK", "SKIPPED", "IMPORTED_CONFIRMED", "HUMAN_COMPLETED", "IMPORTED_ASSUMED", "AI_COMPLETED", "PENDING"),
    *("AI_QUEUED", "AI_PROCESSING", "HUMAN_PROCESSING", "HUMAN_QUEUED", "AI_FAILED", "IMPORT_FAILED", "DEAD_LETTER"),
)
RANK = {state: rank for rank, state in enumerate(SEVERITY)}
# Slivers of the fore-edge in a list of documents; what a list reads of 2000 pages is no more than these.
LIST_BINS = 92


@dataclass(frozen=True)
class Filter:
    """A chip above a list; ``more``: there are more than are counted."""

    key: str
    label: str
    icon: str
    count: int
    tone: str = "ink2"
    more: bool = False


def shown_state(status: str, import_state: str, stage: str, *, claimed: bool, by_pages: bool = True) -> str:
    """The tile's state: delivered pages and pages in a machine's hands have names of their own. ``by_pages``: of the
    document's kind (ingestion.kinds); without it a page that machines are done with is read."""
    if not by_pages:
        import_state = ImportState.NONE
    if status in (PageStatus.AI_QUEUED, PageStatus.PENDING) and claimed:
        return "AI_PROCESSING"
    if status in DONE_WITH and import_state in (ImportState.FAILED, ImportState.STALE):
        return "IMPORT_FAILED"
    if status == PageStatus.AI_COMPLETED:
        delivered = {ImportState.CONFIRMED: "IMPORTED_CONFIRMED", ImportState.ASSUMED: "IMPORTED_ASSUMED"}
        return delivered.get(ImportState(import_state), "AI_COMPLETED")
    if status == PageStatus.AI_FAILED and stage == PageStage.NONE:
        return "DEAD_LETTER"
    return status


def group_of(state: str, import_state: str) -> str:
    """The filter that a tile belongs to; what a person has checked is delivered once it is."""
    if state == PageStatus.HUMAN_COMPLETED and import_state in (ImportState.NONE, ImportState.PENDING):
        return "read"
    return TILES[state].group


@dataclass(frozen=True)
class Tile:
    """One page as a tile, and as a row of a live message."""

    id: int
    v: int
    number: int
    state: str
    icon: str
    word: str
    tone: str
    group: str
    count: str
    confidence: str
    reason: str
    reasons: tuple[str, ...]
    thumb_url: str
    label: str
    holder: str
    kind: str = "page"

    def as_row(self) -> dict[str, Any]:
        return dict(vars(self))


def picture_address(job_uuid: object, page: Page) -> str:
    """Of the page's largest picture; the empty text where there is none. ``?preview``: a larger one may follow, and
    ``static/js/screenshots.js`` puts it in the place of this one."""
    address = f"{_pages_address(job_uuid)}{page.number}/image" if page.shown_key else ""
    return f"{address}?preview" if page.awaits_screenshot else address


@lru_cache(maxsize=64)
def _pages_address(job_uuid: object) -> str:
    """What the addresses of a document's pages begin with: resolving each of 2000 would take longer than the rest."""
    return reverse("page_thumb", args=[job_uuid, 0]).removesuffix("0/thumb")


def tile(page: Page, job_uuid: object, *, by_pages: bool = True) -> Tile:
    is_claimed = page.worker is not None
    state = shown_state(page.status, page.import_state, page.stage, claimed=is_claimed, by_pages=by_pages)
    look, group = TILES[state], group_of(state, page.import_state)
    reasons = page_reasons(page)
    word = str(look.word)
    if state == "AI_PROCESSING" and page.stage == PageStage.UNDERSTAND_RULES and by_pages:
        word = pgettext("page", "Rules")
    elif state == "AI_PROCESSING" and page.stage == PageStage.UNDERSTAND:
        word = pgettext("page", "Models")
    elif state == "AI_QUEUED" and page.stage in WAITS_FOR:
        word = str(WAITS_FOR[PageStage(page.stage)])
    elif state == "AI_FAILED":
        word = pgettext("page", "Try %(n)s/5") % {"n": page.failures}
    elif state == "HUMAN_QUEUED":
        word = reason_word(page.blockers[0]["code"] if page.blockers else "")
    has_count = group in ("delivered", "read") and page.sku_count > 0
    confidence = f"{page.confidence:.2f}".lstrip("0") if page.confidence is not None and has_count else ""
    thumb = f"{_pages_address(job_uuid)}{page.number}/thumb" if page.thumbnail_key else ""
    count = str(page.sku_count) if has_count else ""
    said = word if page.stage == PageStage.PRICE else str(look.word)
    parts = [_("Page %(n)s") % {"n": page.number}, said, *reasons]
    if has_count:
        parts[2:2] = [f"{page.sku_count} SKU", _("confidence %(value)s") % {"value": f"{page.confidence or 0:.2f}"}]
    if state == "HUMAN_PROCESSING" and page.holder:
        parts.insert(2, page.holder)
        reasons.insert(0, _("%(name)s has it in hand") % {"name": page.holder})
    return Tile(
        id=page.pk,
        v=page.version,
        number=page.number,
        state=state,
        icon=look.icon,
        word="" if has_count else word,
        tone=look.tone,
        group=group,
        count=count,
        confidence=confidence,
        reason=reasons[0] if reasons else "",
        reasons=tuple(reasons),
        thumb_url=thumb,
        label=", ".join(parts),
        holder=page.holder,
    )


def page_reasons(page: Page) -> list[str]:
    """Why the page stopped, was skipped or waits, in words."""
    if page.status == PageStatus.SKIPPED:
        return [reason_sentence(page.skip_reason or SkipReason.PERSON)]
    if page.status in (PageStatus.AI_FAILED, PageStatus.DEAD_LETTER) and page.last_error:
        return [reason_sentence(page.last_error["code"], page.last_error.get("params"))]
    if page.needs_review:
        return sentences(page.blockers)
    return []


@dataclass(frozen=True)
class JobHead:
    """The document itself, as its pages show it. ``is_paged``, ``screen``: of its kind (ingestion.kinds); where it was
    refused there is nothing to look at."""

    id: str
    name: str
    hash8: str
    status: str
    word: str
    icon: str
    tone: str
    route: str
    route_word: str
    pages_total: int | None
    bytes: int
    profile: str
    category: str
    uploader_name: str
    created_at: datetime
    thumb_url: str
    refusal: dict[str, Any] | None
    held_reason: str
    notes: list[str]
    c_doc: float | None
    reused_pages: int
    import_hold: bool = False
    edition_of: str = ""
    urgency: str = ""
    evaluation: dict[str, Any] | None = None
    is_paged: bool = True
    screen: str = ""


@dataclass(frozen=True)
class JobCard:
    """One document in a list."""

    id: str
    name: str
    hash8: str
    status: str
    word: str
    icon: str
    tone: str
    reason: str
    way_on: str
    pages_done: int
    pages_total: int | None
    skus: int | None
    people: int
    updated_at: datetime
    uploader_name: str
    uploader_initials: str
    edge: list[tuple[int, str]]
    thumb_url: str
    url: str


@dataclass(frozen=True)
class Event:
    at: datetime
    icon: str
    text: str


@dataclass
class Groups:
    """Pages of a job counted by filter group, with what the phases need; ``sent``: pages of which everything is
    delivered, in parts; ``in_hand``: of people, ``at_work``: of machines, ``unpriced``: that wait until models may be
    asked, ``batched``: for a batch; ``lately``: finished in RATE_WINDOW_S; ``versions``: grows with every change;
    ``census``: by status, import state and reason of skipping; ``alone``: ended without a person, ``late``: closed
    because none came in time; ``by_pages``: of the document's kind (ingestion.kinds)."""

    by_pages: bool = True
    total: int = 0
    skus: int = 0
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PAGE_GROUPS, 0))
    census: dict[tuple[str, str, str], int] = field(default_factory=dict)
    with_machines: int = 0
    alone: int = 0
    late: int = 0
    unread: int = 0
    blank: int = 0
    understood: int = 0
    delivered: int = 0
    sent: float = 0.0
    in_hand: int = 0
    at_work: int = 0
    unpriced: int = 0
    batched: int = 0
    lately: int = 0
    versions: int = 0

    @property
    def done(self) -> int:
        """Pages to which nothing more happens by itself, and that went well."""
        return self.counts["delivered" if self.by_pages else "read"] + self.counts["empty"]

    @property
    def waiting(self) -> int:
        """Pages that wait for a person, or that one has in hand."""
        return sum(n for (status, *_of_it), n in self.census.items() if status in PAGES_WITH_PEOPLE)

    def add(self, row: Mapping[str, Any]) -> None:
        n, status = row["pages"], row["status"]
        shown = {"claimed": row["claimed"], "by_pages": self.by_pages}
        state = shown_state(status, row["import_state"], row["stage"], **shown)
        group = group_of(state, row["import_state"])
        key = (status, row["import_state"], row["skip_reason"])
        self.census[key] = self.census.get(key, 0) + n
        self.with_machines += n if status in PAGES_WITH_MACHINES else 0
        self.alone += n if _is_machines_alone(state, row["skip_reason"]) else 0
        self.late += n if row["skip_reason"] == SkipReason.SLA else 0
        self.total += n
        self.skus += row["skus"] or 0
        self.delivered += row["delivered"] or 0
        self.counts["all"] += n
        self.counts[group] += n
        self.blank += n if status == PageStatus.BLANK else 0
        self.unpriced += n if row["stage"] == PageStage.PRICE else 0
        self.batched += n if row["stage"] == PageStage.BATCH else 0
        self.unread += n if row["stage"] == PageStage.READ else 0
        is_understood = row["stage"] == PageStage.NONE and status not in (PageStatus.BLANK, PageStatus.PENDING)
        self.understood += n if is_understood else 0
        self.sent += (row["sent"] or 0.0) + (row["bare"] if is_understood else 0)
        self.versions += row["versions"] or 0
        self.in_hand += n if status == PageStatus.HUMAN_PROCESSING else 0
        self.at_work += n if row["claimed"] else 0
        self.lately += row["lately"]


def _is_machines_alone(state: str, skip_reason: str) -> bool:
    """It ended well and no person had it."""
    if state == PageStatus.SKIPPED:
        return skip_reason == SkipReason.NO_PRODUCT
    return state in ("AI_COMPLETED", "IMPORTED_CONFIRMED", "IMPORTED_ASSUMED", PageStatus.BLANK)


def page_filters(groups: Groups) -> list[Filter]:
    return [
        Filter(key, str(label), GROUP_ICONS[key], groups.counts[key], GROUP_TONES.get(key, "ink2"))
        for key, label in (PAGE_GROUPS if groups.by_pages else GROUPS_OF_READ_PAGES).items()
    ]


def initials(name: str) -> str:
    words = name.split()
    return "".join(word[0] for word in words[:2]).upper() if len(words) > 1 else name[:1].upper()


def worst(states: Iterable[str]) -> str:
    return max(states, key=RANK.__getitem__)


def worst_edge(rows: Iterable[tuple[int, str, str, str, bool]], *, by_pages: bool = True) -> list[tuple[int, str, str]]:
    """(number, state, tone) of each page, in page order."""
    edges = []
    for number, status, import_state, stage, claimed in rows:
        state = shown_state(status, import_state, stage, claimed=claimed, by_pages=by_pages)
        edges.append((number, state, TILES[state].tone))
    return edges
