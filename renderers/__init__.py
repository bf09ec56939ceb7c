"""From a scene to something a person can look at. Knows no game and no Discord."""
