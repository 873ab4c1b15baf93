"""/healthz and /readyz: alive, ready, degraded or not, cheaply and without secrets."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalogsku.core import facts, health
from tests.support.rows import make_worker

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def looks_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(health, "current_health", health.Kept(lambda: health.look()))
    monkeypatch.setattr(health, "_all_applied", False)
    monkeypatch.setattr(facts, "disk_ratios", lambda: {"storage": 0.5, "var": 0.5})
    return


def ready() -> tuple[int, dict[str, Any]]:
    response = Client().get("/readyz")
    assert response["Content-Type"] == "application/json" and response["Cache-Control"] == "no-store"
    return response.status_code, response.json()


def all_units() -> None:
    for unit in facts.UNITS:
        make_worker(unit)


@pytest.mark.req("TA-MET")
def test_is_alive_without_asking_the_database() -> None:
    with CaptureQueriesContext(connection) as asked:
        response = Client().get("/healthz")
    assert (response.status_code, response.json(), len(asked)) == (200, {"status": "ok"}, 0)


def test_is_ready_with_its_figures() -> None:
    all_units()
    status, body = ready()
    assert (status, body["status"]) == (200, "ready")
    assert {check["state"] for check in body["checks"].values()} == {"ok"}
    assert body["workers"] == {"cpu": 1, "llm": 1, "out": 1, "quick": 1}
    assert body["disk_usage_ratio"] == {"storage": 0.5, "var": 0.5}


@pytest.mark.parametrize("missing", ["redis", "workers", "disk"])
def test_goes_on_without_what_it_can_do_without(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    all_units()
    if missing == "redis":
        monkeypatch.setattr(facts, "queue_lengths", lambda: None)
    elif missing == "disk":
        monkeypatch.setattr(facts, "disk_ratios", lambda: {"storage": 0.96, "var": 0.96})
    else:
        from catalogsku.core.models import Worker

        Worker.objects.filter(unit="cpu").delete()
    status, body = ready()
    assert (status, body["status"]) == (200, "degraded")
    assert [name for name, check in body["checks"].items() if check["state"] != "ok"] == [missing]
    assert body["checks"][missing]["reason"]


def test_is_not_ready_without_its_database(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OperationalError('connection to "db.example.org" as user catalogsku, password hunter2')

    monkeypatch.setattr(health.transaction, "atomic", away)
    monkeypatch.setattr(health.connection, "close", lambda: None)
    status, body = ready()
    assert (status, body["status"]) == (503, "not_ready")
    assert body["checks"]["database"] == {"state": "failed", "reason": "PostgreSQL does not answer"}
    assert "hunter2" not in str(body) and "example.org" not in str(body)


def test_is_not_ready_while_migrations_wait() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'core'")
    status, body = ready()
    assert (status, body["checks"]["migrations"]["state"]) == (503, "failed")


def test_a_crowd_of_probes_costs_one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, clock_s = [], [100.0]
    monkeypatch.setattr(health, "time", SimpleNamespace(monotonic=lambda: clock_s[0]))
    monkeypatch.setattr(health, "look", lambda: looks.append(1) or health.Health({"database": {"state": "ok"}}))
    for _ in range(20):
        ready()
    assert len(looks) == 1
    clock_s[0] += health.KEPT_S + 0.1
    ready()
    assert len(looks) == 2


def test_a_request_has_one_id_in_its_answer_and_whatever_reads_it() -> None:
    own = Client().get("/healthz")["X-Request-ID"]
    assert len(own) == 36
    assert Client().get("/healthz")["X-Request-ID"] != own
    assert (
        Client().get("/healthz", headers={"X-Request-ID": "from-the-proxy-17"})["X-Request-ID"] == "from-the-proxy-17"
    )
    for bad in ("short", "x" * 65, "a b c d e f g h", 'quote"and\\more'):
        assert Client().get("/healthz", headers={"X-Request-ID": bad})["X-Request-ID"] != bad
    found = Client().post("/uploads/", headers={"X-Request-ID": "from-the-proxy-18"})
    assert found["X-Request-ID"] == "from-the-proxy-18"


@pytest.mark.parametrize("address", ["/healthz", "/readyz", "/metrics"])
def test_plain_http_from_inside_is_not_sent_to_https(settings: Any, address: str) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get(address).status_code in (200, 503)
    assert Client().get("/login/").status_code == 301
