"""The vote picture, its board and its captions.

It is drawn with drawsvg, which does not escape attributes: texts that people wrote are in elements only, and
all colours come from the page's style sheet by class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

import drawsvg

from nomicwolf.nomic.times import when
from nomicwolf.reports.archive.charts import (
    DAY,
    GUILTY,
    LABEL,
    NARROW,
    ROW,
    TOP,
    VERDICTS,
    WIDE,
    Cast,
    Following,
    Moment,
    Scale,
    Track,
    scale_for,
    shortened,
    stacked_labels,
    svg_text,
)
from nomicwolf.reports.awards import PlayerRecord, rating_text
from nomicwolf.reports.layout import clean
from nomicwolf.reports.vote_counts import Vote
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import listed


def short_time(at: int) -> str:
    """Return an instant in short form.

    >>> short_time(1796119200)
    '1 Dec 10:00'
    """
    moment = datetime.fromtimestamp(at, UTC)
    return f"{moment.day} {moment:%b %H:%M}" + (f":{moment:%S}" if moment.second else "")


def cast_said(cast: Cast) -> str:
    """Return what a vote was, and its immediate value."""
    comes = "" if cast.value == cast.ballot else f"; it comes to {cast.value or 'nobody'}"
    late = " (a late copy)" if cast.late else ""
    return f"Vote {cast.nth}, {when(cast.at)}: {cast.who} {deed_said(cast.ballot)}{comes}{late}"


def deed_said(ballot: str) -> str:
    """Return in words what a *ballot* does.

    >>> deed_said("Gus"), deed_said("endorse Eli")
    ('votes Gus', 'endorses Eli')
    """
    verb, _, whom = ballot.partition(" ")
    return f"endorses {whom}" if verb == "endorse" and whom else f"votes {ballot}"


def role_said(role: str, rules: Ruleset | None) -> str:
    """Return the title of a role, or its name if *rules* are not installed."""
    known = rules.roles.get(role) if rules is not None else None
    return (known.title if known is not None else "") or role


def rating_told(record: PlayerRecord) -> str:
    """Return a player's rating with its uncertainty."""
    return f"{rating_text(record)} (OpenSkill; everyone begins at 25.0 ± 8.3)"


def roles_said(roles: Sequence[str], rules: Ruleset | None) -> str:
    """Return the roles of *rules* in play, and how many of each.

    >>> from nomicwolf.village.rulesets import ruleset
    >>> roles_said(("seer", "witch"), ruleset("nomic-crossing")), roles_said(("cop", "townie", "townie"), None)
    ('Seer and Witch', 'cop and townie (2)')
    """
    counted = Counter(role_said(role, rules) for role in roles)
    return listed(tuple(f"{role} ({number})" if number > 1 else role for role, number in counted.items()))


def legend(track: Track) -> str:
    """Return how to read the picture of *track*; only what is in it is explained."""
    majority = ", the thin dashed one the majority" if any(m.majority for m in track.moments) else ""
    ends = f"; a ring and a line from top to bottom mark when somebody was {track.how}"
    ring = ends if track.lynchings else ""
    dots = ", a dot is a ballot" if track.casts else ""
    arrows = ", and an arrow leads from each endorser to the endorsed" if any(c.endorses for c in track.casts) else ""
    return (f"The upper lines are the wagons{majority}{ring}. "
            f"Below, each row is a voter's vote over time{dots}{arrows}.")


def followed_told(found: Following) -> str:
    """Return a sentence on who followed whom most often."""
    most = [pair for pair in found.most if pair[2] == found.most[0][2]]
    times = "once" if most[0][2] == 1 else f"{most[0][2]} times"
    if len(most) > 3:
        return f"{len(most)} pairs did so {times} each, which is the most."
    pairs = listed(tuple(f"{follower} followed {leader}" for follower, leader, _ in most))
    return f"{pairs} {times}, which is the most."


def counts_said(moment: Moment) -> str:
    """Return who has how many votes."""
    counts = ", ".join(f"{who} {votes}" for who, votes in moment.counts.items()) or "nobody has a vote"
    return f"{counts}; majority {moment.majority}" if moment.majority else counts


