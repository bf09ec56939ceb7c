"""The pages themselves: the page of a match, and the door, where a link from Discord becomes a session."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib import resources
from string import Template
from types import MappingProxyType
from uuid import uuid4

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.languages.catalogues import OFFERED
from bot.languages.speaking import language, language_for
from bot.matches.model.page_links import LONGEST, Purpose
from bot.matches.model.refusals import Refusal
from bot.messages.wording import one_line
from bot.requests.context import BotContext
from bot.requests.outcome import failure
from bot.storage import commits, patience
from bot.storage.people import Preferences
from bot.storage.records import Person
from bot.telemetry import metrics
from bot.web.api import STATUS, json_answer
from bot.web.guards import body_of
from bot.web.plans import plan_words
from bot.web.visitors import Visitor
from bot.web.words import GUEST_NAME, page_words
from renderers.i18n import ENGLISH, current_language, gettext_lazy, speak, translated
from renderers.i18n import gettext as _

COOKIE = "__Host-tavoliere-{guild}"
"""The name of a session's cookie: one for each server, so that a person can play in several."""
_FILES = resources.files("bot.web") / "static"
_TEMPLATE = Template((_FILES / "page.html").read_text(encoding="utf-8"))
_KINDS = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
_CONTENT = {file.name: file.read_bytes() for file in _FILES.iterdir() if file.name.rpartition(".")[2] in _KINDS}
_COMPRESSED = {name: gzip.compress(content, mtime=0) for name, content in _CONTENT.items()}
VERSION = sha256(b"".join(name.encode() + content for name, content in sorted(_CONTENT.items()))).hexdigest()[:16]
"""Names the files of the page: others have another one, so that browsers may keep these."""
UNLISTED = '<meta name="robots" content="noindex">'
"""For pages with names."""
_DOOR = "page:door"
"""What metrics and log call a request without a known person."""
_DAYS_30 = 30 * 24 * 3600
_SIGNED_OUT = gettext_lazy(
    "To open this board, press **Open board** under the match in Discord. The link you get works once."
)


