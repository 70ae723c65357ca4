"""IMAP, SMTP, Maildir, mbox, and OAuth tokens."""
