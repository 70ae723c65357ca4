"""Proofs of authorship: DKIM, ARC and OpenPGP.

Nothing here decides what a proof is good for; `nomicwolf.contest.mail.assurance` does.
"""
