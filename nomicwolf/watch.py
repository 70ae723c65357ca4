"""The live, read-only screen of a contest.

Of the ledger only what has changed is read again. Panels refresh by themselves, in one column where there is little
room. What players wrote appears in them as text, never as markup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from nomicwolf.contest import Contest
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.records import OwedLetter
from nomicwolf.nomic.duties import contract_duties
from nomicwolf.nomic.events import DeedHeard, LetterHeard
from nomicwolf.nomic.times import duration, when
from nomicwolf.reports.history import event_line, is_public
from nomicwolf.reports.journal import held_lines, may_act_for
from nomicwolf.reports.layout import clean
from nomicwolf.reports.prose import plural
from nomicwolf.reports.views import contestmaster_view, untold_view
from nomicwolf.reports.vote_counts import Count, Vote, status_words, uncounted_rows, vote_line
from nomicwolf.run.contest_setup import recorded
from nomicwolf.run.resources import last_run, read_store
from nomicwolf.settings.keys import Settings
from nomicwolf.village.events import Counted, Entry, Voted

LINES = 40
"""How many letters and how many events are kept for the screen, the latest ones."""
ROUTINE = (Counted, DeedHeard, Voted, LetterHeard)


@dataclass(frozen=True, slots=True)
class Owing:
    """*who* owes *what*, since *since* and until *until* (UTC seconds); *secret*: it reveals their role.

    *acts* is whether clause 1j lets the contestmaster act for them once it is late.
    """

    who: str
    what: str
    since: int
    until: int
    secret: bool
    acts: bool = False


@dataclass(frozen=True, slots=True)
class Mail:
    """A letter that was heard: when (UTC seconds), whose, through which channel, where it ended and why."""

    at: int
    author: str
    channel: str
    bucket: str
    why: str
    secret: bool


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of the record in words; *secret* ones are not for everyone."""

    at: int
    text: str
    secret: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A contest after entry *last*; instants are UTC seconds, 0 for none.

    *count* is None unless the town votes; *coming* are the deeds that forums have had and that are not counted yet:
    when each takes effect, whose it is, what it says. *next* is when the game is asked again without a letter,
    *polled* when the mailbox was last read; *unsent* are the letters of the outbox that did not go yet, *states* counts
    all of them.
    """

    name: str
    last: int
    place: str
    began: int
    deadline: int
    next: int
    polled: int
    living: tuple[str, ...]
    dead: tuple[str, ...]
    count: Count | None = None
    coming: tuple[tuple[str, str, str], ...] = ()
    owed: tuple[Owing, ...] = ()
    held: tuple[str, ...] = ()
    mail: tuple[Mail, ...] = ()
    unsent: tuple[OwedLetter, ...] = ()
    states: Mapping[str, int] = field(default_factory=dict)
    record: tuple[Line, ...] = ()


def look(settings: Settings) -> Snapshot:
    """Return the contest as it stands now; `LedgerError` if its ledger can't be read."""
    with read_store(settings) as store:
        tip, contest = store.tip(), recorded(settings, store)
        unsent = store.outbox().in_state("queued", "sending", "unknown", "failed")
        states = store.counts().states
        return snapshot_of(contest, tip.alarm or 0, last_run(settings) or tip.polled_at, unsent, states)


def snapshot_of(
    contest: Contest, alarm: int, polled: int, unsent: tuple[OwedLetter, ...], states: Mapping[str, int]
) -> Snapshot:
    """Return what the screen shows of *contest*."""
    public, view = untold_view(contest), contestmaster_view(contest)
    voting = public.phase == "day" and bool(public.session)
    record = latest(e for e in reversed(contest.entries) if not isinstance(e.event, ROUTINE))
    place = f"session {public.session}, {public.place}" if public.session else public.place
    return Snapshot(
        name=contest.setup.name, last=contest.last, place=place, deadline=public.deadline, next=alarm,
        began=public.began if contest.running is not None else contest.recalled.over_at,
        polled=polled, living=public.living, dead=public.dead, count=public.count if voting else None,
        coming=uncounted_rows(contest) if voting else (), owed=_owed(contest), held=tuple(held_lines(view)),
        mail=_mail(contest), unsent=unsent, states=states,
        record=tuple(Line(e.at, event_line(e.event, public.ruleset), not is_public(e.event)) for e in record))


def _owed(contest: Contest) -> tuple[Owing, ...]:
    view = contestmaster_view(contest)
    players = [Owing(o.who, o.verb, o.since, o.until, secret=True, acts=may_act_for(view, o)) for o in view.owed]
    others = [Owing(d.who, f"{d.what} ({d.clause})", d.since, d.until, secret=False) for d in contract_duties(contest)]
    return (*players, *others)


def _mail(contest: Contest) -> tuple[Mail, ...]:
    forums = contest.setup.nomics
    came = latest(e for e in reversed(contest.entries) if isinstance(e.event, LetterHeard))
    return tuple(
        Mail(e.at, e.event.author, e.event.channel, e.event.bucket, e.event.why, e.event.channel not in forums)
        for e in came if isinstance(e.event, LetterHeard))


def latest(found: Iterator[Entry]) -> list[Entry]:
    """Return the latest of what is *found* from the end of the record on, oldest first."""
    return [*islice(found, LINES)][::-1]


COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red")
BAR = 24
"""Columns of a picture of votes."""
HIDDEN = "(secret: press s)"


def clock_text(seen: Snapshot, now: int) -> Text:
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


def votes_text(seen: Snapshot, *, reasons: bool) -> Text:
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


