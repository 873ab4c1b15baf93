"""Keys of the providers: from the environment, or from a file that is read again once it changes (LA-KEYROT)."""

import json

from django.conf import settings
from django.utils.crypto import salted_hmac

from catalogsku.core.secret_files import secrets_in
from processing.llm.models import LanguageModel
from processing.llm.providers import provider_named

# Provider -> the setting that holds its key; with _FILE behind it the one that names a file.
SETTINGS: dict[str, str] = {name: place["key"] for name, place in settings.MODEL_PROVIDERS.items()}


def is_ready(provider: str) -> bool:
    """Whether its models may be asked: a key is set, or it needs none."""
    return bool(key_for(provider)) or not provider_named(provider).needs_key


def key_for(provider: str) -> tuple[str, ...]:
    """The valid keys, the newest (the file's first line) first; empty where there is none.

    While keys are changed two are valid: where one is refused, the next is tried.
    """
    name = SETTINGS[provider]
    if path := getattr(settings, f"{name}_FILE"):
        return secrets_in(path)
    key: str = getattr(settings, name)
    return (key,) if key else ()


def mark_of(model: LanguageModel) -> str:
    """Changes with the model's row, its provider's keys and their address; tells nothing of the keys."""
    row = [getattr(model, field.attname) for field in model._meta.concrete_fields]
    configuration = [row, key_for(model.provider), settings.MODEL_PROVIDERS[model.provider]]
    mark = salted_hmac("processing.llm.keys", json.dumps(configuration, default=str), algorithm="sha256")
    return mark.hexdigest()[:16]
