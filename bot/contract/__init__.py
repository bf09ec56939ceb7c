"""The contract of a game: the tests that every game passes, and the files that must stand beside its code. Names no
game.

``python -m pytest --pyargs bot.contract --game KEY`` runs the tests for one game, from any folder. They need pytest and
hypothesis, which the extra ``game`` brings; the modules beside them do not. Knows neither Discord nor the database.
"""
