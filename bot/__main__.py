"""``python -m bot`` and ``tavoliere``: the command line."""


def main() -> None:
    """Run the command line."""
    # Imported here: every worker process loads this file, and has no use for the command line.
    from bot.operation import command_line

    command_line.main()


if __name__ == "__main__":
    main()
