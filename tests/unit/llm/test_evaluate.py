"""Sampled pages in batches: who is asked about which of them, and whose score stays."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.evaluation.scores import BY_RULES, DIMENSIONS, PageScore
from processing.llm.answers import DocumentAnswer, PageScoreAnswer, ScoresAnswer
from processing.llm.consult import Busy
from processing.llm.evaluate import EVIDENCE_CHARS, Asked, Sample, ask_for_scores
from processing.llm.port import About, NotAnswered, Reply, Request
from processing.llm.providers.port import Image

pytestmark = pytest.mark.req("TA-EVBATCH")
GEMINI, QWEN = Asked("gemini", 16), Asked("qwen", 8)
ABOUT = About(1)


def rules(number: int) -> PageScore:
    return PageScore(number, dict.fromkeys(DIMENSIONS, 0.5), "B", 0.5)


def sample(number: int, injection: float = 0.0, image: bool = True) -> Sample:
    shown = Image("image/jpeg", b"%d" % number, f"page {number}")
    return Sample(rules(number), f'<page number="{number}">', lambda: shown if image else None, injection)


def answer(number: int, value: float | None = 0.9, evidence: str = "clear") -> PageScoreAnswer:
    scores = ScoresAnswer(**dict.fromkeys(DIMENSIONS, value))
    return PageScoreAnswer(number=number, page_type="A", scores=scores, evidence=evidence)


class Model:
    """Answers for every page that it is shown, unless ``says`` has something else for a model."""

    def __init__(self, **says: Callable[[list[int]], list[PageScoreAnswer]]) -> None:
        self.says, self.asked = says, list[tuple[str, list[int]]]()

    def __call__(self, request: Request[DocumentAnswer]) -> Reply[DocumentAnswer]:
        numbers = [int(image.label.removeprefix("page ")) for image in request.images]
        assert [f'<page number="{n}">' for n in numbers] == request.zones["pages"].splitlines()
        assert request.model not in request.but and len(request.but) == 1
        self.asked.append((request.model, numbers))
        pages = self.says.get(request.model, lambda numbers: [answer(n) for n in numbers])(numbers)
        return Reply(DocumentAnswer(pages=pages), request.model, "1.1", 7)


def down(numbers: list[int]) -> list[PageScoreAnswer]:
    raise NotAnswered("open", retry_after_s=30.0)


@given(pages=st.integers(1, 40))
def test_every_page_is_shown_once_and_no_call_shows_too_many(pages: int) -> None:
    model = Model()
    found = ask_for_scores([sample(n) for n in range(1, pages + 1)], [GEMINI, QWEN], model, ABOUT)
    assert [n for _, numbers in model.asked for n in numbers] == list(range(1, pages + 1))
    assert {name for name, _ in model.asked} == {"gemini"} and max(len(numbers) for _, numbers in model.asked) <= 16
    assert sorted(found.pages) == list(range(1, pages + 1)) and not found.unasked and not found.failures


def test_a_model_with_less_room_gets_smaller_batches_of_what_is_left() -> None:
    model = Model(gemini=lambda numbers: down(numbers) if numbers[0] > 16 else [answer(n) for n in numbers])
    found = ask_for_scores([sample(n) for n in range(1, 41)], [GEMINI, QWEN], model, ABOUT)
    assert [(name, len(numbers)) for name, numbers in model.asked] == [
        ("gemini", 16),
        ("gemini", 16),
        ("gemini", 8),
        ("qwen", 8),
        ("qwen", 8),
        ("qwen", 8),
    ]
    assert found.analysts == ["gemini", "qwen"] and len(found.pages) == 40
    assert found.failures == [("gemini", "open")] * 2 and not found.unasked


def test_pages_left_out_unseen_twice_named_or_without_a_score_keep_the_rules() -> None:
    def careless(numbers: list[int]) -> list[PageScoreAnswer]:
        return [answer(1), answer(2, 0.1), answer(2, 0.9), answer(3, None), answer(99), answer(5, 0.0)]

    found = ask_for_scores([sample(n) for n in range(1, 7)], [GEMINI, QWEN], Model(gemini=careless), ABOUT)
    merged = found.merged([rules(n) for n in range(1, 7)])
    assert [score.analyst for score in merged] == ["gemini", BY_RULES, BY_RULES, BY_RULES, "gemini", BY_RULES]
    assert merged[4].dimensions == dict.fromkeys(DIMENSIONS, 0.0), "a page that cannot be read has a score too"
    assert [score.number for score in merged] == [1, 2, 3, 4, 5, 6] and not found.unasked


def test_an_answer_without_any_score_counts_as_none() -> None:
    model = Model(gemini=lambda numbers: [], qwen=lambda numbers: [answer(n + 100) for n in numbers])
    found = ask_for_scores([sample(1), sample(2)], [GEMINI, QWEN], model, ABOUT)
    assert found.failures == [("gemini", "no_scores"), ("qwen", "no_scores")] and found.unasked == [1, 2]
    assert not found.pages and not found.analysts


def test_a_model_that_is_only_busy_is_waited_for() -> None:
    def busy(numbers: list[int]) -> list[PageScoreAnswer]:
        raise NotAnswered("rate_requests", retry_after_s=12.0)

    model = Model(gemini=busy)
    with pytest.raises(Busy) as raised:
        ask_for_scores([sample(1)], [GEMINI, QWEN], model, ABOUT)
    assert raised.value.retry_after_s == 12.0 and [name for name, _ in model.asked] == ["gemini"]


@pytest.mark.req("LA-GUARD")
def test_a_page_that_gives_orders_is_shown_to_nobody() -> None:
    model = Model()
    found = ask_for_scores([sample(1), sample(2, injection=0.95), sample(3, image=False)], [GEMINI, QWEN], model, ABOUT)
    assert model.asked == [("gemini", [1])] and sorted(found.pages) == [1] and not found.unasked


def test_what_a_model_says_of_a_page_is_kept_in_one_short_line() -> None:
    said = "clear\n\ntable " + "x" * 900
    found = ask_for_scores([sample(1)], [GEMINI, QWEN], Model(gemini=lambda n: [answer(1, evidence=said)]), ABOUT)
    assert found.pages[1].evidence.startswith("clear table x") and len(found.pages[1].evidence) == EVIDENCE_CHARS
    assert (found.pages[1].page_type, found.pages[1].analyst) == ("A", "gemini")
