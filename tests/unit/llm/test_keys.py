"""Keys are read again once their file changes, and two are valid in between."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from catalogsku.core import secret_files
from processing.llm import keys, providers
from processing.llm.models.calls import Provider
from tests.support.model_server import ModelServer

NAME = "GEMINI_API_KEY"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[float]:
    """Its only entry is the time in seconds."""
    now_s = [1000.0]
    monkeypatch.setattr(secret_files, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
    monkeypatch.setattr(secret_files, "_files", {})
    for name in keys.SETTINGS.values():
        setattr(settings, name, "")
        setattr(settings, f"{name}_FILE", "")
    return now_s


def test_a_provider_without_a_key_has_none(clock: list[float], settings: Any) -> None:
    assert keys.key_for("gemini") == keys.key_for("qwen") == ()
    settings.GEMINI_API_KEY = "one"
    assert (keys.key_for("gemini"), keys.key_for("qwen")) == (("one",), ())


def test_settings_models_and_the_test_server_know_the_same_providers(settings: Any) -> None:
    with ModelServer(lambda request: pytest.fail("nothing is asked")) as server:
        assert set(settings.MODEL_PROVIDERS) == set(keys.SETTINGS) == set(Provider.values) == set(server.urls)
    for name, setting in keys.SETTINGS.items():
        assert providers.provider_named(name).name == name
        assert isinstance(getattr(settings, setting), str) and isinstance(getattr(settings, f"{setting}_FILE"), str)


@pytest.mark.parametrize(
    ("base_url", "without_a_key"),
    [
        ("https://api.openai.com/v1", False),
        ("https://eu.api.openai.com/v1", False),
        ("http://gpu:8000/v1", True),
    ],
)
def test_only_a_server_of_ones_own_is_ready_without_a_key(
    clock: list[float], settings: Any, base_url: str, without_a_key: bool
) -> None:
    place = {**settings.MODEL_PROVIDERS["openai"], "base_url": base_url}
    settings.MODEL_PROVIDERS = {**settings.MODEL_PROVIDERS, "openai": place}
    providers.provider_named.cache_clear()
    try:
        assert keys.is_ready("openai") is without_a_key and not keys.is_ready("gemini")
        settings.OPENAI_API_KEY = "one"
        assert keys.is_ready("openai") and keys.key_for("openai") == ("one",)
    finally:
        providers.provider_named.cache_clear()


@pytest.mark.req("LA-KEYROT")
@pytest.mark.parametrize("provider", sorted(keys.SETTINGS))
def test_each_provider_has_its_file_with_the_older_key(
    clock: list[float], settings: Any, tmp_path: Path, provider: str
) -> None:
    file = tmp_path / provider
    file.write_text("new\nold\n")
    setattr(settings, f"{keys.SETTINGS[provider]}_FILE", str(file))
    assert keys.key_for(provider) == ("new", "old")


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
