"""The operations page says when the last backup was made, beside the product at work."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from ingestion.backups.manifest import backups_in
from tests.functional.conftest import Seen, Visit
from tests.functional.test_browser_screens import faults_of
from tests.support.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.req("TA-BACKUP")]


def test_the_last_backup_is_seen_on_the_operations_page(visit: Visit, seen: Seen, stack: Stack, tmp_path: Path) -> None:
    failed = stack.manage("backup", "/proc/1/nowhere")
    assert failed.returncode == 1 and "target_unusable" in failed.stderr
    page = visit("/ops/", user="admin")
    row = page.get_by_role("listitem").filter(has_text="Last backup")
    expect(row.locator(".mark-tone-person")).to_be_visible()
    assert not faults_of(page, "en")

    done = stack.manage("backup", str(tmp_path / "backups"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(backups_in(tmp_path / "backups")) == 1
    page.reload()
    expect(row.locator("time")).to_be_visible()
    expect(row.locator(".mark-tone-person")).to_have_count(0)
    for theme, width in (("dark", 1440), ("light", 390)):
        page = visit("/ops/", user="lead", language="zh", theme=theme, width=width)
        expect(page.get_by_role("listitem").filter(has_text="上次备份").locator("time")).to_be_visible()
        # Units and tasks are called so in every language.
        faults = [fault for fault in faults_of(page, "zh") if not fault.startswith("foreign word")]
        assert not faults, (theme, width)
    assert not seen.complaints
