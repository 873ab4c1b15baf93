"""Figures of days: what came in, what went out and by whom, what people did and what models cost, kept for good."""
