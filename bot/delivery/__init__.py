"""The outbox: what has to be posted in Discord, posted once, in order, whatever happens in between."""
