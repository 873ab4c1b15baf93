"""What the workbench shows of one task: the page as it stands, what is open on it, and the reader's own draft."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from annotation.people.services import golden
from annotation.queue.selectors import due
from annotation.tasks.lifecycle import Purpose, TaskStatus
from annotation.tasks.models import Draft, HumanTask
from annotation.workbench import alternatives
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import clock
from catalogsku.core.errors import NotFound
from catalogsku.profiles.services import work_rules
from ingestion.models import Page
from ingestion.presentation import picture_address
from ingestion.reasons import asked, sentences
from processing.corrections.services.correcting import content_version, is_drawn, is_locked
from processing.products import presenters
from processing.products.lifecycle import ImageRole, SkuStatus
from processing.products.models import Image, Sku
from processing.products.presenters import picture_url
from processing.products.selectors import active_skus

PAGE_TYPES = {
    "A": gettext_lazy("Table, a row a product"),
    "B": gettext_lazy("Text and pictures mixed"),
    "C": gettext_lazy("Grid of pictures"),
    "D": gettext_lazy("No product"),
}
LAYOUTS = {
    "L1": pgettext_lazy("layout", "One large product"),
    "L2": pgettext_lazy("layout", "Even grid"),
    "L3": pgettext_lazy("layout", "List, or several forms"),
    "L4": pgettext_lazy("layout", "Dense rows"),
}
TEXT_ROLES = {
    "title": pgettext_lazy("text", "Title"),
    "label": pgettext_lazy("text", "Label"),
    "value": pgettext_lazy("text", "Value"),
    "caption": pgettext_lazy("text", "Caption"),
    "running": pgettext_lazy("text", "Running line"),
    "note": pgettext_lazy("text", "Note"),
    "other": pgettext_lazy("text", "Other"),
}
# Why a picture might be this SKU's, or hardly is.
WHY = {
    "within_distance": pgettext_lazy("candidate", "Near"),
    "same_band": pgettext_lazy("candidate", "Same row"),
    "nearer_to_other_sku": pgettext_lazy("candidate", "Nearer another"),
    "shows_something_else": pgettext_lazy("candidate", "Shows another thing"),
    "small_beside_another": pgettext_lazy("candidate", "Much smaller"),
    "in_the_letterhead": pgettext_lazy("candidate", "In the letterhead"),
    "not_on_the_caption_side": pgettext_lazy("candidate", "Other side"),
}
# How a value was found that only the picture of its page shows and that no second reading proves (Evidence.method).
SEEN = "seen"
SKIP_REASONS = {
    "unreadable": pgettext_lazy("skip", "The page cannot be read"),
    "cut_off": pgettext_lazy("skip", "Part of the page is missing"),
    "not_mine": pgettext_lazy("skip", "Needs knowledge that I do not have"),
    "other": pgettext_lazy("skip", "Another reason"),
}


def get_task(actor: User, uuid: UUID) -> HumanTask:
    """Raises NotFound, also for tasks of merchants that this person does not work for."""
    rows = HumanTask.objects.visible_to(actor).select_related("job__schema", "job__profile", "page", "locked_by")
    task = rows.filter(uuid=uuid).first()
    if task is None:
        raise NotFound("task_not_found")
    return task


def bench(actor: User, task: HumanTask) -> dict[str, Any]:
    """All that the browser's modules work with: the state that is edited, and beside it what is only shown."""
    page, job = task.page, task.job
    golden_page = task.purpose == Purpose.HONEYPOT
    if golden_page:
        page, skus = golden.page_then(task, page), list(golden.skus_before(task).values())
    else:
        skus = list(active_skus(job).filter(page=page))
    images = list(Image.objects.filter(page=page).order_by("image_id"))
    if golden_page:  # what a person drew there would tell that one was there
        images = [image for image in images if not is_drawn(image.image_id)]
    names = presenters.labels(job.schema)
    return {
        "task": str(task.uuid),
        "status": task.status,
        "holder": _holder(actor, task),
        "user": actor.username,
        "name": str(actor),
        "due": _due(task),
        "can_take_over": may(actor, Action.SUPERVISE),
        "idle_s": settings.LOCK_IDLE_S,
        "judges": task.purpose == Purpose.VERDICT,
        "page": {
            "number": page.number,
            "width_pt": page.width_pt,
            "height_pt": page.height_pt,
            "version": content_version(page),
            "image_url": picture_address(job.uuid, page),
        },
        "state": page_state(page, skus, list(names)),
        "meta": {
            "skus": {sku.sku_id: _sku_meta(sku, page, names, task) for sku in skus},
            "images": [
                {"image_id": i.image_id, "name": i.picture, "box": i.box, "url": picture_url(job, i), "role": i.role}
                for i in images
            ],
            "keys": _keys(names, job.schema.resolved_attributes),
            "reasons": asked(task.reasons),
            "accept_from": float(job.profile.threshold_a),
            "texts": {} if golden_page else page.validation.get("texts", {}),
            "merges": _merges(page),
            "around": _around(page),
            "alternatives": alternatives.shown(page, list(names)),
        },
        "draft": _draft(actor, task),
    }


