"""What the messages of a match look like: its card, boards, offers and notices. Does not know where they are posted."""