def moment_said(moment: Moment) -> str:
    """Return the count after a moment."""
    what = cast_said(moment.cast) if moment.cast else f"{when(moment.at)}: {moment.what}"
    lynched = f" {moment.lynched} is {moment.how}." if moment.lynched else ""
    return f"{what}. Count: {counts_said(moment)}.{lynched}"


def track_summary(track: Track) -> str:
    """Return the picture of *track* in words: how many voted, whose wagon grew how far, and the outcome."""
    most: dict[str, int] = {}
    for moment in track.moments:
        for who, votes in moment.counts.items():
            most[who] = max(most.get(who, 0), votes)
    grew = ", ".join(f"{who} up to {votes}" for who, votes in sorted(most.items(), key=lambda item: -item[1]))
    number = len(track.casts)
    ballots = f"{number} ballot{'' if number == 1 else 's'}" if number else "ballots opened together"
    chains = [f"{c.who} endorsed {c.endorses}" for c in track.casts if c.endorses]
    guilty = " of guilty" if track.verdict else ""
    ends = [f"{m.lynched} was {m.how} at {when(m.at)}, with {m.against} vote{'' if m.against == 1 else 's'}{guilty}"
            + (f" (majority: {m.majority})" if m.majority else "") for m in track.lynchings]
    heirs = [f"{new} takes over from {old}" for old, new in track.heirs.items() if new in track.voters]
    parts = [f"{ballots}; votes: {grew or 'none'}", listed(tuple(heirs)) if heirs else "",
             listed(tuple(chains)) if chains else "",
             listed(tuple(ends)) if ends else _open_or_over(track)]
    return ". ".join(p[:1].upper() + p[1:] for p in parts if p) + "."


def _open_or_over(track: Track) -> str:
    """Return the state of a vote without a lynching; a verdict may be carried out later."""
    if not track.ended:
        return "the vote is open"
    return "" if track.verdict or track.stage == "nominations" else f"nobody was {track.how} by it"


PROOF_WORDS = {
    "none": "nothing", "from": "the address that it is from", "forum": "the forum, which took it from its address",
    "signed": "a signature of the sender's domain", "confirmed": "eir confirmation", "openpgp": "eir OpenPGP signature",
}
"""How the author of a ballot is known, for each level of assurance."""


def usually_sure(tracks: Iterable[Track]) -> str:
    """Return the most frequent level of assurance of ballots' authors, the first one if tied; '' if there is none.

    >>> usually_sure([])
    ''
    """
    levels = Counter(cast.sure for track in tracks for cast in track.casts if cast.sure)
    return max(levels, key=lambda level: levels[level], default="")


def sure_said(level: str) -> str:
    """Return how the author of a ballot is known.

    >>> sure_said("confirmed"), sure_said("")
    ('Its author is known by eir confirmation (confirmed)', 'By what its author is known was not kept')
    """
    return f"Its author is known by {PROOF_WORDS.get(level, level)} ({level})" if level else (
        "By what its author is known was not kept")


COLOURS = 8
"""Colours in the style sheet for lines; further candidates reuse them with thinner lines."""


class Link(drawsvg.DrawingParentElement):  # type: ignore[misc] # drawsvg has no types
    """An ``a`` element."""

    TAG_NAME = "a"


def draw_picture(track: Track, name: str, page: str = "", *, narrow: bool = False) -> str:
    """Return *track* as an SVG element whose ballots link to those of *page* ('': the page that it is on).

    *name* names its parts and *page* is one of our files: letters, digits, points and hyphens only. A *narrow* picture
    is for phones.
    """
    sizes = scale_for(track, WIDE if not narrow else VERDICTS if track.verdict else NARROW)
    drawing = drawsvg.Drawing(
        sizes.room.wide, sizes.height, id_prefix=f"{name}n" if narrow else name,
        class_=f"votes {'narrow' if narrow else 'wide'}", role="group", aria_labelledby=f"{name}-title")
    back = drawsvg.Group(aria_hidden="true")
    for part in (_grid(track, sizes), _axis(track, sizes), _wagons(track, sizes), _lanes(track, sizes)):
        back.append(part)
    for part in (_majority(track, sizes), _endorsements(track, sizes)):
        back.append(part)
    back.append(drawsvg.Line(0, TOP - 8, 0, sizes.height - 8, class_="cursor", visibility="hidden"))
    drawing.append(back)
    drawing.append(_moments(track, sizes))
    drawing.append(_casts(track, sizes, page))
    svg = drawing.as_svg(header="")
    assert isinstance(svg, str)
    return svg.replace("<defs>\n</defs>\n", "")


