from ingestion.keeping.models import Deletion, DeletionState, Emptied, KeepingRule, Subject
from ingestion.models.file_rule import ActiveFiles, FileRule
from ingestion.models.job import Job
from ingestion.models.machine_time import MachineUse, PrescanPart
from ingestion.models.page import Page
from ingestion.models.quota import Quota
from ingestion.models.upload import Upload
from ingestion.notices.models import MailChoice, Notice

__all__ = [
    "ActiveFiles",
    "Deletion",
    "DeletionState",
    "Emptied",
    "FileRule",
    "Job",
    "KeepingRule",
    "MachineUse",
    "MailChoice",
    "Notice",
    "Page",
    "PrescanPart",
    "Quota",
    "Subject",
    "Upload",
]
