"""A trial of a prompt version: past the gate, on a share of new jobs, then promoted or ended (X-CANARY)."""

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from catalogsku.accounts.models import User
from catalogsku.core.errors import Refused
from catalogsku.profiles.asking import changing
from catalogsku.profiles.models import PromptExperiment, PromptVersion
from catalogsku.profiles.services.activation import activate, pass_gate

State = PromptExperiment.State


def start_trial(trial: PromptExperiment, by: User | None, override: str = "") -> None:
    """New jobs are dealt out from now on. Raises Refused where the version does not pass the gate, or another trial of
    the prompt runs."""
    try:
        with transaction.atomic():
            row = _in(trial, State.PLANNED)
            if (
                row.control_id == row.trial_id
                or not PromptVersion.objects.filter(pk=row.control_id, active=True).exists()
            ):
                raise Refused("gate_trial_inactive_control", prompt=row.key)
            pass_gate(row.trial, by, override)
            with changing(by, override):
                _into(row, State.RUNNING, started_at=Now())
    except IntegrityError as error:
        raise Refused("gate_trial_twice", prompt=trial.key) from error


@transaction.atomic
def end_trial(trial: PromptExperiment, reason: str) -> None:
    """All new jobs get the control again; jobs that have the trial keep it. Raises Refused where it had ended."""
    _into(_in(trial, State.PLANNED, State.RUNNING), State.STOPPED, ended_at=Now(), reason=reason[:200])


@transaction.atomic
def promote_trial(trial: PromptExperiment, by: User | None, override: str = "") -> None:
    """The trial's version becomes the active one, if it still passes the gate. Raises Refused."""
    row = _in(trial, State.RUNNING)
    with changing(by, override):
        _into(row, State.PROMOTED, ended_at=Now())
    activate(row.trial, by, override)


def _in(trial: PromptExperiment, *states: State) -> PromptExperiment:
    """The row, locked."""
    row = PromptExperiment.objects.select_for_update(of=("self",)).select_related("trial").get(pk=trial.pk)
    if row.state not in states:
        raise Refused("gate_trial_state", trial=row.name, state=row.get_state_display())
    return row


def _into(row: PromptExperiment, state: State, **changes: object) -> None:
    PromptExperiment.objects.filter(pk=row.pk).update(state=state, **changes)
