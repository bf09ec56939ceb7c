"""The outbox: what has to be said in Discord, said once, in order, whatever happens in between."""
