"""The laws, which bind everyone."""