def page_state(page: Page, skus: list[Sku], keys: list[str]) -> dict[str, Any]:
    """The page as a submit would say it if nothing were changed."""
    return {
        "page_type": page.page_type,
        "layout_type": page.layout_type,
        "skus": [_sku_state(sku, page, keys) for sku in skus],
        "roles": {},
        "drawn": [],
        "texts": {},
        "separate": [],
        "new_type": "",
    }


def _sku_state(sku: Sku, page: Page, keys: list[str]) -> dict[str, Any]:
    pictures = sorted(sku.pictures.all(), key=lambda bound: bound.rank)
    return {
        "sku_id": sku.sku_id,
        "rejected": sku.status == SkuStatus.REJECTED,
        "attributes": {key: _value(sku, page, key) for key in dict.fromkeys([*keys, *sku.attributes])},
        "custom": [_custom(entry) for entry in sku.custom_attributes],
        "pictures": [bound.image.image_id for bound in pictures],
        "box": sku.box,
        **({"offered": sku.decisions["offered"]} if "offered" in sku.decisions else {}),
    }


def _custom(entry: dict[str, Any]) -> dict[str, Any]:
    return {"name": entry["name"], "text": entry["value"], "box": None, "confirmed": bool(entry.get("confirmed"))}


def _value(sku: Sku, page: Page, key: str) -> dict[str, Any] | None:
    text = sku.attributes.get(key)
    if text is None:
        return None
    evidence = sku.evidence.get(key)
    here = evidence and evidence["page_number"] == page.number and not is_locked(sku, key)
    return {"text": text, "box": evidence["bbox"] if evidence and here else None, "confirmed": False}


def _sku_meta(sku: Sku, page: Page, names: dict[str, str], task: HumanTask) -> dict[str, Any]:
    cells = presenters.value_cells(sku, names)
    return {
        "blockers": sentences(sku.blockers),
        "locked": [key for key in sku.attributes if is_locked(sku, key)],
        "evidence": {key: _proof(proof) for key, proof in sku.evidence.items() if proof["page_number"] == page.number},
        "customs": _printed_customs(sku, page),
        "marks": {c.key: {"icon": c.mark_icon, "word": c.mark_word, "tone": c.mark_tone} for c in cells},
        "candidates": [candidate["image_id"] for candidate in sku.candidates],
        "scores": {candidate["image_id"]: candidate["confidence"] for candidate in sku.candidates},
        "why": {c["image_id"]: str(WHY.get(c.get("reason", ""), "")) for c in sku.candidates},
        "source": sku.attribute_source,
        "otherwise": sku.decisions.get("otherwise", {}),
        "confidence": sku.confidence,
        "status": sku.status,
        "subject": sku.sku_id == task.subject or sku.sku_id in task.skus(),
    }


