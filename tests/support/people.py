"""The people of the tests: two merchants, everybody around them, and a place where rows are committed."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection

from catalogsku.accounts.models import Merchant, Role, User

# Children first; what a fresh database starts with (profiles, schemas) stays.
EMPTIED = (
    *("processing_showncolumns", "processing_askingrule", "processing_correctionrule"),
    *("processing_editionchange", "processing_editionrenaming", "processing_edition"),
    *("processing_shadowpage", "processing_shadow", "processing_annotationexample"),
    "processing_decision",
    "processing_record",
    *("processing_webhookdelivery", "processing_webhookendpoint", "processing_targethold"),
    *("processing_tracebundle", "processing_modelcall", "processing_modelbatch"),
    *("processing_budget", "processing_modelgate"),
    *("processing_localproduct", "processing_importrecord", "processing_importtarget"),
    *("processing_skuimage", "processing_catalogueentry", "processing_sku"),
    *(
        "processing_image",
        "processing_evaluation",
        "processing_pagecontent",
        "processing_ruleresult",
        "processing_pagealternatives",
        "processing_toldprice",
        "annotation_calibrationproposal",
        "annotation_calibrationrecord",
        "annotation_dayfigures",
        "annotation_judgement",
        "annotation_goldenpage",
        "annotation_annotatorprofile",
        "annotation_skureport",
        "annotation_taskcomment",
        "annotation_annotation",
        "annotation_draft",
        "annotation_presence",
        "annotation_humantask",
    ),
    *("ingestion_notice", "ingestion_mailchoice", "ingestion_deletion", "ingestion_emptied", "ingestion_keepingrule"),
    *("ingestion_filerule", "ingestion_prescanpart", "ingestion_machineuse"),
    *("ingestion_upload", "ingestion_page", "ingestion_job", "core_transition", "core_worker", "core_periodicrun"),
    *("django_session", "axes_accessattempt", "axes_accesslog", "axes_accessfailurelog"),
    *(
        "processing_evalrun",
        "processing_evalreport",
        "profiles_activation",
        "django_admin_log",
        "accounts_failedtries",
        "accounts_knownplace",
        "accounts_apiwindow",
        "accounts_user_merchants",
        "profiles_merchantdictionary",
        "accounts_merchant",
    ),
)


@dataclass(frozen=True)
class People:
    """``outsider`` is signed in and works for nobody; ``other_uploader`` belongs to the other merchant."""

    merchant: Merchant
    other: Merchant
    uploader: User
    colleague: User
    other_uploader: User
    annotator: User
    lead: User
    admin: User
    outsider: User

    def named(self, name: str) -> User | None:
        """The person of that name; None for somebody who is not signed in."""
        return None if name == "anonymous" else getattr(self, name)


def make_people() -> People:
    """In three statements, as nearly every test needs them."""
    merchant, other = Merchant.objects.bulk_create([Merchant(name="North"), Merchant(name="South")])
    known: dict[str, tuple[str, Merchant | None]] = {
        "uploader": (Role.UPLOADER, merchant), "colleague": (Role.UPLOADER, merchant),
        "other_uploader": (Role.UPLOADER, other), "annotator": (Role.ANNOTATOR, merchant),
        "lead": (Role.LEAD, merchant), "admin": (Role.ADMIN, None), "outsider": (Role.ANNOTATOR, None),
    }  # fmt: skip
    admin = {"is_staff": True, "is_superuser": True}  # what saving one by one would set
    users = User.objects.bulk_create(
        [
            User(
                username=name,
                role=role,
                display_name=name.title(),
                language="en",
                **admin if role == Role.ADMIN else {},
            )
            for name, (role, _) in known.items()
        ]
    )
    works_for = User.merchants.through
    works_for.objects.bulk_create(
        [
            works_for(user=user, merchant=where)
            for user, (_, where) in zip(users, known.values(), strict=True)
            if where is not None
        ]
    )
    return People(merchant, other, **dict(zip(known, users, strict=True)))


@contextmanager
def committed_rows(blocker: Any) -> Iterator[None]:
    """A test whose rows other connections see: nothing is rolled back, everything is deleted at the end."""
    import dramatiq
    from asgiref.sync import SyncToAsync

    with blocker.unblock():
        name = str(connection.settings_dict["NAME"])
        assert name.startswith("test_"), f"{name} is not a test database: nothing is deleted there"
        try:
            yield
        finally:
            SyncToAsync.single_thread_executor.submit(lambda: connection.close()).result()
            with connection.cursor() as cursor:
                cursor.execute("DELETE FROM processing_budgetlimit WHERE merchant_id IS NOT NULL")
                own = "SELECT id FROM processing_template WHERE merchant_id IS NOT NULL"
                cursor.execute(f"DELETE FROM processing_templateversion WHERE template_id IN ({own})")
                cursor.execute("DELETE FROM processing_template WHERE merchant_id IS NOT NULL")
                for table in EMPTIED:
                    cursor.execute(f"DELETE FROM {table}")
                cursor.execute(
                    "DELETE FROM profiles_goldenverdict WHERE report IS NOT NULL"
                )  # the others are migrations'
                cursor.execute("DELETE FROM profiles_promptexperiment")
                cursor.execute("TRUNCATE profiles_configchange")  # no row of it can be deleted
                cursor.execute("DELETE FROM profiles_promptactivation")
                cursor.execute("DELETE FROM profiles_promptverdict WHERE report IS NOT NULL")
                for versioned in ("thresholdprofile", "promptversion", "routingtable"):
                    cursor.execute(f"DELETE FROM profiles_{versioned} WHERE version > 1")
                for versioned in ("thresholdprofile", "promptversion", "routingtable"):
                    cursor.execute(f"UPDATE profiles_{versioned} SET active = true")
                cursor.execute("DELETE FROM accounts_user")
            connection.close()
            dramatiq.get_broker().flush_all()
