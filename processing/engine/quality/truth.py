"""A truth file: what a person counted on the pages of one PDF, in the shape of result.json with a few fields more."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from catalogsku.core.box import Box
from processing.engine.quality.counted import golden_shape

PageNumber = Annotated[int, msgspec.Meta(ge=1)]


class TruthError(ValueError):
    """The file is no truth. ``problems`` say where and why, one a line."""

    def __init__(self, name: str, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(f"{name}: {problem}" for problem in problems))
        self.name, self.problems = name, problems


class TruthJob(msgspec.Struct, frozen=True):
    """``source_file``: name of the PDF beside the truth, or its path in the folder of real catalogues.

    ``total_pages``: None where only the file itself can tell. ``maker``: whose catalogue it is; files without one have
    a maker each.
    """

    source_file: str
    total_pages: PageNumber | None = None
    category: str | None = None
    maker: str | None = None


class TruthPage(msgspec.Struct, frozen=True):
    """A judged page. ``text``: what is printed, lines apart. ``continues``: page whose table goes on here.

    ``page_type``: P where it has products and nobody says in which form.
    """

    page_number: PageNumber
    page_type: Literal["A", "B", "C", "D", "P"]
    text: str | None = None
    continues: PageNumber | None = None


class TruthCustom(msgspec.Struct, frozen=True):
    """A value under a printed label that the base schema does not know."""

    name: str
    value: str


class ImageUse(msgspec.Struct, frozen=True):
    """A picture of a SKU; one that is not ``required`` may be bound or left."""

    image_id: str
    required: bool = True


class TruthSku(msgspec.Struct, frozen=True):
    """A product as printed. ``optional``: right if given, not asked for; ``accept``: further right texts of a key.

    ``images``: None where nobody counted them, empty where the product has no picture. ``tiers``: (quantity, price).
    ``pictures``: how many there are, where only their number is known.
    """

    page_number: PageNumber
    attributes: dict[str, str | None]
    optional: dict[str, str | None] = {}
    accept: dict[str, tuple[str, ...]] = {}
    custom_attributes: tuple[TruthCustom, ...] = ()
    tiers: tuple[tuple[str, str], ...] | None = None
    card_bbox: Box | None = None
    images: tuple[ImageUse, ...] | None = None
    pictures: int | None = None

    def texts(self, key: str) -> tuple[str, ...]:
        """Every text that is right for the key; none where the truth says nothing of it."""
        first = self.attributes.get(key) or self.optional.get(key)
        return (first, *self.accept.get(key, ())) if first else ()

    @property
    def asked(self) -> dict[str, str]:
        """The attributes that must be found."""
        return {key: text for key, text in self.attributes.items() if text}

    @property
    def has_picture(self) -> bool:
        """Whether a picture must be found, as far as anybody has counted."""
        return any(use.required for use in self.images or ()) or bool(self.pictures)

    @property
    def identity(self) -> str:
        return next((texts[0] for key in ("model", "product_name") if (texts := self.texts(key))), "")


class TruthImage(msgspec.Struct, frozen=True):
    """Where a picture stands; box in points of the page as displayed."""

    image_id: str
    page_number: PageNumber
    bbox: Box


class Truth(msgspec.Struct, frozen=True):
    """One file's truth; only ``pages`` listed here are judged. Fields of result.json beyond these are passed over.

    ``counted``: by eye (quality/counted.py), and judged by the lenient rules of such truths.
    """

    schema_version: Literal["1.0"]
    job: TruthJob
    pages: Annotated[tuple[TruthPage, ...], msgspec.Meta(min_length=1)]
    skus: tuple[TruthSku, ...] = ()
    images: tuple[TruthImage, ...] = ()
    counted: bool = False

    def skus_of(self, page_number: int) -> tuple[TruthSku, ...]:
        return tuple(sku for sku in self.skus if sku.page_number == page_number)


_decoder = msgspec.json.Decoder(Truth)


def read_truth(data: bytes, name: str) -> Truth:
    """A golden truth, or one that was counted by eye. ``name`` stands in the errors. Raises TruthError with the place
    of every problem."""
    try:
        shaped = golden_shape(data)
        truth = _decoder.decode(data) if shaped is None else msgspec.convert(shaped, Truth)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise TruthError(name, (str(error),)) from error
    if problems := tuple(_problems(truth)):
        raise TruthError(name, problems)
    return truth


def _problems(truth: Truth) -> Iterator[str]:
    yield from _page_problems(truth)
    yield from _image_problems(truth)
    judged = {page.page_number for page in truth.pages}
    known = {image.image_id for image in truth.images}
    for n, sku in enumerate(truth.skus):
        yield from (f"{problem} - at `$.skus[{n}]`" for problem in _sku_problems(sku, judged, known))


def _page_problems(truth: Truth) -> Iterator[str]:
    counts = Counter(page.page_number for page in truth.pages)
    for n, page in enumerate(truth.pages):
        at = f" - at `$.pages[{n}]`"
        if truth.job.total_pages is not None and page.page_number > truth.job.total_pages:
            yield f"Page {page.page_number} of a file of {truth.job.total_pages} pages{at}"
        if counts[page.page_number] > 1:
            yield f"Page {page.page_number} is listed {counts[page.page_number]} times{at}"
        if page.continues is not None and page.continues >= page.page_number:
            yield f"Page {page.page_number} cannot continue page {page.continues}{at}"


def _image_problems(truth: Truth) -> Iterator[str]:
    counts = Counter(image.image_id for image in truth.images)
    for n, image in enumerate(truth.images):
        at = f" - at `$.images[{n}]`"
        if counts[image.image_id] > 1:
            yield f"Picture {image.image_id!r} is listed {counts[image.image_id]} times{at}"
        if not _is_box(image.bbox):
            yield f"A box is [x0, y0, x1, y1] with x0 < x1 and y0 < y1{at}"


def _sku_problems(sku: TruthSku, judged: set[int], known: set[str]) -> Iterator[str]:
    if sku.page_number not in judged:
        yield f"Page {sku.page_number} is not among the judged pages"
    if not sku.identity:
        yield "A SKU needs a model or a product_name"
    if twice := sorted(sku.asked.keys() & {key for key, text in sku.optional.items() if text}):
        yield f"Both asked for and optional: {', '.join(twice)}"
    if unnamed := sorted(key for key in sku.accept if not sku.texts(key)):
        yield f"accept names what is neither in attributes nor in optional: {', '.join(unnamed)}"
    if lost := sorted({use.image_id for use in sku.images or ()} - known):
        yield f"Unknown pictures: {', '.join(lost)}"
    if sku.card_bbox is not None and not _is_box(sku.card_bbox):
        yield "card_bbox is [x0, y0, x1, y1] with x0 < x1 and y0 < y1"


def _is_box(box: Box) -> bool:
    return box[0] < box[2] and box[1] < box[3]
