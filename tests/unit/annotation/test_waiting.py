"""The countdown of a task: its tone, its words, and that it stands still while somebody has the task."""

from datetime import UTC, datetime, timedelta

import pytest

from annotation.tasks.waiting import countdown

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.mark.req("TA-T73")
@pytest.mark.parametrize(
    ("waited_min", "tone", "text"),
    [
        (0, "calm", "3:00"),
        (78, "calm", "1:42"),
        (119, "calm", "1:01"),
        (120, "soon", "1:00"),
        (156, "soon", "24"),
        (170, "risk", "10"),
        (180, "risk", "0"),
        (192, "over", "12"),
        (280, "over", "1:40"),
    ],
)
def test_tone_and_words_follow_the_time_left(waited_min: int, tone: str, text: str) -> None:
    found = countdown(NOON - timedelta(minutes=waited_min), None, NOON, 180)
    assert (found.tone, found.text) == (tone, text)
    assert found.due_at == NOON + timedelta(minutes=180 - waited_min)


@pytest.mark.req("TA-SLA4H")
def test_stands_still_while_the_task_is_held() -> None:
    began, held = NOON - timedelta(minutes=90), NOON - timedelta(minutes=60)
    found = countdown(began, held, NOON, 180)
    later = countdown(began, held, NOON + timedelta(minutes=45), 180)
    assert found.still and (found.left_s, later.left_s) == (150 * 60, 150 * 60)
    assert later.due_at - found.due_at == timedelta(minutes=45)
