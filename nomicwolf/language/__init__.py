"""Sentences to deeds: words, clauses, moods, and what stands beside them."""
