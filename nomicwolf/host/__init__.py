"""Many contests: queue, workers, tenants.

A worker that has a contest's turn polls it as cron would. Nothing depends on the queue: the turn is a lock in
the database, and whatever else goes wrong, a contest is only worked on late, never twice at once.
"""
