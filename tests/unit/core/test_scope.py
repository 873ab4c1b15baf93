"""Merchant scope: every model that is read through it says how it reaches its merchant."""

import pytest
from django.apps import apps
from django.db import models

from catalogsku.core.scope import ScopedQuerySet

SCOPED = [model for model in apps.get_models() if isinstance(model._default_manager.none(), ScopedQuerySet)]


class Person:
    is_active = True

    def merchant_ids(self) -> list[int] | None:
        return [7]


class Gone(Person):
    is_active = False


@pytest.mark.parametrize("model", SCOPED, ids=lambda model: model.__name__)
def test_a_scoped_model_reaches_its_merchant(model: type[models.Model]) -> None:
    rows = model._default_manager.all()
    assert isinstance(rows, ScopedQuerySet)
    assert '"merchant_id" IN (7)' in str(rows.visible_to(Person()).query)
    assert rows.visible_to(Gone()).query.is_empty()


def test_there_are_scoped_models() -> None:
    assert len(SCOPED) > 20
