"""Writing of every script: which letters belong together, in which order they are seen, and their forms."""
