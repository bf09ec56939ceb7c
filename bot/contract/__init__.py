"""What a game has to keep: the tests every game passes, and what must stand beside its code. Names no game.

``python -m pytest --pyargs bot.contract --game KEY`` runs the tests for one game, from any folder. They need pytest and
hypothesis, which the extra ``game`` brings; the modules beside them do not. Knows neither Discord nor the database.
"""
