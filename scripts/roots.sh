#!/bin/sh
# Make what `make installs` installs into: a Debian root with Python and nothing else, a base image of it, all wheels
# that nomicwolf needs, and pipx and uv. What is there already stays. Needs root, debootstrap and buildah.
set -eu
place=$1 python=$2
mkdir -p "$place"
missing=""
for program in debootstrap buildah; do
  command -v "$program" >/dev/null || missing="$missing $program"
done
if [ -n "$missing" ]; then
  echo "Installing$missing."
  # shellcheck disable=SC2086  # a list of names
  apt-get -qq install -y --no-install-recommends $missing >/dev/null || echo "Not here:$missing; what needs them is left out." >&2
fi
if [ ! -e "$place/debian/ready" ] && command -v debootstrap >/dev/null; then
  rm -rf "$place/debian"
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  debootstrap --variant=minbase --include=python3,adduser,ca-certificates,man-db "$suite" "$place/debian" >"$place/debian.log"
  touch "$place/debian/ready"
fi
if [ ! -e "$place/wheels/ready" ]; then
  "$python" -m pip --quiet wheel --no-deps --require-hashes --no-build-isolation --use-pep517 -r requirements.lock -w "$place/wheels"
  touch "$place/wheels/ready"
fi
if [ ! -x "$place/tools/bin/uv" ]; then
  "$python" -m venv "$place/tools"
  "$place/tools/bin/python" -m pip --quiet install pipx uv
fi
