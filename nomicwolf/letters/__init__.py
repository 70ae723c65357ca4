"""Bytes to letters and back."""
