"""Keys are read again once their file changes, and two are valid in between."""

import os
from pathlib import Path
from typing import Any

import pytest

from catalogsku.core import secret_files
from processing.llm import keys

NAME = "GEMINI_API_KEY"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[float]:
    """Its only entry is the time in seconds."""
    now_s = [1000.0]
    monkeypatch.setattr(secret_files.time, "monotonic", lambda: now_s[0])
    monkeypatch.setattr(secret_files, "_files", {})
    for name in keys.SETTINGS.values():
        setattr(settings, name, "")
        setattr(settings, f"{name}_FILE", "")
    return now_s


def test_a_provider_without_a_key_has_none(clock: list[float], settings: Any) -> None:
    assert keys.key_for("gemini") == keys.key_for("qwen") == ()
    settings.GEMINI_API_KEY = "one"
    assert (keys.key_for("gemini"), keys.key_for("qwen")) == (("one",), ())


@pytest.mark.req("LA-KEYROT")
def test_a_changed_file_is_read_within_seconds_and_its_first_line_is_the_newest_key(
    clock: list[float], settings: Any, tmp_path: Path
) -> None:
    file = tmp_path / "gemini"
    settings.GEMINI_API_KEY_FILE, settings.GEMINI_API_KEY = str(file), "not used"
    file.write_text("old\n")
    assert keys.key_for("gemini") == ("old",)
    new = tmp_path / "new"
    new.write_text("new \n\nold\n")
    os.replace(new, file)
    assert keys.key_for("gemini") == ("old",), "looked at a moment ago"
    clock[0] += secret_files.LOOK_EVERY_S
    assert keys.key_for("gemini") == ("new", "old")
    assert secret_files.LOOK_EVERY_S <= 60


@pytest.mark.req("LA-KEYROT")
def test_a_file_that_is_just_being_replaced_leaves_the_keys_as_they_were(
    clock: list[float], settings: Any, tmp_path: Path
) -> None:
    file = tmp_path / "gemini"
    settings.GEMINI_API_KEY_FILE = str(file)
    assert keys.key_for("gemini") == ()
    file.write_text("one")
    clock[0] += secret_files.LOOK_EVERY_S
    assert keys.key_for("gemini") == ("one",)
    file.unlink()
    clock[0] += secret_files.LOOK_EVERY_S
    assert keys.key_for("gemini") == ("one",)
