"""What strangers write into every address: each parameter, field and header of it is refused or read, never a 500."""

import base64
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.people import People
from tests.support.strangers import ADDRESSES, Document, ask, browser, cheap_passwords, entries, own_document  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cheap_passwords"), pytest.mark.req("TA-AUTH", "TA-T43")]

# What views read, and what stands in no view.
FIELDS = (
    *("q", "show", "page", "page_number", "from", "part", "field", "code", "only", "all", "next", "language"),
    *("username", "password", "old_password", "new_password1", "nothing"),
)
ODD = [
    "\x00",
    "a\x00b",
    "\ud800".encode("utf-8", "surrogatepass"),
    b"\xff\xfe\xfd",
    b"\xc0\x80",
    "9" * 5000,
    "-1",
    "0",
    "1e400",
    "NaN",
    "٣",
    "²",
    str(2**63),
    str(2**31),
    "\u202e\u2066\ufeff\u0000"[:3],
    "\U0001f4a9" * 50,
    "%00%0d%0aSet-Cookie: a=b",
    "' OR 1=1 --",
    "\\",
    "%",
    "_%_",
    "{{7*7}}{% debug %}",
    "<script>alert(1)</script>",
    "../../../../etc/passwd",
    "__proto__",
    "[]",
    "a[0][1]=2",
    "\r\n\r\nGET / HTTP/1.1",
]
NAMES = [repr(value)[:24] for value in ODD]
# Values take turns over the addresses: with each value every so many of them are asked, a value later the next ones.
TURNS = 10


def quoted(value: str | bytes) -> str:
    return quote(value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value, safe="")


def turn_of(places: Sequence[Any], number: int) -> Sequence[Any]:
    return places[number % TURNS :: TURNS]


FORMS = [name for name, door in ADDRESSES.items() if "post" in door.rights and name != "logout"]


def readings(document: Document) -> list[str]:
    return [document.url(name) for name, door in ADDRESSES.items() if "get" in door.rights and name != "metrics"]


@pytest.mark.parametrize("value", ODD, ids=NAMES)
def test_no_parameter_breaks_a_page(people: People, document: Document, value: str | bytes) -> None:
    """All parameters at once, as an admin, whom nothing else stops; the same for somebody who is not signed in."""
    client, stranger = browser(people.admin), Client()
    query = "&".join(f"{name}={quoted(value)}" for name in FIELDS)
    for url in turn_of(readings(document), ODD.index(value)):
        for one in (client, stranger):
            found = one.get(f"{url}?{query}")
            assert found.status_code < 500, url
            text = b"".join(found) if found.streaming and not found.is_async else getattr(found, "content", b"")
            assert b"<script>alert(1)" not in text, url
            assert "Set-Cookie: a" not in str(found.headers)


