"""People, as administrators make and change them."""

from collections.abc import Sequence

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from catalogsku.accounts.guessing import prove_password
from catalogsku.accounts.models import Merchant, User
from catalogsku.core.errors import Conflict, NotFound, Refused


def list_people() -> QuerySet[User]:
    return User.objects.prefetch_related("merchants")


def get_person(user_id: int) -> User:
    """Raises NotFound(no_such_person)."""
    person = list_people().filter(pk=user_id).first()
    if person is None:
        raise NotFound("no_such_person")
    return person


def create_person(
    username: str, password: str, role: str, display_name: str, language: str, merchants: Sequence[int]
) -> User:
    """Raises Conflict(name_taken), Refused(weak_password, no_such_merchant)."""
    user = User(username=username, role=role, display_name=display_name, language=language)
    _check_password(password, user)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
            _set_merchants(user, merchants)
    except IntegrityError:
        raise Conflict("name_taken") from None
    return user


@transaction.atomic
def change_person(actor: User, user: User, changes: dict[str, object]) -> User:
    """``changes``: role, display_name, language, is_active, merchants. A changed role or status ends their sessions.

    Raises Conflict(own_account), Refused(no_such_merchant).
    """
    if actor.pk == user.pk and {"role", "is_active"} & changes.keys():
        raise Conflict("own_account")
    merchants = changes.pop("merchants", None)
    for name, value in changes.items():
        setattr(user, name, value)
    user.save()
    if isinstance(merchants, list):
        _set_merchants(user, merchants)
    return user


def change_password(user: User, old: str, new: str) -> None:
    """Ends all that was given to the person before. Raises Refused(wrong_password, weak_password), and
    Hurried(password_tries) after five wrong ones."""
    if not prove_password(user, old):
        raise Refused("wrong_password")
    _check_password(new, user)
    user.set_password(new)
    user.save()


def _check_password(password: str, user: User) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refused("weak_password", why=" ".join(error.messages)) from None


def _set_merchants(user: User, ids: Sequence[int]) -> None:
    merchants = list(Merchant.objects.filter(pk__in=ids))
    if len(merchants) != len(set(ids)):
        raise Refused("no_such_merchant")
    user.merchants.set(merchants)
