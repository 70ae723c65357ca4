"""The game, with the standard library only."""
