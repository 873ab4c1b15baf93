from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ProcessingConfig(AppConfig):
    name = "processing"
    verbose_name = _("Pages and SKUs")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.db.models.signals import post_migrate

        from ingestion.job_page import MORE_FIGURES
        from ingestion.lifecycle import PAGE
        from ingestion.models_shown import BATCHES, SPENT
        from ingestion.notices.services.telling import LISTENERS
        from processing import kept as _kept  # noqa: F401 -- it and the next one declare themselves
        from processing import restored as _restored  # noqa: F401
        from processing.batches.presenters import batch_figures
        from processing.editions import receivers as _editions  # noqa: F401 -- it and the next two register themselves
        from processing.llm.presenters import spent_on_pages
        from processing.pages.figures import job_figures
        from processing.pages.receivers import hear_pages
        from processing.pages.selectors import batch_percent
        from processing.sandboxed import checks  # noqa: F401
        from processing.shadows import receivers as _shadows  # noqa: F401
        from processing.studies.receivers import bring_shipped_templates, enter_kind
        from processing.webhooks.receivers import hear_notice

        enter_kind()
        post_migrate.connect(bring_shipped_templates, sender=self)
        PAGE.heard_by(hear_pages)
        for figures in (job_figures, batch_figures):
            if figures not in MORE_FIGURES:
                MORE_FIGURES.append(figures)
        if batch_percent not in BATCHES:
            BATCHES.append(batch_percent)
        if spent_on_pages not in SPENT:
            SPENT.append(spent_on_pages)
        if hear_notice not in LISTENERS:
            LISTENERS.append(hear_notice)
