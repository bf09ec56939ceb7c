"""What the bot reports of itself to machines: log lines and metrics. Knows nothing of what is reported."""
