"""What a heading says of all that stands under it."""

import re

from catalogsku.core.text import trim
from processing.engine.understanding.rules.dictionaries import terms
from processing.engine.understanding.rules.folding import fold, squash
from processing.engine.understanding.rules.wording import is_sentence


def _one_of(words: tuple[str, ...], tail: str = "(?![a-z])") -> re.Pattern[str]:
    """One of the words in folded text; letters only as words of their own."""
    return re.compile("|".join(rf"(?<![a-z]){word}{tail}" if word.isascii() else word for word in words))


_DOCUMENTS, _DRAWINGS, _SAMPLES, _NO_THING = map(
    _one_of, (terms.DOCUMENTS, terms.DRAWINGS, terms.SAMPLES, terms.NO_THING)
)
_WORKS_AT_THE_END = re.compile(rf"(?:{_one_of(terms.WORKS, '').pattern})$")
_LONGEST_HEADING = 40
_AND = re.compile(r"\s*(?:[&,]|\band\b)\s*")
_SPECIFICATION_SHEETS = frozenset(squash(word) for word in terms.SPECIFICATION_SHEETS)
_SPECIFICATIONS = _SPECIFICATION_SHEETS | {squash(word) for word in terms.SPECIFICATIONS}
_CATEGORY_HEADINGS = frozenset(squash(word) for word in terms.CATEGORY_HEADINGS)


def is_document(text: str) -> bool:
    """Names a certificate, a patent or a report: what a company shows beside its products."""
    return _DOCUMENTS.search(fold(text)) is not None


def is_drawing(text: str) -> bool:
    """Says that the picture beside it is a drawing: it shows a product that has its place elsewhere."""
    return _DRAWINGS.search(fold(text)) is not None


def is_sample_heading(text: str) -> bool:
    """Heads samples of colours and materials ("Enamel colours", "釉色一览"); no sentence about them, and not goods that
    are named beside others ("Felts & fabrics")."""
    if is_sentence(text) or len(trim(text)) > _LONGEST_HEADING:
        return False
    matches = [_SAMPLES.search(part) for part in _AND.split(fold(text))]
    return all(matches) or any(match and match.group() not in terms.GOODS for match in matches)


def names_no_thing(text: str) -> bool:
    """Heads what is told of a company, of its work or of all its products ("Our advantages", "服务流程")."""
    return _NO_THING.search(fold(text)) is not None


def is_works_heading(text: str) -> bool:
    """Heads pictures of a company's own works ("Production Equipment", "生产车间"); not "Workshop tools"."""
    folded = fold(text)
    return _WORKS_AT_THE_END.search(folded) is not None and len(folded) <= _LONGEST_HEADING and not is_sentence(text)


def is_category_heading(text: str) -> bool:
    """Heads a page of product kinds, not of products ("Main products", "产品分类")."""
    return squash(text) in _CATEGORY_HEADINGS


def heads_specification(text: str) -> bool:
    """Says that the page is the sheet of one product ("P R O D U C T  S P E C I F I C A T I O N", "产品规格书")."""
    return squash(text) in _SPECIFICATION_SHEETS


def heads_facts(text: str) -> bool:
    """Stands over the labelled lines that tell what one thing is like ("Specifications:", "技术参数")."""
    return squash(trim(text).rstrip(":：")) in _SPECIFICATIONS
