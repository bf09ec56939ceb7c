"""The texts of the demo's page itself. The page asks for them in the reader's language."""

from __future__ import annotations

from bot.languages.speaking import language
from renderers.i18n import gettext_lazy as _
from renderers.i18n import speaking, translated

WORDS = (
    # The frame of the page.
    _("Tavoliere in a simulated Discord"),
    _("Skip to the newest message"),
    _("To the start page"),
    _("Who you are"),
    _("One more person"),
    _("Show a second person beside you"),
    _("End"),
    _("End the demo?"),
    _("Everything that was played here will be forgotten."),
    _("Keep playing"),
    _("End the demo"),
    _("The demo is over"),
    _("Everything that was played here is forgotten. To begin anew, run this, and open the address it shows:"),
    # One person's side.
    _("{name}'s side"),
    _("You are {name}. Be another person"),
    _("Close this side"),
    _("Board"),
    _("Close the board"),
    _("Chat"),
    _("Channels"),
    _("Members"),
    _("Messages"),
    _("Mentions: {number}"),
    _("(unread)"),
    _("Mention {name}"),
    _("The connection is lost. Trying again…"),
    _("It's {name}'s turn: play as {name}."),
    _("Play as {name}"),
    _("Show {name} beside you"),
    # What the channels are for.
    _("For everything else"),
    _("Only you two are here. The bot answers your commands."),
    # Messages.
    _("Message from {name}"),
    _("{name} is thinking"),
    _("{name} used {command}"),
    _("{name} started a thread"),
    _("Only you can see this"),
    _("Dismiss message"),
    _("See thread"),
    _("(edited)"),
    _("New"),
    _("New messages: {number}"),
    _("Go to the newest"),
    _("Welcome to {channel}!"),
    _("This is the start of the thread."),
    _("Make a selection"),
    _("Button without a name"),
    _("(something this page cannot show)"),
    _("Spoiler"),
    _("(unknown person)"),
    _("(unknown channel)"),
    # Where people type.
    _("Message, or / for commands"),
    _("Message {place}, or / for commands"),
    _("Send"),
    _("Commands"),
    _("Suggestions"),
    _("More options"),
    _("{number} optional"),
    _("{command}: options"),
    _("True"),
    _("False"),
    _("Please choose {name} from the list."),
    _("Please fill in {name}."),
    _("This form will be submitted to Tavoliere, in this simulated Discord."),
    _("Cancel"),
    _("Submit"),
    _("Text"),
    # What goes wrong.
    _("This interaction failed: {reason}"),
    _("This was not understood."),
    _("There is no connection. Please try again in a moment."),
    _("This cannot be sent."),
    _("This message is gone."),
    _("Everybody is here already."),
    _("This is not possible here."),
    _("Tavoliere did not respond."),
    _("There is no such command."),
    _("There is nothing to suggest."),
    _("This has changed in the meantime."),
    _("This form is no longer open."),
    _("You can't choose that many, or that few."),
    _("Please fill the form in."),
    _("Please choose from the list."),
    _("You cannot use this here."),
)
"""Every text of the page and every refusal of the simulated Discord that names nothing."""


def said_in(tag: str) -> dict[str, str]:
    """Return the translations by the English text, in the language of a tag."""
    with speaking(language("en")):
        english = [translated(word) for word in WORDS]
    with speaking(language(tag)):
        return dict(zip(english, map(translated, WORDS), strict=True))
