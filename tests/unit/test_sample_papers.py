"""The sample papers are drawn alike each time, are set as journals set papers, and their figures agree."""

import re
from itertools import pairwise
from pathlib import Path

import pdfplumber
import pymupdf
import pytest

from samples.build import PAPERS, paper

SAMPLES = Path(__file__).parents[2] / "samples"
COUNTED = (
    re.compile(r"(\d+)/(\d+) \((\d+\.\d)\)"),
    re.compile(r"(\d+) of (\d+)(?: [a-z]+){0,5} \((\d+\.\d)%"),
)
# An estimate between the ends of its interval: "0.56 (0.38, 0.85)", "−1.7 (−2.5 to −0.9)".
INTERVALS = re.compile(r"([−\d.]+) \(([−\d.]+)(?:,| to) ([−\d.]+)\)")

pytestmark = pytest.mark.parametrize("name", PAPERS)


def text_of(name: str) -> str:
    with pymupdf.open(SAMPLES / name) as document:
        return " ".join("\n".join(page.get_text() for page in document).split())


def table_of(name: str, number: int) -> dict[str, list[str]]:
    """First cells and the others of a table's rows, by their places: columns stand apart by 12 points and more."""
    with pymupdf.open(SAMPLES / name) as document:
        page = next(page for page in document if re.search(rf"Table {number}\b.{{0,2}}\s[A-Z]", page.get_text()))
        words = sorted(page.get_text("words"), key=lambda word: (round(word[3]), word[0]))
        head = next((a for a, b in pairwise(words) if a[4] == "Table" and b[4].startswith(str(number))))
    rows: dict[int, list[tuple[float, float, str]]] = {}
    for x0, _, x1, y1, word, *_ in words:
        if y1 > head[3] and x0 >= head[0] - 2:
            rows.setdefault(round(y1), []).append((x0, x1, word))
    table = {}
    for row in rows.values():
        cells, edge = [""], row[0][0]
        for x0, x1, word in row:
            if x0 - edge > 12:
                cells.append("")
            cells[-1] = f"{cells[-1]} {word}".strip()
            edge = x1
        table.setdefault(cells[0], cells[1:])
    return table


def test_a_paper_drawn_again_has_the_same_bytes(name: str) -> None:
    assert paper(name) == (SAMPLES / name).read_bytes()


def test_a_paper_is_small_enough_to_ship_and_as_long_as_papers_are(name: str) -> None:
    assert (SAMPLES / name).stat().st_size < 300_000
    with pymupdf.open(SAMPLES / name) as document:
        assert 4 <= document.page_count <= 6


def test_shares_of_a_paper_are_those_of_its_counts(name: str) -> None:
    counts = [found for form in COUNTED for found in form.findall(text_of(name))]
    assert len(counts) >= 8
    assert [(n, of, share) for n, of, share in counts if f"{100 * int(n) / int(of):.1f}" != share] == []


def test_shares_at_baseline_are_those_of_the_arms_which_sum_to_those_randomised(name: str) -> None:
    text = text_of(name)
    arms = [int(n) for n in re.findall(r"\(n = (\d+)\)", text)]
    randomised = int(re.search(r"(\d+)(?: participants)? were randomised", text)[1])
    assert randomised in {sum(arms[k : k + 2]) for k in range(len(arms) - 1)}
    sizes = next(arms[k : k + 2] for k in range(len(arms) - 1) if sum(arms[k : k + 2]) == randomised)
    rows = [
        re.fullmatch(r"(\d+) \((\d+\.\d)\)", cell)
        for label, cells in table_of(name, 1).items()
        if "n (%)" in label or label in ("One", "Two or more")
        for cell in cells[:2]
    ]
    assert len(rows) >= 4
    assert all(f"{100 * int(cell[1]) / n:.1f}" == cell[2] for cell, n in zip(rows, sizes * len(rows), strict=False))


def test_an_estimate_lies_in_its_interval(name: str) -> None:
    found = [[float(part.replace("−", "-")) for part in row] for row in INTERVALS.findall(text_of(name))]
    assert len(found) >= 4
    assert all(low < estimate < high for estimate, low, high in found)


def test_lines_end_in_hyphens_and_a_second_reader_sees_the_same_words(name: str) -> None:
    with pymupdf.open(SAMPLES / name) as document, pdfplumber.open(SAMPLES / name) as other:
        for page, same in zip(document, other.pages, strict=True):
            words = {word[4] for word in page.get_text("words")}
            assert len(words) > 60 and len(words ^ {word["text"] for word in same.extract_words()}) / len(words) < 0.1
        lines = [line for page in document for line in page.get_text().split("\n")]
    assert sum(line.endswith("-") for line in lines) >= 3


def test_a_paper_says_that_it_is_invented(name: str) -> None:
    text = text_of(name)
    assert "invented" in text and re.search(r"ISRCTN00000000|NCT99999999", text)
