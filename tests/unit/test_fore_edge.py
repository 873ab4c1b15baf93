"""The fore-edge: one sliver a page, at most so many bins, the worst state of a bin wins."""

import re
import xml.etree.ElementTree as ET

from ingestion.presentation import LIST_BINS, RANK
from ingestion.templatetags.fore_edge import JOB_BINS, LIST_WIDTH, binned, fore_edge, fore_edge_small

DELIVERED, PERSON, FAILED, QUEUED = "IMPORTED_CONFIRMED", "HUMAN_QUEUED", "AI_FAILED", "AI_QUEUED"


def edge_of(pages: int, **exceptions: int) -> list[tuple[int, str, str]]:
    states = {number: state for state, number in exceptions.items()}
    return [(number, states.get(number, DELIVERED), "done") for number in range(1, pages + 1)]


def rects(svg: str) -> list[dict[str, str]]:
    return [element.attrib for element in ET.fromstring(svg).iter("rect")]


def test_keeps_one_sliver_a_page_while_they_fit() -> None:
    assert binned(edge_of(90), LIST_BINS) == [(n, DELIVERED) for n in range(1, 91)]


def test_never_draws_more_bins_than_allowed_and_starts_each_at_its_first_page() -> None:
    bins = binned(edge_of(2000), LIST_BINS)
    assert len(bins) <= LIST_BINS
    assert [number for number, _state in bins][:3] == [1, 23, 45]


def test_lets_the_worst_state_of_a_bin_win() -> None:
    bins = binned(edge_of(2000, HUMAN_QUEUED=1000, DEAD_LETTER=1001), LIST_BINS)
    assert [state for _number, state in bins if state != DELIVERED] == ["DEAD_LETTER"]


def test_ranks_faults_over_people_over_machines_over_finished() -> None:
    assert RANK[FAILED] > RANK[PERSON] > RANK["AI_PROCESSING"] > RANK[QUEUED] > RANK[DELIVERED] > RANK["BLANK"]


def test_merges_equal_neighbours_of_a_list_into_one_flat_piece() -> None:
    (only,) = rects(fore_edge_small(edge_of(48)))
    assert float(only["width"]) == LIST_WIDTH


def test_breaks_a_fault_in_two_and_stands_a_person_up_whole() -> None:
    drawn = rects(fore_edge_small(edge_of(48, HUMAN_QUEUED=10, AI_FAILED=20)))
    assert [r["height"] for r in drawn if r["class"] == f"e-{PERSON}"] == ["22.00"]
    assert len([r for r in drawn if r["class"] == f"e-{FAILED}"]) == 2


def test_draws_a_tab_of_the_last_page_inside_the_picture() -> None:
    drawn = rects(fore_edge_small(edge_of(48, HUMAN_QUEUED=48)))
    assert all(float(r["x"]) + float(r["width"]) <= LIST_WIDTH + 0.01 for r in drawn)


def test_survives_a_document_without_pages() -> None:
    assert rects(fore_edge_small([])) == []
    assert fore_edge([])["slivers"] == []


def test_labels_the_first_and_the_last_page_of_the_job_page_edge() -> None:
    for pages in (1, 2, 96, 500, 2000):
        drawn = fore_edge(edge_of(pages))
        slivers, labels = drawn["slivers"], drawn["labels"]
        assert isinstance(slivers, list) and isinstance(labels, list)
        assert len(slivers) <= JOB_BINS
        assert [labels[0]["number"], labels[-1]["number"]] == [1, pages]


def test_hands_the_browser_one_state_a_page_for_live_events() -> None:
    drawn = fore_edge(edge_of(300, AI_FAILED=7))
    states = str(drawn["states"]).split()
    assert len(states) == 300
    assert states[6] == FAILED
    assert set(states) <= set(re.split(r"\s", str(drawn["severity"])))
