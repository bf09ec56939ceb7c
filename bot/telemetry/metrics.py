"""The metrics of the bot, in Prometheus' terms. Imports nothing of the bot."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from prometheus_client import Counter, Gauge, Histogram, Info, Metric


class Measurement(Gauge):
    """A gauge without labels that is absent until a process has measured it: 0 would be a measurement."""

    _measured = False

    def set(self, value: float) -> None:
        """Note what was measured."""
        self._measured = True
        super().set(value)

    def collect(self) -> Iterable[Metric]:
        return super().collect() if self._measured else ()


BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

OUTBOX_MESSAGES = Counter(
    "tavoliere_outbox_messages_total",
    "Outbox messages by kind and outcome (sent, skipped, dropped, postponed, failed)",
    ["kind", "outcome"],
)
OUTBOX_SECONDS = Histogram("tavoliere_outbox_seconds", "From the outbox row to Discord's answer", buckets=BUCKETS)
ANSWERS = Counter(
    "tavoliere_answers_total", "Answered interactions by command or control, and outcome", ["command", "outcome"]
)
ACKNOWLEDGEMENT_SECONDS = Histogram(
    "tavoliere_acknowledgement_seconds", "Acknowledging an interaction", buckets=BUCKETS
)
ANSWER_SECONDS = Histogram(
    "tavoliere_answer_seconds", "Working an answer out, by command or control", ["command"], buckets=BUCKETS
)
INTERACTION_CLAIMS = Counter(
    "tavoliere_interaction_claims_total",
    "Interactions heard while a bot hands over to another, by whether this process has claimed them (won, lost)",
    ["outcome"],
)
CALLS = Counter(
    "tavoliere_discord_calls_total",
    "Calls to Discord by kind (interaction, other) and outcome (answered, invalid, unanswered, held back)",
    ["kind", "outcome"],
)
REFUSAL_CODES = ("20026", "40002", "40003", "other")
DISCORD_REFUSALS = Counter(
    "tavoliere_discord_refusals_total",
    "Refusals of Discord that are tried again, by code (20026, 40002, 40003, other)",
    ["code"],
)
CALL_WAIT_SECONDS = Histogram(
    "tavoliere_discord_call_wait_seconds", "Waiting for Discord's limit of calls a second", buckets=BUCKETS
)
CALLS_HELD = Counter("tavoliere_discord_calls_held_total", "How often Discord wanted no calls of the token for a while")
IDENTIFIES_LEFT = Measurement(
    "tavoliere_identifies_left", "Connections to Discord that the token has left today, as this process last heard"
)
GATEWAY_EVENTS_UNREADABLE = Counter(
    "tavoliere_gateway_events_unreadable_total",
    "Events of Discord's gateway that could not be read, by name",
    ["event"],
)
SHARDS = Measurement("tavoliere_shards", "Shards that this process has to connect")
SHARDS_CONNECTED = Measurement("tavoliere_shards_connected", "Shards of this process that are connected")
GATEWAY_LATENCY_SECONDS = Gauge(
    "tavoliere_gateway_latency_seconds", "From the last heartbeat of a connection to Discord to its answer", ["shard"]
)
SERVERS = Gauge("tavoliere_servers", "Servers that the bot is in, by shard", ["shard"])
CLOCK_SKEW_SECONDS = Measurement(
    "tavoliere_clock_skew_seconds", "By how much this machine's clock is ahead of the database's, at the least"
)
LEASES_LOST = Counter("tavoliere_leases_lost_total", "How often others have taken over from this process")
TAKEOVERS = Counter(
    "tavoliere_takeovers_total", "How often this process has begun to serve, by how (free, handed over)", ["how"]
)
DATABASE_WAIT_SECONDS = Histogram(
    "tavoliere_database_wait_seconds", "Waiting for a connection to the database", buckets=BUCKETS
)
DATABASE_SECONDS = Histogram(
    "tavoliere_database_seconds", "A transaction, by kind (read, write)", ["kind"], buckets=BUCKETS
)
DATABASE_CONNECTIONS = Gauge(
    "tavoliere_database_connections", "Connections of this process to the database, by state (in use, idle)", ["state"]
)
STORAGE_FAILURES = Counter(
    "tavoliere_storage_failures_total",
    "Operations that the database carried out wrongly, by kind (damage, other)",
    ["kind"],
)
EVENT_LOOP_LAG_SECONDS = Histogram(
    "tavoliere_event_loop_lag_seconds", "How late the event loop does what is due", buckets=BUCKETS
)
COMPUTE_WAITING = Gauge("tavoliere_compute_waiting", "Jobs waiting for a worker", ["pool"])
COMPUTE_RUNNING = Gauge("tavoliere_compute_running", "Jobs being computed", ["pool"])
COMPUTE_WAIT_SECONDS = Histogram(
    "tavoliere_compute_wait_seconds", "From asking for a job to its beginning", ["pool"], buckets=BUCKETS
)
COMPUTE_SECONDS = Histogram("tavoliere_compute_seconds", "Computing of a job", ["pool"], buckets=BUCKETS)
COMPUTE_DROPPED = Counter(
    "tavoliere_compute_dropped_total",
    "Jobs that were given up: cancelled, expired, superseded, refused",
    ["pool", "reason"],
)
COMPUTE_WORKERS_LOST = Counter("tavoliere_compute_workers_lost_total", "Worker processes that died while computing")
TRANSACTIONS_RETRIED = Counter(
    "tavoliere_transactions_retried_total",
    "Transactions that gave way to another one and were run again (deadlock, serialisation, conflict)",
    ["reason"],
)
PROCESS = Gauge(
    "tavoliere_process",
    "1, for the process that tells this, its role (bot, thinker), and what it does (active, standing by, thinking)",
    ["process", "role", "state"],
)
MOVES = Counter("tavoliere_moves_total", "Moves and other entries of matches, by game", ["game"])
MATCHES_OVER = Counter("tavoliere_matches_over_total", "Matches that have ended with a turn, by game", ["game"])
MATCHES_QUARANTINED = Measurement(
    "tavoliere_matches_quarantined",
    "Running matches whose moves cannot be replayed, as far as this process has met them",
)
BACKGROUND_FAILURES = Counter(
    "tavoliere_background_failures_total",
    "Failed attempts at work in the background: computer turns, reviews and ratings after a void",
    ["work"],
)
BUILD = Info("tavoliere_build", "The version of the bot")

# Prometheus sees no increase in a series that begins with what is counted first: alerts need these from the start.
for _kind in ("damage", "other"):
    STORAGE_FAILURES.labels(_kind)
for _kind, _outcome in product(("interaction", "other"), ("answered", "invalid", "unanswered", "held back")):
    CALLS.labels(_kind, _outcome)
for _code in REFUSAL_CODES:
    DISCORD_REFUSALS.labels(_code)
for _work in ("computer turn", "review", "rerating"):
    BACKGROUND_FAILURES.labels(_work)
