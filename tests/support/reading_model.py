"""A model that answers by what it is shown: it reads the zones of the prompt as any model would have to.

Tables by their head row, and elsewhere lines such as "Model: AX-1". It knows nothing of the files behind.
"""

import json
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code
from tests.support.model_server import ModelRequest, Reply

_ZONE = re.compile(r"<(tables|text|pictures)-(\w+)>\n(.*?)\n</\1-\2>", re.S)
_PAGE = re.compile(r"<page number=[^>]*>")
_PAIR = re.compile(r"\s*([^:：]{1,20})[:：]\s*(\S.*)")
KEYS = {"code_or_number": "model", "name_or_text": "product_name", "size_or_text": "size"}


class ReadingModel:
    """The answerer of a ModelServer; ``invent``: every so many values one is made up, ``move``: every so many is the
    next product's, said to stand there or, every second time, here (0: none)."""

    def __init__(self, invent: int = 0, move: int = 0, *, by_columns: bool = False) -> None:
        """``by_columns``: tables are told by what their columns are, as a model is asked to."""
        self._invent, self._move, self._values = invent, move, 0
        self._by_columns = by_columns
        self.made_up: set[str] = set()
        self.moved: list[tuple[str, str, str]] = []  # (identity, key, text of another product)

    def __call__(self, request: ModelRequest) -> Reply:
        zones = dict(_zones("\n".join(request.texts)))
        answer = getattr(self, f"_{request.operation}")(zones, "\n".join(request.texts))
        tokens = sum(map(len, request.texts)) // 3
        return Reply(json.dumps(answer, ensure_ascii=False), tokens_in=tokens, tokens_out=len(str(answer)) // 3)

    def _PageAnswer(self, zones: dict[str, Any], text: str) -> dict[str, Any]:
        """Each product by itself."""
        products = self._told(zones)
        in_rows = sum(bool(p["line"]) for p in products)
        kind = "D" if not products else "A" if in_rows == len(products) else "B"
        told = {"page_type": kind, "confidence": 0.93, "count": len(products)}
        if not self._by_columns:
            return {**told, "products": products}
        tables: dict[str, dict[str, Any]] = {}
        for product in (one for one in products if one["line"]):
            name, _, line = product["line"].partition(":")
            table = tables.setdefault(name, {"table": name, "lines": [], "columns": {}})
            table["lines"].append(line)
            table["columns"] |= {value["at"].split(":")[2]: key for key, value in product["attributes"].items()}
        return {**told, "tables": [*tables.values()], "products": [one for one in products if not one["line"]]}

    def _DocumentAnswer(self, zones: dict[str, Any], text: str) -> dict[str, Any]:
        return {"pages": [self._scored(ElementTree.fromstring(f"{opened}</page>")) for opened in _PAGE.findall(text)]}

    def _scored(self, page: Any) -> dict[str, Any]:
        """By the facts that are told of the page: null where it has no table, or no picture."""
        chars, tables, pictures = (int(page.get(name)) for name in ("chars", "tables", "pictures"))
        scores = {
            "text_readability": 0.95 if chars else None, "layout_quality": 0.93,
            "table_structure": 0.94 if tables else None, "image_quality": 0.92 if pictures else None,
            "image_text_relation": 0.91 if pictures else None, "product_density": 0.93 if chars else None,
        }  # fmt: skip
        kind = "D" if not chars else "A" if tables else "B"
        told = f"{tables} tables and {pictures} pictures beside {chars} characters"
        return {"number": int(page.get("number")), "page_type": kind, "scores": scores, "evidence": told}

    def _told(self, zones: dict[str, Any]) -> list[dict[str, Any]]:
        products = list(self._products(zones))
        told = [{**p, "attributes": {k: dict(v) for k, v in p["attributes"].items()}} for p in products]
        for n, product in enumerate(told):
            for key, value in product["attributes"].items():
                self._spoil(key, value, products[n], products[(n + 1) % len(products)])
        return told

    def _spoil(self, key: str, value: dict[str, str], own: dict[str, Any], other: dict[str, Any]) -> None:
        self._values += 1
        if self._invent and self._values % self._invent == 0:
            value["value"] = f"{value['value']}7Q"
            self.made_up.add(value["value"])
        theirs = other["attributes"].get(key)
        if self._move and self._values % self._move == 0 and theirs and theirs["value"] != value["value"]:
            is_told = len(self.moved) % 2 == 0
            value |= {"value": theirs["value"], "at": theirs["at"] if is_told else value["at"]}
            self.moved.append((own["attributes"].get("model", {}).get("value", ""), key, theirs["value"]))

    def _products(self, zones: dict[str, Any]) -> Iterator[dict[str, Any]]:
        number = 0
        for table in zones.get("tables", ()):
            rows = [list(row) for row in table]
            head = {cell.get("col"): label_kind(cell.text or "") for cell in rows[0]} if rows else {}
            keys = {col: KEYS.get(kind, kind) for col, kind in head.items() if kind}
            if "model" not in keys.values() and "product_name" not in keys.values():
                continue
            for row in rows[1:]:
                values = {keys[c.get("col")]: _value(c.text or "", c.get("id")) for c in row if c.get("col") in keys}
                if values.get("model", values.get("product_name", {"value": ""}))["value"]:
                    number += 1
                    yield _product(number, f"{table.get('id')}:{row[0].get('id').split(':')[1]}", values)
        if number == 0:
            yield from self._cards(zones)

    def _cards(self, zones: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for number, block in enumerate(zones.get("text", ()), 1):
            pairs = [match for line in (block.text or "").splitlines() if (match := _PAIR.match(line))]
            values = {KEYS.get(kind, kind): _value(p[2], block.get("id")) for p in pairs if (kind := label_kind(p[1]))}
            if is_code(values.get("model", {"value": ""})["value"]):
                yield _product(number, None, values)


def _zones(text: str) -> Iterator[tuple[str, Any]]:
    for name, _, inside in _ZONE.findall(text):
        yield name, ElementTree.fromstring(f"<zone>{inside}</zone>")


def _value(text: str, place: str | None) -> dict[str, Any]:
    return {"value": text.strip(), "at": place}


def _product(number: int, line: str | None, values: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in values.items() if value["value"]}
    return {"number": number, "line": line, "attributes": kept, "custom": [], "pictures": [], "confidence": 0.92}
