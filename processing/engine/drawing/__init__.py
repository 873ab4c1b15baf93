"""Drawing on demand: pages as models are shown them, and parts of pages that are looked at again."""
