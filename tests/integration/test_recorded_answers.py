"""`manage.py evaluate --record` and `--replay`: who has a key keeps the answers, everyone measures with them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalogsku.accounts.models import Merchant
from catalogsku.profiles.models import PromptVersion
from processing.llm import gate
from processing.models import LanguageModel, ModelCall
from tests.integration.test_evaluate import put, run, sample  # noqa: F401
from tests.support.model_server import ModelServer, Mood, Reply

pytestmark = [pytest.mark.req("TA-T49", "LA-REDACT"), pytest.mark.timeout(300), pytest.mark.usefixtures("committed")]
KEY = "AIzaSyD-secret-secret-secret-secret-123"  # not-a-secret
KINDS = ("f1", "attribute_accuracy", "hallucination_rate", "page_type_accuracy")


@pytest.fixture
def golden(sample: dict[str, Any], tmp_path: Path) -> Path:  # noqa: F811
    return put(tmp_path / "golden", sample)


@pytest.fixture
def recorded(golden: Path, tmp_path: Path, reading_models: ModelServer, settings: Any) -> Iterator[Path]:
    """A folder of answers, and afterwards neither keys, rows nor models that could be asked."""
    settings.GEMINI_API_KEY = KEY
    told, complained, code = run("--golden", golden, "--record", tmp_path / "answers", "--json")
    assert code == 0, complained
    (tmp_path / "report.json").write_text(told)
    return tmp_path / "answers"


def figures(told: str) -> dict[str, float]:
    return {name: json.loads(told)["total"][name] for name in KINDS}


def without_network(server: ModelServer, settings: Any) -> int:
    settings.GEMINI_API_KEY = settings.DASHSCOPE_API_KEY = ""
    server.answer = lambda request: Reply(mood=Mood.UNAUTHORISED)
    ModelCall.objects.all().delete()
    Merchant.objects.filter(name="Golden sets").delete()
    return len(server.calls)


def test_a_replay_comes_to_the_same_end_without_key_network_ledger_or_models(
    golden: Path, recorded: Path, reading_models: ModelServer, settings: Any
) -> None:
    first = json.loads((recorded.parent / "report.json").read_text())
    asked = without_network(reading_models, settings)
    for old in PromptVersion.objects.filter(active=True):  # other ids, the same words
        PromptVersion.objects.filter(pk=old.pk).update(active=False)
        texts = {"text_zh": old.text_zh, "text_en": old.text_en}
        PromptVersion.objects.create(key=old.key, version=old.version + 100, active=True, **texts)
    gate.set_state("gemini-3.8-flash", "open", "tests")
    LanguageModel.objects.update(enabled=False)
    try:
        told, complained, code = run("--golden", golden, "--replay", recorded, "--json")
    finally:
        LanguageModel.objects.update(enabled=True)
        gate.set_state("gemini-3.8-flash", "closed", "tests")
    assert code == 0, complained
    again = json.loads(told)
    assert figures(told) == {name: first["total"][name] for name in KINDS} and figures(told)["f1"] == 1
    assert again["versions"]["answers"] == "replayed" and "answers" not in first["versions"]
    assert again["versions"]["answered"] == first["versions"]["answered"] != "0 of 0"
    assert len(reading_models.calls) == asked and not ModelCall.objects.exists()


def test_what_is_kept_names_nobody(golden: Path, recorded: Path, reading_models: ModelServer) -> None:
    kept = {path.name: path.read_text() for path in recorded.iterdir()}
    assert len(kept) == 1 + len({call.request.key for call in reading_models.calls}), sorted(kept)
    whole = "\n".join(kept.values())
    for secret in (KEY, "Golden sets", "fasteners", str(golden)):
        assert secret not in whole
    prompts = [line for call in reading_models.calls for text in call.request.texts for line in text.splitlines()]
    assert not [line for line in prompts if len(line) > 60 and line in whole], "of prompts the hash alone"
    answers = [json.loads(text) for name, text in kept.items() if name != "models.json"]
    assert {one["model"] for one in answers} <= {one["name"] for one in json.loads(kept["models.json"])}
    assert all(len(one["prompt"]) == 64 and one["finish"] == "stop" and one["tokens_in"] > 0 for one in answers)


def test_telephone_numbers_of_an_answer_are_not_kept(golden: Path, tmp_path: Path, reading_models: ModelServer) -> None:
    good = reading_models.answer

    def talkative(request: Any) -> Reply:
        return Reply(json.dumps({**json.loads(good(request).text), "reason": "call 13812345678"}))

    reading_models.answer = talkative
    assert run("--golden", golden, "--record", tmp_path / "answers")[2] == 0
    whole = "".join(path.read_text() for path in (tmp_path / "answers").iterdir())
    assert "13812345678" not in whole and "[phone]" in whole


def test_answers_that_the_ledger_had_already_are_recorded_too(
    golden: Path, recorded: Path, tmp_path: Path, reading_models: ModelServer
) -> None:
    asked = len(reading_models.calls)
    assert run("--golden", golden, "--record", tmp_path / "second")[2] == 0
    assert len(reading_models.calls) == asked, "nothing is paid twice"
    assert {p.name: p.read_text() for p in recorded.iterdir()} == {
        p.name: p.read_text() for p in (tmp_path / "second").iterdir()
    }


def test_tells_how_many_answers_are_missing_and_measures_nothing(
    golden: Path, recorded: Path, reading_models: ModelServer, settings: Any
) -> None:
    asked = without_network(reading_models, settings)
    answers = sorted(path for path in recorded.iterdir() if path.name != "models.json")
    answers[0].unlink()
    told, complained, code = run("--golden", golden, "--replay", recorded)
    assert (told, code) == ("", 2) and "not_recorded: " in complained and "record them with a key" in complained
    assert len(reading_models.calls) == asked
    for path in answers[1:]:
        path.unlink()
    complained = run("--golden", golden, "--replay", recorded)[1]
    missing, of = map(int, complained.split("not_recorded: ")[1].split(" questions")[0].split(" of "))
    assert missing == of > 0


def test_a_model_that_refused_refuses_again(
    golden: Path, tmp_path: Path, reading_models: ModelServer, settings: Any
) -> None:
    """And the next one's answer is found as it was."""
    good, first = reading_models.answer, list[str]()

    def by_the_second(request: Any) -> Reply:
        first.append(request.provider)
        return Reply(mood=Mood.BAD_REQUEST) if request.provider == first[0] else good(request)

    reading_models.answer = by_the_second
    assert run("--golden", golden, "--record", tmp_path / "answers")[2] == 0
    assert any('"failed": "http_400"' in path.read_text() for path in (tmp_path / "answers").iterdir())
    without_network(reading_models, settings)
    told, complained, code = run("--golden", golden, "--replay", tmp_path / "answers", "--json")
    assert code == 0 and figures(told)["f1"] == 1, complained


def test_refuses_folders_that_are_no_recordings(golden: Path, recorded: Path) -> None:
    models, *answers = sorted(recorded.iterdir(), key=lambda path: path.name != "models.json")
    for answer in answers:
        answer.write_text("[]")
    told, complained, code = run("--golden", golden, "--replay", recorded)
    assert (told, code) == ("", 2) and re.match(r"recording_unreadable: [0-9a-f]{64}\.json", complained)
    models.write_text("{")
    assert "recording_unreadable: models.json" in run("--golden", golden, "--replay", recorded)[1]
    models.unlink()
    assert "no_recording: " in run("--golden", golden, "--replay", recorded)[1]


def test_refuses_to_record_and_replay_at_once(golden: Path, tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    assert "not allowed with" in run("--golden", golden, "--record", folder, "--replay", folder)[1]
    assert not folder.exists()
