"""Imports: the ledger by which every SKU reaches its target exactly once, and the targets."""
