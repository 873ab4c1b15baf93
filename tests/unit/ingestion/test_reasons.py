"""Reasons are sentences for people: an attribute is named as they know it."""

from django.utils import translation

from ingestion.reasons import reason_sentence


def test_an_attribute_is_named_in_the_readers_words() -> None:
    params = {"key": "color", "value": "oak"}
    with translation.override("en"):
        assert reason_sentence("value_not_found", params) == "Colour is not printed on the page: oak"
        assert reason_sentence("value_not_found", {"key": "glaze", "value": "matt"}).startswith("glaze ")
    with translation.override("zh-hans"):
        assert "颜色" in reason_sentence("value_not_found", params)


def test_an_unknown_code_and_missing_parts_are_no_silence() -> None:
    with translation.override("en"):
        assert "(new_code)" in reason_sentence("new_code")
        assert reason_sentence("value_not_found", {})
        assert reason_sentence("sku_doubtful") == "A product is doubtful", (
            "what is left of a sentence has no colon at its end"
        )


def test_shares_have_two_decimals_and_what_is_below_a_bound_reads_so() -> None:
    with translation.override("en"):
        said = [
            reason_sentence("low_confidence", {"confidence": confidence, "minimum": 0.75})
            for confidence in (0.3209, 0.7499, 0.29)
        ]
    assert said == [f"Page confidence {shown} is below 0.75" for shown in (0.32, 0.74, 0.29)]
