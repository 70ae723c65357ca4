"""Questions of how one plays: in a private letter they ask for help, in a forum they may be about anything."""

from __future__ import annotations

from nomicwolf.expression import expression

_ASKS = expression(
    r"(?:(?:hi|hello|hey|so|ok|okay|um+|er+|please|sorry|and|but|help)[,.:! ]+)*(?:"
    r"how (?:do|can|should|am|are|does|is|would) (?:i|we|you|one|this|it|that|the game|the whole thing|everything)"
    r"(?: \w+)? (?:work|works|play|played|vote|act|join|use|write|do|start|begin|proceed)"
    r"(?: (?:this|it|that|here|now|by night|by day|at night|in this game|conditionally|my power|my role|the game))?"
    r"|what (?:can|do|should|must|may|am|shall) i(?: (?:supposed|meant|expected|allowed|able|need|have))? ?(?:to )?"
    r"(?:do|write|say|send)(?: (?:now|here|next|tonight|today|at night|by night|by day))?"
    r"|(?:what|which) (?:are (?:the|my) (?:commands|options|choices|possibilities)|commands (?:are there|can i use))"
    r"|what (?:now|next))")


def asks_how(text: str) -> bool:
    """Whether the question *text* asks how to play, or what there is to do.

    >>> asks_how("How does this work"), asks_how("What am I supposed to do now"), asks_how("How do I attack Gus")
    (True, True, False)
    """
    return _ASKS.fullmatch(text.casefold().strip(" ?.!")) is not None
