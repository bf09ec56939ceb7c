"""The parts of pictures: themes and palettes, places, letters, lines, sprites. Knows scenes and no game."""