def _colour(track: Track, who: str) -> str:
    known = track.palette or track.candidates
    place = known.index(who)
    return f"w{place % COLOURS}{' again' if place >= COLOURS else ''}"


def _grid(track: Track, sizes: Scale) -> drawsvg.Group:
    group = drawsvg.Group()
    step = 1 if sizes.highest <= 10 else 5
    for votes in range(0, sizes.highest + 1, step):
        y = sizes.y(votes)
        group.append(drawsvg.Line(sizes.room.left, y, sizes.end, y, class_="grid"))
        group.append(svg_text(str(votes), sizes.room.left - 8, y + 4, "faint", text_anchor="end"))
    if sizes.room is WIDE:  # elsewhere the name of whoever is lynched takes all of that line
        group.append(svg_text("votes", 8, TOP - 14, "faint"))
    return group


def _axis(track: Track, sizes: Scale) -> drawsvg.Group:
    group, before = drawsvg.Group(), ""
    for x, at in sizes.ticks:
        group.append(drawsvg.Line(x, sizes.base, x, sizes.base + 4, class_="grid"))
        day, _, hour = short_time(at).rpartition(" ")
        above, below = (day, "") if sizes.step >= DAY else (hour, day if day != before else "")
        group.append(svg_text(above, x, sizes.base + 18, "faint", text_anchor="middle"))
        if below:
            group.append(svg_text(below, x, sizes.base + 32, "faint", text_anchor="middle"))
        before = day
    return group


def _wagons(track: Track, sizes: Scale) -> drawsvg.Group:
    group, grown = drawsvg.Group(), drawsvg.Group(class_="grown")
    group.append(grown)
    labels: list[tuple[int, str]] = []
    for who in track.candidates:
        heights = _heights(track, who)
        rolled = " rolled" if any(who == (GUILTY if track.verdict else m.lynched) for m in track.lynchings) else ""
        grown.append(_wagon(sizes, heights, _colour(track, who) + rolled, 0 if rolled else _aside(track, sizes, who)))
        labels.append((heights[-1], who))
    if LABEL * len(labels) > sizes.base - TOP + LABEL:
        labels = [(votes, who) for votes, who in labels if votes]
    labels.sort(key=lambda item: item[0])
    places = stacked_labels([sizes.y(votes) + 4 for votes, _ in labels], TOP)
    for y, (votes, who) in zip(places, labels, strict=True):
        said = f"{shortened(who, sizes.room.labels)} {votes}"
        then = " ".join(map(str, _heights(track, who)))
        group.append(svg_text(said, sizes.end + 8, y, f"label {_colour(track, who)}", data_votes=then))
    return group


def _heights(track: Track, who: str) -> list[int]:
    """Return how many votes *who* had at each moment."""
    return [m.counts.get(who, 0) for m in track.moments]


def _aside(track: Track, sizes: Scale, who: str) -> float:
    """Return the offset that keeps wagons of the same size from hiding each other."""
    most = len(track.candidates)
    return round((track.candidates.index(who) - (most - 1) / 2) * min(2.5, sizes.unit * 0.5 / max(most, 1)), 1)


def _wagon(sizes: Scale, heights: list[int], colour: str, aside: float) -> drawsvg.Path:
    """Draw the votes of one candidate as a stepped line, with gaps where there are none."""
    line, before = drawsvg.Path(class_=f"wagon {colour}"), 0
    for x, votes in zip(sizes.xs, heights, strict=True):
        if before:
            line.H(x)
        elif votes:
            line.M(x, sizes.y(0))
        if before or votes:
            line.V(round(sizes.y(votes) + (aside if votes else 0), 1))
        before = votes
    return line.H(sizes.end) if before else line


