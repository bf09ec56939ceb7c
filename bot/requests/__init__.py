"""Requests to the bot: one value for every way in, and how it is carried out. Knows neither Discord nor HTTP."""
