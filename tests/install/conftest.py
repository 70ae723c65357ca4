"""Clean roots take minutes and the network to make: these tests are collected where `make installs` has made them."""

from __future__ import annotations

import os

collect_ignore_glob = [] if os.environ.get("NOMICWOLF_ROOTS") else ["test_*.py"]
