"""Bytes to letters and back. Pure."""
