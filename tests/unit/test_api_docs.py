"""The page of the API tells of each operation what goes in and what comes out."""

import pytest

from catalogsku.api_docs import Operation, groups


def operation(method: str, path: str) -> Operation:
    return next(one for found in groups().values() for one in found if (one.method, one.path) == (method, path))


@pytest.mark.req("TA-API")
def test_fields_of_answers_are_named_one_level_down() -> None:
    (answer,) = operation("GET", "/api/v1/jobs").answers
    kinds = {field.name: field.kind for field in answer.fields}
    assert kinds["items"] == "[object]"
    assert (kinds["items[].job_id"], kinds["items[].total_pages"]) == ("uuid", "integer | null")
    assert kinds["next"] == "string | null"


@pytest.mark.req("TA-API")
def test_no_answer_in_json_is_left_untold() -> None:
    untold = [
        (one.method, one.path)
        for found in groups().values()
        for one in found
        for answer in one.answers
        if answer.media == "application/json" and not answer.fields
    ]
    assert untold == []
