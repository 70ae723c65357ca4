"""The law around the game. Pure."""
