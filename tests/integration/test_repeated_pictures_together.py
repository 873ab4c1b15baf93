"""Pages of one document that are recorded at once agree on which picture is the first."""

import pytest

from processing.models import Image
from tests.integration.test_repeated_pictures import LOGO, record_page, said
from tests.support.looks import jpeg, picture
from tests.support.people import People
from tests.support.rows import in_threads, make_job, make_pages

pytestmark = [pytest.mark.usefixtures("committed"), pytest.mark.req("TA-BR28")]


def test_pages_recorded_at_once_agree_on_the_first(people: People) -> None:
    job, logo = make_job(people.merchant), picture(jpeg(LOGO))
    pages = make_pages(job, range(1, 9))
    in_threads([lambda page=page: record_page(page, [(logo, "LOGO")]) for page in reversed(pages)])  # type: ignore[misc]
    assert Image.objects.count() == len(pages)
    assert set(said(job).values()) == {("", ""), ("01_001", "same_file")}
