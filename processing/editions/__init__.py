"""Editions: documents that take the place of earlier ones, what they change, and what of it goes out."""
