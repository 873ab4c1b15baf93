"""Template tags that every screen uses."""
