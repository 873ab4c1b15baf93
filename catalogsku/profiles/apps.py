from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ProfilesConfig(AppConfig):
    name = "catalogsku.profiles"
    label = "profiles"
    verbose_name = _("Profiles and schemas")
    default_auto_field = "django.db.models.BigAutoField"
