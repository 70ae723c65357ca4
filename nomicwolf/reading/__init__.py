"""Lines to sentences, and the grammar of ballots and conditions."""
