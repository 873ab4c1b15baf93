"""The answer to ``evaluate_document``: scores of the pages that are shown, by the facts that are told of them."""

import re
from typing import Any
from xml.etree import ElementTree

from tests.support.model_server import ModelRequest

_PAGE = re.compile(r"<page number=[^>]*>")


def document_answer(request: ModelRequest) -> dict[str, Any]:
    """As many pages as there are images."""
    told = [ElementTree.fromstring(f"{opened}</page>") for opened in _PAGE.findall("\n".join(request.texts))]
    return {"pages": [_scored(page) for page in told[: len(request.images)]]}


def _scored(page: ElementTree.Element) -> dict[str, Any]:
    """Null for what the page has none of: a table, or a picture."""
    chars, tables, pictures = (int(page.get(name, "0")) for name in ("chars", "tables", "pictures"))
    scores = {
        "text_readability": 0.95 if chars else None, "layout_quality": 0.93,
        "table_structure": 0.94 if tables else None, "image_quality": 0.92 if pictures else None,
        "image_text_relation": 0.91 if pictures else None, "product_density": 0.93 if chars else None,
    }  # fmt: skip
    kind = "D" if not chars else "A" if tables else "B"
    told = f"{tables} tables and {pictures} pictures beside {chars} characters"
    return {"number": int(page.get("number", "0")), "page_type": kind, "scores": scores, "evidence": told}
