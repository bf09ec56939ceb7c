"""What the messages of a match look like: its card, boards, offers and notices. Knows not where they are posted."""
