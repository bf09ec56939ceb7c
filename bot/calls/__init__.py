"""How fast Discord is called, and that it is not called where that would get the bot banned."""
