"""Results: what people and programs see of a document's products."""
