"""What deploy/Containerfile describes, built without an engine, takes a document to its end as compose.yaml runs it.

Needs root, mmdebstrap, iproute2 and a network; some ten minutes.
IMAGE_DIR: where Debian is kept for another run.
"""

import json
import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from catalogsku.core import embedded
from tests.support.container import Image, build, contained

PROJECT = Path(__file__).resolve().parents[2]
DEPLOY = PROJECT / "deploy"
CONTAINERFILE = DEPLOY / "Containerfile"
SOCKETS = "/run/services"
UNITS = ("web", "live", "cpu", "llm", "out", "quick", "scheduler")
READY_WITHIN_S = 240
SETTINGS = {
    "SECRET_KEY": secrets.token_urlsafe(50),
    "ALLOWED_HOSTS": "localhost",
    "TRUSTED_PROXIES": "1",
    "SANDBOX_REQUIRED": "true",
}

pytestmark = [
    pytest.mark.long,
    pytest.mark.alone,
    pytest.mark.timeout(3000),
    pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("mmdebstrap"), reason="needs root and mmdebstrap"),
]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    kept = os.environ.get("IMAGE_DIR")
    return build(CONTAINERFILE, PROJECT, Path(kept) if kept else tmp_path_factory.mktemp("image"))


class Containers:
    """The services of compose.yaml, each in namespaces of its own; PostgreSQL and Redis by sockets from outside."""

    def __init__(self, image: Image, folder: Path) -> None:
        self.image, self.running = image, dict[str, subprocess.Popen[bytes]]()
        self.services: dict[str, dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
        self.var, self.files, self.folder = folder / "var", folder / "files", folder
        for place in (self.var, self.files):
            place.mkdir()
            os.chown(place, 10001, 10001)
        (image.root / SOCKETS.lstrip("/")).mkdir(exist_ok=True)
        self.outside = embedded.start(folder / "outside", durable=False)
        self.sockets = Path(self.outside.services.redis_url.removeprefix("unix://").partition("?")[0]).parent
        for path in (self.sockets, *self.sockets.rglob("*")):
            path.chmod(0o777)

    def program(self, name: str, command: list[str] | None = None) -> list[str]:
        service = self.services[name]
        environment = {
            **SETTINGS,
            **{k: v for k, v in service["environment"].items() if k not in ("DATABASE_URL", "REDIS_URL")},
            "DATABASE_URL": self.outside.services.database_url.partition("?")[0] + f"?host={SOCKETS}/pg",
            "REDIS_URL": f"unix://{SOCKETS}/redis.sock?db=0",
        }
        volumes = {"/var/lib/catalogsku": self.var, "/srv/files": self.files, SOCKETS: self.sockets}
        return contained(self.image, f"{name}-1", command or service.get("command", []), environment, volumes)

    def run(self, name: str, *command: str, beside: str = "") -> subprocess.CompletedProcess[str]:
        """To its end; in the network of the container ``beside`` where there is one."""
        program = self.program(name, list(command))
        if beside:
            program = [
                "nsenter",
                f"--net=/proc/{self.running[beside].pid}/ns/net",
                *(p for p in program if p != "--net"),
            ]
        return subprocess.run(program, capture_output=True, text=True, timeout=900)

    def start(self, name: str) -> None:
        with (self.folder / f"{name}.log").open("wb") as log:
            self.running[name] = subprocess.Popen(self.program(name), stdout=log, stderr=log)

    def stop(self) -> None:
        for process in self.running.values():
            process.send_signal(signal.SIGKILL)  # unshare's child, and with it all of its namespace, ends too
            process.wait(30)
        self.outside.stop()

    def words(self) -> str:
        return "\n".join(f"--- {f.name}\n{f.read_text(errors='replace')[-1500:]}" for f in self.folder.glob("*.log"))


@pytest.fixture(scope="module")
def containers(image: Image, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Containers]:
    containers = Containers(image, tmp_path_factory.mktemp("containers"))
    try:
        migrated = containers.run("migrate")
        assert migrated.returncode == 0, migrated.stdout[-1000:] + migrated.stderr[-3000:]
        for name in UNITS:
            containers.start(name)
        until_s = time.monotonic() + READY_WITHIN_S
        while (ready := asked(containers, "readyz")) != "200" and time.monotonic() < until_s:
            dead = [name for name, process in containers.running.items() if process.poll() is not None]
            assert not dead, f"{dead} ended\n{containers.words()}"
            time.sleep(1)
        assert ready == "200", containers.words()
        yield containers
    finally:
        containers.stop()


def asked(containers: Containers, path: str) -> str:
    """The status that the container's own check of health gets for ``path``, or why it gets none."""
    probe = " ".join(containers.services["web"]["healthcheck"]["test"][3:]).replace("healthz", path)
    said = containers.run(
        "web", "python", "-c", f"import urllib.request as u; print({probe.partition('; ')[2]}.status)", beside="web"
    )
    return said.stdout.strip() or said.stderr[-300:]


def test_a_document_gets_through(containers: Containers) -> None:
    done = containers.run(
        "cpu", "python", "manage.py", "extract", "--json", "--output", "/tmp/result.json", "samples/fasteners.pdf"
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:] + containers.words()
    (summary,) = json.loads(done.stdout[done.stdout.index("[") :])
    assert summary["status"] == "FULL_IMPORTED" and summary["skus"] > 0, summary


def test_doctor_finds_nothing_that_the_image_lacks(containers: Containers) -> None:
    done = containers.run("cpu", "python", "manage.py", "doctor", "--json")
    findings = json.loads(done.stdout[done.stdout.index("[") :])
    wrong = [f for f in findings if f["level"] != "ok"]
    assert not [f for f in wrong if f["level"] == "error"], wrong
    assert {f["level"] for f in findings if f["name"] in ("sandbox", "ocr", "fonts", "python")} == {"ok"}, wrong
