"""Custom attributes that people confirmed often become attributes of their category, where an administrator agrees.

A schema that is extended is a next version: documents that are being processed keep theirs (TA-FREEZE, TA-BR21).
"""

from collections import Counter
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, F, QuerySet
from django.db.models.functions import Now

from annotation.proposals.models import AttributeProposal
from annotation.proposals.promoting import entry_of, key_for, kind_of
from annotation.tasks.lifecycle import Purpose, TaskStatus
from annotation.tasks.models import Annotation
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.attributes import BASE_KEYS
from catalogsku.core.errors import Conflict, Refused
from catalogsku.core.text import squash
from catalogsku.profiles.models import CategorySchema
from catalogsku.profiles.schemas import attributes_of

CONFIRMED_LEAST = 20
SAMPLES_KEPT = 8
SAMPLES_LOOKED_AT = 50
NAME_MOST_CHARS = 60
State = AttributeProposal.State


@dataclass
class _Found:
    """``products``: how many have it confirmed; ``names``: as printed."""

    products: int = 0
    names: Counter[str] = field(default_factory=Counter)


def propose_attributes() -> dict[str, int]:
    """What was confirmed for at least 20 products of a category and is no attribute of it; counts of open ones grow.

    What was decided once is not proposed again.
    """
    decided = set(AttributeProposal.objects.exclude(state=State.OPEN).values_list("category", "folded"))
    proposed = 0
    for (category, folded), confirmed in _confirmed().items():
        schema = CategorySchema.objects.filter(key=category, active=True).first()
        if confirmed.products < CONFIRMED_LEAST or (category, folded) in decided or schema is None:
            continue
        known = {squash(label) for entry in attributes_of(schema.resolved_attributes) for label in entry.labels}
        if folded in known:
            AttributeProposal.objects.filter(category=category, folded=folded).delete()  # somebody wrote it in by hand
            continue
        values = _values(category, list(confirmed.names))
        kind, unit = kind_of(values)
        columns = {
            "names": dict(confirmed.names),
            "samples": list(dict.fromkeys(values))[:SAMPLES_KEPT],
            "type": kind,
            "unit": unit,
            "confirmed": confirmed.products,
            "key": key_for(_first(confirmed), _taken(schema)),
        }
        AttributeProposal.objects.update_or_create(category=category, folded=folded, defaults=columns)
        proposed += 1
    return {"proposed": proposed}


def _confirmed() -> dict[tuple[str, str], _Found]:
    """By category and folded name; a product counts once however often somebody confirmed it."""
    rows = _confirmations().values_list("page__job__schema__key", "field")
    confirmed: dict[tuple[str, str], _Found] = {}
    for category, name, products in rows.annotate(n=Count(F("sku_id"), distinct=True)):
        entry = confirmed.setdefault((category, squash(name)[:NAME_MOST_CHARS]), _Found())
        entry.products += products
        entry.names[name] += products
    return confirmed


def _confirmations() -> "QuerySet[Annotation]":
    return Annotation.objects.filter(
        type=Annotation.Type.CUSTOM_ATTR_CONFIRM,
        after__confirmed=True,
        task__status=TaskStatus.COMPLETED,
        task__purpose__in=(Purpose.WORK, Purpose.VERDICT),
    )


def _values(category: str, names: list[str]) -> list[str]:
    rows = _confirmations().filter(page__job__schema__key=category, field__in=names)
    return [str(value) for value in rows.order_by("-pk").values_list("after__value", flat=True)[:SAMPLES_LOOKED_AT]]


def _first(confirmed: _Found) -> str:
    return max(confirmed.names, key=lambda name: (confirmed.names[name], name))


def _taken(schema: CategorySchema) -> set[str]:
    return {*BASE_KEYS, *(entry.key for entry in attributes_of(schema.resolved_attributes))}


@transaction.atomic
def accept(actor: User, proposal_id: int, into: str = "") -> CategorySchema:
    """The next version of the category's schema has it, as an attribute of its own or as another label of ``into``.

    Raises Refused(promote_forbidden, schema_invalid), Conflict(proposal_decided).
    """
    proposal = _decide(actor, proposal_id, State.ACCEPTED)
    schema = CategorySchema.get_active(proposal.category)
    own = list(schema.attributes)
    if into:
        whole = next((entry for entry in schema.resolved_attributes if entry["key"] == into), None)
        if whole is None:
            raise Refused("schema_invalid", why=into)
        known = {squash(label) for entry in attributes_of([whole]) for label in entry.labels}
        further = [name for name in proposal.names if squash(name) not in known]
        longer = {**whole, "synonyms": [*whole.get("synonyms", ()), *further]}
        own = [*(entry for entry in own if entry["key"] != into), longer]
    else:
        key = key_for(proposal.name, _taken(schema))
        own.append(entry_of(key, proposal.type, proposal.unit, _one_of_each(proposal.names)))
    schema.attributes, schema.created_by = own, actor
    schema.reason = f"{proposal.name}: {proposal.confirmed} confirmed"[:200]
    try:
        return schema.add_version()
    except ValidationError as error:
        raise Refused("schema_invalid", why=" ".join(error.messages)) from None


def _one_of_each(names: dict[str, int]) -> dict[str, int]:
    """Spellings that differ in case and space alone are one label."""
    spellings: dict[str, str] = {}
    for name in sorted(names, key=lambda name: (-names[name], name)):
        spellings.setdefault(squash(name), name)
    return {name: names[name] for name in spellings.values()}


@transaction.atomic
def decline(actor: User, proposal_id: int) -> None:
    """It stays a custom attribute. Raises Refused(promote_forbidden), Conflict(proposal_decided)."""
    _decide(actor, proposal_id, State.DECLINED)


def _decide(actor: User, proposal_id: int, state: str) -> AttributeProposal:
    if not may(actor, Action.OPERATE):
        raise Refused("promote_forbidden")
    rows = AttributeProposal.objects.filter(pk=proposal_id, state=State.OPEN)
    if not rows.update(state=state, decided_by=actor, decided_at=Now()):
        raise Conflict("proposal_decided")
    return AttributeProposal.objects.get(pk=proposal_id)
