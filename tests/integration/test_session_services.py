"""The ground that conftest lays: a session has servers of its own, and processes that it starts see the same data."""

import subprocess
import sys

import pytest
from django.db import connection

from catalogsku.core.embedded import Running


@pytest.mark.django_db
def test_the_database_is_real_and_the_sessions_own(services: Running) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database(), (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)")
        assert cursor.fetchone() == ("test_catalogsku", False)
        if services.postgresql is not None:
            cursor.execute("SELECT pg_postmaster_start_time() > now() - interval '1 hour', current_setting('fsync')")
            assert cursor.fetchone() == (True, "off")


@pytest.mark.usefixtures("committed")
def test_a_started_process_works_on_the_test_database(process_environment: dict[str, str]) -> None:
    code = (
        "import django; django.setup(); from django.db import connection; connection.ensure_connection();"
        "print(connection.connection.info.dbname)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=process_environment, capture_output=True, text=True)
    assert done.stdout.split() == ["test_catalogsku"], done.stderr
