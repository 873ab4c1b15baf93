"""Which roles together, how near each other, are an order to a machine; the same for every language (LA-GUARD)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from processing.engine.guard.lexicon import shapes_in
from processing.engine.guard.roles import Role, Tag

# What follows farther away belongs to something else: catalogues put no full stops.
_GAP_CHARS = 60
_AROUND_CHARS = 30
_END = int(Role.END)
_ASKED = Role.SAY | Role.ANSWER | Role.SET | Role.MARK | Role.OMIT | Role.DROP | Role.SEND | Role.ONLY
_THING = Role.FIGURE | Role.GOODS | Role.NOTHING | Role.PASSED | Role.REVIEW | Role.FORM | Role.PAGE | Role.RULES
_VALUE = Role.FIGURE | Role.NOTHING | Role.PASSED | Role.STATUS | Role.NOTES


class Rule(NamedTuple):
    """``roles``: a word of each of these, all within ``chars``; none of ``without`` in the sentence."""

    name: str
    score: float
    chars: int
    roles: tuple[int, ...]
    without: int = 0


def _rule(name: str, score: float, chars: int, *roles: Role, without: Role | int = 0) -> Rule:
    return Rule(name, score, chars, tuple(map(int, roles)), int(without))


R = Role
RULES = (
    _rule("ignore_instructions", 0.9, 90, R.DROP, R.RULES, R.BEFORE | R.TOLD | R.YOUR | R.EVERY, without=R.HARM),
    _rule("ignore_instructions", 0.9, 70, R.DROP, R.RULES, R.OPERATOR | R.OWNER, without=R.HARM),
    _rule("ignore_instructions", 0.9, 80, R.DROP, R.EVERYTHING, R.BEFORE | R.TOLD, without=R.HARM),
    _rule("ignore_instructions", 0.9, 80, R.DROP, R.TOLD, R.YOUR, R.EVERY | R.BEFORE, without=R.HARM),
    _rule("ignore_instructions", 0.9, 70, R.DROP, R.EVERYTHING | R.PAGE, R.BEFORE, R.ANSWER, without=R.HARM),
    _rule("override_rules", 0.9, 110, R.VOID, R.RULES, R.YOUR | R.TOLD, without=R.HARM),
    _rule("override_rules", 0.9, 110, R.VOID, R.EVERYTHING, R.TOLD, without=R.HARM),
    _rule("override_rules", 0.9, 90, R.VOID, R.RULES, R.BEFORE, R.ONLY | R.ANSWER, without=R.HARM),
    _rule("override_rules", 0.9, 80, R.VOID, R.RULES, R.BEFORE, R.TOLD, without=R.HARM),
    _rule("override_rules", 0.8, 60, R.VOID, R.RULES, R.EVERY | R.BEFORE, without=R.HARM),
    _rule("reveal_prompt", 0.9, 100, R.SAY | R.ANSWER, R.PROMPT),
    _rule("reveal_prompt", 0.9, 90, R.SAY, R.RULES, R.YOUR, R.BEFORE | R.TOLD | R.EVERY, without=R.HARM),
    _rule("reveal_prompt", 0.9, 70, R.SAY, R.RULES, R.TOLD, R.BEFORE | R.EVERY, without=R.HARM),
    _rule("reveal_prompt", 0.9, 70, R.SAY, R.YOUR, R.TOLD, R.EVERYTHING | R.FORM, without=R.HARM),
    _rule("reveal_prompt", 0.9, 40, R.SAY, R.EVERYTHING, R.BEFORE, without=R.HARM),
    _rule("reveal_prompt", 0.9, 25, R.PROMPT, R.YOUR),
    _rule("override_rules", 0.9, 40, R.LIFT, R.LIMITS, R.EVERY | R.YOUR, without=R.HARM),
    _rule("keep_secret", 0.9, 45, R.NO, R.MENTION, R.THIS, R.PAGE),
    _rule("keep_secret", 0.9, 50, R.OMIT, R.ITSELF),
    _rule("system_prompt", 0.7, 30, R.PROMPT),
    _rule("set_value", 0.9, 30, R.SET, R.FIGURE, R.WORTH),
    _rule("set_value", 0.9, 90, R.SET, R.FIGURE, R.NOTHING | R.WORTH, R.EVERY | R.WHO | R.YOUR),
    _rule("set_value", 0.9, 60, R.SET, R.STATUS, R.NOTHING | R.WORTH, R.EVERY | R.ONLY),
    _rule("set_value", 0.9, 90, R.CHANGE, R.FIGURE, R.WHO | R.CALLED),
    _rule("set_value", 0.9, 35, R.CHANGE, R.FIGURE, R.EVERY, without=R.HARM),
    _rule("set_value", 0.9, 45, R.SWAP, R.FIGURE, R.EVERY),
    _rule("pretend", 0.9, 60, R.PRETEND, R.PAGE | R.GOODS, R.NOTHING | R.PASSED | R.NO),
    _rule("mark_as", 0.9, 50, R.MARK, R.PASSED, R.PAGE),
    _rule("mark_as", 0.9, 70, R.SET | R.MARK, R.PASSED, R.STATUS, R.EVERY),
    _rule("skip_review", 0.9, 100, R.NO | R.OMIT | R.DROP, R.REVIEW, R.PAGE | R.WHO | R.MARK),
    _rule("skip_review", 0.9, 60, R.PAGE, R.PASSED, R.REVIEW),
    _rule("hide_rows", 0.9, 60, R.OMIT, R.GOODS | R.FIGURE, R.PAGE | R.WHO),
    _rule("hide_rows", 0.9, 36, R.OMIT, R.GOODS, R.EVERY),
    _rule("force_output", 0.9, 45, R.ANSWER, R.ONLY, R.FORM | R.NOTHING),
    _rule("force_output", 0.9, 70, R.ANSWER, R.QUESTION, R.FORM | R.NOTHING, R.EVERY | R.ONLY | R.YOUR),
    _rule("force_output", 0.9, 40, R.SAY, R.ONLY, R.FORM, without=R.HARM),
    _rule("empty_answer", 0.9, 35, R.ANSWER, R.NOTHING, R.FORM),
    _rule("identity", 0.9, 60, R.BECOME, R.PART | R.FREE | R.RULES | R.WHO | R.ANSWER),
    _rule("identity", 0.9, 60, R.FREE, R.PART | R.MACHINE | R.WHO, R.YOUR),
    _rule("identity", 0.8, 30, R.BECOME, R.YOUR),
    _rule("jailbreak", 0.9, 30, R.JAILBREAK),
    _rule("tool_call", 0.75, 30, R.SEND, R.TOOL),
    _rule("new_instructions", 0.9, 60, R.TASK, _ASKED | R.FORM | R.FIGURE | R.EVERY),
    _rule("new_instructions", 0.9, 80, R.OWNER, R.TOLD | R.RULES | R.BECOME | R.SAY | R.SET),
    _rule("send_away", 0.9, 90, R.SEND, R.ADDRESS, R.TAKEN | R.WHO),
    _rule("addressed_to_model", 0.9, 140, R.WHO, R.MUST | R.NO | R.CALLED | R.GREETING, _ASKED, _THING),
    _rule("addressed_to_model", 0.9, 120, R.WHO, R.CALLED, R.MUST, _VALUE | R.REVIEW),
    _rule("addressed_to_model", 0.9, 90, R.WHO, R.CALLED, _ASKED | R.CHANGE, _VALUE | R.GOODS),
    _rule("addressed_to_model", 0.9, 40, R.WHO, R.CALLED, R.MUST),
    _rule("addressed_to_model", 0.9, 90, R.GREETING, R.MACHINE | R.WHO, _ASKED),
)  # fmt: skip
_SIGNS = int(R.NOTHING | R.WORTH | R.ADDRESS | R.FORM)


class Order(NamedTuple):
    rule: Rule
    start: int
    end: int


def orders_in(text: str, tags: Sequence[Tag]) -> Iterator[Order]:
    """``tags``: those of the text's words. Its signs are looked at only where the words could be an order."""
    possible = _possible(RULES, tags)
    for neighbours in _neighbours(tags) if possible else ():
        if _possible(possible, neighbours):
            for sentence in _sentences(text, neighbours):
                yield from filter(None, (_order_in(rule, sentence) for rule in _possible(possible, sentence)))


