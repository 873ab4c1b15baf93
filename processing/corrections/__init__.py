"""Corrections: a page as a person left it becomes rows, and is put back where that is reverted."""
