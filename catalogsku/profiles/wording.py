"""Prompt templates: plain text with {{zones}}, one template for every provider (LA-PROMPT, LA-NEUTRAL). Pure.

Paragraphs are parted by blank lines; one whose zones are all empty is left out. Zones are put in as they are.
"""

import re
from collections.abc import Mapping

# Prompts that stand before a question: which of them, a question's own kind of document says.
RULES, STUDY_RULES = "rules", "study_rules"
ALL_RULES = (RULES, STUDY_RULES)
_RULES_BEFORE = {"read_study": STUDY_RULES}
_PAGE = frozenset({"page_tables", "page_text", "page_pictures"})
_ALWAYS = frozenset({"schema", "examples", "faults"})
# Key of a prompt (an operation of processing.llm, or rules that stand before some) to the zones that its text must
# show.
NEEDED: dict[str, frozenset[str]] = {
    RULES: frozenset(),
    "read_page": _PAGE | {"schema", "draft", "context", "continued"},
    "evaluate_document": frozenset({"pages"}),
    STUDY_RULES: frozenset(),
    "read_study": frozenset({"paper", "fields", "parts", "own_words", "continued"}),
}
KEYS = tuple(NEEDED)
LANGUAGES = ("zh", "en")
MAX_CHARS = 20_000

# What these hold is the same for page after page of a document.
_SAME = frozenset({"schema", "examples"})

_ZONE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_BLANK_LINES = re.compile(r"\n[ \t]*\n+")
# Signs of one provider's wire format or product, which a text for all of them cannot hold.
_PROVIDER = re.compile(
    r"<\|[^|\n]*\|>|<\|im_(?:start|end)|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|\n(?:Human|Assistant|System):"
    r"|\b(?:system_instruction|response_(?:schema|format|mime_type)|generation_?config|tool_(?:use|calls?)"
    r"|function_calls?|inline_data|image_url|cache_control)\b"
    r"|\b(?:gemini|qwen|gpt|chatgpt|openai|anthropic|claude|dashscope|llama|deepseek)\b|通义|千问|文心",
    re.I,
)
_TEMPLATE_CODE = re.compile(r"\{%|\{#|\{\{(?!\s*\w+\s*\}\})")


class UnknownZone(KeyError):
    """A text names a zone that was not given to it."""


def rules_before(key: str) -> str:
    """Key of the rules that go before a question as the system message."""
    return _RULES_BEFORE.get(key, RULES)


def zones_in(text: str) -> frozenset[str]:
    return frozenset(_ZONE.findall(text))


def fill(text: str, zones: Mapping[str, str]) -> str:
    """The text with its zones. Raises UnknownZone."""
    missing = zones_in(text) - zones.keys()
    if missing:
        raise UnknownZone(", ".join(sorted(missing)))
    paragraphs = (part for part in _BLANK_LINES.split(text.strip()) if _says_something(part, zones))
    return "\n\n".join(_ZONE.sub(lambda match: zones[match[1]], part) for part in paragraphs)


def parted(text: str) -> tuple[str, str]:
    """The text up to the first paragraph with a zone of one page, and the rest: what is the same for page after page is
    read by a provider once."""
    at = next((match.start() for match in _ZONE.finditer(text) if match[1] not in _SAME), len(text))
    ends = [match.end() for match in _BLANK_LINES.finditer(text) if match.end() <= at]
    cut = len(text) if at == len(text) else ends[-1] if ends else 0
    return text[:cut], text[cut:]


def _says_something(paragraph: str, zones: Mapping[str, str]) -> bool:
    named = zones_in(paragraph)
    return not named or any(zones[name].strip() for name in named)


def problems(key: str, text: str) -> list[tuple[str, str]]:
    """(code, what) of everything for which this text cannot be the template of ``key``."""
    problems_found = []
    if not text.strip():
        problems_found.append(("empty", ""))
    if len(text) > MAX_CHARS:
        problems_found.append(("too_long", str(MAX_CHARS)))
    allowed = NEEDED[key] if key in ALL_RULES else NEEDED[key] | _PAGE | _ALWAYS
    problems_found += [("unknown_zone", name) for name in sorted(zones_in(text) - allowed)]
    problems_found += [("missing_zone", name) for name in sorted(NEEDED[key] - zones_in(text))]
    problems_found += [("provider_syntax", match[0].strip()) for match in [_PROVIDER.search(text)] if match]
    problems_found += [("template_code", match[0]) for match in [_TEMPLATE_CODE.search(text)] if match]
    return problems_found
