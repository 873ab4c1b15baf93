"""`manage.py templates`: what it prints for people and programs, and that every mistake is answered by a sentence."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from processing.models import Template, TemplateVersion
from processing.studies import selectors
from processing.studies.services import templates
from tests.integration.test_commands import out, read
from tests.support.people import People

pytestmark = [pytest.mark.django_db, pytest.mark.req("LX-FIELDS", "LX-SYS")]


def clone(people: People, **more: Any) -> Template:
    rct = selectors.get_version(Template.objects.get(merchant=None, key="rct"))
    return templates.clone_template(rct, people.merchant, None, **{"key": "own", **more}).template


def refused(*arguments: str) -> tuple[str, int]:
    with pytest.raises(CommandError) as error:
        call_command(*arguments)
    return str(error.value), error.value.returncode


def test_lists_what_is_shipped_and_what_is_a_merchants_own(people: People) -> None:
    own, theirs = clone(people), templates.clone_template(clone(people, key="b").versions.get(), people.other, None)
    rows = {(row["merchant"], row["key"]): row for row in read("templates", "list")}
    assert {merchant for merchant, _ in rows} == {None, "North", "South"} and len(rows) == 6
    assert rows[None, "rct"]["version"] == 1
    listed = read("templates", "list", "--merchant", "North")
    assert {row["key"] for row in listed} == {"rct", "cohort", "diagnostic_accuracy", "own", "b"}
    assert theirs.template.key not in [row["key"] for row in listed]
    templates.set_archived(own, None, archived=True)
    assert "own" not in out("templates", "list") and "own" in out("templates", "list", "--archived")


def test_shows_fields_and_checks() -> None:
    text = out("templates", "show", "rct")
    assert "* study_id" in text and "n_randomised " in text and text.endswith("rct v1: 49 fields, 10 checks\n")
    assert read("templates", "show", "rct@1")["definition"]["groups"][0]["key"] == "identification"


def test_clones_and_names_versions(people: People) -> None:
    told = out("templates", "clone", "rct", "--merchant", "North", "--name", "Stroke trials")
    assert told == "stroke_trials v1 of North asks for 49 fields.\n"
    made = read("templates", "clone", "stroke_trials@1", "--merchant", str(people.merchant.pk), "--key", "two")
    assert (made["key"], made["name"], made["merchant"], made["version"]) == ("two", "Stroke trials", "North", 1)
    words, code = refused("templates", "clone", "two", "--merchant", "North", "--key", "two")
    assert ("There is a template with the key two already" in words) and code == 1


def test_a_file_makes_the_round_and_the_same_content_no_new_version(people: People, tmp_path: Path) -> None:
    clone(people)
    file = tmp_path / "own.json"
    out("templates", "export", "own", str(file), "--merchant", "North")
    assert file.read_text(encoding="utf-8") == out("templates", "export", "own", "-", "--merchant", "North")
    before = TemplateVersion.objects.count()
    assert out("templates", "import", str(file), "--merchant", "North").startswith("own v1 ")
    assert TemplateVersion.objects.count() == before
    told = json.loads(file.read_text(encoding="utf-8"))
    del told["definition"]["groups"][1:], told["definition"]["checks"]
    file.write_text(json.dumps(told), encoding="utf-8")
    assert out("templates", "import", str(file), "--merchant", "North").startswith("own v2 ")
    made = read("templates", "import", str(file), "--merchant", "South", "--key", "there", "--name", "There")
    assert (made["key"], made["name"], made["version"], made["merchant"]) == ("there", "There", 1, "South")


def test_mistakes_are_sentences(people: People, tmp_path: Path) -> None:
    clone(people)
    for name in ("none", "rct@2", "rct@x", "rct@"):
        assert refused("templates", "show", name) == (f"There is no template {name!r} here.", 2)
    assert refused("templates", "show", "own", "--merchant", "South")[1] == 2, "another merchant's"
    assert refused("templates", "show", "own")[1] == 2, "without its merchant"
    assert refused("templates", "list", "--merchant", "West") == ("There is no merchant 'West'.", 2)
    assert refused("templates", "import", str(tmp_path / "none.json"), "--merchant", "North")[1] == 2
    shipped = tmp_path / "rct.json"
    out("templates", "export", "rct", str(shipped))
    assert refused("templates", "import", str(shipped), "--merchant", "North")[0].startswith("There is a template with")
    told = json.loads(shipped.read_text(encoding="utf-8"))
    told["definition"]["groups"][0]["fields"][0]["key"] = "Study Id"
    told["definition"]["groups"][1]["labels"] = {}
    shipped.write_text(json.dumps(told), encoding="utf-8")
    words, code = refused("templates", "import", str(shipped), "--merchant", "North", "--key", "mine")
    first, second = words.splitlines()
    assert first.startswith("groups.0.fields.0.key: A key begins") and code == 1
    assert second == "groups.1.labels.en: Give it a name in one language at least."
    shipped.write_bytes(b"{")
    assert refused("templates", "import", str(shipped), "--merchant", "North")[0].startswith("This is no file of a tem")
