"""The law around the game; each nomic's as data."""