def _lanes(track: Track, sizes: Scale) -> drawsvg.Group:
    group = drawsvg.Group()
    for place, who in enumerate(track.voters):
        y = sizes.row(place)
        lane = drawsvg.Group(class_=f"lane lane{place}")
        lane.append(svg_text(shortened(who, sizes.room.names), sizes.room.left - 10, y + 4, "name", text_anchor="end"))
        lane.append(drawsvg.Line(sizes.room.left, y, sizes.end, y, class_="grid"))
        grown = drawsvg.Group(class_="grown")
        lane.append(grown)
        for start, end, value, via in _spans(track, sizes, who):
            colour = _colour(track, value)
            grown.append(drawsvg.Rectangle(start, y - 9, max(2.0, end - start), 18, rx=3, class_=f"span {colour}"))
            label = f"{value} via {via}" if via else value
            room = int((end - start - 16) / 6.6)
            if room >= min(3, len(label)):
                grown.append(svg_text(shortened(label, room), start + 12, y + 4, "inside"))
        group.append(lane)
    return group


def _spans(track: Track, sizes: Scale, who: str) -> list[tuple[float, float, str, str]]:
    """Return (from, to, whom, endorsed) for the stretches in which *who* voted for someone."""
    found: list[tuple[float, float, str, str]] = []
    via = ""
    for moment, (start, end) in zip(track.moments, pairwise((*sizes.xs, sizes.end)), strict=True):
        if moment.cast and track.seat(moment.cast.who) == who:
            via = track.seat(moment.cast.endorses)
        value = moment.values.get(who)
        if value is None:
            continue
        if found and found[-1][1:] == (start, value, via):
            found[-1] = (found[-1][0], end, value, via)
        else:
            found.append((start, end, value, via))
    return found


def _majority(track: Track, sizes: Scale) -> drawsvg.Group:
    group = drawsvg.Group()
    needed = [(x, m.majority) for x, m in zip(sizes.xs, track.moments, strict=True) if m.majority]
    if needed:
        line = drawsvg.Path(class_="majority")
        line.M(sizes.room.left, sizes.y(needed[0][1]))
        for x, votes in needed:
            line.H(x).V(sizes.y(votes))
        line.H(sizes.end)
        grown = drawsvg.Group(class_="grown")
        grown.append(line)
        group.append(grown)
        first = sizes.y(needed[0][1])
        below = 15 if first < TOP + 12 else -5
        group.append(svg_text(f"majority {needed[0][1]}", sizes.room.left + 6, first + below, "strong"))
    for place, (x, moment) in enumerate(zip(sizes.xs, track.moments, strict=True)):
        if moment.lynched:
            group.append(drawsvg.Line(x, TOP - 8, x, sizes.height - 8, class_="instant", data_moment=place))
            group.append(drawsvg.Circle(x, sizes.y(moment.against), 7, class_="ring", data_moment=place))
            said = f"{shortened(moment.lynched, 20)} {moment.how}, {short_time(moment.at)}"
            side = "end" if x > (sizes.room.left + sizes.end) / 2 else "start"
            group.append(svg_text(said, x, TOP - 14, "strong", text_anchor=side, data_moment=place))
    return group


def _endorsements(track: Track, sizes: Scale) -> drawsvg.Group:
    """Draw an arrow from each endorser to the endorsed, where the endorsement was made."""
    group = drawsvg.Group()
    for place, (x, moment) in enumerate(zip(sizes.xs, track.moments, strict=True)):
        cast = moment.cast
        seats = [track.seat(p) for p in (cast.who, cast.endorses)] if cast is not None else []
        if cast is None or not set(seats) <= set(track.voters):
            continue
        here, there = (sizes.row(track.voters.index(p)) for p in seats)
        tip = there + (9 if here > there else -9)
        bend = drawsvg.Path(class_=f"chain cast{cast.number}", data_moment=place)
        bend.M(x, here).C(x - 14, here, x - 14, tip, x, tip)
        group.append(bend)
        back = 6 if here > there else -6
        group.append(drawsvg.Lines(x, tip, x - 7, tip + back * 0.4, x - 3, tip + back * 1.4, close=True,
                                   class_=f"head cast{cast.number}", data_moment=place))
    return group


