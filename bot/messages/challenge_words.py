"""What a challenge says, on its card in Discord and on its page: who asks whom, on what terms, and where."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games import game_named
from bot.matches.model.pace import Pace, audience, pace_in_words
from bot.messages.wording import listed, mention
from bot.storage.challenges import Challenge
from bot.storage.homes import in_address
from bot.storage.records import First
from renderers.i18n import capitalised, translated
from renderers.i18n import gettext as _


def invitation(challenge: Challenge, challenger: str, invited: Sequence[int] = ()) -> str:
    """Return who asks whom in a challenge; ``challenger`` is how the challenger is named."""
    if invited:
        opponents = listed(map(mention, invited))
        return _("{challenger} asks for a rematch with {opponent}.", challenger=challenger, opponent=opponents)
    if challenge.opponent_id is not None:
        opponent = mention(challenge.opponent_id)
        if challenge.rematch_of is not None:
            return _("{challenger} asks for a rematch with {opponent}.", challenger=challenger, opponent=opponent)
        return _("{challenger} challenges {opponent}.", challenger=challenger, opponent=opponent)
    if challenge.rematch_of is not None:
        return _("{challenger} asks for a rematch.", challenger=challenger)
    if challenge.players > 2:
        return _("{challenger} is looking for players. Anyone can join.", challenger=challenger)
    return _("{challenger} is looking for an opponent. Anyone can accept.", challenger=challenger)


def terms_in_words(challenge: Challenge) -> str:
    """Return the terms of a challenge: its variant, who goes first, the pace, and whether it is rated."""
    game = game_named(challenge.game)
    words = [translated(game.variant(challenge.variant).name)] if len(game.variants) > 1 else []
    if challenge.players > 2:
        words.append(_("up to {players} players", players=challenge.players))
    if challenge.rematch_of is not None:
        words.append(_("the other player goes first"))
    else:
        words.append(
            {
                First.RANDOM: _("random first player"),
                First.CHALLENGER: _("the challenger goes first"),
                First.OPPONENT: _("the opponent goes first"),
            }[challenge.first]
        )
    pace = Pace.of(challenge.pace, challenge.increment)
    words += [
        *filter(None, (translated(pace_in_words(pace)), translated(audience(pace)))),
        _("rated") if challenge.rated and not challenge.levels else _("not rated"),
    ]
    return capitalised(" · ".join(words))


def card_link(challenge: Challenge) -> str:
    """Return the address of the card of a challenge in Discord, or that of its channel before it is posted."""
    place = f"https://discord.com/channels/{in_address(challenge.guild_id)}/{challenge.channel_id}"
    return place if challenge.message_id is None else f"{place}/{challenge.message_id}"
