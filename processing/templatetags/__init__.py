"""Template tags of the results."""
