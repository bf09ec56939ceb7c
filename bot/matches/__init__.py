"""What happens between people, whatever the game: challenges, turns, endings, ratings.

Knows transactions, rules and clocks. Knows nothing of Discord: it writes into the outbox what has to be said there.
"""
