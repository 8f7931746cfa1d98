"""Django's sessions in the database, asked for by a statement that is composed once: every page needs its own."""

from datetime import datetime

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from courseware.statements import Given, Statement

_STORED: Statement[Session] = Statement(
    lambda: Session.objects.filter(session_key=Given("key", str), expire_date__gt=Given("now", datetime))
)


class SessionStore(db.SessionStore):
    def _get_session_from_db(self) -> Session | None:
        session = _STORED.first(key=self.session_key, now=timezone.now())
        if session is None:
            self._session_key = None
        return session
