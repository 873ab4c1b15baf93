"""What a deployment may choose about page reading; part of the key under which read pages are kept."""

import msgspec


class OcrChoice(msgspec.Struct, frozen=True):
    """Which engine recognises print, and which one is asked besides about lines with a score below ``second_below``, ""
    for none. ``models``: the folder of models of both, "" for those of their packages; ``holds`` names what lies in
    it, so that pages are read anew with other models."""

    engine: str = "rapidocr"
    second: str = ""
    second_below: float = 0.9
    models: str = ""
    holds: str = ""


class ReadingSettings(msgspec.Struct, frozen=True):
    """Reader order and thresholds (TA-T26). Lengths in points, pixels or milliseconds as named; ratios 0 to 1."""

    # First for text, drawings, pictures and rendering; the next ones are asked where it fails or sees too little.
    readers: tuple[str, ...] = ("pymupdf", "pypdfium2", "pdfplumber")
    find_tables: bool = True
    # A page with fewer straight lines than this has no ruled table (2 x 2 cells without a border need 4).
    table_min_lines: int = 4
    ocr: bool = True
    ocr_by: OcrChoice = OcrChoice()
    ocr_dpi: int = 200
    ocr_max_side_px: int = 2000
    # Below this many visible characters beside a picture the page is recognised (TA-BR02 has the same number).
    ocr_min_chars: int = 10
    # Below this many, and with so many drawn paths, hardly more than a running head is printed: the rest is outlined.
    outlined_max_chars: int = 60
    outlined_min_paths: int = 150
    # A printed foot with addresses has more: where as many paths are drawn as for so many outlined characters each.
    outlined_most_chars: int = 300
    outlined_paths_a_char: int = 5
    # Below this many characters a page without picture or drawing of note is blank (TA-BR02); a job's profile says it.
    blank_min_chars: int = 10
    # Share of unmapped, private-use and replacement characters above which a text layer is not believed.
    garbage_ratio: float = 0.1
    # Mean score under which the page is also tried turned by 180, 90 and 270 degrees (upside down gives about 0.6).
    ocr_turn_below: float = 0.8
    # Longest sides: as a page is drawn for people and models who look at it, and half of that as it is read.
    screenshot_px: int = 1536
    preview_px: int = 768
    thumbnail_px: int = 240
    # No rendering beyond this many pixels, whatever the page size.
    max_render_px: int = 40_000_000
    # Pictures of more pixels are not decoded from their stream but taken from the page rendering.
    max_picture_px: int = 60_000_000
    # Pictures taken from the page rendering: their resolution, and the most pixels of one.
    picture_dpi: int = 200
    max_redrawn_px: int = 8_000_000
    screenshot_quality: int = 80
    # A stand-in: with 80 it takes a fifth more.
    preview_quality: int = 70

    def has_few_chars(self, chars: int, paths: int) -> bool:
        """Whether so many characters are too few for a page on which so many paths are drawn."""
        least = max(self.outlined_min_paths, 0 if self._is_bare(chars) else self.outlined_paths_a_char * chars)
        return chars < self.ocr_min_chars or (chars < self.outlined_most_chars and paths >= least)

    def worth_more(self, chars: int) -> int:
        """How many recognised characters are more than so many printed ones: on a page that drawings may make up twice
        as many, or it is a diagram with its text."""
        return chars if self._is_bare(chars) else 2 * chars

    def _is_bare(self, chars: int) -> bool:
        return chars < self.outlined_max_chars
