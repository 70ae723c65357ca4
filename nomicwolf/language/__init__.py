"""A reader of sentences, not in use yet."""
