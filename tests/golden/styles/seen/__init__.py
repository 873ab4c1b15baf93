"""Styles that the authors of rules may look at."""
