"""Which models may be asked about documents now."""

from django.db.models import Q

from processing.llm import gate
from processing.llm.keys import SETTINGS, is_ready
from processing.llm.models import LanguageModel


def ready_providers() -> list[str]:
    """Those that have a key or need none. Asks no database: most installations have none of them."""
    return [provider for provider in SETTINGS if is_ready(provider)]


def available_models(*conditions: Q) -> list[LanguageModel]:
    """Those that are switched on for documents, have a key or need none, and are neither refused nor taken offline by
    their provider; only those of which the conditions hold."""
    models = _ready_models(*conditions)
    return gate.usable(models) if models else []


def _ready_models(*conditions: Q) -> list[LanguageModel]:
    if not (providers := ready_providers()):
        return []
    rows = LanguageModel.objects.in_service().filter(*conditions, provider__in=providers, shadow_only=False)
    return list(rows.order_by("pk"))


def why_none() -> str:
    """Where models have a key and none may be asked: the code of a provider's refusal, else ""."""
    models = _ready_models()
    return gate.refusal_of(models) if models else ""
