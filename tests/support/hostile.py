"""Hostile PDFs, written byte by byte: each case says what is wrong with it, and the verdict it must get.

Nothing here does harm to whom opens it under limits; bombs are small files. All files are the same in each run.
"""

import io
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
PAGES = b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>"
PAGE = b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
CONTENT = b"BT /F 12 Tf 50 700 Td (Chair FST-100 USD 120.00) Tj ET"
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
FLATE = b"/Filter/FlateDecode"


@dataclass(frozen=True)
class Case:
    """``outcome`` and ``code`` as the verdict table declares them; ``notes`` of an accepted file (None: any)."""

    name: str
    build: Callable[[], bytes]
    outcome: str
    code: str = ""
    notes: tuple[str, ...] | None = ()
    password: str = ""


# --- building ------------------------------------------------------------------------------------


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (entries, len(data), data)


def packed(data: bytes, entries: bytes = b"") -> bytes:
    return stream(zlib.compress(data, 1), entries + FLATE)


def assemble(objects: Sequence[bytes], trailer: bytes = b"", head: bytes = b"%PDF-1.7\n") -> bytes:
    """Objects from 1 on with a cross-reference table; ``head`` may hold more than the signature."""
    out, places = bytearray(head), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    out += b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start)
    return bytes(out)


def pdf(
    *more: bytes,
    catalog: bytes = CATALOG,
    pages: bytes = PAGES,
    page: bytes = PAGE,
    content: bytes | None = None,
    trailer: bytes = b"",
    head: bytes = b"%PDF-1.7\n",
) -> bytes:
    """One page that says something; ``more`` begins at object 6."""
    content = stream(CONTENT) if content is None else content
    return assemble([catalog, pages, page, content, FONT, *more], trailer, head)


def with_catalog(entries: bytes, *more: bytes) -> bytes:
    return pdf(*more, catalog=CATALOG[:-2] + entries + b">>")


def with_page(entries: bytes, *more: bytes) -> bytes:
    return pdf(*more, page=PAGE[:-2] + entries + b">>")


def with_resources(entries: bytes, content: bytes, *more: bytes) -> bytes:
    fonts = b"" if b"/Font" in entries else b"/Font<</F 5 0 R>>"
    page = b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<<%s%s>>>>" % (fonts, entries)
    return pdf(*more, page=page, content=stream(content))


def with_media_box(box: bytes, entries: bytes = b"") -> bytes:
    return pdf(pages=b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[%s]%s>>" % (box, entries))


def with_image(entries: bytes, data: bytes) -> bytes:
    image = stream(data, b"/Type/XObject/Subtype/Image" + entries)
    return with_resources(b"/XObject<</I 6 0 R>>", CONTENT + b" q 200 0 0 200 50 50 cm /I Do Q", image)


def zeros(inflated_bytes: int) -> bytes:
    """Deflated without ever holding them."""
    engine = zlib.compressobj(1)
    block = bytes(1 << 20)
    parts = [engine.compress(block) for _ in range(inflated_bytes >> 20)]
    return b"".join(parts) + engine.flush()


# --- numbers: objects, pages, depth ---------------------------------------------------------------


def many_objects() -> bytes:
    return pdf(*[b"1"] * 600_000)


def objects_in_a_stream(count_entry: bytes = b"/N 600000") -> bytes:
    pairs = b" ".join(b"%d %d" % (number, 2 * number) for number in range(100, 600_100))
    body = b"%s %s" % (pairs, b"1 " * 600_000)
    return pdf(packed(body, b"/Type/ObjStm%s/First %d" % (count_entry, len(pairs) + 1)))


def objects_in_hidden_streams() -> bytes:
    """Each says how many objects it holds only far behind its type, so that the bytes' reader does not find it."""
    objects: list[bytes] = []
    for at in range(0, 600_000, 10_000):
        pairs = b" ".join(b"%d %d" % (1000 + at + n, 2 * n) for n in range(10_000))
        entries = b"/Type/ObjStm/X(%s)/#4e 10000/First %d" % (b"x" * 600, len(pairs) + 1)
        objects.append(packed(pairs + b" " + b"1 " * 10_000, entries))
    return cross_reference_stream(objects, 10_000)


def cross_reference_stream(streams: Sequence[bytes], each: int) -> bytes:
    """A file whose objects from 1000 on lie in ``streams`` (objects 10 and up), as its cross-reference stream says."""
    out = bytearray(b"%PDF-1.7\n")
    entries: dict[int, tuple[int, int, int]] = {0: (0, 0, 65535)}
    fixed = {1: CATALOG, 2: PAGES, 3: PAGE, 4: stream(CONTENT), 5: FONT}
    for number, body in [*fixed.items(), *enumerate(streams, 10)]:
        entries[number] = (1, len(out), 0)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    for at in range(len(streams)):
        for n in range(each):
            entries[1000 + at * each + n] = (2, 10 + at, n)
    size = max(entries) + 2
    entries[size - 1] = (1, len(out), 0)
    rows = b"".join(struct.pack(">BIH", *entries.get(number, (0, 0, 0))) for number in range(size))
    start = len(out)
    out += b"%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (
        size - 1,
        packed(rows, b"/Type/XRef/Size %d/W[1 4 2]/Root 1 0 R" % size),
        start,
    )
    return bytes(out)


