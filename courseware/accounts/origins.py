"""From where a request came, as limits count it."""

import ipaddress

from allauth.account.adapter import get_adapter
from django.http import HttpRequest

# A household or a phone is given this much of IPv6, so single addresses of it would count nobody twice.
_IPV6_PREFIX = 64


def origin_of(request: HttpRequest) -> str:
    """Return the sender's address, or its network where that is what one sender has."""
    address = get_adapter(request).get_client_ip(request)
    try:
        known = ipaddress.ip_address(address)
    except ValueError:  # a socket of this machine has none
        return str(address)
    if known.version == 4:
        return str(known)
    return str(ipaddress.ip_network((known, _IPV6_PREFIX), strict=False).network_address)