class Pages:
    """The pages, and who their visitors are."""

    def __init__(self, context: BotContext) -> None:
        self._context = context

    def add_to(self, router: web.UrlDispatcher) -> None:
        router.add_get("/", self._front)
        router.add_get(r"/match/{match:\d{1,18}}", self._match)
        router.add_get(r"/plan/{match:\d{1,18}}/{place:\d{1,3}}", self._plan)
        router.add_get(r"/puzzle/{attempt:\d{1,18}}", self._puzzle)
        router.add_get("/open/{link}", self._look)
        router.add_post("/open/{link}", self._open)
        router.add_post("/leave", self._leave)
        router.add_get("/static/{version}/{name}", self._file)

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer in words where a person cannot be found, or a page not be made, in the language of their browser."""
        _speak_as_browser(request)
        with commits.track() as own, patience.person_waits(patience.VISITOR):
            try:
                return await handler(request)
            except web.HTTPException:
                raise
            except Exception as error:
                outcome = failure(error, uuid4(), _DOOR, own)
        metrics.ANSWERS.labels(_DOOR, outcome.status.value).inc()
        if request.path.startswith("/api/"):
            return json_answer(outcome)
        return simple_page(translated(outcome.words or ""), status=STATUS[outcome.status])

    async def visitor(self, request: web.Request) -> Visitor | None:
        """Return who sends a request, by the cookie for the server of the match or puzzle it is about.

        A puzzle belongs to no server: any session of its person will do.
        """
        tokens, match_id = _tokens(request), request.match_info.get("match")
        if not tokens:
            return None
        sessions_of = self._context.services.page_access.sessions_of_tokens
        session = next(iter(await sessions_of(tokens, None if match_id is None else int(match_id))), None)
        if session is None:
            return None
        return Visitor(Person(session.user_id, session.name), session.guild_id, session.locale, session.id)

    async def _front(self, request: web.Request) -> web.StreamResponse:
        """Say how to come to a board, to people who open the address itself."""
        return simple_page(translated(_SIGNED_OUT))

    async def _match(self, request: web.Request) -> web.StreamResponse:
        visitor = await self.visitor(request)
        if visitor is None:
            return simple_page(translated(_SIGNED_OUT), status=401)
        return await self._board(visitor, f"match/{int(request.match_info['match'])}")

    async def _plan(self, request: web.Request) -> web.StreamResponse:
        visitor = await self.visitor(request)
        if visitor is None:
            return simple_page(translated(_SIGNED_OUT), status=401)
        return await self._board(visitor, f"plan/{int(request.match_info['match'])}/{int(request.match_info['place'])}")

    async def _puzzle(self, request: web.Request) -> web.StreamResponse:
        visitor = await self.visitor(request)
        if visitor is None:
            return simple_page(translated(_SIGNED_OUT), status=401)
        return await self._board(visitor, f"puzzle/{int(request.match_info['attempt'])}")

    async def _board(self, visitor: Visitor, subject: str) -> web.StreamResponse:
        preferences = await self._context.services.personal_settings.recent_preferences(
            visitor.person.id, visitor.locale
        )
        _speak(preferences, visitor.locale)
        return board_page(subject, preferences.theme)

    async def _look(self, request: web.Request) -> web.StreamResponse:
        """Show whose link this is, and a button to use it. Programs that preview links press no buttons."""
        try:
            link = await self._context.services.page_access.read_link(request.match_info["link"][: LONGEST + 1])
        except Refusal as refusal:
            return simple_page(refusal.naming(str), status=410)
        _speak(
            await self._context.services.personal_settings.recent_preferences(link.user_id, link.locale), link.locale
        )
        go_on = _("Continue as {name}", name=one_line(link.name))
        button = f'<form method="post"><button class="primary" type="submit">{escape(go_on)}</button></form>'
        return page(f'<main class="door"><h1>Tavoliere</h1>{button}</main>')

    async def _open(self, request: web.Request) -> web.StreamResponse:
        """Use a link: begin a session, and lead to the match or puzzle."""
        await body_of(request)
        services = self._context.services
        try:
            opened = await services.page_access.redeem(
                request.match_info["link"][: LONGEST + 1], self._context.lookup.has_left
            )
        except Refusal as refusal:
            return simple_page(refusal.naming(str), status=410)
        path = "match" if opened.link.purpose == Purpose.MATCH else "puzzle"
        response = web.Response(status=303, headers={"Location": f"/{path}/{opened.link.subject_id}"})
        name = COOKIE.format(guild=opened.session.guild_id)
        response.set_cookie(name, opened.token, max_age=_DAYS_30, path="/", secure=True, httponly=True, samesite="Lax")
        return response

    async def _leave(self, request: web.Request) -> web.StreamResponse:
        """End the sessions of this browser."""
        await body_of(request)
        response = simple_page(_("You are signed out."))
        tokens = _tokens(request)
        if tokens:
            await self._context.services.page_access.end_of_tokens(tokens)
        for guild_id in tokens:
            name = COOKIE.format(guild=guild_id)
            response.set_cookie(name, "", max_age=0, path="/", secure=True, httponly=True, samesite="Lax")
        return response

    async def _file(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        content = _CONTENT.get(name)
        if content is None:
            raise web.HTTPNotFound
        # While bots of two versions run, the page of one may ask the other for its files: those are kept nowhere.
        kept = "public, max-age=31536000, immutable" if request.match_info["version"] == VERSION else "no-store"
        kind = _KINDS[name.rpartition(".")[2]]
        headers = {"Cache-Control": kept, "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            content, headers["Content-Encoding"] = _COMPRESSED[name], "gzip"
        return web.Response(body=content, content_type=kind, charset="utf-8", headers=headers)


def _speak(preferences: Preferences, locale: str) -> None:
    speak(language(preferences.spoken or locale, locale))


def _speak_as_browser(request: web.Request) -> None:
    """Speak the first language of the browser that the bot offers, to people whom the bot does not know."""
    for part in request.headers.get("Accept-Language", "")[:200].split(","):
        tag = language_for(part.partition(";")[0].strip())
        if tag in OFFERED:
            break
    else:
        tag = ENGLISH.code
    speak(language(tag))


def simple_page(words: str, status: int = 200) -> web.Response:
    """Return a one-sentence page; text between ** is bold."""
    plain = escape(words.replace("`", "")).split("**")
    said = "".join(f"<strong>{part}</strong>" if at % 2 else part for at, part in enumerate(plain))
    return page(f'<main class="door"><h1>Tavoliere</h1><p>{said}</p></main>', status=status)


def _tokens(request: web.Request) -> dict[int, str]:
    """Return the tokens that a browser sends, by the servers of their sessions."""
    name = re.compile(COOKIE.format(guild="(-?(?:[0-9]{1,18}|[1-8][0-9]{18}))"))
    form = re.compile(r"[\w-]{20,100}", re.ASCII)
    cookies = ((name.fullmatch(cookie), token) for cookie, token in request.cookies.items() if form.fullmatch(token))
    return {int(match[1]): token for match, token in cookies if match is not None}


def board_page(
    subject: str,
    theme: str,
    base: str = "",
    static: str = f"/static/{VERSION}",
    head: str = UNLISTED,
    *,
    guest: bool = False,
    watch: bool = False,
    words: Mapping[str, str] = MappingProxyType({}),
) -> web.Response:
    """Return the page of a match or puzzle, in the current language.

    The addresses of its interface begin with ``base``, those of its files with ``static``. That of a ``guest`` carries
    its moves in its own address; on one to ``watch`` there is nothing to do. ``head`` is for programs that list or
    preview pages, and ``words`` are said in place of the usual ones.
    """
    usual = page_words() | (plan_words() if subject.startswith("plan/") else {})
    usual |= {"me": translated(GUEST_NAME)} if guest else {}
    told = {"subject": subject, "words": {**usual, **words}, "base": base, "guest": guest, "watch": watch}
    data = escape(json.dumps(told, ensure_ascii=False))
    # As wide as the board will be: the page measures it before it has one.
    room = '<main class="match" aria-busy="true"><div class="stage"><div class="board"></div></div></main>'
    inside = f'<div id="board" data-page="{data}">{room}</div><noscript>This page needs JavaScript.</noscript>'
    return page(inside, theme=theme, static=static, script=True, head=head)


def page(
    inside: str,
    *,
    theme: str = "dark",
    static: str = f"/static/{VERSION}",
    script: bool = False,
    status: int = 200,
    head: str = UNLISTED,
) -> web.Response:
    # All modules are asked for at once, not each when another one names it. What the first one asks for overtakes the
    # others, of which a browser loads six at a time.
    others = sorted(name for name in _CONTENT if name.endswith(".js") and name != "page.js")
    modules = [
        f'<link rel="modulepreload" href="{static}/page.js">',
        *(f'<link rel="modulepreload" href="{static}/{name}" fetchpriority="low">' for name in others),
    ]
    html = _TEMPLATE.substitute(
        language=current_language().code,
        theme=escape(theme),
        static=static,
        script="".join([*modules, f'<script type="module" src="{static}/page.js"></script>']) if script else "",
        inside=inside,
        head=head,
    )
    response = web.Response(text=html, content_type="text/html", charset="utf-8", status=status)
    response.enable_compression()
    return response
