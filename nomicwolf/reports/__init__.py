"""Letters, statistics and other reports, and their templates."""
