"""Sentences to deeds: words, clauses, moods, and what is beside them."""
