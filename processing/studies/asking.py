"""A paper asked about (LX-SYS); read ``Questions.run``. Pure but for the two ports that ask models and prove quotes.

One question a group of the template, with the quotes that prove each value. What the paper does not bear out is asked
once again, and a second model gives its opinion of groups in which something stays in doubt.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from typing import NamedTuple
from xml.sax.saxutils import escape

from catalogsku.core.text import squash
from processing.engine.kinds.children import Paper, Quoted
from processing.engine.kinds.passages import Passage, chosen, passages_of
from processing.engine.kinds.proving import Proof
from processing.engine.page import ParsedPage
from processing.llm.answers import StudyAnswer, StudyValueAnswer
from processing.llm.consult import Busy
from processing.llm.parsing import Fault
from processing.llm.port import PUT_BACK, About, Ask, NotAnswered, Operation, Reply, Request
from processing.llm.zones import fence_in, printable
from processing.studies import values
from processing.studies.answers import NO, QUOTE_LENGTH_MAX, YES, is_of_its_form
from processing.studies.definition import PART_LENGTH_MAX, Definition, Field, Group, Repeat
from processing.studies.fencing import fenced

log = logging.getLogger(__name__)

# Signs of the paper in one question; 12,000 to 24,000 tokens.
PAPER_CHARS = 60_000
# An answer that was cut is gone on with so often.
GOES_ON = 3
PARTS_MOST = 200
_LETTER: Mapping[Repeat, str] = {"per_arm": "A", "per_outcome": "O"}
_REPEATS: Mapping[Repeat, str] = {"none": "once", "per_arm": "for each arm", "per_outcome": "for each outcome"}
_FORMS = {
    "text": "text", "number": "number", "integer": "whole number", "percentage": "percentage", "interval": "interval",
    "choice": "choice", "boolean": "yes or no", "date": "date",
}  # fmt: skip
# What is said to a model of a value that is refused.
_NO_PART = "names neither a known arm or outcome nor a further one"
_FORM = "has not the form that the field asks for"
_NO_QUOTE = "has no quote of at most 2000 characters"
REFUSED = {
    "quote_not_found": "its quote is not printed in the paper; copy it sign by sign, in one piece",
    "value_not_in_quote": "its quote does not hold the value as it is given",
    "no_value": "is no value",
    "no_quote": "its quote says nothing",
    "several_places": "its quote is printed in several places; quote more of the one that is meant",
    "quote_approximate": "its quote is not printed quite so; copy it sign by sign",
    "value_approximate": "its quote holds the value not quite so; copy it sign by sign",
    "value_written_otherwise": "its quote holds the value in another form; copy it sign by sign",
    "quote_bare": "its quote is numbers alone; quote the words with it that say what it is the value of",
}

Prove = Callable[[Sequence[Quoted]], Sequence[Proof]]
Key = tuple[Repeat, str, str]


class Told(NamedTuple):
    """A value as a model gave it; ``part``: the arm's or outcome's name."""

    field: Field
    part: str
    text: str
    quote: str
    page: int | None
    model: str
    doubt: str = ""
    proof: Proof = Proof("red", "no_quote")

    @property
    def key(self) -> Key:
        return self.field.repeat, self.part, self.field.key

    @property
    def value(self) -> values.Value:
        return values.answered(self.field, self.text, self.quote, self.page, self.proof, self.model, self.doubt)


@dataclass(frozen=True)
class Asked:
    """What became of the questions about a group; as a row keeps it. ``code``: why there was no answer."""

    group: str
    model: str = ""
    prompt: str = ""
    call: int = 0
    code: str = ""


@dataclass
class _Group:
    """``model``: who answered first; ``refused``: what was left out of its answer, and why."""

    group: Group
    told: list[Told] = field(default_factory=list)
    refused: list[Fault] = field(default_factory=list)
    model: str = ""


class Questions:
    """The questions about one paper; every answer is one of the ledger's, so that a second run asks nothing twice."""

    def __init__(
        self,
        paper: Paper,
        definition: Definition,
        parts: Mapping[str, Sequence[str]],
        about: About,
        ask: Ask,
        prove: Prove,
        earlier: Sequence[Asked] = (),
    ) -> None:
        """``parts``: names of the arms and outcomes that are known, by how their fields repeat; ``earlier``: what
        became of the same questions before. Who answered then is asked first: the ledger has that answer."""
        self._paper, self._definition, self._about, self._ask, self._prove = paper, definition, about, ask, prove
        self._parts = {repeat: list(parts.get(repeat, ())) for repeat in _LETTER}
        self._earlier = earlier
        self.asked: list[Asked] = []

    def run(self) -> list[Told]:
        """Of one field and part the likeliest first. Raises Busy."""
        groups = [self._first(group) for group in self._definition.groups]
        proved = iter(self._proved([told for one in groups for told in one.told]))
        for one in groups:
            one.told = [next(proved) for _ in one.told]
        for one in groups:
            self._again(one)
            self._second(one)
        return [told for one in groups for told in one.told]

    def requests(self) -> list[Request[StudyAnswer]]:
        """What each group would be asked first, for an estimate."""
        return [self._request(group, {}) for group in self._definition.groups]

    # -- the questions, in their order

    def _first(self, group: Group) -> _Group:
        asked = _Group(group)
        reply = self._reply(group, self._request(group, {}))
        if reply is not None:
            asked.model = reply.model
            asked.told, asked.refused = self._taken(group, reply, self._rest_of(group, reply))
        return asked

    def _again(self, one: _Group) -> None:
        """What is refused or not proved is named to the same model once; what it gives then takes the place of that
        where it is proved better."""
        faults = [*one.refused, *(_fault(told) for told in one.told if _is_unproved(told))]
        if not faults:
            return
        reply = self._reply(one.group, replace(self._request(one.group, {}), faults=tuple(faults), model=one.model))
        if reply is None:
            return
        answers, _ = self._taken(one.group, reply)
        mended = {told.key: told for told in self._proved(answers) if told.proof.grade != "red"}
        held = {told.key for told in one.told}
        one.told = [max(told, mended.get(told.key, told), key=_grades) for told in one.told]
        one.told += [told for key, told in mended.items() if key not in held]

    def _second(self, one: _Group) -> None:
        """Another model's opinion of a group in which something is not proved, or is missing although it is required
        (GR-2ND). Of two values that differ a person takes one; what nobody could prove gives way to what is proved."""
        if not one.model or not self._is_doubtful(one):
            return
        request = replace(self._request(one.group, {}), but=(one.model,))
        reply = self._reply(one.group, request, optional=True)
        if reply is None:
            return
        others: dict[Key, Told] = {}
        for told in self._proved(self._taken(one.group, reply)[0]):
            others.setdefault(told.key, told)
        seen, new = set[Key](), list[Told]()
        for told in one.told:
            other = others.get(told.key) if told.key not in seen else None
            seen.add(told.key)
            new += _weighed(told, other) if other else [told]
        one.told = [*new, *(told for key, told in others.items() if key not in seen)]

    def _is_doubtful(self, one: _Group) -> bool:
        held = {told.field.key for told in one.told}
        is_missing = any(asked.required and asked.key not in held for asked in one.group.fields)
        return is_missing or any(map(_is_unproved, one.told))

    def _rest_of(self, group: Group, reply: Reply[StudyAnswer]) -> list[StudyValueAnswer]:
        """What an answer that was cut had no room for, from the same model."""
        given, more = list(reply.data.values), list[StudyValueAnswer]()
        for _ in range(GOES_ON):
            if not reply.cut:
                break
            last = (given + more)[-1]
            zone = {"continued": f"{len(given) + len(more)}: {escape(f'{last.field} {last.part}'.strip())}"}
            following = self._reply(group, replace(self._request(group, zone), model=reply.model))
            known = {(one.field, one.part, one.value) for one in given + more}
            fresh = (
                [one for one in following.data.values if (one.field, one.part, one.value) not in known]
                if following
                else []
            )
            if following is None or not fresh:
                break
            more, reply = more + fresh, following
        return more

    # -- how they are asked

    def _request(self, group: Group, zones: Mapping[str, str]) -> Request[StudyAnswer]:
        language = self._about.language
        shown = chosen(
            self._paper.passages,
            list(_words_of(group)),
            PAPER_CHARS,
            tables=any(asked.repeat != "none" for asked in group.fields),
        )
        return Request(
            operation=Operation.READ_STUDY,
            about=self._about,
            answer=StudyAnswer,
            zones={
                "paper": paper_zone(shown),
                "fields": "\n".join(_line_of(asked) for asked in group.fields),
                "parts": self._parts_zone(group),
                "own_words": fenced(group.fields, language),
                **zones,
            },
            injection=self._paper.injection,
        )

    def _reply(
        self, group: Group, request: Request[StudyAnswer], *, optional: bool = False
    ) -> Reply[StudyAnswer] | None:
        """None where no model gives a usable answer. ``optional``: that there is nobody to ask is not kept."""
        n = sum(one.group == group.key for one in self.asked)
        before = [one.model for one in self._earlier if one.group == group.key][n : n + 1]
        try:
            reply = self._ask(replace(request, model=before[0]) if before and before[0] not in request.but else request)
        except NotAnswered as error:
            if error.code in PUT_BACK and error.retry_after_s is not None:
                raise Busy(error.code, error.retry_after_s) from error
            log.info("no answer", extra={"group": group.key, "code": error.code})
            if not (optional and error.code == "no_model"):
                self.asked.append(Asked(group.key, code=error.code))
            return None
        self.asked.append(Asked(group.key, reply.model, reply.prompt_version, reply.call_id))
        return reply

    def _parts_zone(self, group: Group) -> str:
        repeats = {asked.repeat for asked in group.fields}
        return "\n".join(
            f"{letter}{n} {escape(printable(name))}"
            for repeat, letter in _LETTER.items()
            if repeat in repeats
            for n, name in enumerate(self._parts[repeat], 1)
        )

    # -- what comes of them

    def _taken(
        self, group: Group, reply: Reply[StudyAnswer], more: Sequence[StudyValueAnswer] = ()
    ) -> tuple[list[Told], list[Fault]]:
        """Not proved yet; and what is no value of the group."""
        fields = {asked.key: asked for asked in group.fields}
        doubt = "injection_suspected" if "injection_suspected" in reply.reasons else ""
        taken, faults = list[Told](), list[Fault]()
        for one in (*reply.data.values, *more):
            asked = fields.get(one.field)
            if asked is None or not one.value.strip():
                continue
            part, text, quote = self._part(asked.repeat, one.part), _text(asked, one.value), _quote(one.quote)
            rule = _NO_PART if part is None else _FORM if not is_of_its_form(asked, text) else ""
            rule = rule or ("" if 0 < len(quote) <= QUOTE_LENGTH_MAX else _NO_QUOTE)
            if part is None or rule:
                faults.append(Fault(f"{one.field} {one.part}".strip(), one.value[:80], rule))
            else:
                taken.append(Told(asked, part, text, quote, one.page, reply.model, doubt))
        return taken, faults

    def _proved(self, taken: Sequence[Told]) -> list[Told]:
        """Of a choice the quote alone is looked for: it says it in words of its own."""
        if not taken:
            return []
        said = [
            Quoted(None if told.field.type in values.CHOSEN else told.text, told.quote, told.page) for told in taken
        ]
        return [told._replace(proof=proof) for told, proof in zip(taken, self._prove(said), strict=True)]

    def _part(self, repeat: Repeat, said: str) -> str | None:
        """The name of a part; a further one is known from here on. None where none is named."""
        if repeat == "none":
            return ""
        named, known = " ".join(printable(unescape(said)).split()), self._parts[repeat]
        number = named[1:]
        if named[:1] == _LETTER[repeat] and number.isascii() and number.isdigit() and 0 < int(number) <= len(known):
            return known[int(number) - 1]
        if not named or len(named) > PART_LENGTH_MAX:
            return None
        same = next((name for name in known if squash(name).casefold() == squash(named).casefold()), None)
        if same is not None:
            return same
        if len(known) >= PARTS_MOST:
            return None
        known.append(named)
        return named


