"""Shadows: a second reader, prompt or model that looks at a share of the pages, for comparison only."""
