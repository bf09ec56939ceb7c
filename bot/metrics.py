"""What is counted while the bot runs, in Prometheus' terms. Knows nothing of what it counts."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

ERRANDS = Counter("tavoliere_errands_total", "Errands of the outbox by kind and outcome", ["kind", "outcome"])
ERRAND_SECONDS = Histogram("tavoliere_errand_seconds", "From the outbox row to Discord's answer", buckets=BUCKETS)
ANSWERS = Counter("tavoliere_answers_total", "Answered interactions by outcome", ["outcome"])
ACKNOWLEDGEMENT_SECONDS = Histogram(
    "tavoliere_acknowledgement_seconds", "Acknowledging an interaction", buckets=BUCKETS
)
ANSWER_SECONDS = Histogram("tavoliere_answer_seconds", "Working an answer out", buckets=BUCKETS)
OUTBOX_WAITING = Gauge("tavoliere_outbox_waiting", "Errands still to be done")
MATCHES_RUNNING = Gauge("tavoliere_matches_running", "Matches not yet over")
