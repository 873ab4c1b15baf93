"""Entry points of the person's own settings."""

from django.conf import settings
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from catalogsku.accounts.guessing import prove_password
from catalogsku.accounts.models import User

YEAR_S = 365 * 24 * 3600


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Remember the language with the browser, and with the person who is signed in."""
    language, onward = request.POST.get("language", ""), request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(onward, {request.get_host()}, request.is_secure()):
        onward = "/"
    response = HttpResponseRedirect(onward)
    if language in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=YEAR_S,
            samesite="Lax",
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        )
        if request.user.is_authenticated:
            User.objects.filter(pk=request.user.pk).update(language=language)
    return response


class OwnPasswordForm(PasswordChangeForm):
    def clean_old_password(self) -> str:
        """Raises Hurried(password_tries): who found a session open must not guess on in it."""
        old = str(self.cleaned_data["old_password"])
        if not prove_password(self.user, old):
            raise ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return old


password_change = PasswordChangeView.as_view(
    form_class=OwnPasswordForm, template_name="accounts/password.html", success_url="/"
)
