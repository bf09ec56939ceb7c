"""Puzzles: found in games of computer players and in records of matches, and proven by search."""
