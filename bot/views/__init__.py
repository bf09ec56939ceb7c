"""Messages with buttons, selects and modals. Thin: they ask the services, and say what came of it."""
