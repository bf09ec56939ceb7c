"""``python -m bot.translating``: keeps the catalogues of all languages in step with the source.

python -m bot.translating update     extracts every message and brings all catalogues up to date
python -m bot.translating status     shows how much of each language is translated
python -m bot.translating missing    lists what each language lacks; exit code 1 if that is anything
python -m bot.translating looked-at it redo    notes that a guide says what the English one says now
"""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bot.games import GAMES
from bot.languages.catalogues import OFFERED, catalogue
from bot.translating.completeness import UNFINISHED, look_at, missing
from bot.translating.extraction import TRANSLATED, extracted, is_translated, messages_of, update

app = typer.Typer(help="Keep the catalogues of all languages in step with the source.", add_completion=False)


@app.command("update")
def update_all() -> None:
    """Extract every message and bring all catalogues up to date."""
    template = extracted()
    for code in TRANSLATED:
        update(code, template)
    status()


@app.command()
def status() -> None:
    """Show how much of each language is translated."""
    table = Table("language", "", "messages", "translated", "words")
    template = messages_of(extracted())
    messages = {(message.id, message.context) for message in template}
    for code in TRANSLATED:
        done = [message for message in messages_of(catalogue(code)) if is_translated(message)]
        translated = [message for message in done if (message.id, message.context) in messages]
        words = sum(len(str(message.string).split()) for message in translated)
        share = len(translated) / len(messages) if messages else 1.0
        table.add_row(code, OFFERED[code], str(len(messages)), f"{len(translated)} ({share:.1%})", str(words))
    Console().print(table)


@app.command("looked-at")
def note_looked_at(
    code: Annotated[str, typer.Argument(help="The tag of the language, such as it.")],
    game: Annotated[str, typer.Argument(help="The key of the game.")],
) -> None:
    """Note that a guide says in a language what the English one says now."""
    look_at(code, GAMES[game])


@app.command("missing")
def list_missing() -> None:
    """List what each language lacks. The exit code is 1 if a language that should be complete lacks anything."""
    template = extracted()
    missing_by_language = {code: missing(code, template) for code in TRANSLATED}
    for code, lines in missing_by_language.items():
        typer.echo(f"{code}: {len(lines) or 'nothing'} missing")
        for line in lines:
            typer.echo(f"  {line}")
    raise typer.Exit(int(any(lines for code, lines in missing_by_language.items() if code not in UNFINISHED)))


if __name__ == "__main__":
    app()
