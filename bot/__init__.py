"""Tavoliere: a Discord bot for abstract board games that are rarely found elsewhere."""

__version__ = "0.1.0"
