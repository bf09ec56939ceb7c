"""Commands in sentences are called as the reader's Discord shows them, in whatever language the sentence is."""

from __future__ import annotations

import discord
import pytest

from bot.compute.job import JobSpec, Pool
from bot.compute.queue import ComputeQueue
from bot.languages.catalogues import OFFERED
from bot.languages.speaking import as_discord_shows, language
from bot.matches.service_context import ServiceContext
from bot.storage.database import Database
from renderers.i18n import ENGLISH, current_language, gettext, gettext_lazy, ngettext, speaking, translated

NOTHING = "You have no match running here. `/challenge` starts one."
GOES_ON = (
    "The match they are in goes on; `/manage void` ends one without a result.",
    "The {n} matches they are in go on; `/manage void` ends one without a result.",
)
WRONG = (
    "Something went wrong on my side. Check `/board` before you try again; if it keeps happening, "
    "give this reference to the people who run this bot: `{reference}`."
)


def spoken() -> tuple[str, str, str]:
    """Return the current language, that of its commands, and a sentence with one."""
    return current_language().code, current_language().commands, gettext(NOTHING)


@pytest.mark.parametrize("n", [1, 2])
def test_in_every_form_of_a_message_that_depends_on_a_number(n: int) -> None:
    with speaking(language("it", "de")):
        assert "`/verwalten annullieren`" in ngettext(*GOES_ON, n)
    with speaking(language("en", "de")):
        assert ngettext(*GOES_ON, n) == GOES_ON[n - 1].format(n=n).replace("manage void", "verwalten annullieren")


def test_in_a_message_that_is_translated_later() -> None:
    with speaking(language("fr", "ja")):
        assert "`/挑戦`" in translated(gettext_lazy("{ended} Use `/challenge` for another game.", ended=""))


def test_what_is_filled_in_is_no_command() -> None:
    with speaking(language("it", "de")):
        said = gettext(WRONG, reference="match")
    assert "`/brett`" in said
    assert "`match`" in said


def test_what_stands_in_a_menu_of_discord_is_in_the_language_of_discord() -> None:
    with speaking(language("it", "de")):
        assert as_discord_shows(gettext_lazy("Challenge")) == "Herausfordern"
        assert gettext("Challenge") == "Sfida"


def test_a_language_that_is_not_offered_is_english_with_the_names_of_english() -> None:
    assert language("xx") is language("en") is language("en", "en") is language("en", "xx") is ENGLISH
    assert language("it", "xx").commands == ENGLISH.code


@pytest.mark.parametrize("code", OFFERED)
def test_a_language_calls_them_as_itself_unless_it_is_told_otherwise(code: str) -> None:
    with speaking(language(code)):
        alone = spoken()
    with speaking(language(code, code)):
        assert spoken() == alone == (code, code, alone[2])


@pytest.mark.parametrize("workers", [0, pytest.param(1, marks=pytest.mark.slow)])
async def test_in_what_is_computed_in_another_thread_or_process(workers: int) -> None:
    async with ComputeQueue(picture_workers=workers, timeout=300) as queue:
        context = ServiceContext(Database("sqlite+aiosqlite://"), discord.utils.utcnow, queue)
        for pair in (("it", "de"), ("en", "de"), ("it", "en")):
            with speaking(language(*pair)):
                told = await context.compute_as(JobSpec(Pool.INTERACTIVE, key="the same"), spoken)
                assert told == spoken()
                assert told[:2] == pair
