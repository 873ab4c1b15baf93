"""Each kind of document has its part wherever something is done by kind, and nothing has a part without a kind."""

from typing import Any

import pytest

from annotation.workbench.views import SCREENS
from catalogsku.profiles.wording import ALL_RULES, KEYS
from ingestion.kinds import CATALOGUE, KINDS
from ingestion.models import Job, Upload
from ingestion.services.settle import SETTLING
from processing.exports.result_file import STREAMS
from processing.exports.services.exporting import CONTENTS
from processing.llm.answers import ANSWERS
from processing.pages.services.taking_turns import DO

PARTS = {"settling": SETTLING, "stages": DO, "exports": CONTENTS, "result files": STREAMS, "screens": SCREENS}


@pytest.mark.parametrize("parts", PARTS.values(), ids=PARTS)
def test_whatever_is_done_by_kind_is_done_for_each(parts: dict[str, Any]) -> None:
    assert set(parts) == set(KINDS)


def test_a_kind_is_named_by_its_key_and_asks_what_there_are_prompts_and_answers_for() -> None:
    assert {key: kind.key for key, kind in KINDS.items()} == {key: key for key in KINDS}
    asked = [question for kind in KINDS.values() for question in kind.questions]
    assert sorted(asked) == sorted(set(KEYS) - set(ALL_RULES)) == sorted(ANSWERS), "each is one kind's"


@pytest.mark.parametrize("model", [Job, Upload])
def test_a_document_is_a_catalogue_where_nobody_says_otherwise(model: Any) -> None:
    field = model._meta.get_field("kind")
    assert (field.default, field.db_default) == (CATALOGUE.key, CATALOGUE.key)
    assert all(len(key) <= field.max_length for key in KINDS)
