"""The live screen, by Textual.

Panels refresh by themselves, in one column where there is little room.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from nomicwolf.ledger.errors import LedgerError
from nomicwolf.watch import panels
from nomicwolf.watch.seen import Lookout, Seen

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
    """Shows what *lookout* sees, anew every *every* seconds; *clock* tells the time (UTC seconds)."""

    CSS = STYLE
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", KEYS["q"]), Binding("r", "look", KEYS["r"]),
        Binding("s", "secrets", KEYS["s"]), Binding("w", "reasons", KEYS["w"]),
        Binding("ctrl+c", "quit", show=False),  # as in any other command
    ]

    def __init__(self, lookout: Lookout, clock: Callable[[], int], every: float = 5.0) -> None:
        super().__init__()
        self._lookout = lookout
        self._clock = clock
        self._every = every
        self._seen: Seen | None = None
        self._trouble = ""
        self._secrets = False
        self._reasons = True
        self._panels = {name: Panel(name) for name in TITLES}

    def compose(self) -> ComposeResult:
        """Yield the panels and the line of keys."""
        yield from self._panels.values()
        yield Footer()

    def on_mount(self) -> None:
        """Look at once, then again and again; the clock goes on in between."""
        self.action_look()
        self.set_interval(self._every, self.action_look)
        self.set_interval(1.0, self._show)

    @work(thread=True, exclusive=True)
    def action_look(self) -> None:
        """Look at the ledger, beside the screen so that keys answer meanwhile."""
        try:
            self.call_from_thread(self._saw, self._lookout.look(), "")
        except LedgerError as error:
            self.call_from_thread(self._saw, self._seen, str(error))

    def _saw(self, seen: Seen | None, trouble: str) -> None:
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
        head = panels.clock_text(seen, now)
        self._put("clock", Text("\n").join([trouble, head]) if self._trouble else head)
        self._panels["clock"].border_title = f"{seen.name}{' - secrets are shown' if secrets else ''}"
        self._put("votes", panels.votes_text(seen, reasons=self._reasons))
        self._put("owed", panels.owed_text(seen, now, secrets=secrets))
        self._put("mail", panels.mail_text(seen, secrets=secrets))
        self._put("outbox", panels.outbox_text(seen, secrets=secrets))
        self._put("record", panels.record_text(seen, secrets=secrets))

    def _put(self, name: str, text: Text) -> None:
        """Put a text into a panel, which needn't be on the screen yet, or any more."""
        self._panels[name].said.update(text)
