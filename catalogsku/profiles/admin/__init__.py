"""Profiles, schemas, prompts and routes in the admin."""

from catalogsku.profiles.admin import configuration, profiles, prompts

__all__ = ["configuration", "profiles", "prompts"]
