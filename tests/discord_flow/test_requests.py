"""What the bot sends is what Discord takes: the description that all flow tests are held to, and the longest texts."""

from __future__ import annotations

from typing import Any

import pytest
from simcord import interactions

from tests.support.acting import FINISHED, board_of, challenge, itself, play
from tests.support.described_requests import problems
from tests.support.languages import said
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.tour import look_around

LONGEST = ("_" * 32, "@everyone <@1> " + "*" * 17, "\N{ARABIC LIGATURE BISMILLAH AR-RAHMAN AR-RAHEEM}" * 32)
MESSAGES, MESSAGE = "/channels/1/messages", "/channels/1/messages/2"
COMMANDS = "/applications/1/commands"


def words(content: str = "hello") -> dict[str, Any]:
    return {"type": 10, "content": content}


def button(custom_id: str, **changes: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Play", "custom_id": custom_id} | changes


def row(*controls: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(controls)}


def menu(*values: str) -> dict[str, Any]:
    options = [{"label": value, "value": value} for value in values]
    return {"type": 3, "custom_id": "m", "options": options}


def shows(name: str) -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": f"attachment://{name}"}}]}


def message(*components: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"components": list(components), "flags": 1 << 15, **more}


def command(*options: dict[str, Any], **changes: Any) -> list[dict[str, Any]]:
    base = {"type": 1, "name": "play", "description": "Play", "integration_types": [0], "contexts": [0]}
    return [base | {"options": list(options)} | changes]


def option(name: str, **changes: Any) -> dict[str, Any]:
    return {"type": 3, "name": name, "description": "One"} | changes


FINE = message({"type": 17, "components": [words(), shows("board.png"), row(button("a"), button("b")), row(menu("x"))]})


def test_what_discord_takes_is_not_found_fault_with() -> None:
    kept = FINE | {"attachments": [{"id": "7", "filename": "board.png"}]}
    assert problems("PATCH", MESSAGE, kept) == []
    sent = FINE | {"attachments": [{"id": 0, "filename": "board.png", "description": "a board"}]}
    assert problems("POST", MESSAGES, sent, ["board.png"]) == []
    assert problems("PUT", COMMANDS, command(option("game", required=True), option("level"))) == []


@pytest.mark.parametrize(
    ("method", "path", "body", "problem"),
    [
        ("PATCH", MESSAGE, FINE, "board.png is shown, but neither sent nor kept"),
        ("PATCH", MESSAGE, FINE | {"attachments": [{"id": "7"}]}, "board.png is shown, but neither sent nor kept"),
        ("POST", MESSAGES, message(*(words() for _ in range(41))), "41 components"),
        ("POST", MESSAGES, message(words("x" * 2001), words("x" * 2000)), "4001 characters"),
        ("POST", MESSAGES, message(words("")), "at least 1 character"),
        ("POST", MESSAGES, message(row(button("a"), button("a"))), "custom_id 'a' twice"),
        ("POST", MESSAGES, message(row(button("a" * 101))), "at most 100 characters"),
        ("POST", MESSAGES, message(row(button("a", label="x" * 81))), "at most 80 characters"),
        ("POST", MESSAGES, message(row(button("a", url="https://e.example"))), "custom_id or url"),
        ("POST", MESSAGES, message(row(*(button(str(at)) for at in range(6)))), "at most 5 items"),
        ("POST", MESSAGES, message(row(menu("x", "x"))), "a value twice"),
        ("POST", MESSAGES, message(row(menu(*map(str, range(26))))), "at most 25 items"),
        ("POST", MESSAGES, message(row(menu())), "at least 1 item"),
        ("POST", MESSAGES, message(words(), content="beside"), "content beside components"),
        ("POST", MESSAGES, {"components": [words()]}, "components without their flag"),
        ("POST", MESSAGES, message(words(), colour=1), "Extra inputs are not permitted"),
        ("POST", "/channels/1/threads", {"name": "x" * 101, "type": 11}, "at most 100 characters"),
        ("POST", "/channels/1/invites", {}, "not described"),
        ("PUT", COMMANDS, command(option("b"), option("a", required=True)), "optional option before a required one"),
        ("PUT", COMMANDS, command(option("a"), option("a")), "an option twice"),
        ("PUT", COMMANDS, command(name="Play"), "name 'Play'"),
        ("PUT", COMMANDS, command(contexts=None), "contexts"),
        ("PUT", COMMANDS, command(name_localizations={"de": "x" * 33}), "at most 32 characters"),
        ("PUT", COMMANDS, command() * 101, "at most 100 items"),
        (
            "PUT",
            COMMANDS,
            command(
                *(
                    option(f"{of}", choices=[{"name": f"{at:090}", "value": f"{at:0100}"} for at in range(25)])
                    for of in "ab"
                )
            ),
            "characters",
        ),
    ],
)
def test_what_discord_would_refuse_is_named(method: str, path: str, body: Any, problem: str) -> None:
    found = problems(method, path, body)
    assert any(problem in one for one in found), found


@pytest.mark.parametrize("name", sampled(LONGEST, every=3, ids=["markup", "mentions", "wide"]))
async def test_the_longest_words_and_names_are_taken(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    payload = interactions.base_payload

    def german(*args: Any, **options: Any) -> tuple[Any, dict[str, Any]]:
        record, sent = payload(*args, **options)
        return record, {**sent, "locale": "de", "guild_locale": "de"}

    monkeypatch.setattr(interactions, "base_payload", german)
    for person in (sim.alice, sim.bob, sim.carol):
        sim.env.backend.guilds[sim.guild.id].members[person.id].nick = name
    await look_around(sim)
    card = await challenge(sim)
    await sim.bob.click(card, label=said("de", "Accept"))
    await play(sim, card.id, *FINISHED)
    await sim.alice.click(board_of(sim, card.id), label=said("de", "Rematch"))
    await sim.alice.slash(sim.channel, "challenge", game="redo", opponent=itself(sim))
    for shown in ("profile", "leaderboard", "matches"):
        await sim.bob.slash(sim.channel, shown)
