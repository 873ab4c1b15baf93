"""Quality: golden sets measured, their reports kept, shown and compared."""
