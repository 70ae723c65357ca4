"""What becomes of a letter: which way it came, whose it is and how surely, what it does, and what its author hears."""
