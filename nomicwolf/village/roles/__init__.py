"""The roles, a file for each rule set."""
