"""What operators do with the bot: run it, check it, look at its status, moderate, and look after its database."""
