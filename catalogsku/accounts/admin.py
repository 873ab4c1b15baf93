"""Users and merchants in the admin."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.utils.translation import gettext_lazy as _

from catalogsku.accounts.models import Merchant, User


@admin.register(Merchant)
class MerchantAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "is_active", "created_at")
    list_filter = ("is_active",)
    search_fields = ("name",)


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    """What a person may do follows from the role alone: no single permissions or groups."""

    list_display = ("username", "display_name", "role", "is_active", "last_login")
    list_filter = ("role", "is_active", "merchants")
    search_fields = ("username", "display_name", "email")
    filter_horizontal = ("merchants",)
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Person"), {"fields": ("display_name", "email", "language")}),
        (_("Work"), {"fields": ("role", "merchants", "is_active")}),
    )
    add_fieldsets = (
        (None, {"fields": ("username", "password1", "password2", "display_name", "role", "merchants", "language")}),
    )
