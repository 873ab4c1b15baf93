"""Targets of imports: the port, what answers mean, the local one and those behind HTTP."""
