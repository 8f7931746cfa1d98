"""What allauth asks of the site: who may sign up, how letters leave, and the words of its refusals."""

import logging
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from axes.utils import reset
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import reverse

from courseware.accounts.models import User

logger = logging.getLogger(__name__)

_CODE_IS_WRONG = "This code does not fit. The app shows a new one every 30 seconds; each counts once."
_TOO_MANY_CODES = "Five codes did not fit. Wait a quarter of an hour, then take the code that the app shows."


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth as this site uses it."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": "This account is closed. Whoever runs this course can open it again.",
        "email_password_mismatch": "Address and password do not fit together.",
        "enter_current_password": "This is not your present password.",
        "incorrect_code": _CODE_IS_WRONG,
        "incorrect_password": "This is not your password.",
        "rate_limited": _TOO_MANY_CODES,
        "too_many_login_attempts": _TOO_MANY_CODES,
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Nobody signs up by allauth's own form: accounts come with a cohort's code or from the operator."""
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Leave failed passwords to axes.

        allauth would count them by address alone, so that one learner could lock out another. Its count
        (`login_failed`) remains for second factors, where whoever tries knows the password already.
        """

    def get_client_ip(self, request: HttpRequest) -> str:
        try:
            return str(super().get_client_ip(request))
        except PermissionDenied:  # behind a socket, without a proxy that names the client, there is no address
            return "this-machine"  # without a blank, since it becomes part of a key in the cache

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the link of the letter, at the address that the operator gave: a request's Host may name any port."""
        uid, _, token = key.partition("-")
        return settings.SITE_URL + reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token})

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a letter; one that cannot leave is the operator's to mend and stops nobody."""
        context = {
            "site_url": settings.SITE_URL,
            "reset_url": settings.SITE_URL + reverse("account_reset_password"),
            "minutes": settings.PASSWORD_RESET_TIMEOUT // 60,
            "email": email,
            **context,
        }
        message = self.render_mail(template_prefix, email, context)
        try:
            message.send()
        except OSError:  # smtplib's own errors are of this kind too
            logger.exception("a letter could not be sent: %s", template_prefix)

    def set_password(self, user: User, password: str) -> None:
        """Set a password. Whoever may do so has shown who they are, so earlier failures count no longer."""
        super().set_password(user, password)
        reset(username=user.email)
