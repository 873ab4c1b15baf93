"""Products: SKUs and pictures as they were read, their revisions, and what people decided of them."""
