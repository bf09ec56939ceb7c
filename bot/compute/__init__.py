"""Computing away from the event loop, with fair turns for all requesters. Knows no Discord, no database and no game.

``queue.ComputeQueue`` is the way in. It has a pool for each kind of work, so that a turn never waits for a picture and
neither waits for a thought (``job.Pool``); in each pool one policy decides whose job is next (``fair_queue``). Small
work runs in threads. Heavy work runs in processes, because threads share the interpreter with the event loop
(``workers``). A result that many requesters want is computed once (``work_pool``) and kept for a while
(``result_cache``). A job without a waiting requester is dropped before it begins, or cancelled. ``rate_limit`` charges
people for the computing they ask for.
"""
