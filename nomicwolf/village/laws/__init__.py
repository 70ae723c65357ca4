"""What binds everyone: phases, the pack, endings, and the ways to vote."""
