"""Private notices by their topics: which are the program's own words, and which are fellows' for fellows.

What has no topic that is named here stays private for good, so that no new kind of letter is published because nobody
thought of it.
"""

from __future__ import annotations

from nomicwolf.village.events import Due, Event, Told

RELAY, SEANCE = "relay", "seance"
"""What one player says to others, by way of the program: to eir fellows, or between spirits and the Medium."""
PACK_CHOICE, JOINT_QUESTION = "pack choice", "joint question"
"""Whom a fellow names, on the way to a choice that several make together."""
FALLEN = "fallen ballot"
"""That somebody whom the reader's ballot names is dead."""

FELLOWS = frozenset({RELAY, PACK_CHOICE, JOINT_QUESTION})
"""D-A6, D-M12: topics of what fellows tell one another, which the dead are told no more."""
RETOLD = frozenset({
    PACK_CHOICE, JOINT_QUESTION, FALLEN, "feedback", "freemasons", "last shot", "lovers", "masons", "medium",
    "mythomaniac", "pack", "police", "prophets", "seen", "seers", "story", "turn", "turned", "victim",
})
"""D-N23: topics of what may be told to everyone once a session's roles are: words of the program's, about the game."""


def for_fellows(event: Event) -> bool:
    """Return whether *event* tells a player what a fellow of eirs has said or named."""
    return isinstance(event, Told) and event.topic in FELLOWS


def is_notice(event: Event) -> bool:
    """Return whether *event* tells one player something, at once or at the end of the phase."""
    return isinstance(event, Told) or (isinstance(event, Due) and is_notice(event.event))


def is_retold(event: Event) -> bool:
    """Return whether a secret *event* of a session may be told once its roles are.

    Not where it holds words of a player's, nor a notice whose topic isn't known to be the program's own.
    """
    match event:
        case Due(event=due):
            return is_retold(due)
        case Told(topic=topic):
            return topic in RETOLD
    return not getattr(event, "words", "")
