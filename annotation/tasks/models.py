"""HumanTask: a page that waits for a person, what is asked of it, and who holds it (INV-08)."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.tasks.lifecycle import OPEN, Priority, Purpose, TaskStatus, TaskType
from catalogsku.core import clock
from catalogsku.core.models import LiveRow
from catalogsku.core.scope import ScopedManager
from ingestion.lifecycle import SkipReason
from ingestion.models import Job, Page

# What one person holds at a time, and what has one open task.
HELD = ("page",)


class HumanTask(LiveRow):
    """A page has one open task, but for golden ones, which are one a person (TA-ONEHOLDER).

    ``reasons``: all that is asked, each with the ``sku`` that it is about, if it is about one. ``subject``: that SKU
    where the whole task is about it; of a golden page whose it is. ``lock_token`` grows with every lock: who comes
    with an older one has lost it (X-FENCE).
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    job = models.ForeignKey(Job, models.CASCADE, related_name="tasks")
    page = models.ForeignKey(Page, models.CASCADE, related_name="tasks")
    type = models.CharField(max_length=20, choices=TaskType)
    purpose = models.CharField(max_length=10, choices=Purpose, default=Purpose.WORK)
    subject = models.CharField(max_length=40, blank=True)
    status = models.CharField(max_length=10, choices=TaskStatus, default=TaskStatus.CREATED)
    priority = models.CharField(max_length=12, choices=Priority, default=Priority.NORMAL)
    reasons = models.JSONField(default=list)
    confidence = models.FloatField(null=True)
    locked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    lock_session = models.UUIDField(null=True)
    lock_token = models.BigIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    locked_at = models.DateTimeField(null=True)
    came_from = models.CharField(max_length=10, choices=TaskStatus, blank=True)  # its state before it was claimed
    submit_id = models.UUIDField(null=True)  # of the submit that completed it
    result = models.JSONField(default=dict)  # what a revert needs: the page before, the SKU rows after (see reverting)
    # A reservation, which lapses: until then only this person (and leads) may claim the task.
    assigned_to = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    assigned_until = models.DateTimeField(null=True)
    postponed_until = models.DateTimeField(null=True)  # not offered before
    worked_s = models.FloatField(default=0)  # seconds in which people held it
    # The task that a verdict judges, or whose page a golden one shows.
    about = models.ForeignKey("self", models.CASCADE, null=True, related_name="+")
    rework_count = models.SmallIntegerField(default=0)
    # Moves on by the time that somebody holds the task: now - clock_from is what it has waited for a person.
    clock_from = models.DateTimeField(db_default=Now())
    sla_level = models.SmallIntegerField(default=0)  # the last of the four that it reached
    skip_reason = models.CharField(max_length=12, blank=True, choices=SkipReason)
    created_at = models.DateTimeField(default=clock.now, editable=False)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    merchant_path = "job__merchant_id"
    objects = ScopedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=HELD, condition=Q(status__in=OPEN) & ~Q(purpose=Purpose.HONEYPOT), name="one_open_task"
            ),
            models.UniqueConstraint(
                fields=[*HELD, "subject"],
                condition=Q(status__in=OPEN, purpose=Purpose.HONEYPOT),
                name="one_golden_page_a_person",
            ),
            models.UniqueConstraint(fields=HELD, condition=Q(status=TaskStatus.PROCESSING), name="one_holder_a_page"),
            models.CheckConstraint(
                condition=~Q(status=TaskStatus.PROCESSING)
                | Q(locked_by__isnull=False, lock_session__isnull=False, lease_until__isnull=False),
                name="inv_08_processing_has_a_lock",
            ),
        ]
        indexes = [
            models.Index(fields=["page"], name="tasks_of_page"),
            models.Index(fields=["job", "status"], name="tasks_of_job"),
            models.Index(fields=["priority", "created_at"], name="tasks_open", condition=Q(status__in=OPEN)),
            models.Index(fields=["clock_from", "id"], name="tasks_by_due", condition=Q(status__in=OPEN)),
            models.Index(fields=["-closed_at"], name="tasks_closed", condition=~Q(status__in=OPEN)),
            models.Index(fields=["assigned_to"], name="tasks_assigned", condition=Q(status__in=OPEN)),
            models.Index(fields=["closed_by", "-closed_at"], name="tasks_of_person", condition=~Q(status__in=OPEN)),
            models.Index(fields=["lease_until"], name="tasks_locked", condition=Q(status=TaskStatus.PROCESSING)),
            models.Index(fields=["lock_session"], name="tasks_of_session", condition=Q(status=TaskStatus.PROCESSING)),
            models.Index(fields=["changed"], name="tasks_changed"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.page_id} {self.status}"

    def skus(self) -> set[str]:
        """Ids of the SKUs that it is about; nothing where it is about the page as a whole."""
        return {str(reason["sku"]) for reason in self.reasons if reason.get("sku") is not None}


class Draft(models.Model):
    """What a person has typed for a task and not submitted, kept on the server at every pause (X-DRAFT).

    ``seq`` counts the saves of one person and task: an older one that comes late changes nothing. ``base_token`` and
    ``page_version``: of the lock and the page that it was begun with. Kept after the lock is lost, until the task is
    completed.
    """

    task = models.ForeignKey(HumanTask, models.CASCADE, related_name="drafts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    body = models.JSONField()
    seq = models.BigIntegerField()
    base_token = models.BigIntegerField()
    page_version = models.BigIntegerField()
    saved_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "user"], name="one_draft_a_person")]

    def __str__(self) -> str:
        return f"{self.task_id}/{self.user_id} {self.seq}"


