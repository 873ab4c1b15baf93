"""What a drawn page holds: its products and where they stand, out of the truth that was noted while it was drawn.

All boxes are on the models' scale: 0 to 1000 of the page as displayed, origin top left.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pymupdf

from catalogsku.core.box import Box
from processing.engine.quality.truth import Truth, TruthSku, read_truth
from tests.support.catalogues.truth import Truth as SampleTruth

SCALE = 1000.0


@dataclass(frozen=True)
class Product:
    """``values``: key to every form that is right for it, the printed one first; ``custom``: printed label to value;
    ``card``: what holds its text, None where nobody noted it; ``pictures`` in their order."""

    values: Mapping[str, tuple[str, ...]]
    custom: Mapping[str, str] = field(default_factory=dict)
    card: Box | None = None
    pictures: tuple[Box, ...] = ()

    @property
    def identity(self) -> tuple[str, ...]:
        """The forms of what it is known by."""
        return next((self.values[key] for key in ("model", "product_name") if key in self.values), ())


@dataclass(frozen=True)
class Sheet:
    """``said``: the lines that are printed on the page, by which it is known again."""

    page_type: str
    products: tuple[Product, ...]
    said: tuple[str, ...]


def sheets_of(pdf: bytes, truth: Truth) -> list[Sheet]:
    """The judged pages of a golden file or of a drawn style."""
    sizes = _sizes(pdf)
    found = []
    for page in truth.pages:
        size = sizes[page.page_number - 1]
        boxes = {image.image_id: _scaled(image.bbox, size) for image in truth.images}
        products = tuple(_product(sku, boxes, size) for sku in truth.skus_of(page.page_number))
        found.append(_sheet(page.page_type, products, page.text))
    return found


def sheets_of_sample(pdf: bytes, truth: SampleTruth) -> list[Sheet]:
    """Those of a catalogue of ``tests.support.catalogues``."""
    sizes = _sizes(pdf)
    found = []
    for page in truth.pages:
        size = sizes[page.page_number - 1]
        products = tuple(
            Product(
                {key: (text,) for key, text in sku.attributes.items()},
                sku.custom,
                pictures=(_scaled(sku.picture, size),) if sku.picture else (),
            )
            for sku in truth.skus
            if sku.page_number == page.page_number
        )
        found.append(_sheet(page.page_type, products, None))
    return found


def sheets_in(folder: Path) -> list[Sheet]:
    """Those of a golden folder: each NAME.truth.json with its PDF beside it."""
    found = []
    for path in sorted(folder.glob("*.truth.json")):
        truth = read_truth(path.read_bytes(), path.name)
        found += sheets_of((folder / truth.job.source_file).read_bytes(), truth)
    return found


def _product(sku: TruthSku, boxes: Mapping[str, Box], size: tuple[float, float]) -> Product:
    shown = [boxes[use.image_id] for use in sku.images or () if use.required]
    return Product(
        {key: sku.texts(key) for key in sku.asked},
        {custom.name: custom.value for custom in sku.custom_attributes},
        _scaled(sku.card_bbox, size) if sku.card_bbox else None,
        tuple(shown),
    )


def _sheet(page_type: str, products: tuple[Product, ...], text: str | None) -> Sheet:
    """P says that it has products and not in which form."""
    said = text.splitlines() if text else [form[0] for p in products for form in p.values.values()]
    return Sheet("B" if page_type == "P" else page_type, products, tuple(said))


def _sizes(pdf: bytes) -> list[tuple[float, float]]:
    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        return [(page.rect.width, page.rect.height) for page in document]


def _scaled(box: Box, size: tuple[float, float]) -> Box:
    across, down = SCALE / size[0], SCALE / size[1]
    return box[0] * across, box[1] * down, box[2] * across, box[3] * down
