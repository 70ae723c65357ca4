"""Letters: their channel, author, deeds and answers."""
