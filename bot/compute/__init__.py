"""Computing away from the event loop, fairly between those who ask. Knows no Discord, no database and no game.

``queue.ComputeQueue`` is the way in. It has a pool for each kind of work, so that a turn never waits for a picture and
neither waits for a thought (``job.Pool``); in each pool one policy decides whose job is next (``fair_queue``). Small
work runs in threads; what is heavy runs in processes, because threads share the interpreter with the event loop
(``workers``). What many ask for is made once (``work_pool``) and kept for a while (``result_cache``); what nobody waits
for any more is dropped before it begins, or cancelled. ``rate_limit`` makes people pay for what they have computed.
"""
