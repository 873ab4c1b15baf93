"""Files in an object store that speaks S3 (AWS, OSS, MinIO, Ceph), as a storage of Django's.

``s3://BUCKET/PREFIX?endpoint=https://…&region=…&style=virtual``; the keys are those of the settings
(AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), or what the machine lends. An object shows when all of it is there, so
nobody finds a part of a file. Nothing has a ``path``: who needs one asks `storage.local_copy`.
"""

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import parse_qs, urlsplit

import obstore
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, SuspiciousFileOperation
from django.core.files import File
from django.core.files.storage import Storage
from django.utils.deconstruct import deconstructible
from obstore.exceptions import BaseError
from obstore.store import S3Store

STYLES = {"path": False, "virtual": True}
# A store that is away is asked again for so long; then the page, or the request, is tried again as a whole.
RETRIES, RETRIED_FOR = 3, timedelta(seconds=10)
CONNECT_WITHIN, ANSWER_WITHIN = "3s", "60s"
READ_BYTES = 1 << 20


@deconstructible
class ObjectStorage(Storage):
    def __init__(self, url: str = "") -> None:
        self._url = url or settings.STORAGE_URL
        self._options = options_of(self._url)
        if settings.AWS_ACCESS_KEY_ID:
            self._options["access_key_id"] = settings.AWS_ACCESS_KEY_ID
            self._options["secret_access_key"] = settings.AWS_SECRET_ACCESS_KEY
        self._made: tuple[int, S3Store] | None = None
        self._making = threading.Lock()

    @property
    def _store(self) -> S3Store:
        """Made at its first use. Raises OSError in a process that was forked from one that has used it: the threads
        that carry its requests are not there."""
        with self._making:
            if self._made is None:
                self._made = (os.getpid(), S3Store(**self._options))
            pid, store = self._made
        if pid != os.getpid():
            raise OSError(errno.ECHILD, "the object store was in use before this process was forked")
        return store

    def _open(self, name: str, mode: str = "rb") -> File:  # type: ignore[type-arg]
        if mode != "rb":
            raise ValueError(f"objects are read, not changed: {mode}")
        with _told(name):
            return _Object(self._store, _checked(name))

    def _save(self, name: str, content: File) -> str:  # type: ignore[type-arg]
        with _told(name):
            source: Any = content.file
            obstore.put(self._store, _checked(name), source)
        return name

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """Names are of content: one that is there holds the same."""
        return name

    def delete(self, name: str) -> None:
        with _told(name):
            obstore.delete(self._store, _checked(name))

    def exists(self, name: str) -> bool:
        try:
            self._head(name)
        except FileNotFoundError:
            return False
        return True

    def size(self, name: str) -> int:
        return int(self._head(name)["size"])

    def get_modified_time(self, name: str) -> datetime:
        return self._head(name)["last_modified"]  # type: ignore[no-any-return]

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        with _told(path):
            found = obstore.list_with_delimiter(self._store, _checked(path) if path else None)
        folders = [PurePosixPath(folder).name for folder in found["common_prefixes"]]
        return folders, [PurePosixPath(entry["path"]).name for entry in found["objects"]]

    def _head(self, name: str) -> Any:
        with _told(name):
            return obstore.head(self._store, _checked(name))


class _Object(File):  # type: ignore[type-arg]
    """An object as a file that is read: ahead by a megabyte, from wherever it is wanted."""

    def __init__(self, store: S3Store, name: str) -> None:
        reader: Any = obstore.open_reader(store, name, buffer_size=READ_BYTES)
        super().__init__(reader, name)
        self._size = int(reader.size)

    @property
    def size(self) -> int:
        return self._size

    @property
    def closed(self) -> bool:
        return self.file is None

    def read(self, count: int = -1) -> bytes:
        with _told(str(self.name)):
            return bytes(self._reader.read() if count is None or count < 0 else self._reader.read(count))

    def seek(self, offset: int, whence: int = 0) -> int:
        return int(self._reader.seek(offset, whence))

    def tell(self) -> int:
        return int(self._reader.tell())

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        if self.file is not None:
            self._reader.close()
            self.file = None

    @property
    def _reader(self) -> Any:
        if self.file is None:
            raise ValueError("the file is closed")
        return self.file


def options_of(url: str) -> dict[str, Any]:
    """What a store is made with. Raises ImproperlyConfigured with a sentence."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    endpoint, style = query.pop("endpoint", ""), query.pop("style", "path")
    region = query.pop("region", "us-east-1")
    if parts.scheme != "s3" or not parts.hostname or parts.username or query or style not in STYLES:
        raise ImproperlyConfigured(
            "STORAGE_URL: s3://BUCKET/PREFIX, with endpoint=, region= and style=path or virtual behind a question mark."
        )
    if endpoint and urlsplit(endpoint).scheme not in ("http", "https"):
        raise ImproperlyConfigured("STORAGE_URL: endpoint= begins with https:// or http://.")
    return {
        "bucket": parts.netloc,
        "prefix": parts.path.strip("/") or None,
        **({"endpoint": endpoint} if endpoint else {}),
        "region": region,
        "virtual_hosted_style_request": STYLES[style],
        "client_options": {
            "allow_http": endpoint.startswith("http:"),
            "connect_timeout": CONNECT_WITHIN,
            "timeout": ANSWER_WITHIN,
        },
        "retry_config": {"max_retries": RETRIES, "retry_timeout": RETRIED_FOR},
    }


def _checked(name: str) -> str:
    """Raises SuspiciousFileOperation for a name that leaves the prefix."""
    if name.startswith("/") or ".." in PurePosixPath(name).parts:
        raise SuspiciousFileOperation(f"not a name in the storage: {name!r}")
    return name


@contextmanager
def _told(name: str) -> Iterator[None]:
    """What the library raises, as whoever uses files knows it."""
    try:
        yield
    except BaseError as error:
        raise OSError(errno.EIO, f"{name}: {str(error).splitlines()[0]}") from error
