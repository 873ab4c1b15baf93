"""Who answers a prompt: one file a vendor, whose SDK is imported nowhere else and not before the first question."""

from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

from processing.llm.providers.port import Provider


@cache
def provider_named(name: str) -> Provider:
    """The one that the setting MODEL_PROVIDERS names, made once a process. Raises KeyError for one that it does not."""
    place = settings.MODEL_PROVIDERS[name]
    made: Provider = import_string(place["class"])(place["base_url"])
    return made
