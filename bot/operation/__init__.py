"""The operator's room: run the bot, check it, look at its status, moderate, and look after its database."""
