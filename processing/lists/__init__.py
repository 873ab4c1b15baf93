"""Lists of products: the columns that a person has chosen, what they are sorted and filtered by."""
