"""``python -m tests.figures [section ...]``: measures sections of ``docs/figures.md`` and writes them there."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from tests.figures import HEAD, PAGE, replaced, sections


def main() -> None:
    """Measure what is asked for; each section is written as soon as it is measured."""
    every = sections()
    parser = argparse.ArgumentParser(prog="python -m tests.figures", description="Measure and write docs/figures.md.")
    parser.add_argument("section", nargs="*", help=f"any of {', '.join(every)}; all of them where none is named")
    chosen = parser.parse_args().section or list(every)
    if unknown := sorted(set(chosen) - every.keys()):
        parser.error(f"no such section: {', '.join(unknown)}")
    for name in chosen:
        text = every[name].text(every[name].measure(), datetime.now(UTC).date())
        page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else HEAD
        PAGE.write_text(replaced(page, name, text), encoding="utf-8")
        print(text, flush=True)


if __name__ == "__main__":
    main()
