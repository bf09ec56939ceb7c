"""Reports about the bot for machines: log lines and metrics. Knows nothing of their content."""
