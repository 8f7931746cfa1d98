"""The type of a request that `login_required` let through."""

from django.http import HttpRequest

from courseware.accounts.models import User


class SignedInRequest(HttpRequest):
    """A request by somebody who is signed in."""

    user: User
