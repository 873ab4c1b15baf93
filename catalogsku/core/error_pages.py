"""What people see of a fault of the server."""

from django.http import HttpRequest, HttpResponseServerError
from django.template.loader import get_template


def server_error(request: HttpRequest) -> HttpResponseServerError:
    """With the request's id, and the way to try again; asks neither database nor session, which may be what failed."""
    again = request.get_full_path() if request.method == "GET" else ""
    context = {"request_id": getattr(request, "request_id", ""), "again": again}
    return HttpResponseServerError(get_template("500.html").render(context))
