"""An object store that speaks S3 over loopback (moto's server), in a process of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages

from catalogsku.core.embedded.identity import command
from catalogsku.core.object_storage import ObjectStorage

BUCKET = "catalogues"
KEYS = {"AWS_ACCESS_KEY_ID": "made-up", "AWS_SECRET_ACCESS_KEY": "made-up-too"}  # not-a-secret


@dataclass
class Store:
    """``stop`` loses everything in it."""

    port: int
    process: "subprocess.Popen[bytes] | None" = field(default=None, repr=False)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def url(self, prefix: str = "shop") -> str:
        return f"s3://{BUCKET}/{prefix}?endpoint={self.endpoint}"

    def start(self) -> None:
        program = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        self.process = subprocess.Popen(
            command("same", signal.SIGKILL, program),
            cwd="/",
            env={"PATH": os.environ.get("PATH", "")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until_s = time.monotonic() + 60
        while True:
            try:
                made = urllib.request.Request(f"{self.endpoint}/{BUCKET}", method="PUT")
                urllib.request.urlopen(made, timeout=5).close()
                return
            except (OSError, urllib.error.URLError):
                assert time.monotonic() < until_s and self.process.poll() is None, "the object store does not start"
                time.sleep(0.1)

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(20)
            self.process = None


@contextmanager
def object_store() -> Iterator[Store]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        store = Store(free.getsockname()[1])
    store.start()
    try:
        yield store
    finally:
        store.stop()


def environment_of(store: Store, var: Path | None = None) -> dict[str, str]:
    return {"STORAGE_URL": store.url(), **KEYS, **({"VAR_DIR": str(var)} if var else {})}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with object_store() as running:
        yield running


@pytest.fixture
def in_store(store: Store, settings: Any, tmp_path: Path) -> ObjectStorage:
    """The product's storage, with a prefix of its own; its cache is empty."""
    for name, value in KEYS.items():
        setattr(settings, name, value)
    settings.STORAGE_URL = store.url(uuid.uuid4().hex)
    settings.IN_OBJECT_STORE, settings.VAR_DIR, settings.MEDIA_ROOT = True, tmp_path, tmp_path / "storage"
    backend = {"BACKEND": "catalogsku.core.object_storage.ObjectStorage"}
    settings.STORAGES = {**storages.backends, "default": backend}
    return ObjectStorage()
