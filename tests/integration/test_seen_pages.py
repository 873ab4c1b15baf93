"""Golden pages asked about through the real kits, answered by a model that sees nothing but the images it is sent."""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from PIL import Image

from processing.models import LanguageModel
from tests.golden.styles.pens.folio import Drawn
from tests.golden.styles.pens.scan import scanned
from tests.integration.test_evaluate import run
from tests.integration.test_seeing_model import EYES, SIZE, drawn, sheets
from tests.support.model_server import ModelRequest, ModelServer, Reply
from tests.support.seeing_model import Mistakes, SeeingModel
from tests.support.seeing_model.model import labelled

pytestmark = [pytest.mark.req("TA-T85", "LX-QUOTE"), pytest.mark.timeout(300), pytest.mark.usefixtures("committed")]
GARBAGE = "Zq# ~vv0 %kJ /x3 wQ^"
Put = Callable[[Drawn], Path]


@cache
def scan() -> Drawn:
    return scanned(drawn())


@cache
def garbled() -> Drawn:
    """A picture of the page under a text that nobody sees and that says something else."""
    with pymupdf.open(stream=drawn().pdf, filetype="pdf") as document, pymupdf.open() as other:
        page = other.new_page(width=SIZE[0], height=SIZE[1])
        page.insert_image(page.rect, stream=document[0].get_pixmap(dpi=300).tobytes("png"))
        for n in range(10):
            page.insert_text((20, 20 + 22 * n), f"{GARBAGE} {GARBAGE}", fontsize=10, render_mode=3)
        return replace(drawn(), pdf=other.tobytes())


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def saved(catalogue: Drawn) -> Path:
        (tmp_path / "golden").mkdir()
        catalogue.save(tmp_path / "golden")
        return tmp_path / "golden"

    return saved


@pytest.fixture
def measured(put: Put, tmp_path: Path, reading_models: ModelServer) -> Callable[..., dict[str, Any]]:
    """The report of a golden file that every page of which a seeing model was asked about."""

    def report(catalogue: Drawn, mistakes: Mistakes = Mistakes()) -> dict[str, Any]:  # noqa: B008
        reading_models.answer = SeeingModel(sheets(), mistakes, EYES)
        told, complained, code = run("--golden", put(catalogue), "--record", tmp_path / "answers", "--json")
        assert code == 0, complained
        return json.loads(told)  # type: ignore[no-any-return]

    return report


Measured = Callable[..., dict[str, Any]]


def is_right(report: dict[str, Any]) -> bool:
    total = report["total"]
    figures = (total["f1"], total["attribute_accuracy"], total["page_type_accuracy"], total["binding_recovered"])
    return figures == (1, 1, 1, 1) and total["hallucination_rate"] == 0


def goes_to_a_person(report: dict[str, Any]) -> bool:
    return report["total"]["counts"]["human_pages"] == 1 and not report["total"]["unseen_wrong"]


def test_a_scan_is_right_by_what_the_image_shows(measured: Measured, reading_models: ModelServer) -> None:
    report = measured(scan())
    assert is_right(report), report["files"]
    asked = [call.request for call in reading_models.calls if call.operation == "PageAnswer"]
    assert asked and all(label.startswith("page") for request in asked for label, _ in labelled(request))


def test_a_page_with_a_text_layer_of_garbage_is_right(measured: Measured) -> None:
    assert is_right(measured(garbled()))


def test_an_image_that_a_model_takes_only_small_loses_the_small_print(
    measured: Measured, reading_models: ModelServer
) -> None:
    LanguageModel.objects.update(max_image_px=300)
    try:
        report = measured(garbled())
    finally:
        LanguageModel.objects.update(max_image_px=None)
    sizes = [Image.open(io.BytesIO(data)).size for call in reading_models.calls for _, data in call.request.images]
    assert sizes and max(max(size) for size in sizes) <= 300
    assert not is_right(report) and report["total"]["hallucination_rate"] in (0, None)


def test_a_model_without_the_images_has_nothing_to_say(put: Put, tmp_path: Path, reading_models: ModelServer) -> None:
    """Whatever the text zones print: no product comes of it that the rules had not."""
    seeing = SeeingModel(sheets(), eyes=EYES)
    told: list[Reply] = []

    def blind(request: ModelRequest) -> Reply:
        told.append(seeing(replace(request, images=())))
        return told[-1]

    reading_models.answer = blind
    run("--golden", put(scan()), "--record", tmp_path / "answers")
    assert told and all(json.loads(reply.text).get("products") is None for reply in told)


@pytest.mark.parametrize("catalogue", [drawn, scan, garbled], ids=["text", "scan", "garbage"])
def test_values_that_a_model_invents_never_pass(catalogue: Callable[[], Drawn], measured: Measured) -> None:
    assert goes_to_a_person(measured(catalogue(), Mistakes(seed=5, invent=0.4)))


@pytest.mark.parametrize("wrong", [Mistakes(seed=2, drop=0.5), Mistakes(miscount=1.0), Mistakes(move=0.3, seed=1)])
def test_a_page_that_was_answered_wrongly_does_not_pass_unseen(wrong: Mistakes, measured: Measured) -> None:
    report = measured(scan(), wrong)
    assert is_right(report) or goes_to_a_person(report), report["files"]


def test_a_cut_answer_is_continued_until_every_product_is_told(measured: Measured, reading_models: ModelServer) -> None:
    assert is_right(measured(scan(), Mistakes(cut_at=900)))
    assert len(reading_models.calls) > 1
