"""IMAP, Maildir and mbox in, SMTP out: the only place that knows mailboxes and mail servers."""
