"""A page as a person left it becomes rows: revisions of what was changed, states of what was confirmed (DESIGN 5).

Runs in the caller's transaction, with the page locked. What nobody touched keeps its row, its evidence and its import.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from catalogsku.core import bulk, messages
from catalogsku.core.box import Box
from catalogsku.core.moves import audit_rows, move
from catalogsku.core.text import trim
from ingestion.models import Job, Page
from processing.engine.understanding.rules.normalise import is_valid_price, normalised
from processing.engine.understanding.validity import IDENTITY, SPECS
from processing.lifecycle import DELIVERABLE_ROLES, IMAGE, SKU, ImageRole, ImageStatus, SkuStatus
from processing.models import Image, ImportRecord, Sku, SkuImage
from processing.services import compensating, delivering, ledger
from processing.services.identity import Known
from processing.services.recording import attribute_keys

MOST_CHARS = 4000
AUTO_ACCEPTED = "auto_accepted"
S = SkuStatus
# What a person's "yes" does to a SKU that waits for one.
CONFIRMED_BY = {S.PARTIAL: (S.CONFIRMED, S.BOUND), S.INVALID: (S.CONFIRMED, S.BOUND), S.VALID: (S.BOUND,)}


class GivenValue(msgspec.Struct, frozen=True):
    """A value as a person left it; ``box``: where it stands, as chosen by hand. ``confirmed``: right although it is not
    printed so."""

    text: str
    box: Box | None = None
    confirmed: bool = False


class GivenCustom(msgspec.Struct, frozen=True):
    name: str
    text: str


class GivenSku(msgspec.Struct, frozen=True):
    """``sku_id`` None: a product that nobody had found. ``pictures``: image ids, the main one first."""

    sku_id: str | None = None
    rejected: bool = False
    attributes: dict[str, GivenValue | None] = {}
    custom: tuple[GivenCustom, ...] = ()
    pictures: tuple[str, ...] = ()
    box: Box | None = None


class PageState(msgspec.Struct, frozen=True, kw_only=True):
    """A whole page as the workbench shows it. ``roles``: of pictures, by image id, where they were changed."""

    page_type: Literal["A", "B", "C", "D"]
    layout_type: Literal["L1", "L2", "L3", "L4"] = "L3"
    skus: tuple[GivenSku, ...] = ()
    roles: dict[str, str] = {}


@dataclass(frozen=True)
class Fault:
    """``path`` as in skus[2].attributes.price; ``code`` has a sentence."""

    path: str
    code: str
    params: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """One difference between what machines had and what a person left; None where there was nothing."""

    kind: str
    sku_id: str
    field: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Found:
    """What the page has now."""

    skus: Mapping[str, Sku]
    images: Mapping[str, Image]
    pictures: Mapping[str, tuple[str, ...]]
    keys: Sequence[str]

    @classmethod
    def of(cls, job: Job, page: Page) -> "Found":
        skus = {sku.sku_id: sku for sku in Sku.objects.filter(page=page, superseded=False)}
        images = {image.image_id: image for image in Image.objects.filter(page=page)}
        bound: dict[str, list[str]] = {}
        rows = SkuImage.objects.filter(sku__in=list(skus.values())).order_by("rank", "pk")
        for sku_id, image_id in rows.values_list("sku__sku_id", "image__image_id"):
            bound.setdefault(sku_id, []).append(image_id)
        return cls(skus, images, {key: tuple(value) for key, value in bound.items()}, attribute_keys(job))


def find_faults(page: Page, given: PageState, known: Found) -> list[Fault]:
    """Why this page cannot be kept as it is; the same that an import would refuse."""
    found = []
    seen: set[str] = set()
    for n, sku in enumerate(given.skus):
        path = f"skus[{n}]"
        if sku.sku_id is not None and sku.sku_id not in known.skus:
            found.append(Fault(path, "unknown_sku"))
            continue
        if sku.sku_id is not None and sku.sku_id in seen:
            found.append(Fault(path, "sku_twice"))
        seen.add(sku.sku_id or "")
        if not sku.rejected:
            found += _sku_faults(path, sku, known)
    if given.page_type == "D" and any(not sku.rejected for sku in given.skus):
        found.append(Fault("page_type", "products_on_empty_page"))
    for image_id, role in given.roles.items():
        if image_id not in known.images or role not in ImageRole:
            found.append(Fault(f"roles.{image_id}", "unknown_picture"))
    return found


def _sku_faults(path: str, sku: GivenSku, known: Found) -> Iterator[Fault]:
    values = _values(sku)
    if not any(values.get(key) for key in IDENTITY):
        yield Fault(path, "identity_missing")
    old = known.skus.get(sku.sku_id or "")
    for key, value in values.items():
        place = f"{path}.attributes.{key}"
        if key not in known.keys:
            yield Fault(place, "unknown_key", {"key": key[:40]})
        elif len(value) > MOST_CHARS:
            yield Fault(place, "too_long", {"limit": MOST_CHARS})
        elif key == "price" and not is_valid_price(value) and not _is_confirmed(sku, key):
            yield Fault(place, "price_unclear", {"value": value[:80]})
        elif old is not None and is_locked(old, key) and value == _text(old, key) and not _is_confirmed(sku, key):
            yield Fault(place, "value_locked")
    for n, custom in enumerate(sku.custom):
        if not trim(custom.name):
            yield Fault(f"{path}.custom[{n}]", "name_missing")
        if len(custom.text) > MOST_CHARS or len(custom.name) > MOST_CHARS:
            yield Fault(f"{path}.custom[{n}]", "too_long", {"limit": MOST_CHARS})
    for picture in sku.pictures:
        if picture not in known.images:
            yield Fault(f"{path}.pictures", "unknown_picture")


def _values(sku: GivenSku) -> dict[str, str]:
    """What is left of the attributes: emptied ones are not there."""
    return {key: text for key, value in sku.attributes.items() if value is not None and (text := trim(value.text))}


def _text(old: Sku, key: str) -> str:
    return old.attributes.get(key) or ""


def is_locked(old: Sku, key: str) -> bool:
    """The value is not printed on its page (LX-UNLOCK): a person must say that it is right, or change it."""
    evidence = old.evidence.get(key)
    return bool(_text(old, key)) and evidence is not None and evidence.get("match") == 0


def _is_confirmed(sku: GivenSku, key: str) -> bool:
    value = sku.attributes.get(key)
    return value is not None and value.confirmed


def content_version(page: Page) -> int:
    """Changes with every result that machines or people record for the page, and with nothing else."""
    rows = Sku.objects.filter(page=page, superseded=False).order_by("pk").values_list("pk", flat=True)
    return zlib.crc32(repr((page.finished_at, list(rows))).encode())


def correct_page(job: Job, page: Page, given: PageState, found: Found, actor: str) -> list[Change]:
    """Write the page as it was left, open the imports of what may go out, and say what was changed.

    ``given`` has no faults. A person has seen every SKU of it: those that waited for one are confirmed.
    """
    plans = [_plan(sku, found) for sku in given.skus]
    _confirm([plan.old for plan in plans if plan.old is not None and not plan.changes and not plan.given.rejected])
    _revise(job, page, [plan for plan in plans if plan.changes], found, actor)
    changes = [change for plan in plans for change in plan.changes]
    changes += correct_roles(given, found)
    changes += [
        Change(kind, "", name, before, after)
        for kind, name, before, after in (
            ("PAGE_TYPE", "page_type", page.page_type, given.page_type),
            ("LAYOUT", "layout_type", page.layout_type, given.layout_type),
        )
        if before != after
    ]
    Page.objects.filter(pk=page.pk).update(
        page_type=given.page_type, layout_type=given.layout_type, type_confidence=1.0, blockers=[], needs_review=False,
        **Page.visible_change(),
    )  # fmt: skip
    _import(job, page, actor)
    return changes


def _import(job: Job, page: Page, actor: str) -> None:
    """Targets get what is new, lose what is none, and get again what they refused and a person found right."""
    ledger.withdraw([page.pk])
    active = Sku.objects.filter(page=page, superseded=False)
    ledger.open_imports(job, list(active.filter(status=S.BOUND, imports__isnull=True).select_related("page")))
    compensating.remove(job, list(active.filter(status=S.REJECTED)))
    compensating.remove_gone(job, [page.pk])
    refused = ImportRecord.objects.filter(sku__in=active.filter(status=S.IMPORT_FAILED).values("pk"))
    delivering.retry_imports(list(refused.values_list("pk", flat=True)), actor)
    messages.send_after_commit("deliver_pages", [page.pk])


def accept_as_found(job: Job, page: Page) -> None:
    """What machines found on the page goes out unseen, and says so wherever it is shown or sent (TA-SLAACCEPT)."""
    rows = Sku.objects.filter(page=page, superseded=False, imports__isnull=True)
    rows.filter(status__in=(S.VALID, S.BOUND)).update(quality_warning=AUTO_ACCEPTED, **Sku.visible_change())
    _confirm(list(rows.filter(status=S.VALID)))
    Page.objects.filter(pk=page.pk).update(blockers=[], needs_review=False, **Page.visible_change())
    ledger.open_imports(job, list(rows.filter(status=S.BOUND).select_related("page")))


@dataclass(frozen=True)
class _Plan:
    """What becomes of one SKU; ``changes``: none where it stays as it is."""

    given: GivenSku
    old: Sku | None
    values: dict[str, str]
    changes: list[Change]


def _plan(given: GivenSku, found: Found) -> _Plan:
    old = found.skus.get(given.sku_id or "")
    values = _values(given)
    if given.rejected:
        gone = old is not None and old.status != S.REJECTED
        changes = [Change("SKU_ATTRIBUTE", old.sku_id, "rejected", False, True)] if gone and old is not None else []
        return _Plan(given, old, values, changes)
    name = given.sku_id or ""
    before = {key: value for key, value in old.attributes.items() if value} if old is not None else {}
    changes = [
        Change("SKU_ATTRIBUTE", name, key, before.get(key), values.get(key))
        for key in found.keys
        if before.get(key) != values.get(key) or (old is not None and is_locked(old, key) and _is_confirmed(given, key))
    ]
    custom_before = [(c["name"], c["value"]) for c in old.custom_attributes] if old is not None else []
    custom_after = [(trim(c.name), trim(c.text)) for c in given.custom if trim(c.text)]
    if custom_before != custom_after:
        changes.append(Change("CUSTOM_ATTR_CONFIRM", name, "custom", custom_before, custom_after))
    pictures = found.pictures.get(name, ())
    if pictures != given.pictures:
        changes.append(Change("BINDING", name, "pictures", list(pictures), list(given.pictures)))
    if old is None and not changes:
        changes.append(Change("SKU_ATTRIBUTE", name, "added", None, True))
    return _Plan(given, old, values, changes)


def _confirm(skus: Sequence[Sku]) -> None:
    """They are right as they are: what waited for a person goes on."""
    for status, path in CONFIRMED_BY.items():
        ids = [sku.pk for sku in skus if sku.status == status]
        for step in path if ids else ():
            trigger = "confirmed" if step == S.CONFIRMED else "bound"
            move(SKU, Sku.objects.filter(pk__in=ids), to=step, trigger=trigger, changes={"blockers": []})


def _revise(job: Job, page: Page, plans: Sequence[_Plan], found: Found, actor: str) -> None:
    """A new row for each changed SKU in the state it reached; the one before is superseded."""
    if not plans:
        return
    sequence = Known.of([page.pk]).last.get(page.pk, 0)
    if ids := [plan.old.pk for plan in plans if plan.old is not None]:
        old = Sku.objects.filter(pk__in=ids)
        move(SKU, old, to=S.SUPERSEDED, trigger="superseded", actor=actor, changes={"superseded": True})
    rows: dict[str, Sku] = {}
    shown: dict[str, tuple[str, ...]] = {}
    for plan in plans:
        sku_id = plan.old.sku_id if plan.old is not None else ""
        if plan.old is None:
            sequence += 1
            sku_id = f"{job.hash8}_p{page.number:02d}_{sequence:03d}"
        rows[sku_id] = _row(job, page, plan, sku_id, found.keys)
        shown[sku_id] = () if plan.given.rejected else plan.given.pictures
    for sku_id, pk in bulk.insert_rows(Sku, bulk.columns_of(list(rows.values())), returning=("sku_id", "id")):
        rows[sku_id].pk = pk
    bindings = [
        {
            "sku_id": rows[sku_id].pk, "image_id": found.images[name].pk, "rank": rank, "method": "manual",
            "role": ImageRole.PRODUCT_MAIN if rank == 0 else ImageRole.DETAIL, "confidence": 1.0, "chosen_by": actor,
        }
        for sku_id, names in shown.items()
        for rank, name in enumerate(dict.fromkeys(names))
    ]  # fmt: skip
    bulk.insert_rows(SkuImage, bindings)
    reason = {page.pk: {"page": page.number, "skus": sorted(rows)}}
    audit_rows("sku", job.pk, reason, target="RECORDED", trigger="corrected", actor=actor)


def _row(job: Job, page: Page, plan: _Plan, sku_id: str, keys: Sequence[str]) -> Sku:
    given, old, values = plan.given, plan.old, plan.values
    touched = {change.field for change in plan.changes if change.kind == "SKU_ATTRIBUTE"}
    evidence = {key: value for key, value in (old.evidence if old else {}).items() if key in values}
    source = {key: value for key, value in (old.attribute_source if old else {}).items() if key in values}
    for key in touched & values.keys():
        said = given.attributes[key]
        place = said.box if said is not None and said.box else evidence.get(key, {}).get("bbox")
        evidence[key] = {
            "quote": values[key], "page_number": page.number, "bbox": place, "match": 1.0, "method": "person",
        }  # fmt: skip
        source[key] = "person"
    specs = any(key in values for key in SPECS)
    reached = (S.EXTRACTED, S.VALID, S.BOUND) if specs else (S.EXTRACTED, S.PARTIAL, S.CONFIRMED, S.BOUND)
    if given.rejected:
        reached = (S.EXTRACTED, S.PARTIAL, S.REJECTED)
    return Sku(
        job_id=job.pk,
        page=page,
        sku_id=sku_id,
        revision=old.revision + 1 if old is not None else 1,
        status=SKU.check_path(*reached),
        validity="full" if specs else "partial",
        quality_warning=None if specs else "missing_specifications",
        confidence=1.0,
        box=given.box or (old.box if old is not None else [0, 0, page.width_pt, page.height_pt]),
        attributes={key: values.get(key) for key in keys},
        attribute_source=source,
        evidence=evidence,
        normalized=normalised(values, {}),
        custom_attributes=[
            {"name": trim(c.name), "value": trim(c.text), "evidence": None} for c in given.custom if trim(c.text)
        ],
        candidates=old.candidates if old is not None else [],
        blockers=[],
    )


def correct_roles(given: PageState, found: Found) -> list[Change]:
    """Of pictures, where they differ."""
    changed = []
    for image_id, role in given.roles.items():
        image = found.images[image_id]
        if image.role == role:
            continue
        changed.append(Change("IMAGE_ROLE", "", image_id, image.role, role))
        rows = Image.objects.filter(pk=image.pk)
        new = {"role": role, "role_confidence": 1.0}
        move(IMAGE, rows, to=ImageStatus.ROLE_CLASSIFIED, trigger="corrected", changes=new)
        shown = ImageStatus.DELIVERABLE if role in DELIVERABLE_ROLES else ImageStatus.NOT_DELIVERABLE
        move(IMAGE, rows, to=shown, trigger="decided")
    return changed
