"""Ground of every test: services of its own, no way out of this machine, and the requirement ids that a test proves.

A session gets a fresh PostgreSQL and Redis under var/test unless DATABASE_URL and REDIS_URL are set in its environment.
They start with the first test that needs them, so unit tests pay nothing. Each worker of pytest-xdist is a session.
"""

import gc
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from hypothesis import settings as hypothesis_settings

from catalogsku.core import embedded
from catalogsku.core.embedded import Running
from tests.bench.browser import find_browser
from tests.support import prepared
from tests.support.promises import within

PROJECT = Path(__file__).resolve().parent.parent
TEST_VAR = PROJECT / "var" / "test" / str(os.getpid())
EXTERNAL = {name for name in ("DATABASE_URL", "REDIS_URL") if os.environ.get(name)}


class OutgoingConnectionBlocked(Exception):
    """A test tried to leave this machine."""


def _settle_environment() -> None:
    """Before Django reads its settings: this session's own services and folder, whatever .env says."""
    if "django" in sys.modules and __import__("django.conf").conf.settings.configured:
        raise pytest.UsageError("Unset DJANGO_SETTINGS_MODULE: the tests choose settings and services themselves.")
    services = embedded.addresses(TEST_VAR)
    os.environ["VAR_DIR"] = str(TEST_VAR)
    os.environ.setdefault("DATABASE_URL", services.database_url)
    os.environ.setdefault("REDIS_URL", services.redis_url)
    os.environ["DJANGO_SETTINGS_MODULE"] = "catalogsku.settings"


def _block_outgoing() -> None:
    """Loopback, unix sockets, the bridge of tests/hosts; names are resolved only where they are this machine's."""
    allowed = {"localhost", "127.0.0.1", "::1", "0.0.0.0", "::", "", "testserver", socket.gethostname()}

    def check(host: Any) -> None:
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and name not in allowed and not str(name).startswith(("127.", "10.77.77.")):
            raise OutgoingConnectionBlocked(f"connection to {name} from a test")

    def guard(owner: Any, method: str, address_at: int) -> None:
        original = getattr(owner, method)

        def guarded(*arguments: Any, **options: Any) -> Any:
            sock = arguments[0] if isinstance(arguments[0], socket.socket) else None
            address = arguments[address_at] if len(arguments) > address_at else None
            if sock is None:
                check(options.get("host", address))
            elif sock.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple):
                check(address[0])
            return original(*arguments, **options)

        setattr(owner, method, guarded)

    for method in ("connect", "connect_ex"):
        guard(socket.socket, method, 1)
    guard(socket.socket, "sendto", -1)
    guard(socket, "getaddrinfo", 0)
    guard(socket, "gethostbyname", 0)


gc.disable()  # until all is loaded: pytest_collection_finish
_settle_environment()
_block_outgoing()
# The same examples each time and no limit of seconds, so that a run decides the same twice, also on a busy machine. To
# search for new ones: pytest --hypothesis-profile default.
hypothesis_settings.load_profile("ci")


def pytest_configure(config: pytest.Config) -> None:
    for line in (
        "req(*ids): the requirements that this test proves",
        "invariant(id, *cases): the invariant that this test shows to hold, to be refused or found where violated",
        "slow: takes more than a few seconds",
        "corpus: needs the folder of real catalogues named by CORPUS_DIR",
        "browser: needs Chromium",
        "alone: a product of its own, where it counts all tasks, with little beside it",
        "long: needs a machine of its own or many minutes (`make test-long`; docs/quality.md says which)",
        "promise: a promise of seconds, which `make test-long` holds to the letter (tests/support/promises.py)",
        "chaos: kills, stops and corrupts on purpose",
    ):
        config.addinivalue_line("markers", line)

    _set_up_the_test_database_for_committed_rows()


def _set_up_the_test_database_for_committed_rows() -> None:
    """pytest-django makes the test database for tests that carry its mark; those with ``committed`` carry none."""
    from pytest_django import fixtures

    wanted = fixtures._get_databases_for_setup

    def with_ours(items: Any) -> tuple[set[str], set[str]]:
        aliases, serialized = wanted(items)
        return aliases | {"default"}, serialized

    fixtures._get_databases_for_setup = with_ours


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Workers inherit the environment of the process that starts them: what it has chosen for itself is not theirs."""
    for name in {"VAR_DIR", "DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"} - EXTERNAL:
        del os.environ[name]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Django is made ready here and not by the plugin, so that tests of pure code run while an app does not import."""
    import django
    from pytest_django.plugin import blocking_manager_key

    from catalogsku.core.messages import load_actors

    try:
        _compile_translations()  # first: a language that was looked for in vain is not looked for again
        django.setup()
        # Else the first request of each test's client lists every static file.
        django.conf.settings.WHITENOISE_AUTOREFRESH = True
        load_actors()  # as in a unit
    except Exception as error:
        session.config.issue_config_time_warning(UserWarning(f"Django does not start: {error!r}"), stacklevel=2)
    else:
        session.config.stash[blocking_manager_key].block()


def _compile_translations() -> None:
    from catalogsku.core.management.commands import messages

    for file in messages.catalogue_files():
        messages.compile_file(file)


def pytest_collection_finish() -> None:
    """What is loaded by now stays: looking through it for garbage again and again was a sixth of a test's time."""
    gc.collect()
    gc.freeze()
    gc.enable()


