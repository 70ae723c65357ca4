"""The live screen's panels as Rich text.

What players wrote appears in it as text, never as markup.
"""

from __future__ import annotations

from rich.text import Text

from nomicwolf.nomic.times import duration, when
from nomicwolf.reports.layout import clean
from nomicwolf.reports.prose import plural
from nomicwolf.reports.vote_counts import Count, Vote, status_words, vote_line
from nomicwolf.watch.seen import Owing, Seen

COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red")
BAR = 24
"""Columns of a picture of votes."""
HIDDEN = "(secret: press s)"


def clock_text(seen: Seen, now: int) -> Text:
    """Return the phase with its clock: since when, until when, when the mailbox was last read (*now*: UTC seconds)."""
    text = Text()
    text.append(clean(seen.place).capitalize(), "bold")
    if seen.began and seen.living:
        text.append(f", for {_past(now, seen.began)}")
    if seen.deadline:
        text.append(f"; ends {when(seen.deadline)}, {_ahead(now, seen.deadline)}", "bold yellow")
    if seen.next:
        text.append(f"\nTime acts next {when(seen.next)}, {_ahead(now, seen.next)}.")
    text.append(f"\nMailbox read {_past(now, seen.polled)} ago." if seen.polled else "\nThe mailbox was never read.")
    if seen.living:
        text.append(f"\nLiving ({len(seen.living)}): {', '.join(map(clean, seen.living))}")
    if seen.dead:
        text.append(f"\nDead: {', '.join(map(clean, seen.dead))}", "dim")
    return text


def _past(now: int, at: int) -> str:
    return duration(now - at)


def _ahead(now: int, at: int) -> str:
    return f"in {duration(at - now)}" if at > now else "with the next poll"


def votes_text(seen: Seen, *, reasons: bool) -> Text:
    """Return the wagons with bars, who has not voted, and with *reasons* why each vote counts as it does."""
    count = seen.count
    if count is None:
        return Text("Nobody votes now.", "dim")
    text = Text(f"{count.majority} of {len(count.living)} are a majority.\n")
    for place, (whom, votes) in enumerate(count.counts.items()):
        _wagon(text, count, whom, votes, COLOURS[place % len(COLOURS)])
    nobody = [clean(v.who) for v in count.votes if v.ballot and v.value is None]
    silent = [clean(v.who) for v in count.votes if not v.ballot]
    text.append(f"For nobody: {', '.join(nobody)}\n" if nobody else "")
    text.append(f"No vote yet: {', '.join(silent)}\n" if silent else "", "dim")
    if seen.coming:
        text.append("Heard, and not in this count yet:\n")
        text.append("".join(f"  {at}  {who}: {says}\n" for at, who, says in seen.coming), "dim")
    if reasons:
        text.append("\n")
        for vote in count.votes:
            _reasons(text, vote)
    return _trimmed(text)


def _wagon(text: Text, count: Count, whom: str, votes: int, colour: str) -> None:
    full = min(BAR, votes * BAR // count.majority) if count.majority else 0
    text.append(f"{clean(whom)} ", f"bold {colour}")
    text.append("█" * full, colour)
    text.append("░" * (BAR - full), "dim")
    text.append(f" {votes}/{count.majority}", "bold red" if votes >= count.majority else "bold")
    voters = [clean(v.who) + (f" (endorsing {clean(v.endorses)})" if v.endorses else "")
              for v in count.votes if v.value == whom]
    text.append(f"\n  {', '.join(voters)}\n")


def _reasons(text: Text, vote: Vote) -> None:
    if not vote.ballot:
        return
    text.append(f"{vote_line(vote)}\n")
    why = vote.why or ((status_words(vote),) if vote.status != "determined" else ())
    for step in why:
        text.append(f"  {clean(step)}\n", "dim")


def owed_text(seen: Seen, now: int, *, secrets: bool) -> Text:
    """Return who owes what since when and until when; whoever owes a role's deed is named only with *secrets*."""
    text = Text()
    hidden = [o for o in seen.owed if o.secret and not secrets]
    for owing in (o for o in seen.owed if o not in hidden):
        _owing(text, owing, now)
    if hidden:
        first = min(hidden, key=lambda o: o.until)
        text.append(f"{plural(len(hidden), 'deed')} of players, ")
        text.append(_term(first, now))
        text.append(f" {HIDDEN}\n", "dim")
    for line in seen.held:
        text.append("held: ", "bold yellow")
        text.append(f"{clean(line) if secrets else clean(line).partition(' from ')[0]}\n")
    return _trimmed(text) if text else Text("Nothing is owed, and no letter waits for a ruling.", "dim")


def _owing(text: Text, owing: Owing, now: int) -> None:
    text.append(f"{clean(owing.who)}:", "bold")
    text.append(f" {clean(owing.what)}, {'since' if owing.since <= now else 'from'} {when(owing.since)}; ")
    text.append(f"{_term(owing, now)}\n", "bold red" if owing.until <= now else "")


def _term(owing: Owing, now: int) -> str:
    if owing.until > now:
        return f"until {when(owing.until)}, in {duration(owing.until - now)}"
    return "late; act-for is open (NC 1j)" if owing.acts else f"late since {when(owing.until)}"


def mail_text(seen: Seen, *, secrets: bool) -> Text:
    """Return the letters that came last, newest first; whose private ones are is told only with *secrets*."""
    text = Text()
    for mail in reversed(seen.mail):
        hidden = mail.secret and not secrets
        text.append(f"{when(mail.at)}  ", "dim")
        author = clean(mail.author) or ("the contest" if mail.bucket == "own" else "a stranger")
        text.append("a private letter" if hidden else f"{author} to {mail.channel}")
        text.append(f"  {mail.bucket}", "bold yellow" if mail.bucket == "held" else "green")
        text.append(f"  {clean(mail.why)}\n" if mail.why and not hidden else "\n", "dim")
    return _trimmed(text) if text else Text("No letter has come yet.", "dim")


def outbox_text(seen: Seen, *, secrets: bool) -> Text:
    """Return how many letters are in which state, and those that did not go yet."""
    text = Text(", ".join(f"{number} {state}" for state, number in seen.states.items() if number) or "No letter yet.")
    for owed in seen.unsent:
        letter = owed.letter
        public = letter.kind == "public"
        text.append(f"\n{owed.number} ", "dim")
        text.append(owed.state, "bold red" if owed.state in ("unknown", "failed") else "bold")
        text.append(f" to {letter.forum or clean(letter.person)}: {clean(letter.subject)}" if public or secrets
                    else " to a player or to you")
        if owed.error:
            text.append(f"\n  {clean(owed.error) if public or secrets else HIDDEN}", "dim")
    return text


def record_text(seen: Seen, *, secrets: bool) -> Text:
    """Return what happened last, newest first: only what everyone may know, unless *secrets*."""
    text = Text()
    for line in reversed([each for each in seen.record if secrets or not each.secret]):
        text.append(f"{when(line.at)}  ", "dim")
        text.append(f"{clean(line.text)}\n", "magenta" if line.secret else "")
    return _trimmed(text) if text else Text("Nothing has happened yet.", "dim")


def _trimmed(text: Text) -> Text:
    text.rstrip()
    return text
