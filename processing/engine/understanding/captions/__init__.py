"""Pictures with the lines printed at them. Read extractor.py first."""
