"""Functions that write inside the caller's transaction: moves, results, clocks, and messages for the outbox."""
