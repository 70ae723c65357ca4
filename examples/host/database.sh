#!/bin/sh
# Makes the host's own user, who is no superuser, and eir database; the server's image runs it once, at its first start.
set -eu
password=$(cat "${HOST_PASSWORD_FILE:-/run/secrets/nomicwolf}")
psql -q -v ON_ERROR_STOP=1 -v password="$password" -U "$POSTGRES_USER" -d postgres <<'SQL'
CREATE ROLE nomicwolf LOGIN CREATEDB CREATEROLE PASSWORD :'password';
CREATE DATABASE nomicwolf OWNER nomicwolf;
SQL
