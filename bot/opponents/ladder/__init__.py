"""The ladder: levels and baselines play each other, to show whether each level keeps its promise.

The computer players themselves use nothing of it.
"""
