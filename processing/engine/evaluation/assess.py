"""A page's score and margin summary, taken in the reading child right after the page was read."""

import msgspec

from processing.engine.evaluation.margins import summarise_margins
from processing.engine.evaluation.page_score import score_page
from processing.engine.evaluation.scores import MarginSummary, PageScore
from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.units import FACTS, agreed, unit_notes


class Assessment(msgspec.Struct, frozen=True):
    score: PageScore
    margins: MarginSummary


def assess_page(page: ParsedPage, config: AnalystConfig | None = None) -> Assessment:
    """Seen alone: no document facts and no earlier pages exist yet when a page has just been read."""
    result = understand_page(page, (), DocumentFacts(), config or AnalystConfig())
    margins = summarise_margins(page)
    notes = {} if result.skus else unit_notes(page, page.lines)
    agreeing = {FACTS[key]: value for key, values in notes.items() if (value := agreed(values))}
    return Assessment(score_page(page, result), msgspec.structs.replace(margins, notes=agreeing))
