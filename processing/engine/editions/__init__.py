"""A later edition beside an earlier one: which pages are the same, which products were added, changed or removed."""
