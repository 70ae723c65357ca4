"""Sentences that say whose words follow: "Bex wrote:", "Forwarding for Bex:", "Bex here", "Bex's votes so far:"."""

from __future__ import annotations

import re

from nomicwolf.reading.names import NameBook
from nomicwolf.reading.telling import Told, without

WROTE = ("wrote", "said", "says", "writes", "posted", "replied", "answered", "wrote this", "said this")
_BRIEF = 5
_SENT_ON = re.compile(
    r"(?P<for>(?:(?:i(?:'m| am) )?(?:just )?(?:forward|relay|post|pass|send)(?:ing|ed)|fwd|sent)\b[^:]{0,40}?"
    r"\b(?:for|from|on behalf of) |(?:(?:the following|what follows|this|below) (?:is|was|comes|came)"
    r" (?:from|by|written by) )|(?:message |mail |letter |word )?(?:from|on behalf of|by|at) (?:request of )?)"
    r"|\S+(?: \S+)? (?:has |had |just |privately )*(?:told|tells|asked|asks|mailed|mails|messaged|texted|sent|sends"
    r"|dictated|whispered)\b", re.IGNORECASE)
"""Who sends on another's words says so: "Forwarding for Bex:", "Bex told me on IRC:"."""
_HERE = re.compile(
    r"(?:([^\s,]+) here|this is ([^\s,]+)(?:,? (?:using|on|from|at|with|typing|writing)\b.*)?)$", re.IGNORECASE)
"""Who writes says who e is: "Bex here.", "This is Bex, using Ash's account."."""
_LETTER_OF = re.compile(
    r"(?:(?:a )?copy of |what |i (?:think|believe|expect|guess|suppose|bet|fear|hope)(?: that)? "
    r"|\S+ (?:quote|cite)[ds] |here (?:is|are|was) |here's |these (?:are|were) |this (?:is|was) )?(?=\S)",
    re.IGNORECASE)
_ITS = Told(re.compile(
    r"(?:'s?)? (?:\w+ )?(?:words|letter|message|post|e?-?mail|statement|text)"
    r"(?: (?:was|were|is|are|reads?|follows?|said|went|to|on|in|of|the|from|a|wrong|list|forum"
    r"|yesterday|today))*[:.]?"
    r"|'s? (?:\w+ )?(?:votes?|ballots?)(?: (?:so far|history|record|was|were|is|are|reads?|follows?|as follows|below"
    r"|now|today|yesterday|on day \w+))*:"
    r"| (?:as saying|(?:(?:will|would|should|might|could|must|may|can|is going to|plans to|wants to) )?"
    r"(?:do(?:es)?|(?:vote|write|send|post|say)s?))(?: (?:this|that|like|the following|so|as follows))*:"
    r"| (?:posted|sent|wrote|mailed)(?: (?:to|on|in|the|this|me|us|wrong|list|forum|discussion|private|yesterday"
    r"|today))*:", re.IGNORECASE), {
    "ballot", "ballots", "do", "does", "email", "letter", "mail", "mailed", "message", "post", "posted", "posts", "say",
    "saying", "says", "send", "sends", "sent", "statement", "text", "vote", "votes", "words", "write", "writes",
    "wrote",
})
"""Whose letter follows: "Copy of Bex's letter:", "What Bex posted to the wrong list:", "Bex will do this:"."""
_OWN = re.compile(r"\b(?:so|therefore|but|here|my|mine|i)\b", re.IGNORECASE)
_LONGEST = 120
LEADING = (":", " here")
SENDING = ("Forward", "Fwd", "Post", "Relay", "Sending", "Sent", "This is ", "forward", "post", "sent", "this is ")
"""With these ends or beginnings a sentence may say whose words follow."""


def tells_whose(text: str, book: NameBook) -> bool:
    """Whether *text* says whose words follow: "Bex wrote:", "Bex here"."""
    if len(text) > _LONGEST:
        return False
    if (here := _HERE.match(text)) is not None:
        return (named := book.find(here[1] or here[2], 0)) is not None and named.person.names != (book.people.author,)
    if (sent := _SENT_ON.match(text)) is not None and not _OWN.search(text):
        named = book.find(text, sent.end("for")) if sent["for"] else book.find(text, 0)
        return named is not None and named.person.names != (book.people.author,)
    begun = None if without(text, _ITS.words) else _LETTER_OF.match(text)
    if begun is not None and begun.end() < len(text):
        named = book.find(text, begun.end())
        if named is not None and named.person.names != (book.people.author,) and _ITS.fullmatch(text[named.end:], text):
            return True
    name = book.find(text, 0) if text[:-1].endswith(WROTE) else None
    return name is not None and name.person.names != (book.people.author,) and len(text.split()) <= _BRIEF
