"""A program that speaks the REST API with its person's token."""

import json
from typing import Any

from django.test import Client

from catalogsku.accounts import tokens
from catalogsku.accounts.models import User

V1 = "/api/v1"


class Program:
    """Calls as ``program("GET", "/jobs")``; ``user`` None sends no token."""

    def __init__(self, user: User | None) -> None:
        self.client = Client(headers={"Authorization": f"Bearer {tokens.issue_token(user).text}"} if user else {})

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        text = "" if body is None else json.dumps(body)
        return self.client.generic(method, V1 + path, text, content_type="application/json", headers=named)