def zones_to_try(page: ParsedPage, group: Group, language: str) -> dict[str, str]:
    """What a question about the group would show of one page alone."""
    return {
        "paper": paper_zone(passages_of([page])),
        "fields": "\n".join(_line_of(asked) for asked in group.fields),
        "own_words": fenced(group.fields, language),
    }


def paper_zone(passages: Sequence[Passage]) -> str:
    """In a fence that nothing printed in it can close."""
    fence = fence_in("\0".join(passage.text for passage in passages))
    return "\n".join([f"<paper-{fence}>", *_pages_of(passages), f"</paper-{fence}>"])


def _pages_of(passages: Sequence[Passage]) -> Iterator[str]:
    page = 0
    for passage in passages:
        if passage.page != page:
            if page:
                yield "</page>"
            page = passage.page
            yield f'<page n="{page}">'
        text = escape(printable(passage.text))
        yield f"<table>\n{text}\n</table>" if passage.is_table else text
    if page:
        yield "</page>"


def _line_of(asked: Field) -> str:
    form = _FORMS[asked.type] + (f" in {asked.unit}" if asked.unit else "")
    names = " / ".join(filter(None, (asked.labels.en, asked.labels.zh)))
    needed = "; required" if asked.required else ""
    choices = "; ".join(
        f"{choice.key} ({' / '.join(filter(None, (choice.labels.en, choice.labels.zh)))})" for choice in asked.choices
    )
    line = f"- {asked.key}: {names} [{form}; {_REPEATS[asked.repeat]}{needed}]"
    return escape(f"{line} one of: {choices}" if choices else line)


