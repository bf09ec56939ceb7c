"""What the role of a PostgreSQL database may not do though the bot needs it."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

_RIGHTS = text("""
    SELECT current_user AS role,
           pg_is_in_recovery() AS standby,
           current_setting('transaction_read_only') = 'on' AS reading,
           current_schema() IS NOT NULL AND has_schema_privilege(current_schema(), 'CREATE') AS creates
""")
_TABLES = text("""
    SELECT DISTINCT held.relname
    FROM pg_class AS held, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS wanted
    WHERE held.relkind = 'r' AND held.relnamespace = current_schema()::regnamespace
      AND NOT (has_table_privilege(held.oid, wanted) AND pg_has_role(held.relowner, 'USAGE'))
    ORDER BY held.relname
""")


async def lacking(tx: AsyncConnection) -> str | None:
    """Return what is in the way of writing to the database and migrating it; None if nothing is."""
    rights = (await tx.execute(_RIGHTS)).one()
    if rights.standby:
        return "it is a standby, which can only be read: name the primary"
    if rights.reading:
        return f"the role {rights.role} can only read it (default_transaction_read_only)"
    tables = list((await tx.execute(_TABLES)).scalars())
    if tables:
        more = "" if len(tables) == 1 else f" and {len(tables) - 1} more"
        return f"the role {rights.role} does not own the table {tables[0]}{more}, so it cannot write or migrate it"
    return None if rights.creates else f"the role {rights.role} may not make tables in it"
