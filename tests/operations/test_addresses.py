"""Where the server listens."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from courseware import addresses


@pytest.fixture
def taken():
    """Return the number of a port on which somebody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_taken_port_is_not_free(taken):
    assert not addresses.is_free("127.0.0.1", taken)


def test_next_free_port_lies_past_the_taken_one(taken):
    port = addresses.next_free_port("127.0.0.1", taken)

    assert port > taken
    assert addresses.is_free("127.0.0.1", port)


@pytest.mark.parametrize(
    ("bind", "address"),
    [
        ("127.0.0.1:8000", ("127.0.0.1", 8000)),
        ("[::1]:8000", ("::1", 8000)),
        ("0.0.0.0:80", ("0.0.0.0", 80)),
        ("unix:/run/site.sock", None),
    ],
)
def test_listening_address_is_read(bind, address):
    assert addresses.split_address(bind) == address


@pytest.mark.parametrize("bind", ["8000", "127.0.0.1", "127.0.0.1:http", ":8000", "127.0.0.1:99999"])
def test_listening_address_without_host_and_port_is_refused(bind):
    with pytest.raises(ValueError):
        addresses.split_address(bind)


def test_port_that_only_listens_does_not_answer(taken):
    assert not addresses.answers("127.0.0.1", taken, site_url="http://127.0.0.1", seconds=0.2)


@pytest.mark.parametrize(("status", "does_answer"), [(200, True), (301, True), (500, False)])
def test_server_answers_once_it_gives_a_page(status, does_answer):
    asked = []

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.headers["Host"])
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()

        answer = addresses.answers("127.0.0.1", server.server_port, site_url="https://courses.example.org")

    assert answer is does_answer
    assert asked == ["courses.example.org"]
