"""What is shown of how a document was judged, and of what its questions may cost."""

from django.db.models import Exists, Q

from ingestion.models import Job
from processing.llm.available import available_models
from processing.llm.keys import is_ready
from processing.llm.models.calls import WITH_BATCHES
from processing.pages.models import AskingRule, AskModels, Evaluation


def evaluation_of(job: Job) -> Evaluation | None:
    """The evaluation that the job was routed by; None before that."""
    return Evaluation.objects.filter(pk=job.route_reason.get("evaluation"), merchant=job.merchant_id).first()


def batch_percent(merchant_id: int) -> int | None:
    """Of its price, what the cheapest batches would cost that the merchant's documents may wait for."""
    ready = [provider for provider in WITH_BATCHES if is_ready(provider)]
    if not ready:  # the list of documents asks this too: no query for most
        return None
    never = AskingRule.objects.filter(merchant=merchant_id, ask_models=AskModels.NEVER)
    models = available_models(Q(provider__in=ready, batch_percent__isnull=False) & ~Q(Exists(never)))
    return min((model.batch_percent for model in models if model.batch_percent is not None), default=None)
