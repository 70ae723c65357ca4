#!/bin/sh
# Install the mail servers, the database, a pooler and the browser that the tests drive, if they are
# missing and this user may.
# Nothing is configured: the tests run private instances on free loopback ports (Debian's package of PostgreSQL makes
# a cluster of its own, which they leave alone).
set -eu
PATH="$PATH:/usr/sbin"
missing=""
command -v dovecot >/dev/null || missing="$missing dovecot-imapd dovecot-lmtpd"
command -v postfix >/dev/null || missing="$missing postfix"
command -v chromium >/dev/null || missing="$missing chromium"
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing="$missing postgresql"
command -v pgbouncer >/dev/null || missing="$missing pgbouncer"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing$missing."
  export DEBIAN_FRONTEND=noninteractive
  echo "postfix postfix/main_mailer_type select No configuration" | debconf-set-selections
  # shellcheck disable=SC2086  # a list of names
  if apt-get -qq update && apt-get -qq install -y --no-install-recommends $missing >/dev/null; then
    exit 0
  fi
  echo "apt-get could not install$missing." >&2
fi
echo "Not here:$missing. The tests that need them will be skipped." >&2
echo "To have them: as root, apt-get install$missing (Postfix runs its tests only for root)." >&2
