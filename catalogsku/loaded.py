"""All of the product in memory, for the processes that are forked from one that has imported this."""

import gc
import importlib
import os

import django
from django.conf import settings

from catalogsku.core.messages import load_actors

gc.disable()  # nothing of what is loaded is garbage: looking for it again and again is a sixth of the time
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogsku.settings")
django.setup()
importlib.import_module(settings.ROOT_URLCONF)  # and with it every view
load_actors()  # once, for all units: what is loaded here they share
gc.enable()
gc.freeze()  # nothing among it is looked for as garbage: looking would copy the memory that forked processes share
