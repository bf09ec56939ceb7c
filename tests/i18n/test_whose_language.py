"""Whose language is spoken: each person's in private and in direct messages, the server's or the match's in public."""

from __future__ import annotations

import json
from typing import Any

import pytest
from simcord import interactions
from simcord.actors import MemberActor
from simcord.backend import Backend

from bot.games import GAMES
from bot.games.guides import guide
from bot.messages import custom_ids
from tests.support.acting import (
    answer,
    board_of,
    cards,
    challenge,
    challenge_accepted,
    description_of,
    direct_messages,
    items,
    labels,
    pressed,
    sent_text,
    text_of,
    told,
)
from tests.support.languages import said
from tests.support.simulated_discord import SimulatedDiscord, give_management
from tests.support.stored import stored

NOTHING = "You have no match running here. `/challenge` starts one."


class Locales:
    """The languages of people and of the server, as Discord reports them."""

    def __init__(self) -> None:
        self.of: dict[int, str] = {}
        self.server = "en-US"


async def first_game(sim: SimulatedDiscord, person: MemberActor) -> str:
    """Return the page of the rules of Redo that says how to play here."""
    shown = answer(await person.slash(sim.channel, "games", game="redo"))
    variant = GAMES["redo"].variants[0]
    page = next(at for at, one in enumerate(guide(GAMES["redo"], variant)) if "`/match action:resign`" in one.text)
    turn = custom_ids.RULES_PAGE(game="redo", variant=variant.key, page=page, side="next")
    await pressed(sim, person, shown, turn)
    return text_of(shown.message)


@pytest.fixture
def locales(monkeypatch: pytest.MonkeyPatch) -> Locales:
    locales, payload = Locales(), interactions.base_payload

    def base_payload(backend: Backend, **options: Any) -> tuple[Any, dict[str, Any]]:
        record, sent = payload(backend, **options)
        return record, {
            **sent,
            "locale": locales.of.get(options["user_id"], "en-US"),
            "guild_locale": locales.server,
        }

    monkeypatch.setattr(interactions, "base_payload", base_payload)
    return locales


async def test_each_is_answered_in_the_language_of_their_discord(sim: SimulatedDiscord, locales: Locales) -> None:
    locales.of |= {sim.alice.id: "it", sim.bob.id: "ja"}
    for person, code in ((sim.alice, "it"), (sim.bob, "ja"), (sim.carol, "en")):
        assert told(await person.slash(sim.channel, "matches")) == said(code, NOTHING)
    assert said("it", NOTHING) != NOTHING != said("ja", NOTHING)


async def test_a_match_is_posted_in_the_language_of_the_server(sim: SimulatedDiscord, locales: Locales) -> None:
    locales.server, locales.of[sim.alice.id] = "fr", "de"
    card = await challenge(sim)
    assert labels(card)[:2] == [said("fr", "Accept"), said("fr", "Decline")]
    await sim.bob.click(card, label=said("fr", "Accept"))
    board = board_of(sim, card.id)
    assert said("fr", "Rules") in labels(board)
    assert said("fr", "{seat} to move", seat=said("fr", "Blue")) in description_of(board)
    locales.server = "en-US"  # It keeps to the language it began in.
    await sim.alice.slash(sim.place(card.id), "move", move="a1")
    assert said("fr", "Rules") in labels(board_of(sim, card.id))
    private = answer(await sim.alice.click(board_of(sim, card.id), label=said("fr", "More")))
    assert said("de", "Flip the board") in labels(private.message)


@pytest.mark.own_bot
async def test_a_rematch_is_in_the_language_of_the_match(sim: SimulatedDiscord, locales: Locales) -> None:
    locales.server = "es-419"
    card = await challenge(sim)
    await sim.bob.click(card, label=said("es", "Accept"))
    locales.server = "en-US"
    await sim.alice.slash(sim.place(card.id), "match", action="resign", match=1)
    services = sim.bot.context.services
    match = await stored(sim, 1)
    seat = match.seats[0]
    await services.forfeits.give_up(1, seat.seat)
    await sim.env.settle()
    await sim.alice.click(board_of(sim, card.id), label=said("es", "Rematch"))
    assert said("es", "Accept") in labels(sim.messages(match.place_id)[-1]) + labels(cards(sim)[-1])


