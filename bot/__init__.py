"""Tavoliere: a Discord bot for abstract board games that can be played hardly anywhere else."""

__version__ = "0.1.0"
