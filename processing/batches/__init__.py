"""Batches of questions that are not urgent: closed, sent, looked at, and their pages brought on."""
