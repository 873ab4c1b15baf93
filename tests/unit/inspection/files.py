"""Small PDFs built byte by byte, so that each test says exactly what is in its file."""

from collections.abc import Sequence

CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
PAGES = b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>"
PAGE = b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<<>>>>"


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (entries, len(data), data)


def pdf(
    *more: bytes,
    catalog: bytes = CATALOG,
    pages: bytes = PAGES,
    page: bytes = PAGE,
    content: bytes = stream(b"BT ET"),
    trailer: bytes = b"",
) -> bytes:
    """Objects 1 to 4 are catalog, page tree, page and content; ``more`` begins at object 5."""
    return assemble([catalog, pages, page, content, *more], trailer)


def assemble(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    out += b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start)
    return bytes(out)
