"""What a job freezes at its creation (TA-ADR11), and how a version becomes the active one."""

from catalogsku.profiles.services.activation import activate, record_verdict
from catalogsku.profiles.services.dictionaries import (
    categories_above,
    dictionaries_for,
    dictionary_of,
    draft_of,
    set_dictionary,
    with_word,
    words_in,
)
from catalogsku.profiles.services.profiles import (
    BASE_CATEGORY,
    DEFAULT_PROFILE,
    activate_profile,
    active_versions,
    append_profile,
    find_profile,
    get_profile,
    profile_for,
    schema_for,
    work_rules,
)
from catalogsku.profiles.services.prompts import find_prompt, prompts_for, routing_now, texts_of
from catalogsku.profiles.services.trials import end_trial, promote_trial, start_trial

__all__ = [
    "BASE_CATEGORY",
    "DEFAULT_PROFILE",
    "activate",
    "activate_profile",
    "active_versions",
    "append_profile",
    "categories_above",
    "dictionaries_for",
    "dictionary_of",
    "draft_of",
    "end_trial",
    "find_profile",
    "find_prompt",
    "get_profile",
    "profile_for",
    "promote_trial",
    "prompts_for",
    "record_verdict",
    "routing_now",
    "schema_for",
    "set_dictionary",
    "start_trial",
    "texts_of",
    "with_word",
    "words_in",
    "work_rules",
]
