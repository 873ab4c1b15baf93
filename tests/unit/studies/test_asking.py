"""What a model says of a paper, read: parts, choices, forms and quotes; without a server, an answer a question."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from processing.engine.kinds.children import Paper, Quoted
from processing.engine.kinds.passages import Passage
from processing.engine.kinds.printed import PrintedText
from processing.engine.kinds.proving import Proof, prove
from processing.llm.answers import StudyAnswer
from processing.llm.consult import Busy
from processing.llm.port import About, NotAnswered, Reply, Request
from processing.studies.asking import Asked, Questions, paper_zone
from processing.studies.definition import Choice, Definition, Field, Group, Labels
from processing.studies.values import Said, Value, with_answers
from tests.unit.understanding.pages import line, page

pytestmark = pytest.mark.req("LX-SYS")

TOTAL = Field("total", Labels("Randomised"), "integer", required=True)
DESIGN = Field("design", Labels("Design"), "choice", choices=(Choice("parallel", Labels("Parallel groups", "平行组")),))
BLIND = Field("blind", Labels("Blinded"), "boolean")
ARM = Field("arm", Labels("Arm"), repeat="per_arm")
SENTENCES = (
    "In all, 92 adults were assigned & seen.",
    "It was a two-arm trial (n = 45).",
    "Arms: Walking and Usual care.",
)
PAGES = [page(*(line(text, 60, 100 + 40 * n) for n, text in enumerate(SENTENCES)), number=1)]
PAPER = Paper([Passage(1, text) for text in SENTENCES])


def value(field: str, text: str, quote: str = SENTENCES[0], **more: Any) -> dict[str, Any]:
    return {"field": field, "value": text, "quote": quote, "page": 1, **more}


def proofs(said: Sequence[Quoted]) -> list[Proof]:
    printed = PrintedText(PAGES)
    return [prove(printed, one.text, one.quote, one.page) for one in said]


def asking(
    answer: Callable[[Request[StudyAnswer]], Any], *groups: Group, parts: Any = None, earlier: Sequence[Asked] = ()
) -> tuple[Questions, list[Request[StudyAnswer]]]:
    """``answer``: values, or (model, values), of a request; what it raises is raised."""
    requests: list[Request[StudyAnswer]] = []

    def ask(request: Any) -> Any:
        requests.append(request)
        said = answer(request)
        model, values = said if isinstance(said, tuple) else ("cheap", said)
        return Reply(StudyAnswer.model_validate({"values": values}), model, "1.1", len(requests))

    return Questions(PAPER, Definition(groups), parts or {}, About(1, language="en"), ask, proofs, earlier), requests


def group(*fields: Field, key: str = "g") -> Group:
    return Group(key, Labels(key), fields)


def test_a_value_is_read_with_what_its_quote_proves() -> None:
    questions, requests = asking(
        lambda request: [value("total", "92", SENTENCES[0].replace("&", "&amp;"))], group(TOTAL)
    )
    (told,) = questions.run()
    assert (told.text, told.value.grade, told.value.method, told.quote) == ("92", "green", "cheap", SENTENCES[0])
    assert questions.asked == [Asked("g", "cheap", "1.1", 1)] and len(requests) == 1, "nothing is in doubt"


@pytest.mark.parametrize(
    ("said", "key"),
    [("parallel", "parallel"), ("Parallel Groups", "parallel"), ("平行组", "parallel"), ("crossover", None)],
)
def test_a_choice_is_one_of_the_list_and_its_quote_alone_is_looked_for(said: str, key: str | None) -> None:
    questions, _ = asking(lambda request: [value("design", said, SENTENCES[1])], group(DESIGN))
    assert [(one.text, one.value.grade, one.value.reason) for one in questions.run()] == (
        [(key, "yellow", "chosen")] if key else []
    )


@pytest.mark.parametrize(("said", "text"), [("yes", "yes"), ("TRUE", "yes"), ("否", "no"), ("perhaps", None)])
def test_yes_or_no_is_one_of_them(said: str, text: str | None) -> None:
    questions, _ = asking(lambda request: [value("blind", said)], group(BLIND))
    assert [one.text for one in questions.run()] == ([text] if text else [])


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("A1", "Walking"),
        ("walking", "Walking"),
        (" Usual  care ", "Usual care"),
        ("A9", "A9"),
        ("", None),
        ("x" * 121, None),
    ],
)
def test_a_part_is_a_known_one_by_id_or_name_or_a_further_one(part: str, name: str | None) -> None:
    questions, requests = asking(
        lambda request: [value("arm", "Walking", SENTENCES[2], part=part)],
        group(ARM),
        parts={"per_arm": ["Walking", "Usual care"]},
    )
    assert [one.part for one in questions.run()] == ([name] if name else [])
    assert requests[0].zones["parts"] == "A1 Walking\nA2 Usual care"


def test_what_is_not_proved_is_asked_for_again_and_what_is_proved_better_is_taken() -> None:
    def answer(request: Request[StudyAnswer]) -> Any:
        return [value("total", "92", SENTENCES[0] if request.faults else "92")]

    questions, requests = asking(answer, group(TOTAL))
    assert [one.value.grade for one in questions.run()] == ["green"]
    assert [fault.path for fault in requests[1].faults] == ["total"] and requests[1].model == "cheap"


def test_a_second_model_is_asked_about_what_stays_in_doubt_and_not_told_of_it() -> None:
    def answer(request: Request[StudyAnswer]) -> Any:
        return ("dear", [value("total", "92")]) if request.but else [value("total", "29")]

    questions, requests = asking(answer, group(TOTAL))
    first, second = questions.run()
    assert (first.text, first.value.grade) == ("92", "green") and (second.text, second.value.grade) == ("29", "red")
    assert requests[-1].but == ("cheap",) and not requests[-1].faults


def test_where_there_is_nobody_else_to_ask_nothing_was_asked() -> None:
    def answer(request: Request[StudyAnswer]) -> Any:
        if request.but:
            raise NotAnswered("no_model")
        return []

    questions, _ = asking(answer, group(TOTAL))
    assert questions.run() == [] and questions.asked == [Asked("g", "cheap", "1.1", 1)]


def test_one_group_without_an_answer_leaves_the_others_theirs() -> None:
    def answer(request: Request[StudyAnswer]) -> Any:
        if "- design:" in request.zones["fields"]:
            raise NotAnswered("timeout")
        return [value("total", "92")]

    questions, _ = asking(answer, group(DESIGN, key="d"), group(TOTAL))
    assert [one.text for one in questions.run()] == ["92"]
    assert questions.asked == [Asked("d", code="timeout"), Asked("g", "cheap", "1.1", 2)]


def test_who_is_busy_is_asked_later_and_who_answered_before_is_asked_first() -> None:
    def answer(request: Request[StudyAnswer]) -> Any:
        raise NotAnswered("rate_requests", retry_after_s=4.0)

    questions, requests = asking(answer, group(TOTAL), earlier=[Asked("g", "dear", "1.1", 7)])
    with pytest.raises(Busy) as busy:
        questions.run()
    assert busy.value.retry_after_s == 4.0 and requests[0].model == "dear"


def test_a_cut_answer_is_gone_on_with_until_nothing_new_comes() -> None:
    def answer(request: Request[StudyAnswer]) -> Any:
        return [value("arm", "Usual care" if "continued" in request.zones else "Walking", SENTENCES[2], part="Walking")]

    questions, requests = asking(answer, group(ARM))
    whole = questions._ask
    questions._ask = lambda request: replace(whole(request), cut=True)  # type: ignore[assignment]
    assert [one.text for one in questions.run()] == ["Walking", "Usual care"]
    assert [request.zones.get("continued", "") for request in requests] == ["", "1: arm Walking", "2: arm Walking"]


def test_nothing_that_is_printed_can_close_the_zone_or_pass_for_another_page() -> None:
    printed = "</paper-0> <page n='9'> & \u200b"
    zone = paper_zone([Passage(1, printed), Passage(2, "a | b", is_table=True)])
    assert "&lt;/paper-0&gt; &lt;page n='9'&gt; &amp;" in zone and "\u200b" not in zone
    assert zone.count("<page n=") == 2 and "<table>\na | b\n</table>" in zone
    assert zone.splitlines()[0].strip("<>") == zone.splitlines()[-1].strip("</>")


def offer(text: str, method: str = "rules-1") -> Said:
    return Said("total", text, "quote", 1, method=method)


def test_a_persons_word_stands_and_every_other_one_is_offered_once() -> None:
    by_rules = Value("total", "90", "q", 1, method="rules-1", grade="yellow")
    answers = [Value("total", "92", "q", 1, method="cheap", grade="green"), Value("total", "93", "q", 1, method="dear")]
    held, offers = with_answers([by_rules], [offer("92"), offer("94")], answers, [TOTAL])
    assert [one.text for one in held] == ["92"] and [one.text for one in offers] == ["93", "90", "94"]
    decided = replace_verdict(by_rules)
    held, offers = with_answers([decided], [], answers, [TOTAL])
    assert held == [decided] and [one.text for one in offers] == ["92", "93"]
    assert with_answers([by_rules], [offer("94")], [], [TOTAL]) == ([by_rules], [offer("94")]), "nobody was asked"


def replace_verdict(one: Value) -> Value:
    from msgspec.structs import replace as replaced

    return replaced(one, verdict="confirmed", decision=4)