class TaskComment(models.Model):
    """What people tell each other about a task; never changed."""

    task = models.ForeignKey(HumanTask, models.CASCADE, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    text = models.CharField(max_length=1000)
    at = models.DateTimeField(db_default=Now(), editable=False)
    said_id = models.UUIDField(null=True, unique=True, editable=False)  # of the command that said it

    def __str__(self) -> str:
        return f"{self.author_id}: {self.text[:40]}"


class Annotation(models.Model):
    """One difference between what machines had and what a person left (TA-ANN8); no ``sku_id``: of the page itself.

    ``field``: an attribute's key, pictures, custom, rejected, page_type, layout_type, or a picture's id.
    """

    class Type(models.TextChoices):
        PAGE_TYPE = "PAGE_TYPE"
        LAYOUT = "LAYOUT"
        TEXT_ROLE = "TEXT_ROLE"
        IMAGE_ROLE = "IMAGE_ROLE"
        SKU_ATTRIBUTE = "SKU_ATTRIBUTE"
        BINDING = "BINDING"
        CUSTOM_ATTR_CONFIRM = "CUSTOM_ATTR_CONFIRM"
        NEW_TYPE_REPORT = "NEW_TYPE_REPORT"

    task = models.ForeignKey(HumanTask, models.CASCADE, related_name="annotations")
    page = models.ForeignKey(Page, models.CASCADE, related_name="annotations")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    type = models.CharField(max_length=20, choices=Type)
    sku_id = models.CharField(max_length=40, blank=True)
    field = models.CharField(max_length=60)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["annotator", "created_at"], name="annotations_of_person"),
            models.Index(fields=["created_at"], name="annotations_by_age"),
            models.Index(fields=["field"], name="annotations_of_customs", condition=Q(type="CUSTOM_ATTR_CONFIRM")),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.sku_id} {self.field}"


class Presence(models.Model):
    """One tab of a person. It is there while ``seen_at`` is fresh, whatever became of its connection."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    session = models.UUIDField()
    task = models.ForeignKey(HumanTask, models.CASCADE, related_name="present")
    seen_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "session"], name="one_presence_a_tab")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.task_id}"


class AuditPass(models.Model):
    """How far a check of the audit has come through all rows, from the newest down, and what it found.

    ``position``: the id below which it goes on; None where no pass is under way. ``found``: ids of rows that broke the
    rule when they were last looked at. ``whole_at``: when a pass had last been through all.
    """

    name = models.CharField(max_length=40, unique=True)
    position = models.BigIntegerField(null=True)
    looked_at = models.BigIntegerField(default=0)
    found = models.JSONField(default=list)
    began_at = models.DateTimeField(null=True)
    whole_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name}: {self.looked_at}"
