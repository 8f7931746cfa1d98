"""Django's sessions in the database, asked for by a statement that is composed once: every page needs its own."""

from datetime import datetime
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from courseware.statements import Given, Statement

_STORED: Statement[str] = Statement(
    lambda: Session.objects.filter(session_key=Given("key", str), expire_date__gt=Given("now", datetime)).values_list(
        "session_data", flat=True
    )
)


class SessionStore(db.SessionStore):
    def load(self) -> dict[str, Any]:
        stored = _STORED.first(key=self.session_key, now=timezone.now())
        if stored is None:
            self._session_key = None
            return {}
        return self.decode(stored)
