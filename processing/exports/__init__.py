"""Exports: files of SKUs that people and programs ask for, their layouts and formats."""
