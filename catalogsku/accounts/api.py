"""Tokens and people, for programs."""

from datetime import datetime
from typing import Annotated, Any, Literal

from axes.helpers import get_cool_off
from django.contrib.auth import authenticate
from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from catalogsku.accounts import people
from catalogsku.accounts.bearer import require
from catalogsku.accounts.hurried import Hurried
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action
from catalogsku.accounts.tokens import issue_token
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.errors import Refused
from catalogsku.core.paging import step
from catalogsku.core.problems import RETRY_AFTER_S

router = Router(tags=["people"])

Name = Annotated[str, Field(min_length=1, max_length=150, pattern=r"^[\w.@+-]+$")]
Password = Annotated[str, Field(min_length=1, max_length=200)]
DisplayName = Annotated[str, Field(max_length=60, pattern=r"^[^\x00]*$")]
Language = Literal["zh-hans", "en"]
RoleName = Literal["uploader", "annotator", "lead", "admin"]


class Given(Schema):
    """What is sent: an unknown name is an error, not silence."""

    model_config = ConfigDict(extra="forbid")


class MerchantOut(Schema):
    id: int
    name: str


class Person(Schema):
    id: int
    username: str
    display_name: str
    role: RoleName
    language: str
    is_active: bool
    merchants: list[MerchantOut]

    @staticmethod
    def resolve_merchants(user: User) -> list[Any]:
        return sorted(user.merchants.all(), key=lambda merchant: merchant.pk)


class People(Schema):
    items: list[Person]
    next: str | None


class Credentials(Given):
    username: Annotated[str, Field(max_length=150)]
    password: Password


class TokenOut(Schema):
    access_token: str
    token_type: Literal["Bearer"]
    expires_at: datetime
    user: Person


class OwnChanges(Given):
    display_name: DisplayName | None = None
    language: Language | None = None


class PasswordChange(Given):
    old_password: Password
    new_password: Password


class NewPerson(Given):
    username: Name
    password: Password
    role: RoleName = "uploader"
    display_name: DisplayName = ""
    language: Language = "zh-hans"
    merchants: list[int] = []


class PersonChanges(Given):
    role: RoleName | None = None
    display_name: DisplayName | None = None
    language: Language | None = None
    merchants: list[int] | None = None


class Admission(Given):
    is_active: bool


@router.post("/login", response={200: TokenOut, **PROBLEMS}, auth=None, summary="A token for name and password")
def login(request: HttpRequest, given: Credentials) -> Any:
    """Valid for 24 hours, and until a right is taken from the person. Failed tries are throttled: 429 says when to come
    again."""
    user = authenticate(request, username=given.username, password=given.password)
    if getattr(request, "axes_locked_out", False):
        cool_off = get_cool_off(request)
        raise Hurried("locked_out", round(cool_off.total_seconds()) if cool_off else RETRY_AFTER_S)
    if not isinstance(user, User):
        raise Refused("wrong_credentials")
    token = issue_token(user)
    return {"access_token": token.text, "token_type": "Bearer", "expires_at": token.expires_at, "user": user}


@router.get("/me", response={200: Person, **PROBLEMS}, summary="Who asks")
def me(request: HttpRequest) -> Any:
    return request.user


@router.patch("/me", response={200: Person, **PROBLEMS}, summary="Change the own name or language")
def change_me(request: HttpRequest, given: OwnChanges) -> Any:
    user = request.user
    assert isinstance(user, User)
    return people.change_person(user, user, given.model_dump(exclude_none=True))


@router.post("/change-password", response={204: None, **PROBLEMS}, summary="Change the own password")
def change_password(request: HttpRequest, given: PasswordChange) -> Any:
    """Ends all that was given to the person before. Wrong old passwords are throttled."""
    assert isinstance(request.user, User)
    people.change_password(request.user, given.old_password, given.new_password)
    return Status(204, None)


@router.get("/users", response={200: People, **PROBLEMS}, summary="All people")
def users(request: HttpRequest, cursor: str = "", limit: Limit = 50) -> Any:
    require(request, Action.OPERATE)
    items, following = step(people.list_people(), cursor, limit)
    return {"items": items, "next": following}


@router.post("/users", response={201: Person, **PROBLEMS}, summary="A new person")
@router.post(
    "/register", response={201: Person, **PROBLEMS}, summary="A new person (the same)", include_in_schema=False
)
def create_user(request: HttpRequest, given: NewPerson) -> Any:
    require(request, Action.OPERATE)
    return Status(201, people.create_person(**given.model_dump()))


@router.patch("/users/{int:user_id}", response={200: Person, **PROBLEMS}, summary="Change a person")
def change_user(request: HttpRequest, user_id: int, given: PersonChanges) -> Any:
    actor = require(request, Action.OPERATE)
    return people.change_person(actor, people.get_person(user_id), given.model_dump(exclude_none=True))


@router.patch("/users/{int:user_id}/status", response={200: Person, **PROBLEMS}, summary="Let a person in, or not")
def set_status(request: HttpRequest, user_id: int, given: Admission) -> Any:
    """Who is disabled loses their sessions and tokens at once."""
    actor = require(request, Action.OPERATE)
    return people.change_person(actor, people.get_person(user_id), given.model_dump())
