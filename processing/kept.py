"""For how long what is read, understood and delivered is kept (ingestion/keeping/policies.py)."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from catalogsku.core.models import Transition
from ingestion.keeping.policies import BUSY, FORGET_DOCUMENT, FORGET_PICTURES, Folder, Kind, Policy, declare
from ingestion.models import Job
from processing.editions.models import UNSETTLED
from processing.imports.lifecycle import IN_FLIGHT
from processing.models import (
    AnnotationExample,
    Edition,
    Evaluation,
    Export,
    ImportRecord,
    LocalProduct,
    ModelCall,
    PageContent,
)


def _is_last_of_its_file(job: Job) -> bool:
    same = Job.objects.filter(merchant=job.merchant_id, file_sha256=job.file_sha256)
    return not same.exclude(pk=job.pk).exists()


def _contents(job: Job) -> QuerySet[Any]:
    """What was read of a file serves all documents of it: it goes with the last one."""
    rows = PageContent.objects.filter(merchant=job.merchant_id, file_sha256=job.file_sha256)
    return rows if _is_last_of_its_file(job) else rows.none()


def _evaluations(job: Job) -> QuerySet[Any]:
    rows = Evaluation.objects.filter(merchant=job.merchant_id, file_sha256=job.file_sha256)
    return rows if _is_last_of_its_file(job) else rows.none()


def _examples(job: Job) -> QuerySet[Any]:
    return AnnotationExample.objects.filter(page__job=job)


def _editions(job: Job) -> QuerySet[Any]:
    """The comparison of a later document with this one tells what stood in this one."""
    return Edition.objects.filter(predecessor=job)


def _exports(job: Job) -> QuerySet[Any]:
    """Its own, and those of all products that may hold some of its."""
    return Export.objects.filter(Q(job=job) | Q(job=None, merchant=job.merchant_id, created_at__gte=job.created_at))


def _products(job: Job) -> QuerySet[Any]:
    """At the local target. What another document of the same file has delivered stays."""
    own = ImportRecord.objects.filter(job=job)
    others = ImportRecord.objects.filter(merchant=job.merchant_id).exclude(job=job)
    rows = LocalProduct.objects.filter(merchant=job.merchant_id, sku_key__in=own.values("sku_key"))
    return rows.exclude(sku_key__in=others.values("sku_key"))


def _calls(job: Job) -> QuerySet[Any]:
    return ModelCall.objects.filter(job=job)


def _forget_pictures(job: Job, keys: set[str]) -> None:
    """A reading says no more that there is a picture of its page: the file is read anew where it comes again."""
    rows = PageContent.objects.filter(merchant=job.merchant_id, file_sha256=job.file_sha256).only("files")
    for row in rows.iterator(500):
        left = {name: key for name, key in row.files.items() if key not in keys}
        if left != row.files:
            PageContent.objects.filter(pk=row.pk).update(files=left)


def _forget_predecessor(job: Job) -> dict[str, int]:
    """Pages that were carried over say from where."""
    later = Edition.objects.filter(predecessor=job).values("job")
    moves = Transition.objects.filter(job_id__in=later, trigger="carried", reason__earlier=str(job.uuid))
    return {"core.transition": moves.update(reason=None)}


BUSY["edition"] = Exists(
    Edition.objects.filter(Q(job=OuterRef("pk")) | Q(predecessor=OuterRef("pk")), state__in=UNSETTLED)
)
BUSY["export"] = Exists(
    Export.objects.filter(Q(job=OuterRef("pk")) | Q(job=None, merchant=OuterRef("merchant")), status="WAITING")
)
BUSY["import"] = Exists(ImportRecord.objects.filter(job=OuterRef("pk"), state__in=IN_FLIGHT))
if _forget_pictures not in FORGET_PICTURES:
    FORGET_PICTURES.append(_forget_pictures)
    FORGET_DOCUMENT.append(_forget_predecessor)

SETTING, STATE, RESULTS = Policy(Kind.SETTINGS), Policy(Kind.STATE), Policy(Kind.RESULTS)
MONEY, QUALITY = Policy(Kind.MONEY), Policy(Kind.QUALITY)

declare(
    {
        "processing.image": Policy(Kind.RESULTS, files=("storage_key",)),
        "processing.sku": Policy(Kind.RESULTS, told=("decisions",)),
        "processing.skuimage": Policy(Kind.RESULTS, names=("chosen_by",)),
        "processing.catalogueentry": RESULTS,
        "processing.correctionrule": SETTING,
        "processing.edition": Policy(Kind.RESULTS, document=_editions, names=("actor",)),
        "processing.editionchange": RESULTS,
        "processing.editionrenaming": Policy(Kind.RESULTS, names=("actor",)),
        "processing.exportlayout": SETTING,
        "processing.export": Policy(Kind.EXPORTS, document=_exports, files=("storage_key",)),
        "processing.importtarget": SETTING,
        "processing.targethold": STATE,
        "processing.importrecord": RESULTS,
        "processing.localproduct": Policy(Kind.RESULTS, document=_products),
        "processing.showncolumns": SETTING,
        "processing.languagemodel": SETTING,
        "processing.modelgate": Policy(Kind.STATE, names=("set_by",)),
        "processing.budgetlimit": SETTING,
        "processing.budget": MONEY,
        "processing.modelbatch": MONEY,
        "processing.modelcall": Policy(
            Kind.ANSWERS,
            document=_calls,
            emptied={"answer": None, "job": None, "page": None, "category": "", "request_key": ""},
        ),
        "processing.toldprice": RESULTS,
        "processing.askingrule": SETTING,
        "processing.pagecontent": Policy(Kind.RESULTS, document=_contents, files=("files",)),
        "processing.ruleresult": RESULTS,
        "processing.pagealternatives": RESULTS,
        "processing.evaluation": Policy(Kind.RESULTS, document=_evaluations),
        "processing.annotationexample": Policy(Kind.RESULTS, document=_examples),
        "processing.tracebundle": Policy(Kind.TRACES, files=("storage_key",)),
        "processing.evalreport": QUALITY,
        "processing.evalrun": QUALITY,
        "processing.shadow": SETTING,
        "processing.shadowpage": RESULTS,
        "processing.template": SETTING,
        "processing.templateversion": SETTING,
        "processing.record": RESULTS,
        "processing.decision": RESULTS,
        "processing.webhookendpoint": SETTING,
        "processing.webhookdelivery": Policy(Kind.LOGS),
        "processing.webhookcursor": STATE,
    },
    (
        Folder("m*/??/*/copy-*.pdf", Kind.SOURCES, ("processing.pages.services.copying",)),
        Folder("m*/??/*/traces/*", Kind.TRACES, ("processing.pages.services.tracing",)),
        Folder("m*/??/*/drawn/*", Kind.RESULTS, ("processing.corrections.services.cutting",)),
        # Pictures of products and thumbnails stay with the results; those of whole pages go before (Kind.PICTURES).
        Folder(
            "m*/??/*/????????????????/*",
            Kind.RESULTS,
            ("processing.pages.services.reading", "processing.pages.services.screenshots"),
        ),
        Folder("m*/exports/*", Kind.EXPORTS, ("processing.exports.services.exporting",)),
        Folder("m*/batches/*", Kind.ANSWERS, ("processing.llm.batched",)),  # until the batch has ended
        Folder("quality/*", Kind.QUALITY, ("processing.quality.services.reports",)),
    ),
)
