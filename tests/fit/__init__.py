"""Fits what the analyst weighs: which of its proposals tells a page best, and how likely the page is right then.

``python -m tests.fit weights`` writes what ships, ``python -m tests.fit folds DIR`` the same without one maker each,
for ``manage.py evaluate --leave-one-maker-out``. docs/quality.md says from which catalogues.
"""
