"""Slash commands, one file per concern. Each command hands its options to one function of the views."""
