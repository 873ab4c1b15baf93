#!/usr/bin/env python3
"""Entry to every command: `manage.py run`, `extract`, `doctor`, and Django's own."""

import gc
import os
import sys


def main() -> None:
    gc.set_threshold(20_000)  # a start makes objects that stay: looking through them at every 700 is a quarter of it
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogsku.settings")
    try:
        from django.core.management import execute_from_command_line
    except ModuleNotFoundError:
        sys.exit("Django is not installed for this Python. Run `make run`, or use .venv/bin/python manage.py.")
    try:
        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:
        sys.exit(130)  # what a shell expects after Ctrl-C; what was started has been stopped on the way out


if __name__ == "__main__":
    main()
