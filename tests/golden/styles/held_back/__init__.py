"""Styles that are measured and not looked at while rules are written."""
