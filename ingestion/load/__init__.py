"""Load for an installation of one's own: drawn documents through its REST API, within bounds, and their times."""
