"""Proposals: attributes that people confirmed often, offered to their category's schema."""
