from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IngestionConfig(AppConfig):
    name = "ingestion"
    verbose_name = _("Documents")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ingestion.lifecycle import JOB
        from ingestion.notices.services.telling import hear_jobs

        JOB.heard_by(hear_jobs)
