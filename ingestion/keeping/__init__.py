"""Keeping and deleting: how long what is kept, what goes when somebody asks for it, and the proof that it is gone."""
