"""The samples that a fresh machine processes while one watches: a catalogue, and a study."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from catalogsku.accounts.models import User
from ingestion import kinds
from ingestion.models import Job
from ingestion.services import opening
from ingestion.services.receiving import submit_file


@dataclass(frozen=True)
class Sample:
    """``file``: its name in ``samples/``; the others as a document says them of itself."""

    file: str
    kind: str = kinds.CATALOGUE.key
    template: str = ""
    category: str = ""

    @property
    def path(self) -> Path:
        return Path(settings.BASE_DIR, "samples", self.file)


SAMPLES = (
    Sample("home-living.pdf", category="home"),
    Sample("trial-lemon-balm.pdf", kind="study", template="rct"),
)


def ensure_sample_jobs() -> list[Job]:
    """The samples' jobs for the demo uploader, each made once; none of a sample that is not there."""
    user = User.objects.filter(username="uploader").first()
    merchant = user.own_merchant() if user else None
    if user is None or merchant is None:
        return []
    return [_job(user, merchant.pk, sample) for sample in SAMPLES if sample.path.exists()]


def _job(user: User, merchant_id: int, sample: Sample) -> Job:
    kind = kinds.kind_named(sample.kind)
    template = opening.template_of(kind, merchant_id, sample.template)
    key = f"sample-{sample.file}"
    return submit_file(user, merchant_id, sample.path, key=key, kind=kind, template=template, category=sample.category)
