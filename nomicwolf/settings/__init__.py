"""Settings, from `contest.toml` and the environment."""
