"""Pictures that people draw around are cut from the page as it shows; no database, and before any transaction."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image as Pillow

from catalogsku.core import storage
from catalogsku.core.box import Box, clamp
from ingestion.models import Job, Page
from processing.engine.reading.picture_files import store_image
from processing.products.page_state import GivenPicture
from processing.sandboxed.sandboxes import work_folder


@dataclass(frozen=True)
class Cut:
    """A stored file; all empty where the page has no picture of itself to cut from."""

    width_px: int = 0
    height_px: int = 0
    content_hash: str = ""
    perceptual_hash: str = ""
    storage_key: str = ""
    tones: str = ""

    @property
    def short_edge(self) -> int:
        return min(self.width_px, self.height_px)


def cut_pictures(job: Job, page: Page, drawn: Sequence[GivenPicture]) -> dict[str, Cut]:
    """The files of ``drawn`` by their ids. Those of an area that is no box on the page are left out.

    What is cut is this product's own rendering, so that nothing foreign is decoded here: the screenshot, which is drawn
    as soon as a page goes to people, or as long as it is not there the preview.
    """
    key = page.screenshot_key or page.preview_key
    if not drawn or not key or not storage.has_file(key) or not page.width_pt:
        return {}
    with storage.open_file(key) as source, Pillow.open(source) as shown:
        scale = shown.width / page.width_pt
        boxes = {picture.id: _in_px(picture.box, page, scale) for picture in drawn}
        return {name: _stored(job, shown, box) for name, box in boxes.items() if box[2] > box[0] and box[3] > box[1]}


def _in_px(box: Box, page: Page, scale: float) -> tuple[int, int, int, int]:
    x0, y0, x1, y1 = clamp(box, page.width_pt, page.height_pt)
    return int(x0 * scale), int(y0 * scale), int(x1 * scale), int(y1 * scale)


def _stored(job: Job, shown: Pillow.Image, box: tuple[int, int, int, int]) -> Cut:
    with work_folder() as folder:
        file = store_image(shown.crop(box), "drawn", folder)
        suffix = file.name.rpartition(".")[2]
        key = f"{storage.file_prefix(job.merchant_id, job.file_sha256)}/drawn/{file.content_hash}.{suffix}"
        storage.put_file(key, folder / file.name)
    return Cut(file.width_px, file.height_px, file.content_hash, file.perceptual_hash, key, file.tones)
