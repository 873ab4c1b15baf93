"""Why a page cannot be kept as a person left it: what an import would refuse, and what is not on the page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from catalogsku.core.box import Box
from catalogsku.core.text import trim
from ingestion.models import Job, Page
from processing.engine.page import unpack_page
from processing.engine.understanding.judging.validity import IDENTITY
from processing.engine.understanding.rules.typed import Doubt, Kind, doubt_of, kinds_of
from processing.pages.services.alternatives import alternatives_of
from processing.pages.services.reading import kept_pages
from processing.products.completeness import attribute_keys
from processing.products.lifecycle import ImageRole
from processing.products.models import Image, Sku, SkuImage
from processing.products.page_state import Fault, GivenSku, PageState

MOST_CHARS = 4000
MOST_SKUS = 2000
MOST_DRAWN = 200
LEAST_SIDE_PT = 4.0
SLACK_PT = 1.0


@dataclass(frozen=True)
class Found:
    """What the page has now. ``texts``: names of its blocks, looked up only where roles of them are given; ``kinds``:
    of the category's attributes; ``offered``: what its alternatives say, by proposer, as (key or name, text), looked up
    only where products were taken from them."""

    skus: Mapping[str, Sku]
    images: Mapping[str, Image]
    pictures: Mapping[str, tuple[str, ...]]
    keys: Sequence[str]
    texts: frozenset[str] = frozenset()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    offered: Mapping[str, frozenset[tuple[str, str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, job: Job, page: Page, state: PageState | None = None) -> "Found":
        skus = {sku.sku_id: sku for sku in Sku.objects.filter(page=page, superseded=False)}
        images = {image.image_id: image for image in Image.objects.filter(page=page)}
        bound: dict[str, list[str]] = {}
        rows = SkuImage.objects.filter(sku__in=list(skus.values())).order_by("rank", "pk")
        for sku_id, image_id in rows.values_list("sku__sku_id", "image__image_id"):
            bound.setdefault(sku_id, []).append(image_id)
        texts = block_names(job, page) if state is not None and state.texts else frozenset[str]()
        pictures = {key: tuple(value) for key, value in bound.items()}
        kinds = kinds_of(job.schema.resolved_attributes)
        offered = said_by_alternatives(page) if state is not None and any(sku.offered for sku in state.skus) else {}
        return cls(skus, images, pictures, attribute_keys(job), texts, kinds, offered)

    @classmethod
    def values_of(cls, job: Job, page: Page) -> "Found":
        """As far as values are judged by it."""
        skus = Sku.objects.filter(page=page, superseded=False).only("sku_id", "attributes")
        kinds = kinds_of(job.schema.resolved_attributes)
        return cls({sku.sku_id: sku for sku in skus}, {}, {}, attribute_keys(job), kinds=kinds)


def block_names(job: Job, page: Page) -> frozenset[str]:
    """T1 ... of the page as it was read; none where what was read is not kept any more."""
    content = kept_pages(job, [page.number]).get(page.number)
    return frozenset(block.id for block in unpack_page(bytes(content.data)).blocks) if content else frozenset()


def said_by_alternatives(page: Page) -> dict[str, frozenset[tuple[str, str]]]:
    return {
        one.proposer: frozenset(
            [
                *((key, text) for sku in one.skus for key, text in values_of(sku).items()),
                *((trim(custom.name), trim(custom.text)) for sku in one.skus for custom in sku.custom),
            ]
        )
        for one in alternatives_of(page)
    }


def find_faults(page: Page, state: PageState, known: Found) -> list[Fault]:
    """Everything of it, each at its place."""
    faults = list(_page_faults(page, state, known))
    pictures = {*known.images, *(picture.id for picture in state.drawn)}
    seen: set[str] = set()
    for n, sku in enumerate(state.skus):
        path = f"skus[{n}]"
        if sku.offered and sku.offered not in known.offered:
            faults.append(Fault(f"{path}.offered", "unknown_offer"))
        if sku.sku_id is not None and sku.sku_id not in known.skus:
            faults.append(Fault(path, "unknown_sku"))
            continue
        if sku.sku_id is not None and sku.sku_id in seen:
            faults.append(Fault(path, "sku_twice"))
        seen.add(sku.sku_id or "")
        if not sku.rejected:
            faults += _sku_faults(path, sku, known, pictures)
            faults += _box_faults(path, page, sku)
    return faults


def _page_faults(page: Page, state: PageState, known: Found) -> Iterator[Fault]:
    if len(state.skus) > MOST_SKUS or len(state.drawn) > MOST_DRAWN:
        yield Fault("skus", "too_many", {"limit": MOST_SKUS if len(state.skus) > MOST_SKUS else MOST_DRAWN})
    if state.page_type == "D" and any(not sku.rejected for sku in state.skus):
        yield Fault("page_type", "products_on_empty_page")
    if len(state.new_type) > MOST_CHARS:
        yield Fault("new_type", "too_long", {"limit": MOST_CHARS})
    drawn = [picture.id for picture in state.drawn]
    for n, picture in enumerate(state.drawn):
        if not picture.id.startswith("new-") or drawn.count(picture.id) > 1:
            yield Fault(f"drawn[{n}]", "unknown_picture")
        elif not is_on_page(picture.box, page):
            yield Fault(f"drawn[{n}]", "box_off_page")
        elif not (page.screenshot_key or page.preview_key):
            yield Fault(f"drawn[{n}]", "nothing_to_cut")
    for image_id, role in state.roles.items():
        if (image_id not in known.images and image_id not in drawn) or role not in ImageRole:
            yield Fault(f"roles.{image_id}", "unknown_picture")
    for block in state.texts:
        if block not in known.texts:
            yield Fault(f"texts.{block[:20]}", "unknown_text")
    merged = {merge["table"] for merge in page.validation.get("merges", ())}
    for table in state.separate:
        if table not in merged:
            yield Fault(f"separate.{table[:20]}", "unknown_table")


def _sku_faults(path: str, sku: GivenSku, known: Found, pictures: set[str]) -> Iterator[Fault]:
    values = values_of(sku)
    if not any(values.get(key) for key in IDENTITY):
        yield Fault(path, "identity_missing")
    old = known.skus.get(sku.sku_id or "")
    for key, value in values.items():
        place = f"{path}.attributes.{key}"
        if key not in known.keys:
            yield Fault(place, "unknown_key", {"key": key[:40]})
        elif len(value) > MOST_CHARS:
            yield Fault(place, "too_long", {"limit": MOST_CHARS})
        elif doubt := doubt_about(sku, key, value, known):
            yield Fault(place, doubt.code, {"value": doubt.value[:80]})
        elif old is not None and is_locked(old, key) and value == text_of(old, key) and not is_confirmed(sku, key):
            yield Fault(place, "value_locked")
    for n, custom in enumerate(sku.custom):
        if not trim(custom.name):
            yield Fault(f"{path}.custom[{n}]", "name_missing")
        if len(custom.text) > MOST_CHARS or len(custom.name) > MOST_CHARS:
            yield Fault(f"{path}.custom[{n}]", "too_long", {"limit": MOST_CHARS})
    for picture in sku.pictures:
        if picture not in pictures:
            yield Fault(f"{path}.pictures", "unknown_picture")


def find_doubts(skus: Sequence[GivenSku], known: Found) -> list[Fault]:
    """Values that are not of their attribute's type, each at its place; what may be said while people still type."""
    return [
        Fault(f"skus[{n}].attributes.{key}", doubt.code, {"value": doubt.value[:80]})
        for n, sku in enumerate(skus)
        if not sku.rejected
        for key, value in values_of(sku).items()
        if (doubt := doubt_about(sku, key, value, known))
    ]


