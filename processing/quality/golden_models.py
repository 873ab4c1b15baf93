"""What `evaluate` says and refuses where models are asked, recorded or replayed."""

from typing import Any

from django.core.management.base import CommandError

from catalogsku.core.errors import Refused
from catalogsku.profiles.models import PromptVersion
from processing.llm.keys import SETTINGS
from processing.llm.recorded import AnswerFolder, Recording, Replay
from processing.quality.services.asking import PromptAsker, Routing

REFUSALS = {
    "no_model": f"No model can be asked: set {', '.join(SETTINGS.values())} or OPENAI_BASE_URL, or enable a model.",
    "prompt_of_documents": "This prompt is asked about documents; golden sets judge pages.",
    "model_busy": "The models stayed busy for half an hour; the answers so far are kept for the next run.",
    "no_recording": "no_recording: the folder of --replay holds no recording; `evaluate --record` makes one.",
    "recording_unreadable": "recording_unreadable: {file} is no answer that `evaluate --record` wrote.",
}


def refusal(refused: Refused) -> CommandError:
    return CommandError(REFUSALS[refused.code].format(**refused.params), returncode=2)


def answers_of(options: dict[str, Any]) -> Recording | Replay | None:
    try:
        if options["record"]:
            return Recording(options["record"])
        return Replay(options["replay"]) if options["replay"] else None
    except Refused as refused:
        raise refusal(refused) from refused


def asker_of(prompt: PromptVersion | None, answers: AnswerFolder | None, routing: Routing) -> PromptAsker:
    try:
        return PromptAsker(prompt, answers, routing)
    except Refused as refused:
        raise refusal(refused) from refused


def refuse_unmeasured(prompt: PromptVersion | None, asker: PromptAsker | None, answers: AnswerFolder | None) -> None:
    if isinstance(answers, Replay) and answers.missing:
        missing = len(answers.missing)
        total = missing + len(answers.answered)
        message = f"not_recorded: {missing} of {total} questions have no recorded answer; record them with a key first."
        raise CommandError(message, returncode=2)
    if asker is not None and not asker.is_measured:
        named = prompt or "the active prompts"
        message = f"Models answered {asker.answered} of {asker.asked} questions with {named}: that measures nothing."
        raise CommandError(message, returncode=2)


def asked_versions(prompt: PromptVersion | None, asker: PromptAsker) -> dict[str, str]:
    return {
        "prompt": f"{prompt.key}@{prompt.version}" if prompt else "active",
        "models": ", ".join(model.name for model in asker.models),
        "answered": f"{asker.answered} of {asker.asked}",
        "routing": asker.routing,
    }
