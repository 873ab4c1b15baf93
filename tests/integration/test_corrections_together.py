"""Two people correct one value in one moment, on connections of their own (TA-ATONCE)."""

import pytest

from annotation.models import Annotation
from catalogsku.accounts.models import User
from catalogsku.core.errors import Conflict
from processing.models import Sku
from tests.integration.test_corrections_at_once import active, downstream, put_right, sku  # noqa: F401
from tests.support.people import People
from tests.support.rows import in_threads

pytestmark = pytest.mark.req("TA-ATONCE")


def test_of_two_in_one_moment_the_second_is_told_of_the_first(
    committed: None,
    people: People,
    sku: Sku,  # noqa: F811
) -> None:
    def attempt(by: User, text: str) -> str:
        try:
            put_right(people, sku, text, by=by, insist=True, why="I know it")
        except Conflict as refused:
            return refused.code
        return text

    answers = in_threads([lambda: attempt(people.uploader, "$6"), lambda: attempt(people.colleague, "$7")])
    assert "value_moved_on" in answers and active(sku).attributes["price"] in answers
    assert (active(sku).revision, Annotation.objects.count()) == (2, 1)
