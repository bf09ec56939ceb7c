"""A request is carried out without Discord, and every error becomes an outcome."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from sqlalchemy import text
from structlog.testing import capture_logs

from bot.compute.rate_limit import BUDGET
from bot.requests.context import Place
from bot.requests.outcome import UNAVAILABLE, UNKNOWN, Outcome, Status, execute, read_or
from bot.requests.request import Request
from bot.storage import challenges
from bot.storage.errors import CommitUnknown, DatabaseAway
from tests.matches.conftest import ALICE, BOB, CHANNEL, GUILD, YONMOQUE
from tests.requests.conftest import Door
from tests.support.waiting import until


async def test_a_request_is_carried_out_once_however_often_it_comes(door: Door) -> None:
    request = door.request()

    async def challenge(request: Request) -> int:
        offer = request.services.challenges.offer
        return await offer(
            request.actor,
            None,
            YONMOQUE,
        )

    assert (await execute(request, challenge)).status is Status.DONE
    assert await execute(request, challenge) == Outcome(Status.REPEATED)
    assert len(await door.crowd.services.read(challenges.all_open_of, GUILD, ALICE.id)) == 1


async def test_a_refusal_is_told_in_the_language_the_person_chose(door: Door) -> None:
    match_id = await door.crowd.begin(by=BOB, to=ALICE)
    settings = door.crowd.services.personal_settings
    await settings.prefer(ALICE.id, lambda before: replace(before, language="de"))

    async def play(request: Request) -> str:
        return (await request.services.turns.play(request.actor, match_id, None, "a1")).text

    refused = await execute(door.request(), play)
    assert refused.status is Status.REFUSED
    assert refused.words is not None
    assert "nicht dran" in refused.words or "nicht am Zug" in refused.words, refused.words


async def test_the_work_is_given_the_preferences_of_the_moment_and_the_time_of_the_request(door: Door) -> None:
    settings = door.crowd.services.personal_settings
    await settings.prefer(ALICE.id, lambda before: replace(before, theme="light"))
    request = door.request(locale="fr")
    asked_at = door.crowd.now
    door.crowd.later(hours=1)

    async def look(request: Request) -> tuple[str, str, bool]:
        return request.preferences.theme, request.language.code, request.at == asked_at

    assert (await execute(request, look)).value == ("light", "fr", True)


async def test_a_direct_message_has_no_server_to_play_in(door: Door) -> None:
    async def ask(request: Request) -> int:
        return request.server

    refused = await execute(door.request(Place()), ask)
    assert refused.words == "This needs a server: use it in a server's channel. Here you can play me, with `/play`."


async def test_a_spent_budget_refuses_and_does_nothing(door: Door) -> None:
    done = []

    async def work(request: Request) -> None:
        done.append(request.id)

    assert (await execute(door.request(), work, points=BUDGET)).status is Status.DONE
    refused = await execute(door.request(), work)
    assert (refused.status, len(done)) == (Status.REFUSED, 1)
    door.seconds += 60
    assert (await execute(door.request(), work)).status is Status.DONE


async def test_who_has_spent_their_budget_is_told_so_while_an_earlier_request_goes_on(door: Door) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def work(_request: Request) -> None:
        begun.set()
        await go_on.wait()

    earlier = asyncio.create_task(execute(door.request(), work, points=BUDGET))
    await begun.wait()
    later = asyncio.create_task(execute(door.request(), work))
    await until(later.done, "a refusal")
    assert later.result().status is Status.REFUSED
    go_on.set()
    assert (await earlier).status is Status.DONE


async def test_what_costs_nothing_is_done_for_a_person_who_owes_points(door: Door) -> None:
    async def work(_request: Request) -> bool:
        return True

    door.context.rate_limit.charge_seconds(ALICE.id, BUDGET)
    assert (await execute(door.request(), work)).status is Status.REFUSED
    assert (await execute(door.request(), work, points=0)).value


async def test_a_bot_that_stops_finishes_what_has_begun_and_takes_nothing_new(door: Door) -> None:
    async def stop(request: Request) -> bool:
        await request.context.in_flight.close(0.0)
        return True

    assert (await execute(door.request(), stop)).value
    refused = await execute(door.request(), stop)
    assert (refused.status, refused.words) == (
        Status.RESTARTING,
        "I'm restarting. Nothing is lost; try again in a minute.",
    )


async def test_a_database_that_fails_is_told_from_a_commit_that_may_have_gone_through(door: Door) -> None:
    async def broken(request: Request) -> None:
        async with request.services.database.read() as tx:
            await tx.execute(text("SELECT * FROM nowhere"))

    async def unknown(_request: Request) -> None:
        raise CommitUnknown

    async def away(_request: Request) -> None:
        raise DatabaseAway("The database is away.")

    with capture_logs() as log:
        assert (await execute(door.request(), broken)).words == UNAVAILABLE
        assert (await execute(door.request(), unknown)).words == UNKNOWN
        assert (await execute(door.request(), away)).words == UNAVAILABLE
    assert [entry.get("exc_info") for entry in log] == [True, True, None], "a known reason needs no traceback"
    assert log[-1]["reason"] == "The database is away."


async def test_only_after_a_commit_is_what_cannot_be_read_left_out(door: Door) -> None:
    async def unreadable() -> str:
        raise DatabaseAway("The database is away.")

    async def look(_request: Request) -> str:
        return await read_or(unreadable(), "left out")

    async def challenge(request: Request) -> str:
        await request.services.challenges.offer(request.actor, None, YONMOQUE)
        return await read_or(unreadable(), "left out")

    with capture_logs():
        assert await execute(door.request(), look) == Outcome(Status.UNAVAILABLE, words=UNAVAILABLE)
        assert await execute(door.request(), challenge) == Outcome(Status.DONE, "left out")


async def test_an_unexpected_error_is_told_with_a_reference_that_is_in_the_log(door: Door) -> None:
    async def fail(_request: Request) -> None:
        raise ZeroDivisionError

    with capture_logs() as log:
        failed = await execute(replace(door.request(), control="play:1:2"), fail)
    assert failed.status is Status.FAILED
    (entry,) = log
    assert entry["control"] == "play:1:2"
    assert failed.words is not None
    assert f"`{entry['reference']}`" in failed.words


async def test_a_place_names_the_permissions_it_lacks(door: Door) -> None:
    place = Place(GUILD, CHANNEL, missing_permissions=("Attach Files",))

    async def play(request: Request) -> None:
        request.check_place()

    refused = await execute(door.request(place), play)
    assert refused.words is not None
    assert "without the permission Attach Files" in refused.words
