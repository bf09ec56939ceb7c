"""Matches between people in every game: challenges, turns, endings, ratings.

This layer knows transactions, rules and clocks, and nothing of Discord: messages for Discord go into the outbox.
"""
