"""The workbench: one task as its holder works on it, live, with the commands of people."""
