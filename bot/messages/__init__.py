"""The messages that delivery posts: cards, boards, offers, notices and puzzles. Does not know where they are posted."""