async def test_a_result_is_in_the_language_of_whoever_reads_it(sim: SimulatedDiscord, locales: Locales) -> None:
    locales.server = "it"
    await sim.alice.slash(sim.channel, "challenge", game="rectangles", variant="4x4", opponent=sim.bob)
    card = cards(sim)[-1]
    await sim.bob.click(card, label=said("it", "Accept"))
    match = await stored(sim, 1)
    loser = sim.alice if match.mover.person.id == sim.alice.id else sim.bob
    question = answer(await loser.slash(sim.place(match.place_id), "move", move="stuck"))
    await loser.click(question, label=said("en", "End the game"))
    reason = said("it", "{seat} said stuck", seat=said("it", "Player {number}", number=1))
    assert reason in text_of(board_of(sim, match.place_id))
    locales.of[sim.bob.id] = "fr"
    finished = answer(await sim.bob.slash(sim.channel, "matches", finished=True))
    assert said("fr", "{seat} said stuck", seat=said("fr", "Player {number}", number=1)) in text_of(finished.message)


async def test_somebody_chooses_another_language_than_their_discords(sim: SimulatedDiscord, locales: Locales) -> None:
    locales.of[sim.alice.id] = "it"
    shown = answer(await sim.alice.slash(sim.channel, "preferences", language="pt-BR"))
    assert said("pt-BR", "Language: **{language}**", language="Português (Brasil)") in text_of(shown.message)
    assert told(await sim.alice.slash(sim.channel, "matches")) == said("pt-BR", NOTHING, commands="it")
    await sim.alice.slash(sim.channel, "preferences", language="discord")
    assert told(await sim.alice.slash(sim.channel, "matches")) == said("it", NOTHING)


@pytest.mark.parametrize(
    ("locale", "language", "challenge"),
    [
        ("de", "it", "herausfordern"),
        ("de", "en", "herausfordern"),
        ("es-419", "de", "desafío"),
        ("pt-BR", "ja", "desafiar"),
        ("pl", "it", "challenge"),  # The bot does not speak Polish, so Discord shows the English names.
        ("en-GB", "it", "challenge"),
    ],
)
async def test_commands_are_called_as_the_persons_discord_shows_them(
    sim: SimulatedDiscord, locales: Locales, locale: str, language: str, challenge: str
) -> None:
    locales.of[sim.alice.id] = locale
    await sim.alice.slash(sim.channel, "preferences", language=language)
    private = told(await sim.alice.slash(sim.channel, "matches"))
    assert f"`/{challenge}`" in private
    assert private.replace(f"`/{challenge}`", "") == said(language, NOTHING, commands="en").replace("`/challenge`", "")


async def test_help_rules_and_menus_call_commands_as_the_persons_discord_does(
    sim: SimulatedDiscord, locales: Locales
) -> None:
    give_management(sim, sim.alice)
    locales.of[sim.alice.id] = "de"
    await sim.alice.slash(sim.channel, "preferences", language="it")
    helped = answer(await sim.alice.slash(sim.channel, "help"))
    assert said("it", "How it works") in text_of(helped.message)
    assert "**Apps**, **Herausfordern**" in text_of(helped.message)
    await sim.alice.click(helped, label=said("it", "What else you can do"))
    assert "`/partien beendet:True`" in text_of(helped.message)
    settings = answer(await sim.alice.slash(sim.channel, "settings", puzzle_channel=sim.channel))
    menus = [str(getattr(one, "placeholder", "")) for one in items(settings.message)]
    assert said("it", "Time zone; others with {option}", option="rätsel_zeitzone") in menus


