"""What may go out without a person: every single thing that speaks against it is enough."""

from dataclasses import replace

import pytest

from annotation.tasks.acceptance import Obstacle, PageFacts, SkuFacts, obstacles

SKU = SkuFacts("full", 0.8, grounded=True)
PAGE = PageFacts(True, False, 0.7, (SKU,), frozenset({"low_confidence", "binding_ambiguous"}))


@pytest.mark.req("TA-SLAACCEPT")
def test_a_page_that_is_only_doubted_may_go_out() -> None:
    assert obstacles(PAGE, 0.6) == []


@pytest.mark.req("TA-SLAACCEPT")
@pytest.mark.parametrize(
    ("page", "obstacle"),
    [
        (replace(PAGE, permitted=False), Obstacle.NOT_PERMITTED),
        (replace(PAGE, people_only=True), Obstacle.PEOPLE_ONLY),
        (replace(PAGE, confidence=0.6), Obstacle.CONFIDENCE_LOW),
        (replace(PAGE, confidence=None), Obstacle.CONFIDENCE_LOW),
        (replace(PAGE, skus=(SKU, replace(SKU, confidence=0.59))), Obstacle.CONFIDENCE_LOW),
        (replace(PAGE, skus=()), Obstacle.NO_SKU),
        (replace(PAGE, skus=(SKU, replace(SKU, validity="partial"))), Obstacle.NOT_COMPLETE),
        (replace(PAGE, skus=(replace(SKU, grounded=False),)), Obstacle.NOT_PRINTED),
        (replace(PAGE, blockers=frozenset({"injection_suspected"})), Obstacle.BLOCKED),
        (replace(PAGE, blockers=frozenset({"value_not_found", "low_confidence"})), Obstacle.BLOCKED),
    ],
)
def test_each_obstacle_alone_stops_it(page: PageFacts, obstacle: Obstacle) -> None:
    assert obstacles(page, 0.6) == [obstacle]
