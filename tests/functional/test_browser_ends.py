"""The browser of the tests ends also where it answers nobody any more."""

import contextlib
import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.functional import conftest
from tests.support.stack import family


@pytest.mark.browser
def test_a_chromium_that_does_not_answer_is_killed_and_another_one_started(
    browser: Browser, chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conftest, "CLOSES_WITHIN_S", 1)
    context = browser.new_context()
    context.new_page().goto("about:blank")
    for pid in family(os.getpid()):
        with contextlib.suppress(OSError):
            if conftest.PROFILE in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGSTOP)
    with pytest.warns(UserWarning, match="did not close within 1 s"):
        conftest._running.close(context)
    assert not browser.is_connected()
    assert conftest._running.browser(chromium).new_context().new_page().title() == ""
