from django.apps import AppConfig
from django.core.checks import Tags, register
from django.utils.translation import gettext_lazy as _


class IngestionConfig(AppConfig):
    name = "ingestion"
    verbose_name = _("Documents")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ingestion.keeping import table as _table  # noqa: F401 -- it declares itself
        from ingestion.keeping.policies import check_policies
        from ingestion.lifecycle import JOB
        from ingestion.notices.services.telling import hear_jobs

        JOB.heard_by(hear_jobs)
        register(check_policies, Tags.models)
