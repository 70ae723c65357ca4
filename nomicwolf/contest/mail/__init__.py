"""Letters: their way, their author, their deeds, the answers."""
