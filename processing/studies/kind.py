"""Studies as a kind of document (docs/adr/0033): what of their way is data. Where it is done: ``receivers``."""

from django.utils.translation import pgettext_lazy

from ingestion.kinds import Kind
from ingestion.lifecycle import JobStage, PageStage

RECORDS = "records"

STUDY = Kind(
    key="study",
    name=pgettext_lazy("kind", "Study"),
    settled_by=RECORDS,
    stages=frozenset(
        {
            *(JobStage.INSPECT, JobStage.PRESCAN, JobStage.EXTRACT, JobStage.ASK),
            *(PageStage.READ, PageStage.UNDERSTAND_RULES),
        }
    ),
    questions=("read_study",),
    screen="study",
)
