"""The roles, one small file each."""