def _words_of(group: Group) -> Iterator[str]:
    for asked in group.fields:
        yield from (asked.key.replace("_", " "), asked.labels.en, asked.labels.zh, asked.instruction)
        yield from (text for choice in asked.choices for text in (choice.labels.en, choice.labels.zh))


def _text(asked: Field, said: str) -> str:
    """As printed; of a choice its key, also where a model gives its name."""
    text = unescape(said).strip()
    if asked.type == "choice":
        named = {
            label.casefold(): choice.key for choice in asked.choices for label in (choice.labels.en, choice.labels.zh)
        }
        return named.get(text.casefold(), text)
    if asked.type == "boolean":
        return {"true": YES, "false": NO, "是": YES, "否": NO}.get(text.casefold(), text.casefold())
    return text


def _quote(said: str) -> str:
    """Without the bars that divide the parts of a row as it is shown."""
    return " ".join(unescape(said).replace(" | ", " ").split())


def _is_unproved(told: Told) -> bool:
    return told.proof.grade != "green"


def _fault(told: Told) -> Fault:
    return Fault(
        f"{told.field.key} {told.part}".strip(), told.text[:80], REFUSED.get(told.proof.reason, told.proof.reason)
    )


def _weighed(told: Told, other: Told) -> list[Told]:
    """The first opinion, beside a second one of the same field and part."""
    if squash(told.text).casefold() == squash(other.text).casefold():
        return [other if _grades(other) > _grades(told) else told]
    if told.proof.grade == "red":
        return [other, told]
    return [told._replace(doubt=told.doubt or "models_differ"), other]


def _grades(told: Told) -> int:
    return ("red", "yellow", "green").index(told.proof.grade)
