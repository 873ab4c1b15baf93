"""Which editions the sweep compares again: those of which a page was changed since, and no others."""

import pytest

from ingestion.models import Page
from processing.editions.services import comparing
from processing.models import Edition
from tests.support.editions import finish, make_earlier, make_later
from tests.support.people import People
from tests.support.rows import make_page


@pytest.mark.req("X-DIFF")
def test_only_editions_whose_pages_have_changed_are_compared_again(committed: None, people: People) -> None:
    old = make_earlier(people.merchant, ["Alba", "Bruno", "Cleo", "Dora"])
    new = make_later(people.merchant, ["Alba'", "Bruno", "Cleo", "Dora"])
    assert (comparing.compare_moved_on(), comparing.compare_moved_on()) == (1, 0)
    finish(new.pages.get(number=1), {"Alba": "105"})
    assert (comparing.compare_moved_on(), comparing.compare_moved_on()) == (1, 0)
    assert Edition.objects.get().tally["price"] == 1
    Page.objects.filter(job=old, number=2).update(**Page.visible_change())
    assert (comparing.compare_moved_on(), comparing.compare_moved_on()) == (1, 0)
    make_page(make_later(people.merchant, ["Egon"]), 2)  # of another document
    assert comparing.compare_moved_on() == 0
