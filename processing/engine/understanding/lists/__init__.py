"""Headings over lists of facts. Read extractor.py first."""
