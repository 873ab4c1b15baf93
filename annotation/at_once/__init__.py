"""Corrections at once: who reads the results puts one value right, where the merchant allows it."""
