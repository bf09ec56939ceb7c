"""Pictures that everybody sees have a frame for light and dark chats; what one person sees is by their preferences."""

from __future__ import annotations

from datetime import date

from bot.delivery.context import DeliveryContext
from bot.delivery.handlers.weekly import final_board
from bot.matches.model.puzzles import states
from bot.messages import board, card, cup, puzzle
from bot.messages.layout import Outgoing
from bot.messages.pictures import BoardRenderer
from bot.messages.share import share_message
from bot.storage import challenges
from bot.storage.people import Preferences
from bot.storage.records import Judgement, ShareKind
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd
from tests.matches.test_cups import begun
from tests.matches.test_daily_puzzles import CHANNEL, ONE, at
from tests.matches.test_puzzles import GAME, solved
from tests.matches.test_shares import finished, reviewed, sharing
from tests.renderers.drawing import theme_of


def themes(message: Outgoing) -> list[str]:
    return [theme_of(picture.data) for picture in message.attached]


async def test_a_match_has_a_medium_frame_from_its_card_to_its_result(crowd: Crowd) -> None:
    renderer, match_id = BoardRenderer(crowd.services), await crowd.begin()
    challenge = await crowd.services.read(challenges.of_match, match_id)
    assert challenge is not None
    assert themes(await card.card(renderer, challenge, drawn=True)) == ["medium"]
    running = await crowd.services.queries.match_view(GUILD, match_id)
    assert themes(await board.board(renderer, running)) == ["medium", "medium"]
    await crowd.resign(match_id, ALICE)
    over = await crowd.services.queries.match_view(GUILD, match_id)
    assert themes(await card.result_card(renderer, over.match, over.game_state, ())) == ["medium"]


async def test_a_board_in_a_direct_message_is_drawn_as_its_reader_likes_it(crowd: Crowd) -> None:
    renderer, match_id = BoardRenderer(crowd.services), await crowd.begin()
    running = await crowd.services.queries.match_view(GUILD, match_id)
    for wanted in (Preferences(), Preferences(theme="light")):
        assert themes(await board.direct_board(renderer, running, wanted, "", page=False)) == [wanted.theme]


async def test_shares_and_the_puzzle_of_the_day_have_a_medium_frame(crowd: Crowd) -> None:
    renderer, shares = BoardRenderer(crowd.services), crowd.services.shares
    match_id = await finished(crowd)
    await reviewed(crowd, match_id, Judgement(5, 1, 0.9, 0.1, "c5", exact=False))
    attempt = (await solved(crowd, await crowd.services.puzzles.begin(ALICE.id, GAME))).attempt
    for kind, thing, pictures in (
        (ShareKind.REPLAY, match_id, 1),
        (ShareKind.REVIEW, match_id, 2),
        (ShareKind.PUZZLE, attempt.id, 1),
    ):
        view = await shares.preview(kind, sharing(crowd, ALICE), thing)
        assert themes(await share_message(renderer, view)) == ["medium"] * pictures, kind
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 9, "UTC")
    await at(crowd, 2026, 1, 1, 9, 0)
    daily = await crowd.services.daily_puzzles.view(ONE, date(2026, 1, 1))
    assert daily is not None
    start = states(daily.puzzle, 0)[0][0]
    assert themes(await puzzle.daily_post(renderer, daily, start)) == ["medium"]


async def test_the_table_of_a_cup_is_medium_where_it_is_posted(crowd: Crowd) -> None:
    renderer, queries = BoardRenderer(crowd.services), crowd.services.cup_queries
    cup_id = await begun(crowd, ALICE, BOB, CAROL)
    view = await queries.view(GUILD, cup_id)
    assert themes(await cup.message(renderer, view)) == themes(await cup.result(renderer, view)) == ["medium"]


async def test_the_board_of_the_weekly_post_has_a_medium_frame(crowd: Crowd) -> None:
    match = (await crowd.services.queries.match_view(GUILD, await finished(crowd))).match
    context = DeliveryContext(None, crowd.services, BoardRenderer(crowd.services), threads=False)  # type: ignore[arg-type]
    picture = await final_board(context, match)
    assert picture is not None
    assert theme_of(picture.data) == "medium"
