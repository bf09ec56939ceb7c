"""Looking after a database: backups while the bot runs, restoring one, moving to another database, matches as text."""

from bot.upkeep.backups import backup as backup
from bot.upkeep.backups import restore as restore
from bot.upkeep.copying import Copied as Copied
from bot.upkeep.copying import copy as copy
from bot.upkeep.errors import UpkeepError as UpkeepError
from bot.upkeep.records import export as export
