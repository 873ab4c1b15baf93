from ingestion.models.job import Job
from ingestion.models.page import Page
from ingestion.models.quota import Quota
from ingestion.models.upload import Upload

__all__ = ["Job", "Page", "Quota", "Upload"]
