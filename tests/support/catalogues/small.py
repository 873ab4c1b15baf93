"""One-page files for tests: a table, a photo grid, blank pages, a scan, an encrypted file. All return PDF bytes."""

import io
from collections.abc import Sequence

import pymupdf
from PIL import Image

from tests.support.catalogues.fonts import built_in
from tests.support.catalogues.furniture import DRAWINGS, picture
from tests.support.catalogues.grid import Look, Row, draw_table
from tests.support.catalogues.ink import A4, Book, Sheet

_WALLS = ("#EBD9C6", "#DDE3D6", "#E9E2D0", "#D5DEE3", "#EFD9CF", "#C9B49B")


def one_table_pdf(rows: Sequence[Row], *, title: str = "", header_rows: int = 1, rotate: int = 0) -> bytes:
    """A page with one ruled table over its whole width; the first ``header_rows`` look like a header.

    A cell is a text or a grid.Entry; None stands where an Entry covers the place. ``rotate`` is 0 or 90.
    """
    return tables_pdf([rows], title=title, header_rows=header_rows, rotate=rotate)


def tables_pdf(
    pages: Sequence[Sequence[Row]],
    *,
    title: str = "",
    header_rows: int = 1,
    rotate: int = 0,
    size: tuple[float, float] = A4,
) -> bytes:
    """One ruled table a page; only the first page has ``header_rows`` and the title."""
    book = _book()
    for number, rows in enumerate(pages):
        sheet = book.sheet((size[1], size[0]) if rotate else size, rotate)
        if title and number == 0:
            sheet.text(40, 60, title, size=18)
        columns = len(rows[0])
        widths = [(sheet.width - 80) / columns] * columns
        heights = [min(28.0, (sheet.height - 140) / len(rows))] * len(rows)
        draw_table(
            sheet, 40, 80, widths, heights, rows, Look(size=8, header_face="body"), header_rows if number == 0 else 0
        )
        book.close(sheet)
    return _finished(book)


def photo_grid_pdf(captions: Sequence[Sequence[str]], *, columns: int = 3, short_edge_px: int = 660) -> bytes:
    """A grid of pictures, each with its caption lines beneath; one product a caption."""
    book = _book()
    sheet = book.sheet()
    text = 14 * max(map(len, captions)) + 24
    rows = -(-len(captions) // columns)
    # The last captions must not fall off the page.
    width = min((sheet.width - 80 - 15 * (columns - 1)) / columns, (sheet.height - 100) / rows - text)
    kinds = sorted(DRAWINGS)
    for k, lines in enumerate(captions):
        x, y = 40 + k % columns * (width + 15), 60 + k // columns * (width + text)
        jpeg = picture(kinds[k % len(kinds)], "#B4552D", _WALLS[k % 6], width_px=short_edge_px, height_px=short_edge_px)
        sheet.art(book.add_art(jpeg), (x, y, x + width, y + width))
        for n, line in enumerate(lines):
            sheet.text(x, y + width + 14 * (n + 1), line, size=9)
    book.close(sheet)
    return _finished(book)


def text_pdf(*pages: str) -> bytes:
    """Plain wrapped text, one page a string."""
    book = _book()
    for text in pages:
        book.close(_written(book.sheet(), text, 11))
    return _finished(book)


def blank_pdf(pages: int) -> bytes:
    """Pages without any ink."""
    book = Book({})
    for _ in range(pages):
        book.close(book.sheet())
    return book.to_bytes()


def scanned_pdf(text: str, *, dpi: int = 150, turned: int = 0) -> bytes:
    """A page that is one grey picture of ``text``: no text layer. ``turned``: degrees it is turned by, clockwise."""
    original = _book()
    original.close(_written(original.sheet(), text, 14))
    pixels = original.doc[0].get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
    photo = Image.frombytes("L", (pixels.width, pixels.height), pixels.samples).rotate(-turned, expand=True)
    jpeg = io.BytesIO()
    photo.save(jpeg, "JPEG", quality=75)
    book = Book({})
    sheet = book.sheet(A4 if turned % 180 == 0 else (A4[1], A4[0]))
    sheet.art(book.add_art(jpeg.getvalue()), (0, 0, sheet.width, sheet.height))
    book.close(sheet)
    return book.to_bytes()


def encrypted_pdf(user_pw: str, owner_pw: str, *, text: str = "型号 A-100 价格 99.00") -> bytes:
    """AES-256. With an empty ``user_pw`` anyone can read it and only ``owner_pw`` protects changes."""
    document = pymupdf.open(stream=text_pdf(text))
    data: bytes = document.tobytes(
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        user_pw=user_pw,
        owner_pw=owner_pw,
        permissions=pymupdf.PDF_PERM_PRINT | pymupdf.PDF_PERM_ACCESSIBILITY,
    )
    return data


def _book() -> Book:
    return Book({"body": built_in()})


def _written(sheet: Sheet, text: str, size: float) -> Sheet:
    sheet.paragraph(60, 90, sheet.width - 120, text, size=size, leading=1.8)
    return sheet


def _finished(book: Book) -> bytes:
    book.doc.subset_fonts()
    return book.to_bytes()
