"""Webhooks: events that other systems are told of, signed, in order, and again where they were away."""
