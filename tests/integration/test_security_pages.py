"""Every page as a browser gets it: a strict policy and nothing that it would block, headers, cookies, hosts."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.support.people import People
from tests.support.strangers import ADDRESSES, Document, admin_urls, browser, cheap_passwords, own_document  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cheap_passwords"), pytest.mark.req("TA-AUTH", "TA-T43")]

POLICY = {
    "default-src": {"'self'"},
    "script-src": {"'self'"},
    "style-src": {"'self'"},
    "img-src": {"'self'", "data:", "blob:"},
    "connect-src": {"'self'"},
    "object-src": {"'none'"},
    "frame-src": {"'none'"},
    "base-uri": {"'none'"},
    "frame-ancestors": {"'none'"},
    "form-action": {"'self'"},
}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Inline(HTMLParser):
    """Collects what a strict policy would block: scripts and styles in the page, handlers and styles on elements."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.found.append("script without src")
        if tag in ("style", "base", "object", "embed", "iframe", "frame"):
            self.found.append(f"{tag} element")
        for name, value in attrs:
            target = (value or "").strip().lower()
            if name.startswith("on") or name == "style" or target.startswith(("javascript:", "data:text")):
                self.found.append(f"{tag} {name}={value}")
            is_loaded = name in ("src", "action", "formaction") or (tag == "link" and name == "href")
            if is_loaded and target.startswith(("http:", "https:", "//")):
                self.found.append(f"{tag} {name}={value}: another host")


def pages_of(client: Client, document: Document, people: People, role: str) -> Iterator[tuple[str, HttpResponse]]:
    """Every address that answers a reading, the pages of errors, and for admins their site."""
    urls = [document.url(name) for name, door in ADDRESSES.items() if "get" in door.rights]
    urls += ["/jobs/00000000-0000-0000-0000-000000000000/", "/nowhere/", "/?q=%00", document.url("job") + "?from=x"]
    urls += [f"{document.url('job_region')}?part=side", f"{document.url('sku')}?field=model"]
    if role == "admin":
        urls += [url for url in admin_urls(document, people.uploader) if "logout" not in url]
    for url in urls:
        yield url, client.get(url)
    for name in ("documents", "set_language", "upload_create"):
        yield f"refused {name}", client.delete(document.url(name))
    yield "forged", Client(enforce_csrf_checks=True).post(reverse("login"))
    yield "static", client.get("/static/css/base.css")


@pytest.mark.parametrize("role", ["admin", "lead", "annotator", "uploader", "outsider", "anonymous"])
def test_every_page_has_a_strict_policy_and_nothing_that_it_would_block(
    people: People,
    document: Document,
    role: str,
) -> None:
    looked_at = 0
    for url, found in pages_of(browser(people.named(role)), document, people, role):
        policy = policy_of(found)
        if policy.get("default-src") == {"'none'"}:
            assert "sandbox" in policy, url  # a file of a merchant: it may do nothing at all
        else:
            assert policy == POLICY, url
        assert {name: found.headers.get(name) for name in HEADERS} == HEADERS, url
        assert found.headers["Permissions-Policy"], url
        if not url.startswith("static"):
            kept = found.headers["Cache-Control"]
            assert "no-store" in kept or kept == "private, max-age=600" or "private" in kept, (url, kept)
            assert "public" not in kept, (url, kept)
        assert "Server" not in found.headers and "X-Powered-By" not in found.headers, url
        assert "Access-Control-Allow-Origin" not in found.headers, url
        if found.headers.get("Content-Type", "").startswith("text/html"):
            page = Inline()
            page.feed(found.content.decode())
            assert page.found == [], url
            looked_at += 1
    assert looked_at >= 3


def policy_of(found: HttpResponse) -> dict[str, set[str]]:
    parts = [part.split() for part in found.headers.get("Content-Security-Policy", "").split(";") if part.strip()]
    return {part[0]: set(part[1:]) for part in parts}


@pytest.mark.parametrize("host", ["elsewhere.example", "localhost.elsewhere.example", "", "localhost:80@x", "127.1"])
@pytest.mark.parametrize("path", ["/login/", "/password/", "/", "/admin/login/"])
def test_another_host_is_served_nothing(people: People, settings: Any, path: str, host: str) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    client = Client()
    found = client.get(path, headers={"Host": host}) if host else client.get(path, HTTP_HOST="")
    assert found.status_code == 400
    assert "elsewhere" not in found.content.decode()


@pytest.mark.parametrize("header", ["X-Forwarded-Host", "X-Original-URL", "X-Rewrite-URL", "X-HTTP-Method-Override"])
def test_a_header_moves_no_request_elsewhere(people: People, document: Document, header: str) -> None:
    value = {"X-HTTP-Method-Override": "POST"}.get(header, "elsewhere.example/admin/")
    for path in ("/login/", document.url("job_cancel"), "/nowhere/"):
        told = Client().get(path, headers={header: value})
        assert told.status_code == Client().get(path).status_code
        assert "elsewhere" not in f"{told.headers}{told.content.decode()}"


@pytest.mark.parametrize(
    "target",
    [
        "https://elsewhere.example/",
        "//elsewhere.example/",
        "/\\elsewhere.example/",
        "\\\\elsewhere.example",
        "https:elsewhere.example",
        "https:///elsewhere.example",
        "http://testserver@elsewhere.example/",
        "http://testserver.elsewhere.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        " //elsewhere.example",
        "/\t/elsewhere.example",
        "/\n/elsewhere.example",
        "\x00//elsewhere.example",
        "/x\r\nSet-Cookie: a=b",
        "/" * 3000,
    ],
)
def test_no_address_sends_people_elsewhere(people: People, target: str) -> None:
    people.uploader.set_password("a-right-password")
    people.uploader.save()
    sign_in = {"username": "uploader", "password": "a-right-password", "next": target}
    for found in (
        Client().post(reverse("login"), sign_in),
        Client().post(reverse("login"), {**sign_in, "next": ""}, query_params={"next": target}),
        browser(people.uploader).get(reverse("login"), {"next": target}),
        browser(people.uploader).post(reverse("set_language"), {"language": "en", "next": target}),
        browser(people.uploader).post(reverse("logout"), {"next": target}),
        browser(people.admin).get("/admin/login/", {"next": target}),
    ):
        assert found.status_code in (302, 400), found.status_code
        place = found.headers.get("Location", "/")
        assert place.startswith("/") and not place.startswith(("//", "/\\")), place
        assert "\n" not in place and "Set-Cookie: a" not in str(found.headers)


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(people: People) -> None:
    people.uploader.set_password("a-right-password")
    people.uploader.save()
    client = Client()
    client.get(reverse("login"))
    client.post(reverse("login"), {"username": "uploader", "password": "a-right-password"})
    client.post(reverse("set_language"), {"language": "en"})
    assert {"sessionid", "csrftoken", "django_language"} <= set(client.cookies)
    for name in ("sessionid", "csrftoken", "django_language"):
        cookie = client.cookies[name]
        assert cookie["httponly"] and cookie["samesite"] == "Lax" and cookie["path"] == "/", name
        assert not cookie["domain"], name