@pytest.mark.parametrize(
    ("locale", "language", "sentence"),
    [
        ("de", "it", "con `/partie aktion:resign` abbandoni"),
        ("de", "en", "`/partie aktion:resign` gives the game up"),
        ("pl", "en", "`/match action:resign` gives the game up"),
    ],
)
async def test_rules_call_commands_as_the_persons_discord_shows_them(
    sim: SimulatedDiscord, locales: Locales, locale: str, language: str, sentence: str
) -> None:
    locales.of[sim.alice.id] = locale
    await sim.alice.slash(sim.channel, "preferences", language=language)
    assert sentence in await first_game(sim, sim.alice)


async def test_direct_messages_call_commands_as_the_persons_discord_last_showed_them(
    sim: SimulatedDiscord, locales: Locales
) -> None:
    locales.of[sim.bob.id] = "de"
    await sim.bob.slash(sim.channel, "preferences", language="it")
    await challenge_accepted(sim)
    sim.bot.context.services.personal_settings.forget(sim.bob.id)  # As if the bot had been started anew since.
    other = sim.guild.create_text_channel("elsewhere")
    sim.env.backend.delete_channel(sim.channel.id)
    await sim.alice.slash(other, "move", move="c3")
    (note,) = direct_messages(sim, sim.bob)
    assert "non posso più pubblicare nel suo canale" in note
    assert "`/brett`" in note


async def test_a_server_chooses_another_language_than_its_own(sim: SimulatedDiscord, locales: Locales) -> None:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "settings", language="de")
    card = await challenge(sim)
    assert said("de", "Accept") in labels(card)
    await sim.alice.slash(sim.channel, "settings", language="discord")
    await sim.carol.slash(sim.channel, "challenge", game="redo")
    assert "Accept" in labels(cards(sim)[-1])


async def test_somebody_the_bot_has_never_seen_is_written_to_in_the_language_of_the_server(
    sim: SimulatedDiscord, locales: Locales
) -> None:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "settings", language="fr")
    await sim.alice.slash(sim.channel, "manage bar", person=sim.carol)
    await sim.bob.slash(sim.channel, "help")  # Their Discord speaks English, which is known from here on.
    await sim.alice.slash(sim.channel, "manage bar", person=sim.bob)
    await sim.env.settle()
    lifting = "Matches you're in go on. To have the bar lifted, ask them."
    (stranger,), (known,) = direct_messages(sim, sim.carol), direct_messages(sim, sim.bob)
    assert said("fr", lifting) in stranger
    assert lifting in known


async def test_the_language_kept_of_somebody_is_shown_and_deleted(sim: SimulatedDiscord, locales: Locales) -> None:
    locales.of[sim.alice.id] = "it"
    await sim.alice.slash(sim.channel, "help")
    privacy = sim.bot.context.services.privacy
    assert json.loads(await privacy.export(sim.alice.id))["preferences"]["locale"] == "it"
    locales.of[sim.alice.id] = "en-US"
    question = answer(await sim.alice.slash(sim.channel, "privacy", action="delete"))
    await sim.alice.click(question, label="Delete everything")
    assert json.loads(await privacy.export(sim.alice.id))["preferences"]["locale"] is None


@pytest.mark.own_bot
async def test_commands_are_links_for_those_whose_discord_shows_default_names(
    sim: SimulatedDiscord, locales: Locales
) -> None:
    locales.of[sim.bob.id] = "de"
    known = {one.name: one.id for one in await sim.bot.tree.fetch_commands()}

    english, german = [answer(await one.slash(sim.channel, "help")).message for one in (sim.alice, sim.bob)]

    assert f"</challenge:{known['challenge']}>" in sent_text(english)
    assert "</" not in sent_text(german)
    refused = await sim.alice.slash(sim.channel, "match", action="resign")
    assert f"</challenge:{known['challenge']}>" in sent_text(answer(refused).message)
