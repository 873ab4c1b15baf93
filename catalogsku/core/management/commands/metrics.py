"""`manage.py metrics`: what /metrics serves, for a look; --listen serves a machine that runs workers and no web."""

import ipaddress
from argparse import ArgumentParser, ArgumentTypeError
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from catalogsku.core.scrape import everything, has_token, machine_exposition


def address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise ArgumentTypeError(f"{text!r} is not HOST:PORT")
    return host or "127.0.0.1", int(port)


class Command(BaseCommand):
    help = (
        "Prints the metrics of this machine's processes and of the database in the Prometheus text format."
        " --listen serves those of the processes alone, on a machine without a web process."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--listen", type=address, metavar="HOST:PORT", help="serve /metrics there until stopped")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["listen"] is None:
            self.stdout.write(everything().decode(), ending="")
            return
        host, port = options["listen"]
        if not settings.METRICS_TOKEN and not _is_loopback(host):
            raise CommandError(f"{host} can be reached by others: set METRICS_TOKEN, or listen on 127.0.0.1.")
        try:
            server = ThreadingHTTPServer((host, port), Scrape)
        except OSError as error:
            raise CommandError(f"Cannot listen on {host}:{port}: {error.strerror}.") from error
        with server:
            self.stdout.write(f"http://{host}:{server.server_port}/metrics")
            self.stdout.flush()
            server.serve_forever()


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Scrape(BaseHTTPRequestHandler):
    """One address, for whoever has the token where there is one."""

    def do_GET(self) -> None:
        if self.path.partition("?")[0] != "/metrics":
            self.send_error(404)
        elif settings.METRICS_TOKEN and not has_token(self.headers.get("Authorization", "")):
            self.send_error(401)
        else:
            body = machine_exposition()
            self.send_response(200)
            self.send_header("Content-Type", CONTENT_TYPE_PLAIN_0_0_4)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """A scrape every few seconds is no news."""
