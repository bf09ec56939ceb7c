"""``python -m bot.translating``: keeps the catalogues of all languages in step with the source.

python -m bot.translating update     extracts every message and brings all catalogues up to date
python -m bot.translating status     shows how much of each language is translated
"""

from __future__ import annotations

import typer
from rich.console import Console
from rich.table import Table

from bot.languages.catalogues import OFFERED, catalogue
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
    wanted = {(message.id, message.context) for message in template}
    for code in TRANSLATED:
        done = [one for one in messages_of(catalogue(code)) if is_translated(one)]
        known = [one for one in done if (one.id, one.context) in wanted]
        words = sum(len(str(one.string).split()) for one in known)
        share = len(known) / len(wanted) if wanted else 1.0
        table.add_row(code, OFFERED[code], str(len(wanted)), f"{len(known)} ({share:.1%})", str(words))
    Console().print(table)


if __name__ == "__main__":
    app()
