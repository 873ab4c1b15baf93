"""Products that text tells: labelled fields, sheets, sections, families with priced rows. Read extractor.py first."""
