"""Text to deeds: what a letter's author does in it. Pure."""