def many_pages(count: int) -> bytes:
    kids = b" ".join(b"%d 0 R" % (5 + n) for n in range(count))
    pages = b"<</Type/Pages/Kids[%s]/Count %d/MediaBox[0 0 595 842]>>" % (kids, count)
    page = b"<</Type/Page/Parent 2 0 R/Contents 3 0 R/Resources<</Font<</F 4 0 R>>>>>>"
    return assemble([CATALOG, pages, stream(CONTENT), FONT, *[page] * count])


def deep_page_tree(depth: int) -> bytes:
    """Each node holds one more node; the page lies at the bottom."""
    nodes = [
        b"<</Type/Pages/Parent %d 0 R/Kids[%d 0 R]/Count 1/MediaBox[0 0 595 842]>>" % (1 + n, 3 + n)
        for n in range(1, depth)
    ]
    first = b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>"
    last = depth + 2
    page = b"<</Type/Page/Parent %d 0 R/Contents %d 0 R/Resources<</Font<</F %d 0 R>>>>>>" % (
        last - 1,
        last + 1,
        last + 2,
    )
    return assemble([CATALOG, first, *nodes, page, stream(CONTENT), FONT])


def wide_and_looping_page_tree() -> bytes:
    """Every node names all nodes: followed blindly, the number of pages grows with the factorial."""
    kids = b" ".join(b"%d 0 R" % number for number in (2, *range(6, 26), 3))
    node = b"<</Type/Pages/Parent 2 0 R/Kids[%s]/Count 1>>" % kids
    return pdf(*[node] * 20, pages=b"<</Type/Pages/Kids[%s]/Count 1/MediaBox[0 0 595 842]>>" % kids)


def nested(opening: bytes, closing: bytes, depth: int) -> bytes:
    return with_catalog(b"/X 6 0 R", opening * depth + closing * depth)


# --- streams --------------------------------------------------------------------------------------


def flate_bomb(inflated_bytes: int = 400 << 20) -> bytes:
    return pdf(content=stream(zeros(inflated_bytes), FLATE))


def bomb_in_filters(filters: bytes, encode: Callable[[bytes], bytes], inflated_bytes: int = 400 << 20) -> bytes:
    return pdf(content=stream(encode(zeros(inflated_bytes)), b"/Filter[%s]" % filters))


def run_length(data: bytes) -> bytes:
    parts = [bytes([len(data[at : at + 128]) - 1]) + data[at : at + 128] for at in range(0, len(data), 128)]
    return b"".join(parts) + b"\x80"


def run_length_bomb() -> bytes:
    """3 MB of ``repeat 128 times``: 200 MB, and deflated first to some kB."""
    return pdf(
        content=stream(zlib.compress(b"\x81 " * (3 << 20) + b"\x80", 1), b"/Filter[/FlateDecode/RunLengthDecode]")
    )


