"""Template tags of the queue."""
