"""Text to deeds, by the grammar."""
