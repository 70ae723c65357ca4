"""The ledger: the only place that knows SQL."""