@pytest.mark.parametrize("name", FIELDS)
def test_each_parameter_alone_breaks_nothing(people: People, document: Document, name: str) -> None:
    """A refusal of the first one would hide the others."""
    client, values, at = browser(people.admin), ("\x00", "9" * 5000, b"\xff"), FIELDS.index(name)
    for place, url in enumerate(readings(document)[at % 3 :: 3], at // 3):
        value = values[place % len(values)]
        assert client.get(f"{url}?{name}={quoted(value)}").status_code < 500, (url, name, value)


@pytest.mark.parametrize("value", ODD, ids=NAMES)
def test_no_field_breaks_a_form(people: People, document: Document, value: str | bytes) -> None:
    client, stranger = browser(people.admin), Client()
    body = "&".join(f"{name}={quoted(value)}" for name in FIELDS)
    kind = "application/x-www-form-urlencoded"
    for name in turn_of(FORMS, ODD.index(value)):
        for one in (client, stranger):
            found = one.post(document.url(name), body, content_type=kind)
            assert found.status_code < 500, name


@pytest.mark.parametrize("value", ODD, ids=NAMES)
def test_no_path_breaks_an_address(people: People, value: str | bytes) -> None:
    client, tried = browser(people.admin), 0
    named = [entry for entry in entries() if "<" in entry[1] and not entry[0].startswith("admin:")]
    for name, route in turn_of(named, ODD.index(value)):
        parts = route.replace("<uuid:job_id>", "00000000-0000-0000-0000-000000000001").split("/")
        for place, part in enumerate(parts):
            if part.startswith("<"):
                path = "/".join("1" if one.startswith("<") else one for one in parts[:place])
                rest = "/".join("1" if one.startswith("<") else one for one in parts[place + 1 :])
                found = client.get(f"{path}/{quoted(value)[:6000]}/{rest}".rstrip("/") + "/" * route.endswith("/"))
                assert 400 <= found.status_code < 500, (name, found.status_code)
                tried += 1
    assert tried >= 3


@pytest.mark.parametrize(
    "value", ["\x00", "a" * 10_000, "9" * 5000, "\ud83d\ude00", "²", "-1", " ", "1,2", "=?utf-8?b?AA==?="]
)
@pytest.mark.parametrize(
    "header", ["Upload-Length", "Upload-Offset", "Upload-Metadata", "Tus-Resumable", "Content-Type"]
)
def test_no_header_breaks_an_upload(people: People, header: str, value: str) -> None:
    client = browser(people.uploader)
    plain = value.encode("utf-8", "surrogatepass").decode("latin1")
    found = ask(client, "post", "upload_create", reverse("upload_create"), headers={header: plain})
    assert found.status_code < 500
    begun = ask(client, "post", "upload_create", reverse("upload_create"))
    told = {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream", header: plain}
    assert ask(client, "patch", "upload", begun["Location"], headers=told, data=b"x").status_code < 500


@pytest.mark.parametrize("key", ["filename", "key", "category", "profile", "head_sha256", "again", "\x00", "kéy"])
@pytest.mark.parametrize("value", ODD, ids=NAMES)
def test_nothing_that_is_told_of_an_upload_breaks_it(people: People, key: str, value: str | bytes) -> None:
    raw = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    meta = {"filename": b"a.pdf", "key": b"some-key-1", key: raw}
    if key == "filename":
        meta[key] += b".pdf"
    told = ",".join(f"{name} {base64.b64encode(text).decode()}" for name, text in meta.items())
    found = ask(
        browser(people.uploader), "post", "upload_create", reverse("upload_create"), headers={"Upload-Metadata": told}
    )
    assert found.status_code < 500


HEADERS = [
    {"Cookie": "sessionid=\x00; csrftoken=\x00"},
    {"Cookie": "sessionid=" + "a" * 8000},
    {"Cookie": 'django_language=\x00; theme="><script>'},
    {"Cookie": "messages=forged:forged"},
    {"Accept-Language": "x" * 5000},
    {"Accept-Language": "zh-hans" + ",en;q=0." * 2000},
    {"Accept-Encoding": "gzip, \x00"},
    {"User-Agent": "\x00" * 300},
    {"X-Request-ID": "\x00\r\n" * 50},
    {"X-CSRFToken": "\x00"},
    {"X-Forwarded-For": "\x00, " * 200},
    {"Range": "bytes=0-99999999999999999999999"},
    {"If-None-Match": '"' * 5000},
    {"HX-Request": "true", "HX-Current-URL": "\x00://["},
    {"X-Fragment": "rows\x00"},
]


@pytest.mark.parametrize("number", range(len(HEADERS)), ids=[next(iter(headers)) for headers in HEADERS])
def test_no_header_breaks_a_page(people: People, document: Document, number: int) -> None:
    headers = HEADERS[number]
    client = browser(None if "Cookie" in headers else people.admin)
    for url in turn_of(readings(document), number):
        found = client.get(url, headers=headers)
        assert found.status_code < 500, url
        assert "<script>" not in (found.content.decode() if not found.streaming else "")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b'{"a":'),
        ("application/json", b"[" * 50_000),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data"),
        ("multipart/form-data", b"no boundary"),
        ("multipart/form-data; boundary=" + "b" * 300, b"--"),
        ("multipart/form-data; boundary=\xff", b"--"),
        ("application/x-www-form-urlencoded; charset=utf-7", b"a=+ADw-"),
        ("application/x-www-form-urlencoded; charset=no-such", b"a=b"),
        ("application/x-www-form-urlencoded", b"a=b&" * 2000),
        ("application/x-www-form-urlencoded", b"x" * 3_000_000),
        ("application/x-www-form-urlencoded", b"\xff=\xff&%00=%00"),
        ("", b"\x00"),
    ],
    ids=range(12),
)
def test_no_body_breaks_a_form(people: People, document: Document, kind: str, body: bytes) -> None:
    client, stranger = browser(people.admin), Client()
    for name in FORMS[len(body) % 2 :: 2]:
        for one in (client, stranger):
            found = one.generic("POST", document.url(name), body, content_type=kind)
            assert found.status_code < 500, name


@pytest.mark.parametrize("count", [1001, 5000])
def test_more_fields_than_any_form_has_are_refused(people: People, count: int) -> None:
    found = Client().post(reverse("login"), {f"f{n}": "x" for n in range(count)})
    assert found.status_code == 400


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(
    text=st.text(st.characters(), max_size=60) | st.binary(max_size=60),
    field=st.sampled_from(FIELDS),
    place=st.integers(0, 20),
)
def test_no_text_at_all_breaks_a_page(
    people: People,
    document: Document,
    text: Any,
    field: str,
    place: int,
) -> None:
    urls = readings(document)
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    found = browser(people.lead).get(f"{urls[place % len(urls)]}?{field}={quoted(raw)}")
    assert found.status_code < 500
