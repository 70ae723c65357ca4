"""The game. Pure, standard library only."""
