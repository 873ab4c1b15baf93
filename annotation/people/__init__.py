"""People: how fast and how right annotators work, golden pages, second looks, and what their corrections teach."""
