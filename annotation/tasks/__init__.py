"""Tasks: pages that wait for a person, who holds them, and what becomes of the page when they end."""
