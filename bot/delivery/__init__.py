"""Delivery of the outbox: posts its messages in Discord once and in order, also after a crash."""
