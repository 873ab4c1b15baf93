"""Codes of refusals that concern people and their programs: HTTP status and sentence in the reader's language."""

from django.utils.translation import gettext_lazy as _

PROBLEMS = {
    "wrong_credentials": (401, _("Name or password is wrong.")),
    "locked_out": (429, _("Too many failed sign-ins. Wait some minutes.")),
    "not_signed_in": (401, _("A valid token is needed: POST /api/v1/auth/login gives one.")),
    "slow_down": (429, _("Too many failed sign-ins from this network. Try again in %(seconds)s seconds.")),
    "sign_ins_busy": (429, _("Many people are signing in at this moment. Try again in %(seconds)s seconds.")),
    "password_tries": (429, _("The old password was wrong too often. Try again in %(minutes)s minutes.")),
    "too_many_requests": (429, _("More than %(max)s requests in a minute.")),
    "wrong_password": (400, _("The old password is wrong.")),
    "weak_password": (400, _("This password cannot be used: %(why)s")),
    "name_taken": (409, _("There is a person of this name already.")),
    "no_such_person": (404, _("There is no such person.")),
    "no_such_merchant": (400, _("There is no such merchant.")),
    "own_account": (409, _("An administrator does not change their own role or status.")),
}
