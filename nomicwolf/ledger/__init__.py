"""The ledger, the only room that knows SQL."""
