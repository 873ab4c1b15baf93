"""Which models may be asked about documents now."""

from django.db.models import Q

from processing.llm import gate
from processing.llm.keys import is_ready
from processing.llm.models import LanguageModel


def available_models(*conditions: Q) -> list[LanguageModel]:
    """Those that are switched on for documents, have a key or need none, and are neither refused nor taken offline by
    their provider; only those of which the conditions hold."""
    return gate.usable(_ready_models(*conditions))


def _ready_models(*conditions: Q) -> list[LanguageModel]:
    rows = LanguageModel.objects.in_service().filter(*conditions, shadow_only=False).order_by("pk")
    return [model for model in rows if is_ready(model.provider)]


def why_none() -> str:
    """Where models have a key and none may be asked: the code of a provider's refusal, else ""."""
    return gate.refusal_of(_ready_models())
