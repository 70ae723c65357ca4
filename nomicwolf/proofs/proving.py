"""All proofs of one letter.

Those that the settings and the registered keys ask for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from nomicwolf.letters.letter import Letter, Raw
from nomicwolf.proofs.openpgp import sealed


@dataclass(frozen=True, slots=True)
class Prover:
    """What a contest takes for a proof.

    With *dns*, DKIM signatures are checked by keys from *nameservers*, for *seconds* at most in all, and ARC seals of
    *sealers* count.
    """

    dns: bool = False
    nameservers: tuple[str, ...] = ()
    seconds: float = 10
    sealers: tuple[str, ...] = ()
    _resolver: list[object] = field(default_factory=list, compare=False)

    def prove(self, raw: Raw, letter: Letter, certificates: Mapping[str, str], now: int) -> Letter:
        """Return *letter* with all that its bytes prove; *certificates* are its author's keys by their fingerprints.

        A letter that is held anyway proves nothing.
        """
        if letter.trouble or raw.truncated:
            return letter
        found = sealed(raw, letter, certificates)
        return replace(found, signers=self._signers(raw.data, now)) if self.dns else found

    def _signers(self, data: bytes, now: int) -> tuple[str, ...]:
        from nomicwolf.proofs import arc, dkim
        from nomicwolf.proofs.resolver import Resolver

        if not self._resolver:
            self._resolver.append(Resolver(self.nameservers, self.seconds))
        lookup = self._resolver[0]
        assert isinstance(lookup, Resolver)
        return tuple(dict.fromkeys((*dkim.signers(data, lookup, now), *arc.signers(data, lookup, self.sealers))))
