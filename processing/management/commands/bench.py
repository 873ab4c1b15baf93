"""`manage.py bench`: the benchmark stands beside the tests, and nothing of the product imports it; this is its name."""

from django.utils.module_loading import import_string

Command = import_string("tests.bench.command.Command")
