"""Rounds of a job and its bare loop on a machine whose speed changes between them."""

from tests.bench.job import all_rounds


def a_round(pages_per_s: float, bare_pages_per_s: float) -> dict[str, float]:
    return {
        "pages_read": 200,
        "read_and_understand_pages_per_s": pages_per_s,
        "bare_loop_pages_per_s": bare_pages_per_s,
        "ratio": round(pages_per_s / bare_pages_per_s, 3),
    }


def test_the_ratio_is_that_of_all_the_time() -> None:
    found = all_rounds([a_round(10, 20), a_round(8, 10), a_round(20, 10)])  # 20 + 25 + 10 s by 10 + 20 + 20 s
    assert found["ratio"] == round(50 / 55, 3)
    assert found["ratios"] == [0.5, 0.8, 2.0]
    assert found["read_and_understand_pages_per_s"] == 8, "the other figures are those of the median round"