# They run little of what [tool.coverage.run] names, and where lines are counted a test takes twice as long and more.
UNCOUNTED = (
    *("tests/architecture/", "tests/unit/llm/"),
    *("tests/unit/annotation/test_drift.py", "tests/unit/test_samples.py"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(UNCOUNTED):
            item.add_marker(pytest.mark.no_cover)
        if getattr(getattr(item, "module", None), "within", None) is within:
            item.add_marker(pytest.mark.promise)
        if item.get_closest_marker("corpus") and not os.environ.get("CORPUS_DIR"):
            item.add_marker(pytest.mark.skip(reason="CORPUS_DIR names no folder of real catalogues"))
        if item.get_closest_marker("browser") and not find_browser():
            item.add_marker(pytest.mark.skip(reason="no Chromium: scripts/browser.sh, or set CHROMIUM"))


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser that Playwright drives."""
    found = find_browser()
    if found is None:
        pytest.skip("no Chromium: scripts/browser.sh, or set CHROMIUM")
    return found


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real catalogues."""
    named = os.environ.get("CORPUS_DIR")
    if not named:
        pytest.skip("CORPUS_DIR names no folder of real catalogues")
    return Path(named)


@pytest.fixture(scope="session")
def services() -> Iterator[Running]:
    """This session's PostgreSQL and Redis; ``.redis`` and ``.postgresql`` stop and start them (None if external)."""
    _remove_leftovers()
    if "DATABASE_URL" not in EXTERNAL:
        prepared.place_cluster(TEST_VAR)
    with embedded.start(
        TEST_VAR,
        postgresql="DATABASE_URL" not in EXTERNAL,
        redis="REDIS_URL" not in EXTERNAL,
        durable=False,
        may_create_databases=True,
    ) as running:
        yield running
    shutil.rmtree(TEST_VAR, ignore_errors=True)


def _remove_leftovers() -> None:
    """Folders of sessions that were killed."""
    for folder in TEST_VAR.parent.glob("[0-9]*"):
        if folder != TEST_VAR and not Path("/proc", folder.name).exists():
            shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(services: Running) -> None:
    """pytest-django asks for this before it makes the test database: the server must run by then.

    A test's own transaction stays open while it waits for children that recognise print, longer than a worker's may.
    """
    from django.conf import settings

    settings.DATABASES["default"]["OPTIONS"]["options"] = "-c idle_in_transaction_session_timeout=5min"
    if "DATABASE_URL" not in EXTERNAL:
        settings.DATABASES["default"]["TEST"]["TEMPLATE"] = prepared.DATABASE


@pytest.fixture(autouse=True)
def _services_where_redis_is_used(request: pytest.FixtureRequest) -> None:
    """A test of the database may send messages: what it needs to send them is there."""
    if request.node.get_closest_marker("django_db"):
        request.getfixturevalue("services")


@pytest.fixture(autouse=True)
def _no_row_of_this_process_is_remembered() -> Iterator[None]:
    """A test's rows go with it; the one by which this process was known as a worker is among them."""
    yield
    if "catalogsku.core.presence" in sys.modules:
        sys.modules["catalogsku.core.presence"]._current = None  # type: ignore[attr-defined]


@pytest.fixture(scope="module", autouse=True)
def _no_language_of_an_earlier_file() -> None:
    """The language of a request stays active: which file came before on the same worker must not matter."""
    if "django.utils.translation" in sys.modules:
        sys.modules["django.utils.translation"].deactivate()


@pytest.fixture
def english() -> Iterator[None]:
    """What is asked without a request is put in English, whatever the last request of an earlier test was in."""
    from django.utils import translation

    with translation.override("en"):
        yield


@pytest.fixture(scope="session")
def process_environment(services: Running, django_db_setup: None) -> dict[str, str]:
    """Environment for a real worker or web process that works on this session's test database."""
    from django.conf import settings

    url = urlsplit(os.environ["DATABASE_URL"])
    name = str(settings.DATABASES["default"]["NAME"])
    return {**os.environ, "DATABASE_URL": urlunsplit(url._replace(path=f"/{name}"))}


@pytest.fixture
def people(request: pytest.FixtureRequest) -> Any:
    """Two merchants and everybody around them (tests.support.people.People), for tests marked django_db."""
    if "committed" not in request.fixturenames:
        request.getfixturevalue("db")
    else:
        request.getfixturevalue("committed")
    from tests.support.people import make_people

    return make_people()


@pytest.fixture
def committed(services: Running, django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Rows are committed, so that other connections see them, and deleted at the end; needs no mark."""
    from tests.support.people import committed_rows

    with committed_rows(django_db_blocker):
        yield


@pytest.fixture
def model_server() -> Iterator[Any]:
    """All model providers on loopback (tests.support.model_server.ModelServer); give it replies or an ``answer``."""
    from tests.support.model_server import ModelServer, Scripted

    with ModelServer(Scripted()) as server:
        yield server


@pytest.fixture
def reading_models(settings: Any) -> Iterator[Any]:
    """The providers set up, those that need keys with keys, and answered on loopback by a model that reads what it is
    shown."""
    from processing.llm import providers
    from tests.support.model_server import ModelServer
    from tests.support.reading_model import ReadingModel

    with ModelServer(ReadingModel()) as server:
        settings.GEMINI_API_KEY = settings.DASHSCOPE_API_KEY = "k"
        settings.GEMINI_API_KEY_FILE = settings.DASHSCOPE_API_KEY_FILE = ""
        settings.OPENAI_API_KEY = settings.OPENAI_API_KEY_FILE = ""
        settings.MODEL_PROVIDERS = {
            name: {**place, "base_url": server.urls[name]} for name, place in settings.MODEL_PROVIDERS.items()
        }
        providers.provider_named.cache_clear()
        yield server
        providers.provider_named.cache_clear()
