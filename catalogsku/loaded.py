"""All of the product in memory, for the processes that are forked from one that has imported this."""

import gc
import importlib
import os

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogsku.settings")
django.setup()
importlib.import_module(settings.ROOT_URLCONF)  # and with it every view
gc.freeze()  # nothing among it is looked for as garbage: looking would copy the memory that forked processes share
