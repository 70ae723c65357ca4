"""A role and a rule set for nomicwolf from outside: see the entry points in ``pyproject.toml``."""
