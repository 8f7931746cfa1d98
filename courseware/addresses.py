"""Where the server listens: whether a port is free, which is the next, and whether something answers there."""

import errno
import http.client
import socket
from urllib.parse import SplitResult, urlsplit

PORTS_TRIED = 100


def split_address(bind: str) -> tuple[str, int] | None:
    """Return host and port of a listening address; None for a socket file (`unix:/run/site.sock`).

    Errors:  ValueError if it is neither
    """
    if bind.startswith("unix:"):
        return None
    parts = urlsplit(f"//{bind}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:  # a port that is no number, or none that exists
        host, port = None, None
    if not host or port is None:
        raise ValueError(f"must look like 127.0.0.1:8000 or unix:/run/site.sock, not {bind!r}")
    return host, port


def is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # As the server itself does; without it, a port that was in use a moment ago would look taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return False
            raise
        return True


def next_free_port(host: str, port: int) -> int:
    """Return the first free port from this one on.

    Errors:  LookupError if a hundred in a row are taken
    """
    for candidate in range(port, min(port + PORTS_TRIED, 65_536)):
        if is_free(host, candidate):
            return candidate
    raise LookupError(f"no port from {port} to {port + PORTS_TRIED - 1} is free on {host}")


def answers(host: str, port: int, *, site_url: str, seconds: float = 1.0) -> bool:
    """Tell whether pages can be served; a listening socket alone may still be loading its course."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  (compared, not bound)
    connection = http.client.HTTPConnection(reachable, port, timeout=seconds)
    try:
        connection.request("GET", "/readyz", headers={"Host": _host_header(urlsplit(site_url))})
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _host_header(url: SplitResult) -> str:
    return url.netloc.rpartition("@")[2]
