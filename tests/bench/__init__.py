"""What `manage.py bench` measures: the product's speed beside the bare library calls on the same file, in one run."""
