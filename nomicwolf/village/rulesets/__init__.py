"""The rulesets, one small file each."""
