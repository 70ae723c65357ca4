"""Private mail servers for the tests, on free loopback ports: Dovecot, Postfix, and the forums' lists between."""
