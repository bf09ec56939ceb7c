"""What pictures are made of: themes and palettes, places, letters, lines, sprites. Knows scenes and no game."""
