"""The board page: matches and puzzles played in a browser, over HTTP. Knows neither Discord nor any one game."""
