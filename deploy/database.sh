#!/bin/sh
# Makes the bot's role and its database when the server of compose.yaml is started for the first time.
set -eu
# The password is read by psql: among its arguments others would see it.
psql --set=ON_ERROR_STOP=1 --username postgres <<'SQL'
\set password `cat /run/secrets/database_password`
CREATE ROLE tavoliere LOGIN PASSWORD :'password';
CREATE DATABASE tavoliere OWNER tavoliere;
REVOKE ALL ON DATABASE tavoliere FROM PUBLIC;
SQL
