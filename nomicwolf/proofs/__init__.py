"""What a letter proves of its author by cryptography: DKIM, ARC and OpenPGP, by kept libraries.

Nothing here decides what a proof is good for; `nomicwolf.contest.mail.assurance` does.
"""

from nomicwolf.proofs.proving import Prover

__all__ = ["Prover"]
