"""Small PDFs written out object by object, so that a test knows every coordinate in them."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class PdfImage:
    """A raster picture: 8-bit samples in DeviceRGB, DeviceGray or DeviceCMYK, or a JPEG file as it is."""

    width: int
    height: int
    data: bytes
    space: str = "DeviceRGB"
    jpeg: bool = False
    alpha: bytes | None = None


@dataclass
class PdfPage:
    """``content`` in PDF operators, user space; pictures are named Im0, Im1 ...; F1 and F2 where it names ``fonts``."""

    content: str
    media: tuple[float, float, float, float] = (0, 0, 400, 600)
    crop: tuple[float, float, float, float] | None = None
    rotate: int = 0
    images: Sequence[PdfImage] = field(default_factory=list)
    fonts: bool = True


def text(x: float, y: float, words: str, size: float = 12, mode: int = 0, grey: float = 0, font: str = "F1") -> str:
    """One line of text with its baseline at (x, y)."""
    escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT {grey} g {mode} Tr /{font} {size} Tf {x} {y} Td ({escaped}) Tj ET\n"


def line(x0: float, y0: float, x1: float, y1: float, width: float = 1) -> str:
    return f"{width} w {x0} {y0} m {x1} {y1} l S\n"


def place(name: str, x: float, y: float, width: float, height: float) -> str:
    return f"q {width} 0 0 {height} {x} {y} cm /{name} Do Q\n"


def grid(xs: Sequence[float], ys: Sequence[float]) -> str:
    """The rules of a full grid."""
    rows = "".join(line(min(xs), y, max(xs), y) for y in ys)
    return rows + "".join(line(x, min(ys), x, max(ys)) for x in xs)


def build_pdf(pages: Sequence[PdfPage]) -> bytes:
    objects: list[bytes] = []

    def add(body: bytes) -> int:
        objects.append(body)
        return len(objects)

    def stream(head: str, data: bytes) -> int:
        return add(f"<< {head} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream")

    catalog, tree = add(b""), add(b"")
    fonts = {
        name: add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding /WinAnsiEncoding >>".encode())
        for name, base in (("F1", "Helvetica"), ("F2", "Helvetica-Bold"))
    }
    font_list = " ".join(f"/{name} {number} 0 R" for name, number in fonts.items())
    kids = []
    for page in pages:
        names = " ".join(f"/Im{n} {_image(image, stream)} 0 R" for n, image in enumerate(page.images))
        content = stream("", page.content.encode("latin-1"))
        named = f"/Font << {font_list} >>" if page.fonts else ""
        crop = f"/CropBox [{' '.join(map(str, page.crop))}]" if page.crop else ""
        kids.append(
            add(
                f"<< /Type /Page /Parent {tree} 0 R /MediaBox [{' '.join(map(str, page.media))}] {crop} "
                f"/Rotate {page.rotate} /Contents {content} 0 R "
                f"/Resources << {named} /XObject << {names} >> >> >>".encode()
            )
        )
    objects[catalog - 1] = f"<< /Type /Catalog /Pages {tree} 0 R >>".encode()
    objects[tree - 1] = (
        f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>".encode()
    )
    return _file(objects, catalog)


def _image(image: PdfImage, stream) -> int:  # type: ignore[no-untyped-def]
    head = f"/Type /XObject /Subtype /Image /Width {image.width} /Height {image.height} /BitsPerComponent 8"
    mask = ""
    if image.alpha is not None:
        number = stream(f"{head} /ColorSpace /DeviceGray /Filter /FlateDecode", zlib.compress(image.alpha))
        mask = f" /SMask {number} 0 R"
    head = f"{head} /ColorSpace /{image.space}{mask}"
    if image.jpeg:
        return stream(f"{head} /Filter /DCTDecode", image.data)
    return stream(f"{head} /Filter /FlateDecode", zlib.compress(image.data))


def _file(objects: Sequence[bytes], catalog: int) -> bytes:
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root {catalog} 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)
