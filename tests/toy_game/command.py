"""``python -m tests.toy_game.command demo``: every command of ``python -m bot``, with the toy among the games.

Worker processes import it, too, and so know the toy; they would not import a ``__main__``.
"""

from tests.toy_game.joining import join

join()

if __name__ == "__main__":
    from bot.cli import main

    main()
