"""A browser without a screen: it opens links, keeps cookies, and sends what the page's client would send."""

from __future__ import annotations

from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any
from uuid import uuid4

import aiohttp
from simcord.actors import MemberActor

from bot.matches.model.page_links import Purpose
from bot.matches.services.page_access import PageAccess
from bot.storage.records import Person


class Browser:
    """One browser, at the address of a page. ``access`` gives the service that makes its links."""

    def __init__(self, url: str, access: Callable[[], PageAccess], guild_id: int, http: aiohttp.ClientSession) -> None:
        self.http = http
        self.url = url
        self._access = access
        self._guild_id = guild_id
        self.cookies: dict[str, str] = {}
        self.set_cookie: list[str] = []

    async def link(self, person: MemberActor | Person, match: int = 1, guild_id: int | None = None) -> str:
        """Return a link for a person as Discord hands it out: the part of the address after ``/open/``."""
        known = person if isinstance(person, Person) else Person(person.id, person.user.name.title())
        return await self._access().link(known, "en", guild_id or self._guild_id, Purpose.MATCH, match)

    async def sign_in(self, person: MemberActor | Person, match: int = 1) -> Browser:
        """Open a link for a person and press Continue."""
        answer = await self.post_form(f"/open/{await self.link(person, match)}")
        assert answer.status == 303, await answer.text()
        return self

    async def request(self, method: str, path: str, **options: Any) -> aiohttp.ClientResponse:
        """Send a request with this browser's cookies and origin, and keep the cookies of the answer."""
        headers = self._headers()
        if method not in ("GET", "HEAD"):
            headers["Origin"] = self.url
        headers |= options.pop("headers", {})
        answer = await self.http.request(method, self.url + path, headers=headers, allow_redirects=False, **options)
        for line in answer.headers.getall("Set-Cookie", []):
            self.set_cookie.append(line)
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
                if morsel["max-age"] == "0":
                    del self.cookies[name]
        await answer.read()
        return answer

    async def get(self, path: str, **options: Any) -> aiohttp.ClientResponse:
        """Get a page, a picture or data."""
        return await self.request("GET", path, **options)

    async def post_form(self, path: str, **options: Any) -> aiohttp.ClientResponse:
        """Send an empty form."""
        return await self.request("POST", path, data=b"", **options)

    async def post(self, path: str, data: dict[str, Any], **options: Any) -> aiohttp.ClientResponse:
        """Send what a button of the page sends, under a new UUID unless one is given."""
        return await self.request("POST", path, json={"request": str(uuid4()), **data}, **options)

    async def state(self, match: int = 1) -> dict[str, Any]:
        """Return a match as the page shows it."""
        answer = await self.get(f"/api/match/{match}?width=600")
        assert answer.status == 200, await answer.text()
        found: dict[str, Any] = await answer.json()
        return found

    async def move(self, *keys: str, ply: int, match: int = 1, **data: Any) -> dict[str, Any]:
        """Play the move that some choices make; return the answer with its status."""
        answer = await self.post(f"/api/match/{match}/move", {"keys": list(keys), "ply": ply, **data})
        return {"status": answer.status, **(await answer.json())}

    def live(self, match: int = 1, **options: Any) -> aiohttp.client._WSRequestContextManager:
        """Open a socket for news of a match, as the page does."""
        headers = self._headers() | {"Origin": self.url} | options.pop("headers", {})
        return self.http.ws_connect(f"{self.url}/api/match/{match}/live", headers=headers, **options)

    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Host": self.url.partition("://")[2], "Cookie": cookies}
