"""Text to deeds. Pure."""