def many_contents() -> bytes:
    """One stream of 1 MB, a hundred thousand times in a row: 100 GB of page content in 1 MB of file."""
    content = packed(b"BT /F 1 Tf (x) Tj ET " * 50_000)
    page = b"<</Type/Page/Parent 2 0 R/Contents[%s]/Resources<</Font<</F 5 0 R>>>>>>" % (b"4 0 R " * 100_000)
    return pdf(page=page, content=content)


def forms_in_forms(levels: int, each: int) -> bytes:
    """Each form draws the next one ``each`` times: few bytes, each ** levels drawings."""
    forms = [
        stream(
            b"/G Do " * each,
            b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</G %d 0 R>>>>" % (7 + n),
        )
        for n in range(levels)
    ]
    last = stream(b"0 0 1 1 re f", b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]")
    return with_resources(b"/XObject<</G 6 0 R>>", CONTENT + b" /G Do", *forms, last)


def form_in_itself() -> bytes:
    entries = b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</G 6 0 R>>>>"
    return with_resources(b"/XObject<</G 6 0 R>>", CONTENT + b" /G Do", stream(b"/G Do /G Do", entries))


def type3_in_itself() -> bytes:
    font = (
        b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[1]"
        b"/Encoding<</Type/Encoding/Differences[97/a]>>/CharProcs<</a 7 0 R>>/Resources<</Font<</T 6 0 R>>>>>>"
    )
    glyph = stream(b"1 0 d0 BT /T 1 Tf (aaaa) Tj ET")
    return with_resources(b"/Font<</F 5 0 R/T 6 0 R>>", CONTENT + b" BT /T 12 Tf (aaaa) Tj ET", font, glyph)


def pattern_bomb(entries: bytes = b"/XStep 0.0001/YStep 0.0001", resources: bytes = b"") -> bytes:
    pattern = stream(
        b"0 0 1 1 re f /Pattern cs /P scn 0 0 9 9 re f",
        b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]%s/Resources<<%s>>" % (entries, resources),
    )
    return with_resources(b"/Pattern<</P 6 0 R>>", CONTENT + b" /Pattern cs /P scn 0 0 595 842 re f", pattern)


def shading_bomb() -> bytes:
    """A sampled function that announces 10^12 samples, and a program that grows its stack without end."""
    shading = b"<</ShadingType 1/ColorSpace/DeviceRGB/Domain[0 1 0 1]/Function 7 0 R>>"
    sampled = stream(
        b"x" * 64, b"/FunctionType 0/Domain[0 1 0 1]/Range[0 1 0 1 0 1]/Size[1000000 1000000]/BitsPerSample 32"
    )
    return with_resources(b"/Shading<</S 6 0 R>>", CONTENT + b" /S sh", shading, sampled)


def mesh_bomb() -> bytes:
    """A million patches, each over the whole page."""
    entries = (
        b"/ShadingType 7/ColorSpace/DeviceRGB/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8"
        b"/Decode[0 595 0 842 0 1 0 1 0 1]"
    )
    patch = b"\0" + bytes(random.Random(3).randrange(256) for _ in range(32 + 12))
    return with_resources(b"/Shading<</S 6 0 R>>", CONTENT + b" /S sh", packed(patch * 500_000, entries))


def many_marks(mark: bytes, count: int) -> bytes:
    return pdf(content=packed(CONTENT + b"\n" + mark * count))


# --- fonts and pictures ---------------------------------------------------------------------------


def embedded_font(program: bytes, entries: bytes = b"") -> bytes:
    font = b"<</Type/Font/Subtype/TrueType/BaseFont/Broken/FirstChar 0/LastChar 255/FontDescriptor 7 0 R%s>>" % entries
    descriptor = b"<</Type/FontDescriptor/FontName/Broken/Flags 32/FontFile2 8 0 R>>"
    text = CONTENT + b" BT /B 12 Tf 50 600 Td (abc) Tj ET"
    return with_resources(b"/Font<</F 5 0 R/B 6 0 R>>", text, font, descriptor, stream(program))


def lying_true_type() -> bytes:
    """A table directory that promises 65 535 tables of 4 GB each."""
    entry = b"glyf" + struct.pack(">III", 0, 0, 0xFFFFFFFF)
    return embedded_font(b"\0\1\0\0" + struct.pack(">HHHH", 0xFFFF, 1, 1, 1) + entry * 40)


