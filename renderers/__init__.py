"""Turns scenes into pictures, animations and text. Knows no game and no Discord."""
