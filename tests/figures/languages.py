"""Languages

How much is translated: messages, the words of their translations (letters in Japanese, which has no spaces), and the
guides. Then the cost: the first message of a language, which reads its catalogue, in milliseconds of one core; the
memory of all languages; and the time to look up and fill in a message, in microseconds, in English and in the slowest
language.

The wheel (`pip wheel --no-deps .`) has 10.2 MB. 0.4 of them are catalogues and guides, 1.6 when installed; 8.8 are the
fonts for names in any script, 11.7 when installed.
"""

from __future__ import annotations

import subprocess
import sys
from time import process_time

from bot.languages.catalogues import OFFERED, catalogue, folder
from bot.languages.speaking import language
from bot.translating.extraction import TRANSLATED, extracted, is_translated, messages_of
from renderers.i18n import gettext, speaking
from tests.figures import shipped_games, table
from tests.support.languages import read_anew

_TIMES = 20_000
_MEMORY = """
import sys, tracemalloc
from bot.languages.speaking import language, translations
import bot.client
language(sys.argv[1])
language.cache_clear(), translations.cache_clear()
tracemalloc.start()
for code in sys.argv[1:]:
    language(code)
print(tracemalloc.get_traced_memory()[0] / 2**20)
"""


def measure() -> list[str]:
    """Count what is translated, and measure what it takes."""
    wanted = len(messages_of(extracted()))
    rows = [_row(code, wanted) for code in TRANSLATED]
    lines = table(("Language", "messages", "of all", "words", "guides", "first message, ms"), rows)
    command = [sys.executable, "-c", _MEMORY, *TRANSLATED]
    memory = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    dearest = max((_a_message(code), OFFERED[code]) for code in TRANSLATED)
    return [
        *lines,
        "",
        f"All languages take {memory:.1f} MB in a process. A message takes {_a_message('en'):.1f} µs in English, "
        f"{dearest[0]:.1f} µs in {dearest[1]}.",
    ]


def _row(code: str, wanted: int) -> tuple[str, ...]:
    done = [message for message in messages_of(catalogue(code)) if is_translated(message)]
    said = [form for one in done for form in ([one.string] if isinstance(one.string, str) else one.string or ())]
    words = sum(len("".join(form.split())) if code == "ja" else len(form.split()) for form in said)
    guides = [folder(code) / "guides" / f"{game.key}.md" for game in shipped_games()]
    read_anew()
    begun = process_time()
    language(code)
    took = 1000 * (process_time() - begun)
    translated = sum(guide.is_file() for guide in guides)
    share = f"{len(done) / wanted:.0%}"
    return OFFERED[code], str(len(done)), share, f"{words:,}", f"{translated} of {len(guides)}", f"{took:.0f}"


def _a_message(code: str) -> float:
    with speaking(language(code)):
        begun = process_time()
        for _ in range(_TIMES):
            gettext("{player} to move by {day} ({distance}).", player="Alice", day="1 May", distance="in 2 days")
        return 1e6 * (process_time() - begun) / _TIMES
