"""Receivers' view of a contest's letters, by DNS.

Nothing here sends a letter. It asks the DNS, the servers that take the domain's mail (for TLS), and the page of its
MTA-STS policy.
"""
