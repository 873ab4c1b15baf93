"""Addresses of the web application."""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path

from catalogsku import api_docs
from catalogsku.accounts import views as accounts
from catalogsku.api import api, unknown_address
from catalogsku.core import health, scrape
from ingestion import uploads

handler500 = "catalogsku.core.error_pages.server_error"
urlpatterns = [
    path("", include("ingestion.urls")),
    path("", include("processing.urls")),
    path("", include("annotation.urls")),
    path(
        "login/",
        auth.LoginView.as_view(template_name="accounts/login.html", redirect_authenticated_user=True),
        name="login",
    ),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("language/", accounts.set_language, name="set_language"),
    path(
        "password/",
        auth.PasswordChangeView.as_view(template_name="accounts/password.html", success_url="/"),
        name="password_change",
    ),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", scrape.metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("api/v1/uploads/", uploads.api_create, name="api_upload_create"),
    path("api/v1/uploads/<uuid:upload_id>/", uploads.api_parts, name="api_upload"),
    path("api/v1/health", health.readyz, name="api_health"),
    path("api/v1/metrics", scrape.metrics, name="api_metrics"),
    path("api/v1/docs", api_docs.docs, name="api_docs"),
    path("api/v1/", api.urls),
    path("api/v1/<path:rest>", unknown_address, name="api_unknown"),
]
