"""How the actions of people are drawn: what by whom on which challenge, match or offer, and how often.

Whatever has a number is drawn from a bundle, so that a failure tells it by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import Bundle

from bot.games import GAMES
from bot.matches.services import agreements
from bot.storage.records import First
from tests.lifecycle.actions import (
    Action,
    Answer,
    Ask,
    ChangeSettings,
    Claim,
    ComeBack,
    DeleteEverything,
    GoAway,
    OfferChallenge,
    OnChallenge,
    Pace,
    Play,
    PostAgain,
    Rename,
    Resign,
    Seating,
)
from tests.lifecycle.computer_actions import PlayComputer, Reseat, TakeUp
from tests.lifecycle.world import LISTED, Kind, Player, Ref, Role, Who

Fields = dict[str, Any]
"""A strategy for each field of an action."""

CHALLENGES: Bundle[Ref] = Bundle("challenge")
MATCHES: Bundle[Ref] = Bundle("match")
OFFERS: Bundle[Ref] = Bundle("offer")
BUNDLES = {Kind.CHALLENGE: CHALLENGES, Kind.MATCH: MATCHES, Kind.OFFER: OFFERS}

NONSENSE = ("", "xyzzy", "a9-z0", "9" * 300, "\N{SNOWMAN}", "pass pass", "a1-a1-a1")
TIMES = st.one_of(
    st.builds(timedelta, seconds=st.integers(1, 3600)),
    st.builds(timedelta, hours=st.integers(1, 30)),
    st.builds(timedelta, days=st.integers(1, 9)),
)
NAMES = ("Alice", "Alice in Chains", "\N{SNOWMAN}", "**Bob**", "@everyone")
PLAYERS = st.sampled_from(Player)
SEATINGS = [
    Seating(game.key, variant.key, players)
    for game in GAMES.values()
    for variant in game.variants
    for players in variant.players
]
TWO = st.sampled_from([seating for seating in SEATINGS if seating.players == 2])
SEVERAL = st.sampled_from([seating for seating in SEATINGS if seating.players > 2])


@st.composite
def _mostly(draw: st.DrawFn, kind: Kind, *, is_open: bool = True) -> Ref:
    """Draw something of a kind that is open (or is not), where there is any, and now and then any other."""
    life: Any = draw(st.runner())
    found = any(ref.is_open == is_open for ref in life.named[kind])
    any_other = draw(st.sampled_from([False] * 7 + [True]))
    bundle = BUNDLES[kind]
    return draw(bundle.filter(lambda ref: ref.is_open == is_open) if found and not any_other else bundle)


def _role(role: Role) -> st.SearchStrategy[Who]:
    """Draw a role, or almost as often any player, who may or may not have it."""
    return st.sampled_from([role] * 6 + list(Player))


def _on_challenge(act: str, role: Role) -> Fields:
    return {"challenge": OPEN_CHALLENGE, "who": _role(role), "act": st.just(act)}


OPEN_CHALLENGE, RUNNING_MATCH, OPEN_OFFER = map(_mostly, Kind)
OVER_MATCH = _mostly(Kind.MATCH, is_open=False)
CHOICE = st.integers(0, LISTED - 1)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A kind of action, how many times as often as others it is drawn, what its fields are drawn from, and what comes
    of it."""

    action: type[Action]
    weight: int
    fields: Fields
    creates: Kind | None = None


