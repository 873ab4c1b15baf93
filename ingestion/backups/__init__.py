"""Backups of an installation, whole or not at all, and what brings one back (docs/runbook.md)."""