def _moments(track: Track, sizes: Scale) -> drawsvg.Group:
    """Draw a column for each moment, with the text that a pointer shows there."""
    group = drawsvg.Group(class_="moments", aria_hidden="true")
    edges = [*sizes.xs, sizes.end]
    for place, moment in enumerate(track.moments):
        wide = max(4.0, edges[place + 1] - edges[place])
        column = drawsvg.Rectangle(edges[place], TOP, wide, sizes.base - TOP, class_="moment", data_x=edges[place])
        column.append_title(clean(moment_said(moment)))
        group.append(column)
    return group


def _casts(track: Track, sizes: Scale, page: str) -> drawsvg.Group:
    group = drawsvg.Group(class_="casts")
    for place, moment in enumerate(track.moments):
        cast = moment.cast
        if cast is not None and track.seat(cast.who) in track.voters:
            group.append(_dot(track, sizes, cast, place, f"{page}#vote-{cast.number}"))
    return group


def _dot(track: Track, sizes: Scale, cast: Cast, place: int, href: str) -> Link:
    x, row = sizes.xs[place], track.voters.index(track.seat(cast.who))
    link = Link(href=href, class_="cast", data_moment=place, data_lane=row, data_cast=cast.number)
    link.append_title(clean(cast_said(cast)))
    value = track.seat(cast.value or "")
    colour = _colour(track, value) if value in track.candidates else "none"
    link.append(drawsvg.Rectangle(x - ROW / 2, sizes.row(row) - ROW / 2, ROW, ROW, class_="reach"))
    link.append(drawsvg.Circle(x, sizes.row(row), 5.5, class_=f"dot {colour}{' late' if cast.late else ''}"))
    return link


@dataclass(frozen=True, slots=True)
class Voter:
    """A voter: *anchor* is that of their ballot on the day's page ('': none), *vote* how it counts."""

    who: str
    anchor: str
    vote: Vote

    @property
    def told(self) -> str:
        """An explanation of a ballot that does not name its value itself; '' for any other."""
        if self.vote.endorses:
            return f"endorsing {self.vote.endorses}"
        return "" if self.vote.plain else self.vote.ballot


@dataclass(frozen=True, slots=True)
class Wagon:
    """*votes* for *whom* by *voters*, in the order of their ballots; *needed* decide (0: no number does)."""

    whom: str
    votes: int
    needed: int
    voters: tuple[Voter, ...]

    @property
    def short(self) -> int:
        """How many votes are missing (0: none, or no number decides)."""
        return max(0, self.needed - self.votes)


@dataclass(frozen=True, slots=True)
class Board:
    """A count: *wagons*, the largest first; voters for *nobody*; and the *silent*, who have cast no ballot."""

    wagons: tuple[Wagon, ...]
    nobody: tuple[Voter, ...]
    silent: tuple[str, ...]
    needed: int


def board(track: Track) -> Board:
    """Return the count of *track* at its end, or at present."""
    anchors = {track.seat(cast.who): f"vote-{cast.number}" for cast in track.casts}
    votes = track.count.votes if track.count is not None else ()
    needed = track.moments[-1].majority if track.moments else 0
    counts = track.count.counts if track.count is not None else {}
    return Board(
        tuple(Wagon(whom, number, needed if not track.verdict or whom == GUILTY else 0, _voters(votes, anchors, whom))
              for whom, number in counts.items()),
        tuple(voter for voter in _voters(votes, anchors, None) if voter.vote.ballot),
        tuple(vote.who for vote in votes if not vote.ballot), needed)


def _voters(votes: Iterable[Vote], anchors: Mapping[str, str], whom: str | None) -> tuple[Voter, ...]:
    return tuple(Voter(vote.who, anchors.get(vote.who, ""), vote) for vote in votes if vote.value == whom)