_CHALLENGE: Fields = {
    "challenger": PLAYERS,
    "opponent": st.none() | PLAYERS,
    "seating": TWO,
    "first": st.sampled_from(First),
    "rated": st.sampled_from([True, True, True, False]),
    "pace": st.sampled_from(Pace),
}
OPENING = _CHALLENGE | {"opponent": st.none()}
DRAWN = {
    "challenge": Drawn(OfferChallenge, 3, _CHALLENGE, Kind.CHALLENGE),
    "open_lobby": Drawn(OfferChallenge, 1, _CHALLENGE | {"opponent": st.none(), "seating": SEVERAL}, Kind.CHALLENGE),
    "accept": Drawn(OnChallenge, 6, _on_challenge("accept", Role.INVITED), Kind.MATCH),
    "decline": Drawn(OnChallenge, 1, _on_challenge("decline", Role.INVITED)),
    "cancel": Drawn(OnChallenge, 1, _on_challenge("cancel", Role.CHALLENGER)),
    "leave": Drawn(OnChallenge, 1, _on_challenge("leave", Role.JOINED)),
    "start": Drawn(OnChallenge, 2, _on_challenge("start", Role.CHALLENGER), Kind.MATCH),
    "play_computer": Drawn(
        PlayComputer,
        2,
        {"who": PLAYERS, "seating": TWO, "first": st.sampled_from(First), "pace": st.sampled_from(Pace)},
        Kind.MATCH,
    ),
    "take_up": Drawn(TakeUp, 2, {"challenge": OPEN_CHALLENGE, "who": _role(Role.CHALLENGER)}, Kind.MATCH),
    "reseat": Drawn(
        Reseat,
        3,
        {
            "challenge": OPEN_CHALLENGE,
            "who": _role(Role.CHALLENGER),
            "seats": st.sampled_from([True, True, False]),
            "late": st.sampled_from([False] * 7 + [True]),
        },
        Kind.MATCH,
    ),
    "play": Drawn(
        Play,
        12,
        {"match": RUNNING_MATCH, "who": st.just(Role.MOVER), "move": CHOICE, "plies_off": st.sampled_from([None, 0])},
    ),
    "play_wrongly": Drawn(
        Play,
        2,
        {
            "match": RUNNING_MATCH,
            "who": _role(Role.MOVER),
            "move": CHOICE | st.sampled_from(NONSENSE),
            "plies_off": st.sampled_from([None, 0, -1, 1, -2, 2, -3, 3]),
        },
    ),
    "resign": Drawn(Resign, 1, {"match": RUNNING_MATCH, "who": PLAYERS, "plies_off": st.sampled_from([None, 0, -1])}),
    "claim": Drawn(
        Claim,
        2,
        {
            "match": RUNNING_MATCH,
            "who": _role(Role.WAITING),
            "gone": st.sampled_from([None] * 24 + [Role.MOVER, *Player]),
        },
    ),
    "post_again": Drawn(PostAgain, 1, {"match": RUNNING_MATCH}),
    "offer_draw": Drawn(
        Ask, 3, {"match": RUNNING_MATCH, "who": _role(Role.MOVER), "act": st.just("offer_draw")}, Kind.OFFER
    ),
    "ask_takeback": Drawn(
        Ask, 3, {"match": RUNNING_MATCH, "who": _role(Role.WAITING), "act": st.just("ask_takeback")}, Kind.OFFER
    ),
    "answer": Drawn(
        Answer,
        6,
        {
            "offer": OPEN_OFFER,
            "who": st.sampled_from([Role.ASKED] * 6 + [Role.ASKER] * 2 + list(Player)),
            "answer": st.sampled_from([agreements.Answer.ACCEPT] * 3 + list(agreements.Answer)),
        },
    ),
    "ask_rematch": Drawn(Ask, 2, {"match": OVER_MATCH, "who": PLAYERS, "act": st.just("ask")}, Kind.CHALLENGE),
    "go_away": Drawn(GoAway, 1, {"who": PLAYERS, "time": TIMES}),
    "come_back": Drawn(ComeBack, 1, {"who": PLAYERS}),
    "change_settings": Drawn(ChangeSettings, 1, {"automatic": st.booleans()}),
    "rename": Drawn(Rename, 1, {"who": PLAYERS, "name": st.sampled_from(NAMES)}),
    # Two of the five at most, so that the matches of the others go on.
    "delete_everything": Drawn(DeleteEverything, 1, {"who": st.sampled_from([Player.DORA, Player.EMIL])}),
}
"""Every rule by which a person does something."""
_WEIGHTED = [drawn for drawn in DRAWN.values() for _ in range(drawn.weight)]


@st.composite
def actions(draw: st.DrawFn, *, of_server: bool = False) -> Action:
    """Draw any action for which there is a challenge, match or offer; ``of_server`` one on something of a server."""
    life: Any = draw(st.runner())
    missing = {BUNDLES[kind].name for kind in Kind if not life.named[kind]}
    drawn = draw(
        st.sampled_from(
            [
                drawn
                for drawn in _WEIGHTED
                if (drawn.action.of_server or not of_server) and not missing & set(drawn.fields)
            ]
        )
    )
    return draw(st.builds(drawn.action, **drawn.fields))
