"""What there is in the simulated Discord of the demo: a server, a channel, three people and a word of welcome."""

from __future__ import annotations

from dataclasses import dataclass

import discord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.demo.realtime import LiveEnv

BOT_NAME = "Tavoliere"

WELCOME = """\
# Welcome to Tavoliere
**This is a simulated Discord.** Nothing leaves this computer, no account is used, and all is forgotten when the demo \
ends. The bot is the real one.

You begin as {alice}. *Viewing as*, at the top, makes you {bob} or {carol}; two windows with this address make two \
people.
"""

FIRST_STEPS = """\
### Try this first
1. As {alice}, type `/challenge`, pick **Yonmoque** and the opponent {bob}, and send it.
2. As {bob}, press **Accept** on the card that appears.
3. Whoever is to move presses **Play** under the board, or types `/move`.
"""

THEN = """\
### And then
- `/games` and `/rules` show what there is to play.
- A `/challenge` without an opponent is open to everybody: three can play **Rectangles of Distinction**.
- `/matches`, `/profile` and `/leaderboard` tell what has been played.

-# In a real server each match is played in a thread of its own. This page shows one channel, so here all are played \
in it.
"""


@dataclass(frozen=True, slots=True)
class Town:
    """The place of the demo and the people in it, the first of whom one is to begin with."""

    channel: ChannelHandle
    people: tuple[MemberActor, ...]


def name_bot(env: LiveEnv) -> None:
    """Give the bot its name; to be done before it starts."""
    env.backend.bot_user.name = BOT_NAME


def found(env: LiveEnv, bot: discord.Client) -> Town:
    """Make the server. Alice owns it, so that she can try what is for those who manage it, too."""
    users = [env.create_user(name.lower(), global_name=name) for name in ("Alice", "Bob", "Carol")]
    guild = env.create_guild("The Games Table", owner=users[0])
    assert bot.user is not None
    channel = guild.create_text_channel(
        "games",
        topic="A simulated Discord: nothing leaves this computer",
        # A page shows one channel. Without threads the bot plays in it, as in any server that does not allow them.
        overwrites={bot.user: discord.PermissionOverwrite(create_public_threads=False, create_private_threads=False)},
    )
    alice = MemberActor(env, guild, users[0])
    return Town(channel, (alice, *(guild.add_member(user) for user in users[1:])))


async def welcome(bot: discord.Client, town: Town) -> None:
    """Post what to try first, in the bot's name."""
    names = {person.name: person.mention for person in town.people}
    view = discord.ui.LayoutView(timeout=None)
    container: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(accent_colour=discord.Colour.gold())
    for text in (WELCOME, FIRST_STEPS, THEN):
        container.add_item(discord.ui.TextDisplay(text.format(**names)))
        if text is not THEN:
            container.add_item(discord.ui.Separator())
    view.add_item(container)
    channel = bot.get_channel(town.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.send(view=view, allowed_mentions=discord.AllowedMentions.none())
