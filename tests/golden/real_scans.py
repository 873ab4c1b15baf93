"""``python -m tests.golden.real_scans OUT [--pages N] [--corpus DIR]``: real catalogues as scans, with their truths.

Of each document with products its first N pages with some, and one without; all other pages are blank. OUT lies outside
of the project: the documents belong to their makers.
"""

import argparse
import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pymupdf

from tests.golden.styles.pens.scan import jpeg, scan_of

TRUTHS = Path(__file__).parent / "real"


def main() -> None:
    """Write the scans and their truths."""
    parser = argparse.ArgumentParser(prog="tests.golden.real_scans")
    parser.add_argument("out", type=Path)
    parser.add_argument("--pages", type=int, default=5)
    parser.add_argument(
        "--corpus", type=Path, default=os.environ.get("CORPUS_DIR"), required="CORPUS_DIR" not in os.environ
    )
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for path in sorted(TRUTHS.glob("*.truth.json")):
        truth = json.loads(path.read_text())
        if truth["skus"]:
            _scan(truth, Path(asked.corpus) / truth["job"]["source_file"], asked.pages, asked.out)


def _scan(truth: dict[str, Any], source: Path, pages: int, out: Path) -> None:
    name = f"{source.stem}_scan"
    kept = _kept(truth, pages)
    random = Random(name)
    with pymupdf.open(source) as document, pymupdf.open() as scan:
        for page in document.pages(0, max(kept)):
            sheet = scan.new_page(width=page.rect.width, height=page.rect.height)
            if page.number + 1 in kept:
                sheet.insert_image(sheet.rect, stream=jpeg(scan_of(page, random)))
        truth["job"] |= {"source_file": f"{name}.pdf", "total_pages": len(scan)}
        scan.save(out / f"{name}.pdf")
    truth["skus"] = [sku for sku in truth["skus"] if sku["page_number"] in kept]
    bound = {image["image_id"] for sku in truth["skus"] for image in sku.get("images") or ()}
    truth["images"] = [i for i in truth["images"] if i["page_number"] in kept or i["image_id"] in bound]
    truth["pages"] = [
        {key: value for key, value in page.items() if key != "continues" or value in kept}
        for page in truth["pages"]
        if page["page_number"] in kept
    ]
    (out / f"{name}.truth.json").write_text(json.dumps(truth, ensure_ascii=False))


def _kept(truth: dict[str, Any], pages: int) -> set[int]:
    """The numbers of the pages that are scanned."""
    full = sorted({sku["page_number"] for sku in truth["skus"]})
    others = [page["page_number"] for page in truth["pages"] if page["page_number"] not in full]
    return {*full[:pages], *others[:1]}


if __name__ == "__main__":
    main()
