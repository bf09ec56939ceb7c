"""How processes share one bot: the shards each one serves, how a slot changes hands, and the page of its health.

A process registers and renews its lease in ``bot.storage``; this package decides what a registered process does. It
knows neither commands nor messages.
"""
