"""Nothing is kept without a rule: every table and every folder of storage says for how long (TA-CLEAN)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.checks import run_checks

from ingestion.keeping import policies
from ingestion.keeping.models import KeepingRule
from ingestion.keeping.policies import DEFAULT_DAYS, FOLDERS, POLICIES, Kind, Policy, check_policies, folder_of

pytestmark = [pytest.mark.req("TA-CLEAN", "TA-KEEP")]
PROJECT = Path(__file__).resolve().parents[2]
STORES = {"put_file", "link_file"}


def test_every_model_has_its_rule_and_the_check_is_one_of_djangos() -> None:
    assert check_policies() == []
    assert not [message for message in run_checks() if message.id and message.id.startswith("keeping.")]


def test_a_model_without_a_rule_a_rule_without_a_model_and_a_wrong_column_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without = {label: policy for label, policy in POLICIES.items() if label != "annotation.draft"}
    wrong = {"ingestion.page": Policy(Kind.RESULTS, files=("nowhere",)), "ingestion.ghost": Policy(Kind.RESULTS)}
    monkeypatch.setattr(policies, "POLICIES", {**without, **wrong})
    said = {(message.id, message.msg) for message in run_checks() if str(message.id).startswith("keeping.")}
    assert said == {
        ("keeping.E001", "annotation.draft has no rule for how long it is kept."),
        ("keeping.E002", "There is a rule for ingestion.ghost, which is no model."),
        ("keeping.E003", "ingestion.page has no column nowhere, of which its rule speaks."),
    }


def storing() -> Iterator[str]:
    """Modules that put files into storage."""
    for app in ("catalogsku", "ingestion", "processing", "annotation"):
        for file in sorted((PROJECT / app).rglob("*.py")):
            calls = (node.func for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call))
            names = {getattr(func, "attr", getattr(func, "id", "")) for func in calls}
            if names & STORES and file.stem != "storage":
                yield ".".join(file.relative_to(PROJECT).with_suffix("").parts)


def test_whoever_stores_files_says_where_and_for_how_long() -> None:
    said = {module for folder in FOLDERS.values() for module in folder.made_by}
    assert said == set(storing())


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("uploads/6f9619ff.part", Kind.STATE),
        ("m7/ab/abcd/source.pdf", Kind.SOURCES),
        ("m7/ab/abcd/copy-0123456789abcdef.pdf", Kind.SOURCES),
        ("m7/ab/abcd/0123456789abcdef/1-page.webp", Kind.RESULTS),
        ("m7/ab/abcd/traces/0f.trace", Kind.TRACES),
        ("m7/exports/6f9619ff.csv", Kind.EXPORTS),
        ("m7/secret/notes.txt", None),
        ("elsewhere.txt", None),
    ],
)
def test_a_file_is_of_one_kind_or_unknown(name: str, kind: Kind | None) -> None:
    folder = folder_of(name)
    assert (folder.kind if folder else None) == kind


def test_every_kind_with_days_has_its_column() -> None:
    columns = {field.name for field in KeepingRule._meta.concrete_fields if field.name.endswith("_days")}
    assert columns == {f"{kind}_days" for kind in DEFAULT_DAYS}
