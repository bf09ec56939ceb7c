"""Queries, one module per concern. Each takes the connection of a transaction that its caller opened."""
