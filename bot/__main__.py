"""``python -m bot`` and ``tavoliere``: the command line."""


def main() -> None:
    """Run the command line."""
    # Not imported above: every worker process loads this file, and has no use for the command line.
    from bot import cli

    cli.main()


if __name__ == "__main__":
    main()
