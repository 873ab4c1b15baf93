"""What trials say of themselves once, in sentences: registration, design, who was blind, how many took part, who paid.

Candidates for a person or a model to choose from, never proof. English; registration numbers in any language.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from processing.engine.page import ParsedPage

# Registers of the WHO's network, and the forms of their numbers (https://www.who.int/clinical-trials-registry-platform).
_REGISTRATION = re.compile(
    r"\b(NCT ?\d{8}|ISRCTN ?\d{8}|ACTRN ?\d{14}|ChiCTR[- ]?(?:[A-Z]{2,4}-)?\d{8,10}|UMIN ?\d{9}|jRCTs?\d{9,10}"
    r"|CTRI/\d{4}/\d{2,3}/\d{6}|DRKS ?\d{8}|IRCT ?\d{10,16}(?:N\d+)?|KCT ?\d{7}|NL\d{4}|NTR ?\d{3,4}|PACTR ?\d{15,16}"
    r"|RBR-[0-9a-z]{6,7}|TCTR ?\d{11}|SLCTR/\d{4}/\d{3}|EudraCT[^\d]{0,12}\d{4}-\d{6}-\d{2}|\d{4}-\d{6}-\d{2})\b"
)
# Words before "randomised" and after it that are part of a design's name.
_KINDS = (
    r"multi-?cent(?:er|re)|single-?cent(?:er|re)|prospective|open[- ]label|(?:double|single|triple)[- ]blind(?:ed)?"
    r"|assessor-blind(?:ed)?|placebo[- ]controlled|parallel[- ]group|cluster|stepped[- ]wedge|cross-?over|factorial"
    r"|non-?inferiority|pilot|phase [IV1-4]+b?|two-arm|three-arm"
)
_DESIGNS = re.compile(
    rf"\b((?:(?:{_KINDS}),? (?:and )?)*randomi[sz]ed(?:,? (?:[a-z]+-)*[a-z]+){{0,4}}? (?:trial|study))\b", re.IGNORECASE
)
_WHO = (
    r"(?:patients|participants|subjects|children|women|men|adults|infants|people|individuals|students|pairs|volunteers"
    r"|mothers|households)"
)
_COUNT = r"(\d{1,3}(?:,\d{3})+|\d{2,6})"
_WERE = r"(?:were|was) (?:[a-z]+,? (?:and )?){0,3}?"
_ASSIGNED = r"(?:randomi[sz]ed|randomly (?:assigned|allocated|divided))"
_RANDOMISED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_COUNT} (?:[a-z-]+ ){{0,3}}?{_WHO}(?: [a-z]+){{0,12}}? {_WERE}{_ASSIGNED}",
        rf"\b{_ASSIGNED} {_COUNT} (?:[a-z-]+ ){{0,3}}?{_WHO}",
        rf"\b{_COUNT} {_WERE}{_ASSIGNED}",
    )
)
_FUNDING = re.compile(
    r"\b(?:(?:was|were|is|been) (?:[a-z]+ )?(?:funded|supported|sponsored|financed) (?:[a-z]+ )?by"
    r"|(?:supported|funded) by"
    r"|funding (?:for [^.]{3,80} )?(?:was|were|came|is) (?:provided|received|from|by)(?: (?:by|from|through))?"
    r"|received (?:no |any )?(?:specific )?(?:funding|grant)|grants? (?:number|no|from))\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\bnot?\b", re.IGNORECASE)
# Between the verb and who paid.
_LEADS_TO = re.compile(r"[\s:,]*(?:an? (?:[a-z]+ ){0,3}grants? (?:from|of) )?(?:the )?", re.IGNORECASE)
_BLIND = r"(?:blind(?:ed)?|mask(?:ed)?)"
# Who did not know the treatment: people in a trial, by the word for its design or in a sentence; who assessed them.
_BLINDED = re.compile(
    rf"\b((?:double|single|triple|patient|participant)[- ]{_BLIND}|open[- ]label"
    rf"|{_WHO}\b[^.;]{{0,60}}?\b(?:blinded|masked|unaware)|un(?:blinded|masked))\b",
    re.IGNORECASE,
)
_ASSESSORS_BLINDED = re.compile(
    rf"\b((?:assessor|observer|rater|evaluator)s?[- ]{_BLIND}"
    r"|(?:assessors?|observers?|raters?|evaluators?|examiners?|interviewers?|radiologists?|technicians?|statisticians?)\b"
    r"[^.;]{0,80}?\b(?:blinded|masked|unaware))\b",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?)"
)
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)? )?{_MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?,?)?"
_ENROLMENT = re.compile(
    rf"\b(?:[Bb]etween|[Ff]rom|[Dd]uring)\s+({_DAY}(?:,? \d{{4}})?)"
    rf"\s*(?:and|to|until|till|through|[-–])\s*({_DAY},? \d{{4}})\b"
)
_ENROLS = re.compile(
    r"recruit|enrol|conduct|perform|carried out|took place|admitted|randomi[sz]|includ|participants|patients",
    re.IGNORECASE,
)
# Of whom a sentence about funding speaks, if it is one.
_FUNDERS = re.compile(
    r"grant|fund(?!us)|foundation|institut|council|ministry|\bltd\b|\binc\b|gmbh|pharma|universit|program|agency|trust|award",
    re.IGNORECASE,
)
# Longest part of a sentence that is shown as a quote; in signs.
_QUOTE_MOST = 600
_ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])|(?<=[。！？])")


@dataclass(frozen=True)
class Statement:
    """``text``: the value as printed, in ``quote``, which stands on ``page``."""

    field: str
    text: str
    quote: str
    page: int


def sentences(page: ParsedPage) -> Iterator[str]:
    """Of each block; a word that is hyphenated at the end of a line is put together."""
    for block in page.blocks:
        text = re.sub(r"(?<=[a-z])[-\u00ad]\n(?=[a-z])", "", block.text).replace("\n", " ")
        yield from (part.strip() for part in _ENDS.split(text) if part.strip())


def statements_of(pages: Sequence[ParsedPage]) -> list[Statement]:
    """What is offered for each field, the likeliest first: what stands most often, then what stands first."""
    found: list[Statement] = []
    for page in pages:
        for sentence in sentences(page):
            if len(sentence) <= _QUOTE_MOST:
                found += [Statement(field, text, sentence, page.number) for field, text in _of(sentence)]
    return found


def _of(sentence: str) -> Iterator[tuple[str, str]]:
    for number in _REGISTRATION.findall(sentence):
        yield "registration_number", number
    if design := _DESIGNS.search(sentence):
        yield "study_design", design[1]
    if blinded := _BLINDED.search(sentence):
        yield "rob_blinding_participants", blinded[1]
    if assessors := _ASSESSORS_BLINDED.search(sentence):
        yield "rob_blinding_assessors", assessors[1]
    counts = (found for pattern in _RANDOMISED if (found := pattern.search(sentence)))
    if count := next(counts, None):
        yield "n_randomised_total", count[1]
    if (dates := _ENROLMENT.search(sentence)) and _ENROLS.search(sentence):
        yield "enrolment_start", dates[1]
        yield "enrolment_end", dates[2]
    funding = _FUNDING.search(sentence)
    if funding and not _DENIES.search(funding[0]) and _FUNDERS.search(sentence, funding.end() - len("grant from")):
        yield "funding_source", _funder(sentence, funding)


def _funder(sentence: str, funding: re.Match[str]) -> str:
    """Who paid, as the sentence goes on behind its verb; all of it where it does not say so there."""
    words = sentence[funding.end() :]
    if not funding[0].lower().endswith(("by", "from", "through", "provided", "received")):
        return sentence
    words = words[_LEADS_TO.match(words).end() :].strip(" .。")  # type: ignore[union-attr]  # it matches nothing, too
    if words.count("(") > words.count(")"):  # the sentence was cut at "(Grant No."
        words = words[: words.rindex("(")].rstrip()
    return words if any(map(str.isalpha, words)) else sentence
