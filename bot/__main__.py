"""``python -m bot`` and ``tavoliere``: the command line."""

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


def main() -> None:
    """Run the command line. Ctrl-C ends it without a traceback, also while its modules are loaded."""
    try:
        # Imported here: every worker process loads this file, and has no use for the command line.
        from bot.operation import command_line

        command_line.main()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()
