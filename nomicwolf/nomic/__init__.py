"""The law around the game, with each nomic's."""
