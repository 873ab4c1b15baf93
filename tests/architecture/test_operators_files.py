"""What operators are given refers only to what exists: commands of the runbook, metrics of rules and dashboard."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class
from django.core.management.base import CommandError

PROJECT = Path(__file__).resolve().parents[2]
DEPLOY, DOCS = PROJECT / "deploy", PROJECT / "docs"
RUNBOOK = (DOCS / "runbook.md").read_text(encoding="utf-8")
METRIC = re.compile(r"\b(?:catalogsku|django)_\w+")
OF_PROMETHEUS = {"up"}
SERIES_OF = {"histogram": ("_bucket", "_sum", "_count"), "counter": ("",), "gauge": ("",)}
# What stands for something in the runbook's commands, and a value of its kind.
PLACEHOLDERS = {
    **dict.fromkeys(("JOB", "UPLOAD"), "6f9619ff-8b86-d011-b42d-00cf4fc964ff"), "NUMBER": "7", "N": "5",
    "CODE": "internal_error", "NAME": "audit", "FILE": "catalogue.pdf",
    "STATE": "REFUSED", "URL": "https://shop.example.org/api/products",
}  # fmt: skip
STATUS_OF = {"pages": "DEAD_LETTER", "jobs": "ORPHANED"}


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def known_series() -> set[str]:
    rows = re.findall(r"^\| `((?:catalogsku|django)_\w+)` \| (\w+) \|", (DOCS / "metrics.md").read_text(), re.M)
    return {name + suffix for name, kind in rows for suffix in SERIES_OF[kind]}


def known_labels() -> dict[str, set[str]]:
    rows = re.findall(
        r"^\| `((?:catalogsku|django)_\w+)` \| \w+ \| ([\w, ]*?) ?\|", (DOCS / "metrics.md").read_text(), re.M
    )
    return {name: {*filter(None, labels.split(", ")), "le"} for name, labels in rows}


def queries() -> list[str]:
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    return [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]


@pytest.mark.req("TA-ALERTS", "TA-MET")
def test_rules_and_dashboard_ask_for_metrics_that_exist() -> None:
    assert len(rules()) > 20 and len(queries()) > 30
    for expression in (*(rule["expr"] for rule in rules()), *queries()):
        named = set(METRIC.findall(expression))
        assert named or set(re.findall(r"\w+", expression)) & OF_PROMETHEUS, expression
        assert named <= known_series(), named - known_series()


@pytest.mark.req("TA-MET")
def test_the_dashboard_shows_every_metric_of_ours() -> None:
    asked = set(METRIC.findall("\n".join(queries())))
    bare = {name for name in known_labels() if name.startswith("catalogsku_")}
    shown = {name for name in bare if asked & {name, *(name + suffix for suffix in SERIES_OF["histogram"])}}
    assert bare - shown == set()


@pytest.mark.req("TA-ALERTS", "TA-MET")
def test_rules_and_dashboard_select_and_group_by_labels_that_exist() -> None:
    for expression in (*(rule["expr"] for rule in rules()), *queries()):
        for name, inside in re.findall(r"\b((?:catalogsku|django)_\w+?)(?:_bucket)?\{([^}]*)\}", expression):
            assert set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", inside)) <= known_labels()[name], expression
        grouped = set(re.findall(r"\w+", " ".join(re.findall(r"\bby \(([^)]*)\)", expression))))
        names = {re.sub(r"_(bucket|sum|count)$", "", name) for name in METRIC.findall(expression)}
        assert grouped <= set().union(*(known_labels().get(name, set()) for name in names)), expression


@pytest.mark.req("TA-ALERTS", "TA-RUNBOOK")
def test_every_rule_leads_to_a_chapter_of_the_runbook_that_names_it() -> None:
    chapters = {part.partition("\n")[0]: part for part in RUNBOOK.split("\n## ")}
    for rule in rules():
        chapter = chapters[rule["annotations"]["runbook"]]
        assert rule["alert"] in chapter or rule["alert"] in ("WebDown",), rule["alert"]
        assert rule["labels"]["severity"] in ("info", "warning", "critical")
    alerts = {rule["alert"] for rule in rules()}
    named = set(re.findall(r"`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`", RUNBOOK))
    assert named <= alerts, named - alerts


@pytest.mark.req("TA-ALERTS")
def test_the_thresholds_hold_on_samples() -> None:
    promtool = shutil.which("promtool") or shutil.which("promtool", path=Path(sys.executable).parent)
    if promtool is None:
        pytest.skip("no promtool: scripts/promtool.sh, or install the package prometheus")
    done = subprocess.run(
        [promtool, "test", "rules", "alerts.test.yaml"], cwd=DEPLOY, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.req("TA-ALERTS")
def test_every_rule_has_a_sample_that_raises_it_and_one_that_does_not() -> None:
    quiet, passed = (
        {entry["alertname"]: bool(entry.get("exp_alerts")) for entry in case["alert_rule_test"]}
        for case in yaml.safe_load((DEPLOY / "alerts.test.yaml").read_text())["tests"]
    )
    alerts = {rule["alert"] for rule in rules()}
    assert (set(quiet), set(quiet.values())) == (alerts, {False})
    assert (set(passed), set(passed.values())) == (alerts, {True})


# --- the runbook ---------------------------------------------------------------------------------


def commands() -> Iterator[str]:
    """Each `manage.py ...` of the runbook, its line breaks and code fences taken out."""
    flat = re.sub(r"\s+", " ", RUNBOOK)
    yield from dict.fromkeys(re.findall(r"`manage\.py ([^`]+)`", flat))


def spelled_out(command: str) -> Iterator[list[str]]:
    """The command without its optional parts, and with all of them; each placeholder a value of its kind."""
    for text in (re.sub(r"\[[^\]]*\]", "", command), command.replace("[", "").replace("]", "")):
        words = shlex.split(text.replace("...", ""))
        values = {**PLACEHOLDERS, "STATUS": STATUS_OF.get(words[0], "")}
        yield [values.get(word, word) for word in words]


@pytest.mark.req("TA-RUNBOOK")
@pytest.mark.parametrize("command", sorted(commands()))
def test_a_command_of_the_runbook_exists_and_takes_these_arguments(command: str) -> None:
    from catalogsku.core.periodic import CRON_TASKS, SWEEPS

    for name, *arguments in spelled_out(command):
        app = get_commands()[name]
        parser = load_command_class(app, name).create_parser("manage.py", name)
        parser.called_from_command_line = False
        try:
            given = parser.parse_args(arguments)
        except CommandError as error:
            pytest.fail(f"{name} {arguments}: {error}")
        if name == "sweep":
            assert set(given.names) <= set(SWEEPS)
        if name == "periodic":
            assert set(given.names) <= set(CRON_TASKS)


@pytest.mark.req("TA-RUNBOOK")
def test_every_chapter_says_sign_check_do_and_verify() -> None:
    chapters = {part.partition("\n")[0]: part for part in RUNBOOK.split("\n## ")[1:]}
    cases = {name: text for name, text in chapters.items() if "**Sign.**" in text}
    assert len(cases) >= 15
    for name, text in cases.items():
        assert re.findall(r"^\* \*\*(\w+)\.\*\*", text, re.M) == ["Sign", "Check", "Do", "Verify"], name
    for wanted in ("A worker died", "Redis is gone", "PostgreSQL is gone", "The disk is full", "A document takes long"):
        assert wanted in cases
    for name in ("Backing up and restoring", "A new version", "Changing secrets"):
        assert "**Verify.**" in chapters[name], name


@pytest.mark.req("TA-RUNBOOK")
def test_the_metrics_and_addresses_of_the_runbook_exist() -> None:
    from django.urls import resolve

    assert set(METRIC.findall(RUNBOOK)) <= set(known_labels())
    for address in set(re.findall(r"`(?:GET )?(/[a-z]+/?)`", RUNBOOK)):
        assert resolve(address)


def test_every_command_explains_itself_and_its_arguments() -> None:
    for name in ("doctor", "jobs", "pages", "reconcile", "uploads", "periodic", "sweep", "audit", "metrics"):
        command = load_command_class(get_commands()[name], name)
        assert command.help
        parser = command.create_parser("manage.py", name)
        own = [action for action in parser._actions if action.dest in _own(name)]
        assert own and all(action.help for action in own), (name, [action.dest for action in own if not action.help])


def _own(name: str) -> set[str]:
    found = {
        "jobs": {"job", "status", "held", "limit"}, "pages": {"job", "numbers", "status", "code", "limit", "stopped"},
        "uploads": {"upload", "limit"}, "periodic": {"names"}, "sweep": {"names"}, "metrics": {"listen"},
    }.get(name, set())  # fmt: skip
    return found if name == "metrics" else found | {"json"}
