"""Tables of products: header, judgement, rows. Read extractor.py first."""
