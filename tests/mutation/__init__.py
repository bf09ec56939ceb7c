"""Mutation testing: plants faults in a copy of the tree, and tells which of them a run of the tests sees.

    python -m tests.mutation STATE                      plants 120 faults, and judges them by the quick tests
    python -m tests.mutation STATE --slow               judges those that survive by the slow ones
    python -m tests.mutation STATE --faults FILE        plants the faults of an earlier state's ``faults.json``

All faults are in the copy at the same time, each behind a call of ``planted`` that decides while tests run, so that the
tree is copied and imported once. A first run without any fault notes at which tests a fault would change a value, and
what these tests cost. Only those can see the fault: they run cheapest first, in a fork of one process, until one fails.
``STATE`` is a folder that keeps what is known; the same command goes on where it was stopped.
"""
