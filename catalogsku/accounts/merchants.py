"""A person's merchants, and the one of them that a page of settings is about."""

from catalogsku.accounts.models import Merchant, User
from catalogsku.core.errors import NotFound, Refused


def merchants_of(actor: User) -> list[Merchant]:
    """By name; an administrator's are all."""
    seen = actor.merchant_ids()
    rows = Merchant.objects.filter(is_active=True).order_by("name")
    return list(rows if seen is None else rows.filter(pk__in=seen))


def chosen_merchant(merchants: list[Merchant], named: str, actor: User) -> Merchant | None:
    """The one of ``merchants`` whose id is ``named``; where none is named the person's own, if they have one.

    Raises NotFound for any other: what is meant for one merchant is never done to another.
    """
    if named:
        chosen = next((merchant for merchant in merchants if str(merchant.pk) == named), None)
        if chosen is None:
            raise NotFound("not_found")
        return chosen
    own = actor.own_merchant()
    return next((merchant for merchant in merchants if own is not None and merchant.pk == own.pk), None)


def named_merchant(actor: User, merchant_id: int | None) -> Merchant:
    """For programs: who works for one merchant may leave it out.

    Raises NotFound for another's, Refused(bad_request) where one has to be named.
    """
    merchants = merchants_of(actor)
    if merchant_id is None and len(merchants) != 1:
        raise Refused("bad_request", what="merchant_id")
    merchant = next((candidate for candidate in merchants if merchant_id in (None, candidate.pk)), None)
    if merchant is None:
        raise NotFound("not_found")
    return merchant
