"""The tool of translators: ``python -m bot.translating`` brings the catalogues up to date with the source."""
