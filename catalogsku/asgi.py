"""Entry point of the web process: HTTP by Django, websockets by Channels behind the same session and host check."""

import gc
import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogsku.settings")
os.environ.setdefault("CATALOGSKU_UNIT", "web")
http = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import SessionMiddlewareStack  # noqa: E402
from django.db import connections  # noqa: E402
from django.urls import get_resolver, path  # noqa: E402

from annotation.consumers import WorkConsumer  # noqa: E402
from catalogsku.accounts.origin import SameOrigin  # noqa: E402
from catalogsku.core.counting import CountSockets  # noqa: E402
from ingestion.consumers import JobConsumer  # noqa: E402

websocket_routes = [
    path("ws/jobs/<uuid:job>/", JobConsumer.as_asgi(), name="ws_job"),
    path("ws/work/", WorkConsumer.as_asgi(), name="ws_work"),
]

connections.settings["default"]["CONN_MAX_AGE"] = 0  # each request has a thread, and a connection, of its own
get_resolver().url_patterns  # noqa: B018 -- all views: the first request need not wait for them
application = ProtocolTypeRouter(
    {"http": http, "websocket": CountSockets(SameOrigin(SessionMiddlewareStack(URLRouter(websocket_routes))))}
)
gc.freeze()  # what is loaded stays: nothing among it is looked for as garbage any more
