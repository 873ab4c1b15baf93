"""Versions behind the gate become active only with a report on golden sets that passes, or a reason (GR-GATE)."""

from collections.abc import Sequence
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import Refused
from catalogsku.profiles.asking import changing
from catalogsku.profiles.gate import refusal_of
from catalogsku.profiles.models import Activation, PromptActivation, PromptExperiment, PromptVersion, ThresholdProfile


def record_verdict(row: ThresholdProfile | PromptVersion, report: UUID, failed: Sequence[str]) -> None:
    """What a stored report says of the version, in the caller's transaction; ``failed``: figures below their limit."""
    row.verdicts.create(report=report, passed=not failed, failed=list(failed))


@transaction.atomic
def activate(
    row: ThresholdProfile | PromptVersion, by: User | None, override: str = ""
) -> Activation | PromptActivation:
    """Make this version of a threshold profile or prompt, new or old, the active one of its key.

    Raises Refused where its report on golden sets fails or is missing, unless an administrator gives a reason to
    override that; the refusal and the reason are kept with the activation. Refused too while the prompt is on trial,
    and what has a fault by today's schema, whoever asks; a profile that lacks a figure is completed with its default.
    """
    rows = type(row)._default_manager.filter(key=row.key)
    list(rows.select_for_update().order_by("pk"))  # one activation of a key at a time
    if isinstance(row, PromptVersion) and PromptExperiment.objects.filter(key=row.key, state="running").exists():
        raise Refused("gate_trial_running", prompt=row.key)
    passed = pass_gate(row, by, override)
    with changing(by, override):
        rows.filter(active=True).exclude(pk=row.pk).update(active=False)
        whole = row.lacking() if isinstance(row, ThresholdProfile) else {}
        rows.filter(pk=row.pk).update(active=True, **whole)
    row.active = True
    return passed


def _refuse_faults(row: ThresholdProfile | PromptVersion) -> None:
    """An older version may have stored what no form takes any more."""
    faults: list[ValidationError] = []
    if isinstance(row, ThresholdProfile):
        errors_of_figures = (error for errors in row.faults().values() for error in errors)
        faults = [error for error in errors_of_figures if error.code not in ("missing", "unknown")]
    else:
        try:
            row.clean()
        except ValidationError as error:
            faults = [error]
    if faults:
        why = " ".join(message for error in faults for message in error.messages)
        raise Refused("gate_figures", profile=str(row), why=why)


def pass_gate(row: ThresholdProfile | PromptVersion, by: User | None, override: str) -> Activation | PromptActivation:
    """The activation row that says how the version came past the gate. Raises Refused, also for faults in the row."""
    _refuse_faults(row)
    refused = refusal_of(row)
    if refused is not None:
        if not override.strip():
            raise refused
        if by is None or not may(by, Action.OPERATE):
            raise Refused("gate_override_forbidden")
    return row.activations.create(
        by=by, refusal=refused.code if refused else "", override=override.strip() if refused else ""
    )
