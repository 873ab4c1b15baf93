"""A small PDF that no other is like: pages of a price list in Helvetica, written by hand. Pure."""

PRODUCTS_A_PAGE = 8
CATEGORY = "load-test"
KEY_BEGINS = "load-"


def name_of(run: str, number: int) -> str:
    return f"load-test-{run}-{number:04d}.pdf"


def draw(run: str, number: int, pages: int) -> bytes:
    """``run`` and ``number`` stand on each page, so that neither file nor page is known from before."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(pages))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for page in range(1, pages + 1):
        text = "\n".join(_lines(run, number, page)).encode("ascii")
        content = len(objects) + 2
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"
            b" /Contents %d 0 R >>" % content
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text))
    return _file(objects)


def _lines(run: str, number: int, page: int) -> list[str]:
    lines = [_text(18, 60, 780, f"Load test {run}, document {number}, page {page}")]
    for column, head in enumerate(("Model", "Product", "Power", "Price")):
        lines.append(_text(11, 60 + 120 * column, 740, head))
    for k in range(PRODUCTS_A_PAGE):
        cells = (f"LT-{number}-{page}-{k + 1}", f"Lamp {k + 1}", f"{6 + 3 * k} W", f"EUR {10 + page + 2 * k}.50")
        lines += [_text(11, 60 + 120 * column, 716 - 24 * k, cell) for column, cell in enumerate(cells)]
    return lines


def _text(size: int, x: int, y: int, words: str) -> str:
    return f"BT /F1 {size} Tf {x} {y} Td ({words}) Tj ET"


def _file(objects: list[bytes]) -> bytes:
    data, offsets = bytearray(b"%PDF-1.4\n"), []
    for n, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (n, body)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    data += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(data)
