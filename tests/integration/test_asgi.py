"""A request on its way through the web process."""

from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path
from django.utils import deprecation


def view(request: HttpRequest) -> HttpResponse:
    return HttpResponse("there")


urlpatterns = [path("", view)]


@pytest.mark.django_db
@override_settings(
    ROOT_URLCONF=__name__,
    MIDDLEWARE=["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware"],
)
async def test_no_middleware_goes_to_the_loop_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    from catalogsku.asgi import InOneThread

    ways: list[object] = []
    there = deprecation.sync_to_async  # type: ignore[attr-defined]
    monkeypatch.setattr(deprecation, "sync_to_async", lambda *a, **o: ways.append(a) or there(*a, **o))
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [(b"host", b"testserver")]}
    communicator = ApplicationCommunicator(InOneThread(), scope)  # type: ignore[no-untyped-call]
    await communicator.send_input({"type": "http.request", "body": b""})
    start: dict[str, Any] = await communicator.receive_output(5)
    body: dict[str, Any] = await communicator.receive_output(5)

    assert (start["status"], body["body"]) == (200, b"there")
    assert not ways
