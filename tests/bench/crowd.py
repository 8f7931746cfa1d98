"""Many browsers in one thread: each has a connection that stays open, and posts one form when it is due.

One thread and one selector, so that the load takes as little as it can of the cores that the server needs too.
"""

import selectors
import socket
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

_PATIENCE_SECONDS = 120  # then whatever has not come is lost


@dataclass(frozen=True)
class Form:
    """One form that a browser posts, so many seconds after the others began."""

    browser: int
    path: str
    cookie: str
    body: str
    at: float = 0.0


@dataclass(frozen=True)
class Answer:
    """What came back, and how long after the form was due; status 0 is a connection that broke."""

    status: int
    seconds: float
    location: str = ""
    body: bytes = b""


class _Exchange:
    """One form on its way: what was received so far, and how long it is to be."""

    def __init__(self, number: int, form: Form, due: float) -> None:
        self.number, self.form, self.due = number, form, due
        self.received = bytearray()
        self.is_reused = False

    def feed(self, data: bytes) -> Answer | None:
        self.received += data
        head, found, body = bytes(self.received).partition(b"\r\n\r\n")
        if not found:
            return None
        status, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if len(body) < int(headers.get("content-length", 0)):
            return None
        taken = time.perf_counter() - self.due
        return Answer(int(status.split()[1]), taken, headers.get("location", ""), body)


class Crowd:
    """Browsers by number, whose connections outlive one round."""

    def __init__(self, port: int, *, patience_seconds: float = _PATIENCE_SECONDS) -> None:
        self._port, self._patience_seconds = port, patience_seconds
        self._connections: dict[int, socket.socket] = {}
        self._selector = selectors.DefaultSelector()

    def connect(self, browsers: int) -> None:
        """Open the connections that are not open, so that no round pays for it."""
        for browser in range(browsers):
            if browser not in self._connections:
                self._connections[browser] = socket.create_connection(("127.0.0.1", self._port))

    def post(self, forms: Sequence[Form]) -> list[Answer]:
        """Post every form when it is due and return the answers in the same order.

        A connection that the server closed while nothing was under way is opened anew, as a browser does.
        """
        begun = time.perf_counter()
        waiting = deque(sorted(enumerate(forms), key=lambda each: each[1].at))
        answers: dict[int, Answer] = {}
        under_way = 0
        while waiting or under_way:
            now = time.perf_counter()
            while waiting and begun + waiting[0][1].at <= now:
                number, form = waiting.popleft()
                self._send(_Exchange(number, form, begun + form.at))
                under_way += 1
            if now - begun > self._patience_seconds:
                break
            pause = max(0.0, begun + waiting[0][1].at - now) if waiting else 1.0
            for key, _ in self._selector.select(pause):
                answer = self._receive(key.data)
                if answer is not None:
                    answers[key.data.number] = answer
                    under_way -= 1
        return [answers.get(number, Answer(0, time.perf_counter() - begun)) for number in range(len(forms))]

    def _send(self, exchange: _Exchange) -> None:
        form = exchange.form
        exchange.is_reused = form.browser in self._connections
        if not exchange.is_reused:
            self._connections[form.browser] = socket.create_connection(("127.0.0.1", self._port))
        head = (
            f"POST {form.path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nCookie: {form.cookie}\r\n"
            "Accept: application/json\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(form.body)}\r\n\r\n"
        )
        connection = self._connections[form.browser]
        self._selector.register(connection, selectors.EVENT_READ, exchange)
        with suppress(OSError):  # the selector finds it closed, and what was not begun is sent anew
            connection.sendall((head + form.body).encode())

    def _receive(self, exchange: _Exchange) -> Answer | None:
        connection = self._connections[exchange.form.browser]
        try:
            data = connection.recv(65536)
        except OSError:
            data = b""
        answer = exchange.feed(data) if data else None
        if data and answer is None:
            return None
        self._selector.unregister(connection)
        if answer is not None:
            return answer
        connection.close()
        del self._connections[exchange.form.browser]
        if exchange.is_reused and not exchange.received:
            self._send(exchange)
            return None
        return Answer(0, time.perf_counter() - exchange.due)
