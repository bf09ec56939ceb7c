"""The checks of every request and answer of the page: hosts, origins, headers, and limits of size and time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from aiohttp import web
from aiohttp.typedefs import Handler

LARGEST_BODY = 8_000
"""Bytes of a request's body; the longest move takes some hundred."""
BODY_SECONDS = 10.0
"""Seconds in which a request's body has to arrive."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Without "same-origin" browsers would send forms of the page itself without their origin.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
HOUSEHOLD = 64
"""Bits of an IPv6 address that a household's devices share; each may choose the others."""
_STRICT = "max-age=31536000"


def origin_of(url: str) -> str:
    """Return the origin of an address as browsers send it: scheme, host, and the port where it is not the usual one."""
    parts = urlsplit(url)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    port = "" if parts.port in (None, usual) else f":{parts.port}"
    host = parts.hostname or ""
    return f"{parts.scheme}://[{host}]{port}" if ":" in host else f"{parts.scheme}://{host}{port}"


def guest_of(request: web.Request, proxies: Sequence[IPv4Network | IPv6Network]) -> str:
    """Return the address that a guest is counted by: of IPv6 the network of a household.

    Of what ``X-Forwarded-For`` tells, that is believed which ``proxies`` have written: up to the last address that is
    not theirs.
    """
    told = [part.strip() for line in request.headers.getall("X-Forwarded-For", []) for part in line.split(",")]
    nearest = _address(request.remote or "")
    while nearest is not None and told and any(nearest in network for network in proxies):
        if (before := _address(told.pop())) is None:
            break
        nearest = before
    if isinstance(nearest, IPv6Address):
        return str(ip_network((nearest, HOUSEHOLD), strict=False))
    return str(nearest)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Return an address, one of IPv4 in the form of IPv6 as itself; None for anything else."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Guard:
    """Accepts requests to the page's own address, and lets only requests from the page itself change anything.

    ``url`` is the address at which people reach the page. It believes no header of a proxy.
    """

    def __init__(self, url: str) -> None:
        self._origin = origin_of(url)
        self._hosts = {self._origin.partition("://")[2]}
        # A browser leaves the usual port out; a proxy may add it.
        self._hosts.add(f"{urlsplit(self._origin).hostname}:{ {'http': 80, 'https': 443}[urlsplit(url).scheme] }")
        self._secure = self._origin.startswith("https://")

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse requests with another host, from another site, or with text that is none."""
        if request.headers.get("Host", "") not in self._hosts:
            return web.Response(status=421, text="This address is not served here.")
        if not self._from_here(request):
            return web.Response(status=403, text="Only the page itself may ask for this.")
        check_text(request.path, request.query_string)
        return await handler(request)

    async def add_headers(self, _request: web.Request, response: web.StreamResponse) -> None:
        """Add the headers to an answer that is about to be sent, an error's too."""
        response.headers.update(HEADERS)
        response.headers.setdefault("Cache-Control", "no-store")
        if self._secure:
            response.headers["Strict-Transport-Security"] = _STRICT

    def _from_here(self, request: web.Request) -> bool:
        """Return whether the origin that a request names is allowed."""
        upgrade = request.headers.get("Upgrade", "").lower() == "websocket"
        origin = request.headers.get("Origin")
        if request.method not in ("GET", "HEAD") or upgrade:
            return origin == self._origin
        return origin in (None, self._origin)


def check_text(*texts: str) -> None:
    """Raise an HTTP error for text that the database cannot keep: a half of a character, or the character 0."""
    try:
        whole = "".join(texts).encode()
    except UnicodeEncodeError:
        raise web.HTTPBadRequest from None
    if 0 in whole:
        raise web.HTTPBadRequest


def json_in(text: str | bytes) -> Any:
    """Return the JSON that a request brings. Raises an HTTP error for anything else."""
    try:
        data = json.loads(text)
        check_text(json.dumps(data, ensure_ascii=False))
    except (ValueError, RecursionError):
        raise web.HTTPBadRequest from None
    return data


async def body_of(request: web.Request) -> bytes:
    """Return the body of a request. Raises an HTTP error for one that is too large, too slow or cannot be read."""
    if (request.content_length or 0) > LARGEST_BODY:
        raise web.HTTPRequestEntityTooLarge(LARGEST_BODY, request.content_length or 0)
    read = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.content.iter_any():
                read += part
                if len(read) > LARGEST_BODY:
                    raise web.HTTPRequestEntityTooLarge(LARGEST_BODY, len(read))
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    except web.RequestPayloadError:
        raise web.HTTPBadRequest from None
    return bytes(read)


async def json_body(request: web.Request) -> dict[str, Any]:
    """Return the JSON object that a request brings. Raises an HTTP error for anything else."""
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType
    data = json_in(await body_of(request))
    if not isinstance(data, dict):
        raise web.HTTPBadRequest
    return data


def uuid_of(data: dict[str, Any]) -> UUID:
    """Return the UUID of a request. Raises an HTTP error where it has none."""
    try:
        return UUID(str(data.get("request", "")))
    except ValueError:
        raise web.HTTPBadRequest from None


def keys_in(value: Any) -> tuple[str, ...]:
    """Return the choices that a request names: at most 50 short texts. Raises an HTTP error for anything else."""
    if not isinstance(value, list) or len(value) > 50 or not all(isinstance(key, str) and key for key in value):
        raise web.HTTPBadRequest
    if sum(map(len, value)) > 400:
        raise web.HTTPBadRequest
    check_text(*value)
    return tuple(value)


def number_in(value: Any, most: int = 10**18) -> int | None:
    """Return a whole number that a request names, or None where it names none. Raises an HTTP error for others."""
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 18:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise web.HTTPBadRequest
    return value
