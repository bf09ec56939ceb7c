"""Matches as values and pure functions: game state, ratings, records, refusals."""
