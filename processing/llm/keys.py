"""Keys of the providers: from the environment, or from a file that is read again once it changes (LA-KEYROT)."""

from django.conf import settings

from catalogsku.core.secret_files import secrets_in

SETTINGS = {"gemini": "GEMINI_API_KEY", "qwen": "DASHSCOPE_API_KEY"}


def key_for(provider: str) -> tuple[str, ...]:
    """The valid keys, the newest (the file's first line) first; empty where there is none.

    While keys are changed two are valid: where one is refused, the next is tried.
    """
    name = SETTINGS[provider]
    if path := getattr(settings, f"{name}_FILE"):
        return secrets_in(path)
    key: str = getattr(settings, name)
    return (key,) if key else ()
