"""ZIP of SKUs: the table as CSV, their pictures under names that people read, and a manifest with SHA-256 hashes."""

import hashlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from django.utils.translation import gettext_lazy as _

from catalogsku.core import storage
from processing.exports.columns import Column, Entry, Table, product_name
from processing.exports.tables import write_csv

TABLE, MANIFEST = "skus.csv", "manifest.json"
_SUFFIXES = ("jpg", "png", "webp")


def write_package(out: IO[bytes], table: Table) -> Iterator[None]:
    """The manifest comes last and names every other file; a picture whose file is gone has no hash there."""
    with (
        ZipFile(out, "w", ZIP_DEFLATED, compresslevel=3) as package,
        tempfile.TemporaryFile("w+", encoding="utf-8") as wanted,
    ):
        files = Column("files", _("Files"), _("Files"), lambda entry: ", ".join(path for path, _ in _files(entry)))
        columns = [*table.columns, files]
        with tempfile.TemporaryFile("w+", encoding="utf-8") as manifest:
            with package.open(_info(TABLE, ZIP_DEFLATED), "w") as inside:
                hashed = _Hashed(inside)
                noted = _noting(table.entries, wanted)
                yield from write_csv(hashed, replace(table, columns=columns, entries=noted))  # type: ignore[arg-type]
            manifest.write(_line(TABLE, hashed))
            wanted.seek(0)
            for line in wanted:
                path, key, sku_id = json.loads(line)
                manifest.write(",\n" + _line(path, _copied(package, path, key), sku_id=sku_id))
                yield
            _write_manifest(package, manifest, table)


def _noting(entries: Iterator[Entry], wanted: IO[str]) -> Iterator[Entry]:
    """The same entries; the files that they want are written down as they go by."""
    for entry in entries:
        for path, key in _files(entry):
            wanted.write(json.dumps([path, key, entry.sku_id]) + "\n")
        yield entry


def _files(entry: Entry) -> list[tuple[str, str]]:
    """(path in the package, key in the storage). No part of a path comes from a document as it stands there."""
    name = product_name(entry)
    folder = PurePosixPath("pictures", f"{entry.sku_id} {name}" if name else entry.sku_id)
    keys = [picture.image.storage_key for picture in entry.pictures]
    suffixes = [(key, key.rpartition(".")[2]) for key in keys]
    return [
        (str(folder / f"{number:02d}.{suffix}"), key)
        for number, (key, suffix) in enumerate(suffixes, 1)
        if suffix in _SUFFIXES
    ]


class _Hashed:
    """A file that hashes and counts what is written to it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._sha256, self.size_bytes = file, hashlib.sha256(), 0

    def write(self, data: bytes) -> int:
        self._sha256.update(data)
        self.size_bytes += len(data)
        return self._file.write(data)

    @property
    def sha256(self) -> str:
        return self._sha256.hexdigest()


def _copied(package: ZipFile, path: str, key: str) -> _Hashed | None:
    """Stored as it is: pictures are packed already. None where the storage has it no longer."""
    if not storage.has_file(key):
        return None
    with storage.open_file(key) as source, package.open(_info(path, ZIP_STORED), "w") as inside:
        hashed = _Hashed(inside)
        while block := source.read(storage.COPY_BYTES):
            hashed.write(block)
    return hashed


def _info(path: str, method: int) -> ZipInfo:
    """A name that is not ASCII is marked as UTF-8 (flag 0x800), which Windows, macOS and Excel go by."""
    info = ZipInfo(path)
    info.compress_type = method
    return info


def _line(path: str, file: _Hashed | None, **more: str) -> str:
    described = {"sha256": file.sha256 if file else None, "bytes": file.size_bytes if file else None}
    return json.dumps({"path": path, **described, **more}, ensure_ascii=False)


def _write_manifest(package: ZipFile, lines: IO[str], table: Table) -> None:
    lines.seek(0)
    head = json.dumps({"schema_version": "1.0", **table.filter}, ensure_ascii=False)[:-1]
    with package.open(_info(MANIFEST, ZIP_DEFLATED), "w") as inside:
        inside.write(f'{head}, "files": [\n'.encode())
        for line in lines:
            inside.write(line.encode())
        inside.write(b"\n]}\n")
