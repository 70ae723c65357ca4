#!/bin/sh
# Resolve pyproject.toml into hashed locks for every supported Python and platform.
# What is locked stays unless it must move; remove a lock to renew it.
# The locks name no index and no host: they install from whichever the machine is set up for.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"${1:-python3}" -m venv "$dir"
"$dir/bin/python" -m pip --quiet --disable-pip-version-check install uv

resolve() {
  file=$1
  shift
  "$dir/bin/uv" pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
    --no-header --no-annotate --no-emit-index-url --no-emit-find-links "$@" --output-file "$file"
  if grep -inE 'https?:|--(extra-)?index|--find-links' "$file"; then
    echo "$file names a place to download from." >&2
    exit 1
  fi
}

resolve requirements-dev.lock pyproject.toml --all-extras --group build --group dev
resolve requirements.lock pyproject.toml --extra demo --constraints requirements-dev.lock
resolve requirements-build.lock --group build --constraints requirements-dev.lock
