"""Runs migrations on the connection that ``bot.storage.database`` hands over."""

from alembic import context

from bot.storage.tables import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection, target_metadata=metadata, render_as_batch=True, transactional_ddl=True, compare_type=True
)
connection.execution_options(writes=True)
with context.begin_transaction():
    context.run_migrations()
connection.commit()
