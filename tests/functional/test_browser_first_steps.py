"""Where a merchant has no document yet, its people are led on; the first upload takes the place of that."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.functional.conftest import Seen, Visit, catalogue
from tests.support.stack import Stack

pytestmark = pytest.mark.browser
FIRST = {"en": "Upload a catalogue or a paper", "zh": "上传目录或论文"}


@pytest.fixture
def empty_merchant(stack: Stack) -> Iterator[None]:
    """The other uploader works for a merchant that has nothing, and afterwards for their own again."""
    (merchant,) = stack.sql(
        "INSERT INTO accounts_merchant (name, is_active, created_at) VALUES (%s, true, now()) RETURNING id",
        f"New {uuid.uuid4()}",
    )
    (link,) = stack.sql(
        "SELECT m.id, m.merchant_id FROM accounts_user_merchants m JOIN accounts_user u ON u.id = m.user_id"
        " WHERE u.username = 'other'"
    )

    def works_for(key: int) -> None:
        stack.sql("UPDATE accounts_user_merchants SET merchant_id = %s WHERE id = %s", key, link[0])
        stack.forget("other")  # who is moved to another merchant signs in anew

    works_for(merchant[0])
    yield
    works_for(link[1])
    stack.sql("UPDATE accounts_merchant SET is_active = false WHERE id = %s", merchant[0])


@pytest.mark.parametrize(("language", "width"), [("en", 1440), ("zh", 390)])
def test_the_first_document_takes_the_place_of_the_steps(
    visit: Visit, seen: Seen, tmp_path: Path, empty_merchant: None, language: str, width: int
) -> None:
    page = visit("/", user="other", language=language, width=width)
    steps = page.locator(".first-steps")
    expect(steps).to_be_visible()
    expect(steps.locator("li").first).to_contain_text(FIRST[language])
    box = steps.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= width, "inside the window"

    file = tmp_path / f"{uuid.uuid4()}.pdf"
    file.write_bytes(catalogue(language, f"S{uuid.uuid4().hex[:4].upper()}"))
    page.set_input_files("[data-file]", file)
    expect(page.locator("tbody tr", has_text=file.name)).to_be_visible()
    expect(steps).to_have_count(0)
    assert not seen.complaints
