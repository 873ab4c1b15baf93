"""What an inspection found in a file. Facts only: ingestion.verdicts says what follows from them."""

from typing import Literal

import msgspec

Encryption = Literal["none", "owner_only", "password_needed", "password_wrong", "password_right", "unsupported"]


class Findings(msgspec.Struct):
    """Facts about one file. A fact that could not be established keeps its default and is named in ``failed_checks``.

    ``page_counts`` and ``opened_by`` speak of the libraries qpdf, mupdf and pdfium. Sizes of pages in points (with
    UserUnit), of images in pixels; both as declared by the file, before anything is decoded.
    """

    size_bytes: int = 0
    signature_at: int | None = None
    has_end_mark: bool = False
    foreign_kind: str = ""  # a second file type at the start: executable, archive, web page, picture, other
    encryption: Encryption = "none"
    page_counts: dict[str, int] = msgspec.field(default_factory=dict)
    repaired_by: list[str] = msgspec.field(default_factory=list)
    walked_by: str = ""  # the library through which every object was looked at; empty: none could
    object_count: int = 0
    unseen_objects: int = 0  # nested too deep or too much text: anything may be in them
    script_places: list[str] = msgspec.field(default_factory=list)  # document, page, form, annotation
    launch_actions: int = 0
    automatic_actions: list[str] = msgspec.field(default_factory=list)  # URI, SubmitForm, GoToR ... that need no click
    embedded_files: int = 0
    external_streams: int = 0
    unsupported_filters: list[str] = msgspec.field(default_factory=list)
    has_form_xfa: bool = False
    has_loop: bool = False
    has_invisible_text: bool = False
    instructions: list[str] = msgspec.field(default_factory=list)  # quotes from metadata, notes, links, names
    image_count: int = 0
    image_px_max: int = 0
    stream_bytes_max: int = 0  # longest inflated stream that is no image; counting stops at the bound
    page_side_max_pt: float = 0.0
    page_side_min_pt: float = 0.0
    failed_checks: list[str] = msgspec.field(default_factory=list)

    def page_count(self, order: tuple[str, ...] = ("mupdf", "pdfium", "qpdf")) -> int:
        """Pages by the first library of ``order`` that sees any."""
        return next((self.page_counts[name] for name in order if self.page_counts.get(name)), 0)


class Bounds(msgspec.Struct, frozen=True):
    """How far an inspection looks; beyond, it stops and what it has seen is enough to refuse."""

    objects: int = 500_000  # TA-T23
    parsed_bytes: int = 64 << 20  # of object text
    depth: int = 64
    stream_bytes: int = 256 << 20
    inflated_bytes: int = 1 << 30  # in all streams together
    text_streams: int = 64  # looked at for invisible text