def owed_text(seen: Snapshot, now: int, *, secrets: bool) -> Text:
    """Return who owes what, since when and until when; a role's deed names nobody without *secrets*."""
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


def mail_text(seen: Snapshot, *, secrets: bool) -> Text:
    """Return the latest letters, newest first; only *secrets* show who wrote the private ones."""
    text = Text()
    for mail in reversed(seen.mail):
        hidden = mail.secret and not secrets
        text.append(f"{when(mail.at)}  ", "dim")
        author = clean(mail.author) or ("the contest" if mail.bucket == "own" else "a stranger")
        text.append("a private letter" if hidden else f"{author} to {mail.channel}")
        text.append(f"  {mail.bucket}", "bold yellow" if mail.bucket == "held" else "green")
        text.append(f"  {clean(mail.why)}\n" if mail.why and not hidden else "\n", "dim")
    return _trimmed(text) if text else Text("No letter has come yet.", "dim")


def outbox_text(seen: Snapshot, *, secrets: bool) -> Text:
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


def record_text(seen: Snapshot, *, secrets: bool) -> Text:
    """Return what happened last, newest first: only what everyone may know, unless *secrets*."""
    text = Text()
    for line in reversed([each for each in seen.record if secrets or not each.secret]):
        text.append(f"{when(line.at)}  ", "dim")
        text.append(f"{clean(line.text)}\n", "magenta" if line.secret else "")
    return _trimmed(text) if text else Text("Nothing has happened yet.", "dim")


def _trimmed(text: Text) -> Text:
    text.rstrip()
    return text


TITLES = {"clock": "Phase", "votes": "Votes", "owed": "Owed", "outbox": "Outbox", "mail": "Letters",
          "record": "What happened"}
KEYS = {"q": "Quit", "r": "Look", "s": "Secrets", "w": "Reasons"}
STYLE = """
Screen { layout: grid; grid-size: 2; grid-gutter: 0 1; grid-rows: auto 2fr 1fr 2fr; overflow-y: auto; }
Screen.-narrow { layout: vertical; }
Panel { border: round $primary; border-title-style: bold; padding: 0 1; height: 1fr; min-height: 5; }
Panel:focus { border: heavy $accent; }
#clock { column-span: 2; height: auto; }
#votes { row-span: 2; }
Screen.-narrow Panel { height: auto; max-height: 20; }
Static { width: 1fr; height: auto; }
"""


class Panel(VerticalScroll):
    """One panel, which can be focused and scrolled by the keyboard."""

    def __init__(self, name: str) -> None:
        super().__init__(id=name, can_focus=name != "clock")
        self.border_title = TITLES[name]
        self.said = Static("", id=f"{name}-text", markup=False)

    def compose(self) -> ComposeResult:
        """Yield the panel's text."""
        yield self.said


class WatchApp(App[None]):
    """The screen, refreshed from the ledger every *every* seconds by *clock* (UTC seconds)."""

    CSS = STYLE
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", KEYS["q"]), Binding("r", "look", KEYS["r"]),
        Binding("s", "secrets", KEYS["s"]), Binding("w", "reasons", KEYS["w"]),
        Binding("ctrl+c", "quit", show=False),  # as in any other command
    ]

    def __init__(self, settings: Settings, clock: Callable[[], int], every: float = 5.0) -> None:
        super().__init__()
        self._settings = settings
        self._clock = clock
        self._every = every
        self._seen: Snapshot | None = None
        self._trouble = ""
        self._secrets = False
        self._reasons = True
        self._panels = {name: Panel(name) for name in TITLES}

    def compose(self) -> ComposeResult:
        """Yield the panels and the line of keys."""
        yield from self._panels.values()
        yield Footer()

    def on_mount(self) -> None:
        """Look at once and repeatedly; the clock runs in between."""
        self.action_look()
        self.set_interval(self._every, self.action_look)
        self.set_interval(1.0, self._show)

    @work(thread=True, exclusive=True)
    def action_look(self) -> None:
        """Look at the ledger, beside the screen so that keys answer meanwhile."""
        try:
            self.call_from_thread(self._saw, look(self._settings), "")
        except LedgerError as error:
            self.call_from_thread(self._saw, self._seen, str(error))

    def _saw(self, seen: Snapshot | None, trouble: str) -> None:
        self._seen, self._trouble = seen, trouble
        self._show()

    def action_secrets(self) -> None:
        """Show what is secret, or hide it again."""
        self._secrets = not self._secrets
        self._show()

    def action_reasons(self) -> None:
        """Show why each vote counts as it does, or only the counts."""
        self._reasons = not self._reasons
        self._show()

    def _show(self) -> None:
        trouble = Text(self._trouble, "bold red")
        if self._seen is None:
            self._put("clock", trouble or Text("Looking at the ledger."))
            return
        seen, now, secrets = self._seen, self._clock(), self._secrets
        head = clock_text(seen, now)
        self._put("clock", Text("\n").join([trouble, head]) if self._trouble else head)
        self._panels["clock"].border_title = f"{seen.name}{' - secrets are shown' if secrets else ''}"
        self._put("votes", votes_text(seen, reasons=self._reasons))
        self._put("owed", owed_text(seen, now, secrets=secrets))
        self._put("mail", mail_text(seen, secrets=secrets))
        self._put("outbox", outbox_text(seen, secrets=secrets))
        self._put("record", record_text(seen, secrets=secrets))

    def _put(self, name: str, text: Text) -> None:
        """Put a text into a panel, which needn't be on the screen yet, or any more."""
        self._panels[name].said.update(text)