def character_map_bomb() -> bytes:
    """A range over all four-byte codes: written out, four thousand million entries."""
    ranges = b"1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange "
    cmap = b"begincmap %s1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange endcmap"
    font = b"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode 7 0 R/DescendantFonts[8 0 R]>>"
    child = b"<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(A)/Ordering(I)/Supplement 0>>>>"
    text = CONTENT + b" BT /B 12 Tf 50 600 Td <00410042> Tj ET"
    return with_resources(b"/Font<</F 5 0 R/B 6 0 R>>", text, font, stream(cmap % ranges), child)


def jpeg_frame(width: int, height: int) -> bytes:
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 17, 8, height, width, 3) + b"\1\x11\0\2\x11\1\3\x11\1"
    return b"\xff\xd8" + frame + b"\xff\xda\0\x0c\3\1\0\2\x11\3\x11\0?\0" + bytes(200) + b"\xff\xd9"


def jpx_size(width: int, height: int) -> bytes:
    return b"\xff\x4f\xff\x51" + struct.pack(">HHII", 41, 0, width, height) + bytes(64)


def noise(size: int, seed: int = 7) -> bytes:
    return random.Random(seed).randbytes(size)


# --- actions, attachments -------------------------------------------------------------------------

SCRIPT = b"<</S/JavaScript/JS(app.alert\\(1\\))>>"


def names_tree(entries: bytes, *more: bytes) -> bytes:
    return with_catalog(b"/Names<<%s>>" % entries, *more)


def attachment(name: bytes) -> bytes:
    file = b"<</Type/Filespec/F(%s)/UF(%s)/EF<</F 7 0 R>>>>" % (name, name)
    return names_tree(b"/EmbeddedFiles<</Names[(%s) 6 0 R]>>" % name, file, stream(b"root::0:0", b"/Type/EmbeddedFile"))


def annotation(entries: bytes, *more: bytes) -> bytes:
    return with_page(b"/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]%s>>]" % entries, *more)


def script_in_object_stream() -> bytes:
    inside = b"1000 0 " + SCRIPT
    return cross_reference_stream([packed(inside, b"/Type/ObjStm/N 1/First 7")], 1)


# --- structure ------------------------------------------------------------------------------------


def previous_table_loop() -> bytes:
    plain = pdf()
    start = plain.rindex(b"xref\n0", 0, plain.rindex(b"startxref"))
    return pdf(trailer=b"/Prev %d" % start)


def length_of_itself() -> bytes:
    return pdf(content=b"<</Length 4 0 R>>\nstream\n%s\nendstream" % CONTENT)


def parents_in_a_ring() -> bytes:
    """The page's size is inherited, and its parents are each other's parent."""
    page = b"<</Type/Page/Parent 6 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
    pages = b"<</Type/Pages/Kids[3 0 R]/Count 1/Parent 7 0 R>>"
    ring = [b"<</Type/Pages/Parent 7 0 R>>", b"<</Type/Pages/Parent 6 0 R>>"]
    return pdf(*ring, page=page, pages=pages)


def huge_cross_reference_stream() -> bytes:
    """/Size and /Index announce two thousand million entries of 24 bytes."""
    return pdf(stream(b"", b"/Type/XRef/Size 2147483647/Index[0 2147483647]/W[8 8 8]/Root 1 0 R")).replace(
        b"/Size 7/Root", b"/Size 7/XRefStm 500/Root"
    )


def prefixed(junk: bytes) -> bytes:
    return pdf(head=junk + b"%PDF-1.7\n")


def zipped() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("readme.txt", "nothing")
    return target.getvalue()


def encrypted(**options: object) -> bytes:
    import pikepdf

    target = io.BytesIO()
    with pikepdf.open(io.BytesIO(options.pop("of", None) or pdf())) as document:  # type: ignore[arg-type]
        document.save(target, encryption=pikepdf.Encryption(**options), static_id=False)  # type: ignore[arg-type]
    return target.getvalue()


def encryption_of_nobody() -> bytes:
    return pdf(b"<</Filter/Nobody/V 99/R 99/Length 0/O()/U()/P -1>>", trailer=b"/Encrypt 6 0 R/ID[<00><00>]")
