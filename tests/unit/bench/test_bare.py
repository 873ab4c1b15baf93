"""The yardstick makes the library calls that a job makes, on a document of ours."""

from pathlib import Path

from processing.engine.reading.settings import ReadingSettings
from tests.bench.bare import library_loop_s

SAMPLE = Path(__file__).resolve().parents[3] / "samples" / "fasteners.pdf"


def test_the_loop_assesses_the_sample_and_nothing_else() -> None:
    plain = library_loop_s(SAMPLE, [1, 2, 3], frozenset(), ReadingSettings(), 1)
    assert plain["assess_s"] == 0.0 < plain["read_s"] < plain["all_s"]
    sampled = library_loop_s(SAMPLE, [1, 2, 3], {1, 3}, ReadingSettings(), 1)
    assert 0.0 < sampled["assess_s"] < sampled["read_s"] < sampled["all_s"], "it is part of the time of reading"
