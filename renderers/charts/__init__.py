"""Charts in the type and colours of the boards: values over time, and rankings. Knows nothing of ratings."""
