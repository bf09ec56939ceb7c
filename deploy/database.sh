#!/bin/sh
# Makes the bot's role and its database at the first start of the server of compose.yaml.
set -eu
# psql reads the password itself: other users could see it among the arguments.
psql --set=ON_ERROR_STOP=1 --username postgres <<'SQL'
\set password `cat /run/secrets/database_password`
CREATE ROLE tavoliere LOGIN PASSWORD :'password';
CREATE DATABASE tavoliere OWNER tavoliere;
REVOKE ALL ON DATABASE tavoliere FROM PUBLIC;
SQL
