"""Addresses of the web application."""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from catalogsku import api_docs
from catalogsku.accounts import views as accounts
from catalogsku.api import api, unknown_address
from catalogsku.core import health, scrape
from ingestion import uploads

handler500 = "catalogsku.core.error_pages.server_error"
admin.site.password_change = accounts.password_change  # type: ignore[method-assign,assignment]  # its own lets the old be guessed
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
    path("password/", accounts.password_change, name="password_change"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", scrape.metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("api/v1/uploads/", uploads.api_create, name="api_upload_create"),
    path("api/v1/uploads/<uuid:upload_id>/", uploads.api_parts, name="api_upload"),
    # No form of ours goes to these: who posts there is told that nothing is there to be posted to.
    path("api/v1/health", csrf_exempt(health.readyz), name="api_health"),
    path("api/v1/metrics", csrf_exempt(scrape.metrics), name="api_metrics"),
    path("api/v1/docs", csrf_exempt(api_docs.docs), name="api_docs"),
    path("api/v1/", api.urls),
    path("api/v1/<path:rest>", csrf_exempt(unknown_address), name="api_unknown"),
]
