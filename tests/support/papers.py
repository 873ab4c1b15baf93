"""A drawn paper of a trial: sentences that say what trials say of themselves, and a table of outcomes for two arms."""

from collections.abc import Sequence

import pymupdf

SIZE, TITLE_SIZE, STEP = 9.0, 14.0, 13.0
TITLE = "Exercise for older adults who have fallen: a randomised controlled trial"
LEFT, TOP = 50.0, 90.0
Row = Sequence[tuple[float, str]]

OUTCOMES: tuple[tuple[str, str, str], ...] = (
    ("Falls, n (%)", "9 (20.0)", "19 (40.4)"),
    ("Weight, kg", "71.2 ± 9.4", "74.0 ± 8.8"),
    ("Grip strength, kg", "31.4 ± 6.2", "28.9 ± 5.7"),
)


def paper_pdf(
    *, registration: str = "NCT01234567", randomised: int = 92, outcomes: Sequence[tuple[str, str, str]] = OUTCOMES
) -> bytes:
    """Two pages: what was done, and what came of it. ``outcomes``: name, with exercise, and in the control group."""
    document = pymupdf.open()
    said = [
        TITLE,
        "",
        "Methods",
        "We did an assessor-blinded, two-arm, randomised controlled trial in three towns.",
        f"The trial is registered at ClinicalTrials.gov, {registration}.",
        f"In all, {randomised} adults were randomly assigned to exercise or to their usual care.",
        "The study was funded by a grant from the Council for Healthy Ageing of the three towns.",
    ]
    _page(document, [[(LEFT, text)] for text in said])
    head: list[Row] = [
        [(LEFT, "Table 2. Outcomes at 12 weeks")],
        [(200, "Exercise group"), (330, "Control group")],
        [(200, "(n = 45)"), (330, "(n = 47)")],
    ]
    _page(document, [*head, *([(LEFT, name), (200, one), (330, other)] for name, one, other in outcomes)])
    made: bytes = document.tobytes(no_new_id=True)
    return made


def _page(document: pymupdf.Document, rows: Sequence[Row]) -> None:
    page = document.new_page(width=595, height=842)
    for n, row in enumerate(rows):
        for x, text in row:
            y = TOP + n * STEP * (1.4 if n > 2 else 1)
            page.insert_text((x, y), text, fontsize=TITLE_SIZE if text == TITLE else SIZE, fontname="helv")
