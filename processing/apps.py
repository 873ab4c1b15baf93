from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ProcessingConfig(AppConfig):
    name = "processing"
    verbose_name = _("Pages and SKUs")
    default_auto_field = "django.db.models.BigAutoField"
