"""Charts in the type and colours of the boards: values over moves or matches, rankings, profiles and tables.

Knows nothing of ratings and cups.
"""
