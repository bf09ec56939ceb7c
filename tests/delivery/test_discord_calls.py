"""The meaning of Discord's answers: done, refused for good, or to be tried later."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from bot.delivery.discord_calls import RefusedError, RejectedError, UnavailableError, expected_errors


def answer(status: int, code: int = 0, retry_after: str | None = None) -> discord.HTTPException:
    """Return what discord.py raises for an answer."""
    kinds: dict[int, type[discord.HTTPException]] = {403: discord.Forbidden, 404: discord.NotFound}
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    response: Any = SimpleNamespace(status=status, reason="", headers=headers)
    return kinds.get(status, discord.HTTPException)(response, {"code": code, "message": "no"})


async def meaning(error: BaseException) -> Exception:
    """Return what an error is translated into."""
    try:
        async with expected_errors():
            raise error
    except Exception as translated:
        return translated


@pytest.mark.parametrize(
    ("error", "gone"),
    [
        (answer(403, 50007), False),
        (answer(403, 50278), False),
        (answer(403, 50013), False),
        (answer(404, 10008), True),
        (answer(404, 10003), True),
        (answer(400, 50083), False),
        (answer(400, 160005), False),
        (answer(400, 160006), False),
    ],
)
async def test_what_discord_refuses_for_good_is_not_tried_again(error: discord.HTTPException, gone: bool) -> None:
    refused = await meaning(error)
    assert isinstance(refused, RefusedError)
    assert refused.gone is gone


@pytest.mark.parametrize(
    ("error", "after"),
    [
        (answer(500), 0),
        (answer(502), 0),
        (answer(429, retry_after="12.5"), 12.5),
        (answer(429, retry_after="soon"), 0),
        (answer(503, retry_after="60"), 60),
        (answer(403), 0),
        (answer(403, 20026), 0),
        (answer(403, 40003), 0),
        (answer(400, 40003), 0),
        (answer(404), 0),
        (answer(400, 30046), 0),
        (discord.RateLimited(33.0), 33.0),
        (aiohttp.ClientConnectionError(), 0),
        (TimeoutError(), 0),
        (ConnectionResetError(), 0),
    ],
)
async def test_what_discord_cannot_do_now_is_tried_later(error: Exception, after: float) -> None:
    later = await meaning(error)
    assert isinstance(later, UnavailableError)
    assert later.after == after


@pytest.mark.parametrize(("code", "own"), [(50007, True), (50278, True), (50013, False), (50001, False)])
async def test_two_codes_alone_say_that_a_person_takes_no_direct_messages(code: int, own: bool) -> None:
    refused = await meaning(answer(403, code))
    assert isinstance(refused, RefusedError)
    assert refused.by_person is own


@pytest.mark.parametrize(("code", "counted"), [(20026, "20026"), (40003, "40003"), (0, "other"), (31337, "other")])
async def test_a_refusal_for_now_is_counted_and_told_the_operator(code: int, counted: str) -> None:
    before = refusals(counted)
    with capture_logs() as logs:
        await meaning(answer(403, code))
    assert refusals(counted) == before + 1
    assert [(line["log_level"], line["cause"]) for line in logs] == [("error", f"Discord 403 {code}")]


def refusals(code: str) -> float:
    """Return how many refusals of a code were counted."""
    return REGISTRY.get_sample_value("tavoliere_discord_refusals_total", {"code": code}) or 0.0


@pytest.mark.parametrize("status", [400, 413])
async def test_what_discord_does_not_take_is_no_better_for_being_said_again(status: int) -> None:
    malformed = await meaning(answer(status, 50035))
    assert isinstance(malformed, RejectedError)
    assert str(malformed).startswith(f"{status} ")


async def test_an_answer_nobody_expects_is_a_mistake_of_ours() -> None:
    error = answer(401, 0)
    assert await meaning(error) is error


async def test_other_mistakes_pass_through() -> None:
    error = ValueError("oops")
    assert await meaning(error) is error
