"""Whose request a limit counts: one address, or one network where a sender has a whole network."""

import pytest
from django.test import RequestFactory

from courseware.accounts.origins import origin_of


def _origin(address: str, forwarded: str = "") -> str:
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    return origin_of(RequestFactory().get("/", REMOTE_ADDR=address, headers=headers))


def test_neighbours_in_one_ipv6_network_count_as_one_sender():
    assert _origin("2001:db8::1") == _origin("2001:db8::ffff:1") != _origin("2001:db8:0:1::1")


def test_addresses_of_ipv4_are_told_apart():
    assert _origin("198.51.100.1") != _origin("198.51.100.2")


def test_request_through_a_socket_has_an_origin_too():
    assert _origin("") == "this-machine"


def test_what_a_sender_says_of_itself_is_not_believed():
    assert _origin("198.51.100.1", "203.0.113.7") == "198.51.100.1"


@pytest.mark.parametrize("forwarded", ["203.0.113.7", "10.0.0.1, 203.0.113.7"])
def test_behind_a_proxy_the_last_hop_counts(settings, forwarded):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    assert _origin("127.0.0.1", forwarded) == "203.0.113.7"
