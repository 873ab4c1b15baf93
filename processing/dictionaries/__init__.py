"""Words of merchants: tried on stored pages before they are saved, read from files, and found in what was not known."""
