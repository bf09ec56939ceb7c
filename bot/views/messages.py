"""What the messages of a match look like: its card, its boards, its result."""

from __future__ import annotations

import discord

from bot.delivery.discord_calls import Outgoing
from bot.games import GAMES
from bot.matches.overview import Past, Table
from bot.matches.positions import LEAVING
from bot.storage.records import Challenge, ChallengeState, Match, MatchState, MoveKind, Offer, PlayedMove
from bot.views import challenge_card, match_board, offers
from bot.views.pictures import Studio, gallery
from bot.views.wording import isolated, plain, shorten, title

ACCENT = discord.Colour(0x3E7CB1)
THREAD_NAME_LIMIT = 100


class Composer:
    """Composes what the outbox sends."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio

    async def card(self, challenge: Challenge, *, drawn: bool) -> Outgoing:
        """Return the card of a challenge, with its picture when ``drawn``."""
        picture = await self._studio.showpiece(GAMES[challenge.game])
        view = discord.ui.LayoutView(timeout=None)
        box: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(accent_colour=ACCENT)
        box.add_item(picture.beside(challenge_card.text(challenge)))
        view.add_item(box)
        buttons = challenge_card.buttons(challenge)
        if buttons is not None:
            box.add_item(buttons)
        open_to = challenge.opponent_id if challenge.state is ChallengeState.OPEN else None
        return Outgoing(
            view,
            challenge_card.accept_id(challenge),
            (picture,) if drawn else (),
            () if open_to is None else (open_to,),
        )

    async def board(self, table: Table) -> Outgoing:
        """Return the board of a match as it stands, or its result."""
        match = table.match
        seat = match.movers[0].seat if match.movers else 0
        picture = await self._studio.board(match, table.standing, seat)
        view = discord.ui.LayoutView(timeout=None)
        view.add_item(
            discord.ui.Container(
                discord.ui.TextDisplay(match_board.text(table)),
                picture.gallery(),
                match_board.buttons(match),
                accent_colour=ACCENT,
            )
        )
        over = match.state is MatchState.OVER
        notified = _others(table) if over else tuple(mover.person.id for mover in match.movers)
        return Outgoing(view, self.board_marker(match), (picture,), notified)

    async def past_board(self, past: Past) -> discord.ui.LayoutView:
        """Return what an earlier board becomes: the same picture without controls, and what was done there."""
        match, standing = past.match, past.standing
        done = "the board is further down" if past.entry is None else _done(match, past.entry)
        words = f"-# {title(match)} · {done}"
        description = await self._studio.describe(match, standing, min(standing.position.to_move, default=0))
        view = discord.ui.LayoutView(timeout=None)
        view.add_item(discord.ui.Container(discord.ui.TextDisplay(words), gallery(description)))
        return view

    def card_marker(self, challenge: Challenge) -> str:
        """Return the ``custom_id`` by which the card of a challenge is recognised while it is open."""
        return challenge_card.accept_id(challenge)

    def board_marker(self, match: Match) -> str:
        """Return the ``custom_id`` by which the board of a match, or its result, is recognised."""
        return match_board.rematch_id(match) if match.state is MatchState.OVER else match_board.play_id(match)

    def offer(self, table: Table, offer: Offer) -> Outgoing:
        """Return an offer, or what has become of it."""
        return offers.offer_message(table, offer)

    def reminder(self, match: Match) -> Outgoing:
        """Return the reminder that time is running out."""
        play = match_board.PlayButton.create(
            f"{match_board.play_id(match)}:reminder", "Play", discord.ButtonStyle.success
        )
        return offers.reminder_message(match, play)

    def past_notice(self, past: Past, kind: str) -> discord.ui.LayoutView:
        """Return what a reminder or late notice becomes when the turn is over."""
        return offers.past_notice(past, kind)

    def late(self, match: Match) -> Outgoing:
        """Return the notice that the time is up and the win may be claimed."""
        return offers.late_message(match)

    def thread_name(self, match: Match) -> str:
        """Return the name of a match's thread, at most 100 characters."""
        game, number = GAMES[match.game].name, f" · #{match.id}"
        room = THREAD_NAME_LIMIT - len(game) - len(number) - 3
        names = " – ".join(isolated(" ".join(seat.person.name.split())) for seat in match.seats)
        return f"{game} · {shorten(names, room)}{number}"

    def lost_place(self, match: Match) -> str:
        """Return what a player is told when a match can be shown nowhere."""
        return (
            f"It is your turn in {title(match)}, but I can no longer post where it was played. "
            "Type `/board` in another channel of the server, and it goes on there."
        )

    def lost_card(self, challenge: Challenge) -> str:
        """Return what a challenger is told when his challenge can be shown nowhere."""
        return (
            f"I could not post your challenge to a game of {GAMES[challenge.game].name}, so it is called off. "
            "Try `/challenge` in another channel, or ask somebody who manages the server to let me post there."
        )


def _done(match: Match, entry: PlayedMove) -> str:
    """Say what an entry of the list of moves did."""
    name = plain(match.seats[entry.seat].person.name)
    match entry.kind:
        case MoveKind.MOVE | MoveKind.FORCED:
            return f"{name} played **{entry.text}** here"
        case MoveKind.TAKEBACK:
            return f"{name} took a move back here"
        case MoveKind.DROP:
            return f"{name} left the match here: {LEAVING[entry.text]}"
        case MoveKind.DRAW:
            return "a draw was agreed here"


def _others(table: Table) -> tuple[int, ...]:
    """Return those who learn of the end from the message: everybody but the one who brought it about."""
    last = table.standing.last_seat if table.standing.ended_by is None else table.standing.ended_by
    return tuple(seat.person.id for seat in table.match.seats if seat.seat != last and not seat.person.deleted)
