"""The languages of the bot. ``catalogues`` reads what translators wrote, ``speaking`` chooses a language and speaks it.

``renderers.i18n`` has the current language and messages that wait for their translation. The bot and the
renderers both import it; the renderers do not import this package.
"""
