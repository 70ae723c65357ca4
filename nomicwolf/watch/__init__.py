"""The live, read-only screen of a contest."""
