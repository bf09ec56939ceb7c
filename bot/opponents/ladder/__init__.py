"""The ladder: levels and stated baselines play each other, to see whether each level keeps what it promises.

Nothing here is used by the players themselves.
"""
