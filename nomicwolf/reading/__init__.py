"""Sentences, and the grammar of ballots and conditions."""
