"""Name and password: the one place where both are compared, for pages, programs and the admin alike."""

import logging
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from catalogsku.accounts import guessing
from catalogsku.accounts.access import client_network
from catalogsku.accounts.hurried import Hurried
from catalogsku.accounts.models import User
from catalogsku.accounts.services import is_demo_password

log = logging.getLogger(__name__)


class Door(ModelBackend):
    """Behind the lock of each name (django-axes): counts what fails from each address, and in production knows no demo
    password."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        if request is None or username is None or password is None:
            return None
        address = client_network(request)
        is_counted = guessing.try_from(address, username)
        try:
            user = super().authenticate(request, username, password, **kwargs)
        except Hurried:
            if is_counted:
                guessing.take_back(address)
            raise
        if not isinstance(user, User) or (settings.PRODUCTION and is_demo_password(password)):
            return None
        if is_counted:
            guessing.take_back(address)
        guessing.remember(address, user)
        return user
