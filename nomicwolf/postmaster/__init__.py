"""What receiving servers make of a contest's letters, by what the DNS says of its domain, and the lines that mend it.

Nothing here sends a letter. It asks the DNS, the servers that take the domain's mail (for TLS), and the page of its
MTA-STS policy.
"""
