"""Profiles, schemas, prompts and routes in the admin."""

from catalogsku.profiles.admin import profiles, prompts

__all__ = ["profiles", "prompts"]
