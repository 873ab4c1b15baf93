"""What differs between two exports: SKUs in one order, each by the row of its revision. Pure."""

import gzip
import io
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

ADDED, ALTERED, REMOVED = "added", "changed", "removed"
Key = tuple[str, int, str]
Held = tuple[str, int]


class Change(NamedTuple):
    """``row``: what the caller gave for the SKU as it is now; None where it is gone. ``kind``: empty for the same."""

    sku_id: str
    kind: str
    row: Any


def order_of(sku_id: str) -> Key:
    """By file, then by page and place: ids of one file have the same form, so that longer ones come later."""
    return sku_id.partition("_")[0], len(sku_id), sku_id


def compare(before: Iterable[Held], now: Iterable[tuple[str, int, Any]]) -> Iterator[Change]:
    """All of both, in their order, which is that of ``order_of``; each is looked at once and none is kept.

    ``before``: (sku_id, revision's row id); ``now``: the same and whatever the caller wants back.
    """
    earlier = iter(before)
    old = next(earlier, None)
    for sku_id, revision, row in now:
        while old is not None and order_of(old[0]) < order_of(sku_id):
            yield Change(old[0], REMOVED, None)
            old = next(earlier, None)
        if old is None or old[0] != sku_id:
            yield Change(sku_id, ADDED, row)
            continue
        yield Change(sku_id, ALTERED if old[1] != revision else "", row)
        old = next(earlier, None)
    while old is not None:
        yield Change(old[0], REMOVED, None)
        old = next(earlier, None)


class Packer:
    """Packs what an export holds as it goes by: about 5 bytes a SKU."""

    def __init__(self) -> None:
        self._packed = io.BytesIO()
        self._file = gzip.GzipFile(fileobj=self._packed, mode="wb", compresslevel=6, mtime=0)

    def add(self, sku_id: str, revision: int) -> None:
        self._file.write(f"{sku_id} {revision}\n".encode())

    def packed(self) -> bytes:
        self._file.close()
        return self._packed.getvalue()


def unpacked(packed: bytes) -> Iterator[Held]:
    """Line by line: memory does not grow with what comes out."""
    with gzip.GzipFile(fileobj=io.BytesIO(packed)) as lines:
        for line in lines:
            sku_id, _, revision = line.decode().partition(" ")
            yield sku_id, int(revision)
