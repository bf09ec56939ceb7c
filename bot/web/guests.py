"""For people without an account, where ``WEB_PUBLIC`` is on: today's puzzle, games against the bot, matches to
watch, challenges.

Nothing of them is stored. They are known by an address alone, and only as long as limits need it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from html import escape
from typing import Final, TypeVar
from urllib.parse import urlencode

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.compute.job import GUESTS, JobDropped, on_behalf_of
from bot.games import game_named
from bot.matches.model.guest_game import games
from bot.matches.model.refusals import NotComputed, Refusal
from bot.matches.services.watching import NOT_WATCHED, NotWatched
from bot.messages.wording import refusal_words, title
from bot.requests.context import REQUEST, SUGGESTION, BotContext
from bot.requests.outcome import Outcome, Status, refuse_excess
from bot.requests.request import Request
from bot.storage import matches
from bot.storage.records import Person
from bot.telemetry import metrics
from bot.web.api import CHALLENGED, GUEST_GAME, STATUS, TODAY, WATCHED, Api, Asked, Work, json_answer
from bot.web.building import Building
from bot.web.guards import guest_of
from bot.web.guest_challenges import add_challenges, card
from bot.web.guest_games import FRIENDS, NO_SUCH_GAME, GuestGame
from bot.web.guest_puzzles import TodaysPuzzle
from bot.web.live import OpenPages
from bot.web.pages import UNLISTED, board_page, page, simple_page
from bot.web.visitors import Visitor
from bot.web.watching import add_watching
from renderers.i18n import current_language, gettext_lazy, translated
from renderers.i18n import gettext as _

T = TypeVar("T")

BUDGETS: Final = 4
"""All guests together have the budget of so many people for what they ask, and of one person for its computing."""
REFUSAL_SECONDS: Final = 0.5
"""Seconds that a refusal waits, so that who asks again at once does so seldom."""
CONTROL: Final = "page:guest"
"""What metrics call all that guests ask for."""
BUSY: Final = gettext_lazy("Too much is going on here right now. Please try again in a moment.")
NOBODY: Final = Person(-1, "")
"""In the place of a person: no player has this number."""
_PREVIEWED: Final = 1200
"""The width in pixels of the pictures that programs show with a link."""


class GuestApi(Api):
    """The addresses that pages of guests ask, under limits of their own. Writes no database.

    Without ``news`` nothing is read from it either: only the guest changes anything.
    """

    def __init__(
        self, context: BotContext, router: web.UrlDispatcher, news: Callable[[], OpenPages] | None = None
    ) -> None:
        super().__init__(lambda: context, news or _no_news, partial(_guest, context), router)
        self._has_news = news is not None

    def live(self, address: str, subject: str, work: Work[int]) -> None:
        if self._has_news:
            super().live(address, subject, work)

    def _add(self, method: str, address: str, answer: Handler) -> None:
        super()._add(method, address, limited(self._context(), answer, REQUEST if method == "POST" else SUGGESTION))

    async def _carry_out(self, request: Request, work: Callable[[Request], Awaitable[T]]) -> Outcome[T]:
        outcome: Outcome[T]
        context = request.context
        try:
            # Not among what is in flight: nothing is stored, so nothing has to wait for it.
            with on_behalf_of(GUESTS):
                async with context.concurrency_limit.acquire(GUESTS):
                    outcome = Outcome(Status.DONE, await work(request))
        except (JobDropped, NotComputed):
            outcome = Outcome(Status.UNAVAILABLE, words=translated(BUSY))
        except NotWatched:
            raise web.HTTPUnauthorized from None
        except Refusal as refusal:
            outcome = Outcome(Status.REFUSED, words=refusal_words(refusal))
        metrics.ANSWERS.labels(CONTROL, outcome.status.value).inc()
        return outcome

    _look_up = _carry_out


def limited(context: BotContext, answer: Handler, points: float) -> Handler:
    """Return a handler that answers within the limits of an address and of all guests, and 429 beyond them."""

    async def within(http: web.Request) -> web.StreamResponse:
        # First those of all, so that many addresses cost nothing.
        refused = refuse_excess(context, GUESTS, CONTROL, points / BUDGETS)
        if refused is None:
            address = GUESTS, guest_of(http, context.settings.proxies)
            refused = refuse_excess(context, address, CONTROL, points)
            if refused is not None:
                context.rate_limit.give_back(GUESTS, points / BUDGETS)
        if refused is not None:
            api = http.path.startswith("/api/")
            answered = json_answer(refused) if api else simple_page(refused.words or "")
            answered.set_status(503 if refused.status is Status.RESTARTING else 429)
            answered.headers["Retry-After"] = "5"
            await asyncio.sleep(REFUSAL_SECONDS)
            return answered
        response = await answer(http)
        if response.status == STATUS[Status.UNAVAILABLE]:
            await asyncio.sleep(REFUSAL_SECONDS)
        return response

    return within


class Guests:
    """The pages for people without an account."""

    def __init__(self, context: BotContext, news: Callable[[], OpenPages]) -> None:
        self._context = context
        self._news = news

    def add_to(self, router: web.UrlDispatcher) -> None:
        api = GuestApi(self._context, router)
        every: tuple[Building, ...] = GuestGame(), TodaysPuzzle()
        for building in every:
            building.add_to(api)
        add_watching(GuestApi(self._context, router, self._news))
        add_challenges(api)
        pages = {"play": self._front, GUEST_GAME: self._game, "puzzle": self._puzzle, WATCHED: self._watch}
        pages[CHALLENGED] = self._challenge
        for path, answer in pages.items():
            router.add_get(f"/{path}", limited(self._context, answer, SUGGESTION))

    async def _front(self, _request: web.Request) -> web.StreamResponse:
        """Show what there is to play, and how to play it with friends."""
        ways = [("/puzzle", _("Today's puzzle")), *((f"/play/{game.key}", game.name) for game in games().values())]
        links = "".join(f'<a class="button" href="{way}">{escape(translated(label))}</a>' for way, label in ways)
        friends = _("In Discord, in a server that has this bot, use `/challenge` and name a friend.")
        source, door = self._context.settings.source_url, _("How a server gets the bot")
        how = f'<p><a href="{escape(source)}">{escape(door)}</a></p>' if source else ""
        told = f'<h2 id="friends">{escape(translated(FRIENDS))}</h2><p>{escape(friends.replace("`", ""))}</p>{how}'
        return page(f'<main class="door"><h1>Tavoliere</h1>{links}{told}</main>', head="")

    async def _game(self, request: web.Request) -> web.StreamResponse:
        game = games().get(request.match_info["game"])
        if game is None:
            return simple_page(translated(NO_SUCH_GAME), status=404)
        return self._board(request, f"play/{game.key}", translated(game.name), translated(game.summary))

    async def _puzzle(self, request: web.Request) -> web.StreamResponse:
        return self._board(request, TODAY, _("Today's puzzle"), _("A board and a task: find the right move."))

    def _board(self, request: web.Request, subject: str, title: str, told: str) -> web.Response:
        asked = Asked.of({}, request.query)
        day = asked.day or self._context.services.clock().date()
        carried = {"moves": " ".join(asked.moves)} | ({"day": day} if subject == TODAY else {"level": asked.level or 1})
        return board_page(subject, "dark", head=self._preview(request, subject, title, told, **carried), guest=True)

    async def _watch(self, request: web.Request) -> web.StreamResponse:
        link, services = request.match_info["link"], self._context.services
        try:
            watched = await services.watching.watched(link)
        except NotWatched as refusal:
            return simple_page(refusal_words(refusal), status=404)
        match = await services.read(matches.get, watched.match_id)
        assert match is not None
        told = translated(game_named(match.game).summary)
        preview = self._preview(request, f"watch/{link}", title(match), told, v=watched.version)
        words = {"crowded": translated(BUSY), "ended": translated(NOT_WATCHED)}
        return board_page(f"watch/{link}", "dark", head=UNLISTED + preview, watch=True, words=words)

    async def _challenge(self, request: web.Request) -> web.StreamResponse:
        code = request.match_info["link"]
        try:
            with on_behalf_of(GUESTS):
                challenge = await self._context.services.challenges.of_code(code)
                title, told, shown = await card(self._context, challenge, code)
        except (JobDropped, NotComputed):
            return simple_page(translated(BUSY), status=503)
        except Refusal as refusal:
            return simple_page(refusal_words(refusal), status=404)
        return page(shown, head=UNLISTED + self._preview(request, f"challenge/{code}", title, told))

    def _preview(self, request: web.Request, subject: str, title: str, told: str, **carried: object) -> str:
        """Return what programs show with a link: some words, and a picture of the position."""
        url = self._context.settings.page_url
        shown = {
            "og:type": "website",
            "og:site_name": "Tavoliere",
            "og:title": title,
            "og:description": told,
            "og:url": f"{url}{request.rel_url}",
            "og:image": f"{url}/api/{subject}/picture?{urlencode({'width': _PREVIEWED, **carried})}",
            "og:image:type": "image/png",
            "og:image:alt": title,
        }
        head = "".join(f'<meta property="{name}" content="{escape(text)}">' for name, text in shown.items())
        return f'{head}<meta name="twitter:card" content="summary_large_image">'


async def _guest(context: BotContext, request: web.Request) -> Visitor:
    """Return who sends a request: no person, in the language of their browser."""
    address = guest_of(request, context.settings.proxies)
    return Visitor(NOBODY, 0, current_language().code, address=address)


def _no_news() -> OpenPages:
    raise LookupError("there is no news for guests")
