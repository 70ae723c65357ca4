"""The roles, a file for each rule set; those that are data are in the folder `roles/`."""

from nomicwolf.data import role_texts
from nomicwolf.village.role_file import Terms, role_of
from nomicwolf.village.rules import Role


def from_files(ruleset: str, terms: Terms) -> dict[str, Role]:
    """Return the roles of *ruleset* that are data, by their names."""
    return {name: role_of(text, terms, f"{ruleset}/{name}.toml") for name, text in role_texts(ruleset).items()}