def doubt_about(sku: GivenSku, key: str, value: str, known: Found) -> Doubt | None:
    """None where a person has said that the page prints it so, and for what the machine read and nobody touched: that
    was judged as it was read. A price is asked about even then."""
    old = known.skus.get(sku.sku_id or "")
    untouched = old is not None and key != "price" and value == text_of(old, key)
    return None if untouched or is_confirmed(sku, key) else doubt_of(key, value, known.kinds.get(key, "text"))


def _box_faults(path: str, page: Page, sku: GivenSku) -> Iterator[Fault]:
    """Only of boxes that a person gave; a page whose size is not known has none to judge by."""
    if sku.box is not None and not is_on_page(sku.box, page):
        yield Fault(f"{path}.box", "box_off_page")
    for key, value in sku.attributes.items():
        if value is not None and value.box is not None and not is_on_page(value.box, page, least_pt=0):
            yield Fault(f"{path}.attributes.{key}", "box_off_page")
    for n, custom in enumerate(sku.custom):
        if custom.box is not None and not is_on_page(custom.box, page, least_pt=0):
            yield Fault(f"{path}.custom[{n}]", "box_off_page")


def is_on_page(box: Box, page: Page, least_pt: float = LEAST_SIDE_PT) -> bool:
    """In order, not smaller than ``least_pt`` and within the page but for 1 pt."""
    x0, y0, x1, y1 = box
    ordered = x1 - x0 >= least_pt and y1 - y0 >= least_pt
    inside = x0 >= -SLACK_PT and y0 >= -SLACK_PT and x1 <= page.width_pt + SLACK_PT and y1 <= page.height_pt + SLACK_PT
    return ordered and (inside or not page.width_pt)


def values_of(sku: GivenSku) -> dict[str, str]:
    """What is left of the attributes: emptied ones are not there."""
    return {key: text for key, value in sku.attributes.items() if value is not None and (text := trim(value.text))}


def text_of(old: Sku, key: str) -> str:
    return old.attributes.get(key) or ""


def is_locked(old: Sku, key: str) -> bool:
    """The value is not printed on its page (LX-UNLOCK): a person must say that it is right, or change it."""
    evidence = old.evidence.get(key)
    return bool(text_of(old, key)) and evidence is not None and evidence.get("match") == 0


def is_confirmed(sku: GivenSku, key: str) -> bool:
    value = sku.attributes.get(key)
    return value is not None and value.confirmed
