"""Prompts and routes as a job freezes them, and the texts of what it has frozen."""

from collections.abc import Collection
from functools import lru_cache
from uuid import UUID

from catalogsku.profiles.models import PromptExperiment, PromptVersion, RoutingTable
from catalogsku.profiles.trials import arm_of, bucket_of
from catalogsku.profiles.wording import rules_before

DEFAULT_ROUTING = "default"


def routing_now() -> RoutingTable:
    return RoutingTable.objects.get(key=DEFAULT_ROUTING, active=True)


def prompts_for(job: UUID, questions: Collection[str]) -> tuple[dict[str, int], str]:
    """Key of each prompt to the id of its version for a new job that asks these questions, and the job's bucket: the
    arms of the running trials that it is in (LA-PROMPT, X-CANARY)."""
    keys = {*questions, *map(rules_before, questions)}
    chosen = dict(PromptVersion.objects.filter(active=True, key__in=keys).values_list("key", "pk"))
    running = PromptExperiment.objects.filter(state=PromptExperiment.State.RUNNING, key__in=keys).select_related(
        "trial"
    )
    arms = {trial.pk: arm_of(trial.name, job, trial.share) for trial in running}
    for trial in running:
        chosen[trial.key] = trial.trial_id if arms[trial.pk] == "trial" else trial.control_id
    return chosen, bucket_of(arms)


def find_prompt(name: str) -> PromptVersion:
    """``KEY`` names the active version, ``KEY@VERSION`` any. Raises PromptVersion.DoesNotExist."""
    key, _, version = name.partition("@")
    if not version:
        return PromptVersion.objects.get(key=key, active=True)
    if not version.isdecimal() or len(version) > 9:
        raise PromptVersion.DoesNotExist(name)
    return PromptVersion.objects.get(key=key, version=int(version))


@lru_cache(maxsize=512)
def texts_of(pk: int) -> tuple[int, dict[str, str]]:
    """(version, text by language) of a prompt version; rows never change. Raises PromptVersion.DoesNotExist."""
    row = PromptVersion.objects.get(pk=pk)
    return row.version, {"zh": row.text_zh, "en": row.text_en}