def _neighbours(tags: Sequence[Tag]) -> Iterator[list[Tag]]:
    """Words that are near enough to the next."""
    near: list[Tag] = []
    for tag in tags:
        if near and tag.start - near[-1].end > _GAP_CHARS:
            yield near
            near = []
        near.append(tag)
    yield near


def _sentences(text: str, tags: Sequence[Tag]) -> Iterator[list[Tag]]:
    """With the signs around them, parted at full stops."""
    signs = shapes_in(text, max(0, tags[0].start - _AROUND_CHARS), tags[-1].end + _AROUND_CHARS)
    sentence: list[Tag] = []
    for tag in sorted((*tags, *signs)):
        if tag.roles & _END:
            yield sentence
            sentence = []
        else:
            sentence.append(tag)
    yield sentence


def _possible(rules: Sequence[Rule], tags: Sequence[Tag]) -> list[Rule]:
    """Those whose roles all occur; what signs can be may."""
    seen = _SIGNS
    for tag in tags:
        seen |= tag.roles
    return [rule for rule in rules if _has(rule, seen)]


def _has(rule: Rule, seen: int) -> bool:
    for role in rule.roles:  # noqa: SIM110  # all() takes three times as long, and this is asked most
        if not seen & role:
            return False
    return True


def _order_in(rule: Rule, sentence: Sequence[Tag]) -> Order | None:
    """The first run of words that has them all."""
    for first, tag in enumerate(sentence):
        if not any(tag.roles & role for role in rule.roles):
            continue
        seen = 0
        for last in sentence[first:]:
            if last.end - tag.start > rule.chars:
                break
            seen |= last.roles
            if _has(rule, seen):
                spoilt = any(other.roles & rule.without for other in sentence)
                return None if spoilt else Order(rule, tag.start, last.end)
    return None
