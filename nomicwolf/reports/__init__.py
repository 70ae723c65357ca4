"""Views to text, and all letters' templates."""
