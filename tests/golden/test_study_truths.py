"""The truths of public trials: of the published form, of many makers, with short quotes that stand where they say."""

import hashlib
import json
import os
import re
import unicodedata
from functools import cache
from pathlib import Path

import pymupdf
import pytest

from processing.engine.quality.study_trials import trials_of
from processing.engine.quality.study_truth import Asked, StudyTruth, check_fields, read_study_truth
from processing.studies.services.shipped import FOLDER as SHIPPED

FOLDER = Path(__file__).parent / "studies"
NAMES = sorted(path.name.removesuffix(".truth.json") for path in FOLDER.glob("*.truth.json"))
PAPERS = Path(os.environ.get("PAPERS_DIR") or "none")
WORDS_MOST = 26
every_paper = pytest.mark.parametrize("name", NAMES)
pytestmark = pytest.mark.req("LX-QUOTE", "TA-T49")


@cache
def truth(name: str) -> StudyTruth:
    path = FOLDER / f"{name}.truth.json"
    return read_study_truth(path.read_bytes(), str(path))


@cache
def asked() -> dict[str, Asked]:
    told = json.loads((SHIPPED / "rct.json").read_text(encoding="utf-8"))["definition"]
    return {
        field["key"]: Asked(
            field["key"],
            field.get("type", "text"),
            field.get("repeat", "none"),
            field.get("required", False),
            tuple(choice["key"] for choice in field.get("choices", ())),
        )
        for group in told["groups"]
        for field in group["fields"]
    }


def letters(text: str) -> str:
    """Without spaces, dashes between letters and the shapes of dashes and quotation marks: a fold of its own."""
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"[\s\u00ad\u200b]", "", text)
    text = re.sub("[\u2010-\u2015\u2212]", "-", text)
    text = re.sub("[\u2018\u2019]", "'", re.sub("[\u201c\u201d]", '"', text))
    return re.sub("(?<=[a-z])-(?=[a-z])", "", text.casefold())


def test_twelve_papers_have_twelve_makers() -> None:
    assert len(NAMES) == 12 == len({truth(name).maker for name in NAMES})


@every_paper
def test_a_truth_speaks_of_what_the_template_asks_in_short_quotes_of_a_named_source(name: str) -> None:
    told = truth(name)
    check_fields(told, asked().values(), name)
    assert told.template == "rct/1" and told.file.source == f"https://pmc.ncbi.nlm.nih.gov/articles/{name}/"
    once = next(record for record in told.records if record.repeat == "none")
    missing = {key for key, field in asked().items() if field.repeat == "none" and not key.startswith("rob_")}
    assert len(missing - once.fields.keys()) <= 2, "what a paper leaves in doubt is not judged"
    repeats = [record.repeat for record in told.records]
    assert repeats.count("per_arm") >= 2 and 2 <= repeats.count("per_outcome") <= 4
    values = [value for record in told.records for value in record.fields.values()]
    assert None in values, "something is not reported"
    assert max(len(value.quote.split()) for value in values if value) <= WORDS_MOST


@every_paper
def test_each_number_has_decoys_that_its_quote_does_not_say(name: str) -> None:
    trials = trials_of(truth(name), asked())
    assert sum(trial.is_decoy for trial in trials) >= 10


@every_paper
@pytest.mark.skipif(not PAPERS.is_dir(), reason="PAPERS_DIR names no folder with the papers")
def test_every_quote_stands_on_its_page_by_another_reader(name: str) -> None:
    told = truth(name)
    path = PAPERS / told.file.name
    if not path.is_file():
        pytest.skip("PAPERS_DIR holds no such file")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == told.file.sha256
    with pymupdf.open(path) as document:
        views = [tuple(map(letters, _views(page))) for page in document]
    lost = [
        (key, value.page, value.quote)
        for record in told.records
        for key, value in record.fields.items()
        if value and not any(letters(value.quote) in view for view in views[value.page - 1])
    ]
    assert lost == []


def _views(page: pymupdf.Page) -> tuple[str, str, str]:
    """As the file has it, block by block, and along the rows."""
    blocks = " ".join(block[4] for block in page.get_text("blocks", sort=True))
    words = sorted(page.get_text("words"), key=lambda word: (round(word[3] / 3), word[0]))
    return page.get_text(), blocks, " ".join(word[4] for word in words)
