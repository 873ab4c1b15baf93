from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = _("Tasks")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation import kept as _kept  # noqa: F401 -- it declares itself
        from annotation.calibration.receivers import history_for
        from annotation.queue.receivers import tell_leads
        from annotation.tasks.lifecycle import TASK
        from annotation.tasks.told import tell_of_tasks
        from processing.quality.services.histories import HISTORIES
        from processing.webhooks.events import TELLERS

        TASK.heard_by(tell_leads)
        HISTORIES[:] = [history_for]
        TELLERS["task"] = tell_of_tasks
