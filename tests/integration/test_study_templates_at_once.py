"""Two at once on one template, over connections of their own: one wins, the other is told, nothing is there twice."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from catalogsku.core.errors import Conflict
from processing.models import Template, TemplateVersion
from processing.studies import selectors
from processing.studies.definition import definition_of, stored
from processing.studies.services import shipped, templates
from tests.support.people import People

pytestmark = [pytest.mark.usefixtures("committed"), pytest.mark.req("LX-FIELDS", "LX-SYS")]


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What each gave, or the code it was refused with."""
    began, ended = threading.Barrier(len(acts)), []

    def run(act: Callable[[], Any]) -> None:
        try:
            began.wait(10)
            ended.append(act())
        except Conflict as refused:
            ended.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return ended


def asked(key: str) -> Any:
    fields = [{"key": key, "labels": {"en": key}}]
    return definition_of({"groups": [{"key": "g", "labels": {"en": "G"}, "fields": fields}]})


def test_of_two_that_save_one_is_told(people: People) -> None:
    template = templates.make_template(people.merchant, "own", "x", asked("n"), people.lead).template
    ended = at_once(
        *(lambda key=key: templates.save_version(template, asked(key), people.lead, expected=1).number for key in "ab")
    )
    assert sorted(map(str, ended)) == ["2", "template_stale"]
    assert [row.number for row in selectors.versions_of(template)] == [2, 1]


def test_of_two_clones_with_one_key_one_is_told(people: People) -> None:
    make = lambda: templates.make_template(people.merchant, "own", "x", asked("n"), people.lead).number  # noqa: E731
    assert sorted(map(str, at_once(make, make))) == ["1", "template_key_taken"]


def test_two_that_ship_ship_once() -> None:
    Template.objects.filter(merchant=None).delete()
    ended = at_once(shipped.load_shipped, shipped.load_shipped)
    assert sorted(sum(ended, [])) == ["cohort v1", "diagnostic_accuracy v1", "rct v1"]
    assert all(stored(selectors.definition_in(row)) == row.definition for row in TemplateVersion.objects.all())
