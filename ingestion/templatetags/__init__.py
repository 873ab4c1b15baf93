"""Template tags of the documents and job pages."""
