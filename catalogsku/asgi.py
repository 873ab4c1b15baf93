"""Entry point of the web process: HTTP by Django, websockets by Channels behind the same session and host check."""

import gc
import os

import django
from asgiref.sync import sync_to_async

gc.disable()  # until all is loaded, as catalogsku/loaded.py does it
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogsku.settings")
os.environ.setdefault("CATALOGSKU_UNIT", "web")
django.setup()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import SessionMiddlewareStack  # noqa: E402
from django.core.handlers.asgi import ASGIHandler  # noqa: E402
from django.http import HttpRequest  # noqa: E402
from django.http.response import HttpResponseBase  # noqa: E402
from django.urls import get_resolver, path, re_path  # noqa: E402

from annotation.workbench.consumers import WorkConsumer  # noqa: E402
from catalogsku.accounts.origin import SameOrigin  # noqa: E402
from catalogsku.core.counting import CountSockets  # noqa: E402
from catalogsku.core.messages import load_actors  # noqa: E402
from catalogsku.core.nowhere import nowhere  # noqa: E402
from ingestion.consumers import JobConsumer  # noqa: E402
from processing.studies.consumers import StudyConsumer  # noqa: E402


class InOneThread(ASGIHandler):
    """A request goes through all middleware and its view in one thread, in one go: nothing in them is asynchronous.

    Django's own goes to the thread and back for each middleware: 3 of the 12 ms that /healthz took over HTTP.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response)(request)


websocket_routes = [
    path("ws/jobs/<uuid:job>/", JobConsumer.as_asgi(), name="ws_job"),
    path("ws/studies/<uuid:job>/", StudyConsumer.as_asgi(), name="ws_study"),
    path("ws/work/", WorkConsumer.as_asgi(), name="ws_work"),
    re_path("", nowhere),  # type: ignore[arg-type]  # as the others, by Channels and not by Django
]

get_resolver().url_patterns  # noqa: B018 -- all views: the first request need not wait for them
load_actors()  # nor the first that sends a message
application = ProtocolTypeRouter(
    {"http": InOneThread(), "websocket": CountSockets(SameOrigin(SessionMiddlewareStack(URLRouter(websocket_routes))))}
)
gc.enable()
gc.freeze()  # what is loaded stays: nothing among it is looked for as garbage any more
