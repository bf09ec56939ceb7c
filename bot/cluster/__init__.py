"""How processes share one bot: which one is active, how it hands over, its shards, and the page of its health.

A process registers and renews its lease in ``bot.storage``; this package decides what a registered process does. It
knows neither commands nor messages.
"""
