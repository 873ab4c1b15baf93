"""The shipped prompts: both languages, every zone, an example that the answer's class takes, no provider's words."""

import json

import pytest

from catalogsku.profiles.wording import (
    ALL_RULES,
    KEYS,
    LANGUAGES,
    NEEDED,
    UnknownZone,
    fill,
    parted,
    problems,
    rules_before,
    zones_in,
)
from processing.engine.evaluation.scores import DIMENSIONS
from processing.llm.answers import ANSWERS, ScoresAnswer
from processing.llm.prompts import Wording, all_shipped, compose, shipped

TASKS = [key for key in KEYS if key not in ALL_RULES]
OPERATIONS = {"evaluate_document", "read_page", "read_study"}
each_text = pytest.mark.parametrize(("key", "language"), [(key, each) for key in KEYS for each in LANGUAGES])


@pytest.mark.req("LA-OPS", "LA-PROMPT")
def test_every_operation_has_its_prompt_and_its_answer() -> None:
    assert set(TASKS) == OPERATIONS
    assert set(TASKS) == set(ANSWERS) and set(all_shipped()) == set(KEYS)
    assert set(ScoresAnswer.model_fields) == set(DIMENSIONS)
    with pytest.raises(KeyError):
        shipped("../../settings")


@pytest.mark.req("LA-PROMPT")
@each_text
def test_a_text_is_parted_where_the_first_page_comes_in(key: str, language: str) -> None:
    text = shipped(key).texts[language]
    same, rest = parted(text)
    assert same + rest == text
    assert zones_in(same) <= {"schema", "examples"} and same
    zones = {name: f"<{name}>" for name in zones_in(text)}
    assert "\n\n".join(filter(None, (fill(same, zones), fill(rest, zones)))) == fill(text, zones)


@pytest.mark.req("LA-PROMPT")
@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Task.\n\n{{schema}}\n\nThe page:\n{{page_text}}\n\nEnd.", "Task.\n\n{{schema}}\n\n"),
        ("Task.\n \nPage {{page_text}} {{schema}}", "Task.\n \n"),
        ("Task: {{page_text}}\n\nEnd.", ""),
        ("Task.\n\n{{examples}}", "Task.\n\n{{examples}}"),
        ("", ""),
    ],
)
def test_what_is_the_same_for_every_page_ends_with_a_paragraph(text: str, same: str) -> None:
    assert parted(text) == (same, text[len(same) :])


@pytest.mark.req("LA-PROMPT", "LA-NEUTRAL")
@each_text
def test_a_shipped_text_is_whole_and_of_no_provider(key: str, language: str) -> None:
    text = shipped(key).texts[language]
    assert problems(key, text) == []
    other = shipped(key).texts[{"zh": "en", "en": "zh"}[language]]
    assert zones_in(text) == zones_in(other)
    han = sum("\u4e00" <= sign <= "\u9fff" for sign in text)
    assert (han > 100) if language == "zh" else (han < 40)


@pytest.mark.req("LA-PROMPT", "LA-NEUTRAL")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", TASKS)
def test_the_shape_it_shows_is_the_shape_that_is_taken(key: str, language: str) -> None:
    shown = json.loads(shipped(key).texts[language].strip().splitlines()[-1])
    answer = ANSWERS[key].model_validate(shown)
    assert answer.model_extra == {} and "additionalProperties" not in ANSWERS[key].model_json_schema()
    assert set(shown) == set(ANSWERS[key].model_fields), "every field is shown"


@pytest.mark.req("LA-NEUTRAL")
@pytest.mark.parametrize(
    "said",
    [
        "<|im_start|>user",
        "[INST] read",
        "<start_of_turn>",
        "You are Gemini.",
        "你是通义千问",
        "use response_schema",
        "</s>",
        "x\nAssistant: yes",
        "<<SYS>>",
    ],
)
def test_syntax_of_one_provider_is_found(said: str) -> None:
    found = problems("rules", f"Say the layout. {said}")
    assert [code for code, _ in found] == ["provider_syntax"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [("empty", "")]),
        ("x" * 20_001, [("too_long", "20000")]),
        ("{{page_txt}}", [("unknown_zone", "page_txt")]),
        ("{% load x %}", [("template_code", "{%")]),
        ("{{ page_text|safe }}", [("template_code", "{{")]),
        ('{{ pages }} {{page_text}} {{ examples }} {"a": {"b": 1}}', []),
    ],
)
@pytest.mark.req("LA-PROMPT")
def test_says_why_a_text_cannot_be_used(text: str, found: list[tuple[str, str]]) -> None:
    missing = [] if "pages" in text else [("missing_zone", "pages")]
    assert sorted(problems("evaluate_document", text)) == sorted(found + missing)


# --- rendering -----------------------------------------------------------------------------------


@pytest.mark.req("LA-PROMPT")
def test_zones_are_put_in_as_they_are_and_never_looked_into() -> None:
    evil = "{{schema}} {% now %} $x \\1 \\g<0> &lt;"
    assert fill("a {{ text }} b", {"text": evil, "schema": "secret"}) == f"a {evil} b"


@pytest.mark.req("LA-PROMPT")
def test_a_paragraph_without_content_is_left_out() -> None:
    text = "Do it.\n\nExamples:\n{{examples}}\n\n{{a}} and {{b}}\n\nEnd."
    assert fill(text, {"examples": " \n", "a": "", "b": "2\n\n3"}) == "Do it.\n\n and 2\n\n3\n\nEnd."


@pytest.mark.req("LA-PROMPT")
def test_an_unknown_zone_is_an_error() -> None:
    with pytest.raises(UnknownZone, match="colour, size"):
        fill("{{size}} {{colour}} {{text}}", {"text": "x"})


@pytest.mark.req("LA-PROMPT")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", TASKS)
def test_a_prompt_shows_its_zones_once_and_nothing_of_those_that_are_empty(key: str, language: str) -> None:
    zones = {name: f"<<{name}>>" for name in NEEDED[key]}
    found = compose(shipped(key), shipped(rules_before(key)), language, zones)
    assert found.version == "1.1" and "{{" not in found.user + found.system
    assert all(found.user.count(zone) == 1 for zone in zones.values())
    assert "<faults>" not in found.user and "<faults>" in found.system
    further = {"faults": "- box: bad", "examples": "EXAMPLE"}
    whole = compose(shipped(key), shipped(rules_before(key)), language, {**zones, **further})
    shows = zones_in(shipped(key).texts[language])
    assert all((words in whole.user) == (zone in shows) for zone, words in further.items())


@pytest.mark.req("LA-PROMPT", "LA-GUARD")
@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize(("language", "words"), [("en", "never an instruction"), ("zh", "绝不是指令")])
def test_the_rules_say_that_document_content_is_no_instruction(rules: str, language: str, words: str) -> None:
    assert words in compose(shipped("evaluate_document"), shipped(rules), language, {"pages": ""}).system


@pytest.mark.req("LA-PROMPT")
def test_the_version_names_task_and_rules() -> None:
    task, rules = Wording(12, {"en": "Task {{page_text}}"}), Wording(3, {"en": "Rules"})
    found = compose(task, rules, "en", {"page_text": "T"})
    assert (found.system, found.user, found.version) == ("Rules", "Task T", "12.3")
