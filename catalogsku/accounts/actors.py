"""Periodic work about people and keys."""

from catalogsku.accounts import tidying
from catalogsku.core.keys import note_keys
from catalogsku.core.periodic import cron, sweep
from catalogsku.core.tidying import clear_log_parts


@cron("access", "7 2 * * *")
def clear_old_access_every_night() -> dict[str, int]:
    return tidying.clear_old_access()


@sweep("keys", every_s=600)
def note_keys_in_use() -> int:
    return note_keys()


@sweep("log_parts", every_s=3600)
def clear_log_parts_every_hour() -> int:
    """Of this machine."""
    return clear_log_parts()
