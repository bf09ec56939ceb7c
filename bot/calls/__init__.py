"""The calls to Discord: how fast the bot makes them, and which ones it holds back to avoid a ban."""
