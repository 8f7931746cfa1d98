"""What allauth asks of the site."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedSignUp(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Nobody signs up alone: accounts are made by the operator or come with a cohort."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False
