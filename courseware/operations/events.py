"""Log lines for what people do at the door. Connected once, when the applications are ready."""

import logging
from typing import Any

from axes.signals import user_locked_out
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver

from courseware.accounts.models import User

logger = logging.getLogger(__name__)


@receiver(user_logged_in, dispatch_uid="log signed in")
def _signed_in(user: User, **more: Any) -> None:  # noqa: ARG001
    logger.info("signed in", extra={"facts": {"user": user.uuid}})


@receiver(user_logged_out, dispatch_uid="log signed out")
def _signed_out(user: User | None, **more: Any) -> None:  # noqa: ARG001
    if user is not None:
        logger.info("signed out", extra={"facts": {"user": user.uuid}})


@receiver(user_login_failed, dispatch_uid="log refused")
def _refused(**more: Any) -> None:  # noqa: ARG001
    # Without the name that was tried: it may be a password typed into the wrong field.
    logger.warning("sign-in refused")


@receiver(user_locked_out, dispatch_uid="log locked out")
def _locked_out(**more: Any) -> None:  # noqa: ARG001
    logger.warning("sign-in locked after too many tries")