def _printed_customs(sku: Sku, page: Page) -> dict[str, Any]:
    """Where this page prints attributes that the category does not know, by their names."""
    printed = ((entry["name"], entry.get("evidence") or {}) for entry in sku.custom_attributes)
    here = {name: proof for name, proof in printed if proof.get("page_number") == page.number and proof.get("match")}
    return {name: proof["bbox"] for name, proof in here.items() if proof.get("bbox")}


def _proof(evidence: dict[str, Any]) -> dict[str, Any]:
    """``crop``: the part of the page that is shown beside the value, None where it stands nowhere. ``seen``: a model
    saw it there, and what was recognised there is another: it waits for a person who compares the two."""
    seen = evidence.get("method") == SEEN and not evidence.get("match")
    proof = {name: evidence.get(name) for name in ("bbox", "match", "quote", "page_number")}
    return {**proof, "crop": evidence.get("bbox") if evidence.get("match") or seen else None, "seen": seen}


def _keys(names: dict[str, str], own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    required = {entry["key"] for entry in own if entry.get("required")}
    return [{"key": key, "label": label, "required": key in required} for key, label in names.items()]


def _holder(actor: User, task: HumanTask) -> dict[str, Any] | None:
    """``tab``: which of one's own has it, under ``token``."""
    if task.status != TaskStatus.PROCESSING or task.locked_by is None:
        return None
    since = task.locked_at.isoformat() if task.locked_at else ""
    me = task.locked_by_id == actor.pk
    own = {"tab": str(task.lock_session), "token": task.lock_token} if me else {"tab": ""}
    return {"name": str(task.locked_by), "since": since, "me": me, **own}


def _due(task: HumanTask) -> dict[str, Any]:
    """The countdown that the top bar shows; ``still`` while somebody holds the task."""
    rules = work_rules()
    countdown = due(task, clock.now(), rules)
    return {
        "due_at": countdown.due_at.isoformat(),
        "left_s": countdown.left_s,
        "limit_s": rules.skip_after_min * 60,
        "tone": countdown.tone,
        "still": countdown.still,
        "priority": task.priority,
        "escalated": TaskStatus.ESCALATED in (task.status, task.came_from),
    }


def _draft(actor: User, task: HumanTask) -> dict[str, Any] | None:
    draft = Draft.objects.filter(task=task, user=actor).first()
    return {"seq": draft.seq, "state": draft.body, "page_version": draft.page_version} if draft else None


def _merges(page: Page) -> list[dict[str, str]]:
    """Tables that go on with one of an earlier page, as the reading decided (X-MERGE)."""
    words = gettext("goes on with page %(number)s, %(rows)s rows")
    return [
        {"table": merge["table"], "words": words % {"number": merge["page_number"], "rows": merge["rows"]}}
        for merge in page.validation.get("merges", ())
    ]


def _around(page: Page) -> list[dict[str, Any]]:
    """Pictures of the pages before and after, to peek at (TA-P1-4)."""
    near = Page.objects.filter(job=page.job_id, number__in=(page.number - 1, page.number + 1)).order_by("number")
    return [{"number": other.number, "url": picture_address(page.job.uuid, other)} for other in near if other.shown_key]


def files_of(task: HumanTask) -> list[str]:
    """Addresses of what takes longest to come of a task's page."""
    page = task.page
    return [*filter(None, [picture_address(task.job.uuid, page)]), reverse("task_print", args=[task.uuid])]


def choices() -> dict[str, Any]:
    """What the form offers to choose from, in the reader's language."""
    return {
        "page_types": [(key, str(word)) for key, word in PAGE_TYPES.items()],
        "layouts": [(key, str(word)) for key, word in LAYOUTS.items()],
        "text_roles": [(key, str(word)) for key, word in TEXT_ROLES.items()],
        "roles": [(role.value, str(role.label)) for role in ImageRole],
        "skip_reasons": [(key, str(word)) for key, word in SKIP_REASONS.items()],
    }
