"""The catalogue: a merchant's products over all documents, searched, filtered and compared."""
