"""By which address a guest is counted: a proxy's word counts where it is named, and only its own."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from aiohttp.test_utils import make_mocked_request
from multidict import CIMultiDict

from bot.web.guards import guest_of

PROXIES = tuple(map(ip_network, ("127.0.0.1", "10.0.0.0/8", "2001:db8:ffff::/48")))


@pytest.mark.parametrize(
    ("peer", "told", "counted"),
    [
        ("198.51.100.1", ["203.0.113.7"], "198.51.100.1"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", ["192.0.2.1, 203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", ["192.0.2.1", "203.0.113.7, 10.1.1.1"], "203.0.113.7"),
        ("127.0.0.1", ["192.0.2.1, nonsense"], "127.0.0.1"),
        ("127.0.0.1", ["10.2.2.2"], "10.2.2.2"),
        ("::ffff:10.0.0.1", ["::ffff:203.0.113.7"], "203.0.113.7"),
        ("2001:db8:ffff::1", ["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::/64"),
        ("2001:db8:1:2:aaaa::1", [], "2001:db8:1:2::/64"),
    ],
)
def test_a_guest_is_counted_by_the_last_address_that_no_proxy_has(peer: str, told: list[str], counted: str) -> None:
    headers = CIMultiDict([("X-Forwarded-For", line) for line in told])
    request = make_mocked_request("GET", "/play", headers=headers).clone(remote=peer)
    assert guest_of(request, PROXIES) == counted
