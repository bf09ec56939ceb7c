"""``python -m tests.figures [section ...]``: measures figures and writes their pages in ``docs/figures``."""

from __future__ import annotations

import argparse

from tests.figures import sections


def main() -> None:
    """Measure what is asked for; each section is written as soon as it is measured."""
    every = sections()
    parser = argparse.ArgumentParser(prog="python -m tests.figures", description="Measure figures, write their pages.")
    parser.add_argument("section", nargs="*", help=f"any of {', '.join(every)}; all of them where none is named")
    chosen = parser.parse_args().section or list(every)
    if unknown := sorted(set(chosen) - set(every)):
        parser.error(f"no such section: {', '.join(unknown)}")
    for name in chosen:
        print(every[name].write(every[name].measure()), flush=True)


if __name__ == "__main__":
    main()
