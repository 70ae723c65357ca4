"""Views to text. Pure."""
