"""What is shown of how a document was judged."""

from ingestion.models import Job
from processing.pages.models import Evaluation


def evaluation_of(job: Job) -> Evaluation | None:
    """The evaluation that the job was routed by; None before that."""
    return Evaluation.objects.filter(pk=job.route_reason.get("evaluation"), merchant=job.merchant_id).first()
