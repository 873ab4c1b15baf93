#!/usr/bin/env python3
"""Part of `make check` (TA-P0-8): every distribution that is delivered has a licence of the list below.

Reads requirements/base.txt and the metadata of what is installed. A copyleft licence beyond the library itself
(AGPL, GPL, SSPL) passes only as a recorded exception, which holds only while the reason given for it is true.
"""

import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from importlib import metadata
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
LOCKED = PROJECT / "requirements" / "base.txt"

ALLOWED = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0", "MIT-CMU", "PSF-2.0"),
        *("CNRI-Python", "PostgreSQL", "TCL", "Unlicense", "ZPL-2.1", "Zlib"),
        *("LGPL-3.0-only", "LGPL-3.0-or-later", "MPL-2.0"),  # their terms end at the library, which is not changed here
    }
)

# Words in old metadata, for what they name.
SPOKEN = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "GNU Lesser General Public License v3 or later (LGPLv3+)": "LGPL-3.0-or-later",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}

# Metadata that says nothing, or not enough; what the licence file in the distribution says.
READ_BY_A_PERSON = {
    "django-dramatiq": "Apache-2.0",
    "pypdfium2": "Apache-2.0 AND BSD-3-Clause",
}


@dataclass(frozen=True)
class Granted:
    licence: str
    reason: str
    modules: tuple[str, ...]  # what its code is imported as
    only_in: tuple[str, ...]  # the files of the product that may do so


# PyMuPDF stands behind the reader port: READER_ORDER=pypdfium2,pdfplumber runs without it.
EXCEPTIONS = {
    "pymupdf": Granted(
        "AGPL-3.0-only OR LicenseRef-Artifex-Commercial",
        "behind the reader port, replaced by the setting READER_ORDER",
        ("pymupdf", "fitz"),
        (
            "processing/engine/reading/pymupdf_reader.py",
            "processing/engine/inspection/by_mupdf.py",
        ),
    )
}
SOURCES = ("catalogsku", "ingestion", "processing", "annotation")


def main() -> int:
    wrong = [*audit(LOCKED.read_text()), *misplaced_imports(PROJECT), *vendored(PROJECT / "static" / "vendor")]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


def audit(locked: str) -> Iterator[str]:
    """One sentence for each locked distribution that may not be delivered, or of which nothing is known."""
    names = set()
    for name in locked_names(locked):
        names.add(name)
        try:
            licence = licence_of(name, metadata.metadata(name))
        except metadata.PackageNotFoundError:
            if not is_for_another_platform(name, locked):
                yield f"{name}: not installed, so its licence is not known"
            continue
        if not licence:
            yield f"{name}: its metadata names no licence; read the licence file and add it to READ_BY_A_PERSON"
        elif name in EXCEPTIONS:
            if licence != EXCEPTIONS[name].licence:
                yield f"{name}: {licence} is not the licence of its exception, {EXCEPTIONS[name].licence}"
        elif not is_allowed(licence):
            yield f"{name}: {licence} is not on the list"
    for name in sorted(set(EXCEPTIONS) - names):
        yield f"{name}: has an exception, and is not delivered any more"


def locked_names(locked: str) -> list[str]:
    return re.findall(r"^([a-z0-9-]+)(?:\[[^\]]*\])?==", locked, re.M)


def is_for_another_platform(name: str, locked: str) -> bool:
    """The lock file names it with a condition that does not hold here."""
    line = re.search(rf"^{re.escape(name)}(?:\[[^\]]*\])?==[^\s;]+\s*;\s*(.+?)\s*\\?$", locked, re.M)
    if line is None:
        return False
    from packaging.markers import Marker

    return not Marker(line[1]).evaluate()


def licence_of(name: str, headers: Message) -> str:
    """An SPDX expression, or nothing."""
    if name in READ_BY_A_PERSON:
        return READ_BY_A_PERSON[name]
    if expression := headers.get("License-Expression"):
        return str(expression)
    field = str(headers.get("License") or "").strip()
    if "AFFERO" in field.upper() and "ARTIFEX" in field.upper():
        return "AGPL-3.0-only OR LicenseRef-Artifex-Commercial"
    classifiers = [line.rsplit(" :: ", 1)[-1] for line in headers.get_all("Classifier") or [] if " :: " in line]
    licences = [line for line in classifiers if line in SPOKEN or "License" in line or "GPL" in line]
    if licences:
        return " AND ".join(sorted({SPOKEN.get(line, line) for line in licences}))
    first = field.splitlines()[0] if field else ""
    return SPOKEN.get(first, first)


def is_allowed(expression: str) -> bool:
    """Of alternatives one must be on the list, of parts all of them. With brackets it is for a person to read."""
    return "(" not in expression and any(
        all(part.strip() in ALLOWED for part in re.split(r"\s+AND\s+", choice))
        for choice in re.split(r"\s+OR\s+", expression)
    )


def misplaced_imports(folder: Path) -> Iterator[str]:
    """Imports of an exception's code outside the place for which it was granted."""
    for name, exception in EXCEPTIONS.items():
        imports = re.compile(rf"^\s*(?:import|from)\s+(?:{'|'.join(exception.modules)})\b", re.M)
        for source in SOURCES:
            for file in sorted((folder / source).rglob("*.py")):
                place = file.relative_to(folder).as_posix()
                if not place.startswith(exception.only_in) and imports.search(file.read_text()):
                    yield f"{place}: imports {name}, which may be used only in {', '.join(exception.only_in)}"


def vendored(folder: Path) -> Iterator[str]:
    """Files of others that browsers get: each is recorded, under a licence of the list, with the bytes it had then."""
    records = [
        dict(line.split(maxsplit=1) for line in block.splitlines() if line.strip())
        for block in (folder / "VERSIONS.txt").read_text().split("\n\n")[1:]
    ]
    recorded = {record["file"]: record for record in records}
    for file in sorted(folder.iterdir()):
        if file.name == "VERSIONS.txt" or file.name.endswith(".LICENSE.txt"):
            continue
        record = recorded.get(file.name)
        if record is None:
            yield f"{file.name}: stands in static/vendor and not in VERSIONS.txt"
        elif not is_allowed(record["licence"].split(" (", 1)[0]):
            yield f"{file.name}: {record['licence']} is not on the list"
        elif hashlib.sha256(file.read_bytes()).hexdigest() != record["sha256"]:
            yield f"{file.name}: its bytes are not those recorded in VERSIONS.txt"


if __name__ == "__main__":
    sys.exit(main())
