"""What silence does, in words: what a session announces of it, who is named for it, and what a last reminder says."""

from __future__ import annotations

from nomicwolf.nomic.absence import Policy, Prodded, StandbyEnded, StandbyOffered
from nomicwolf.nomic.events import DeedDone, Reminded
from nomicwolf.reports.note import Note
from nomicwolf.reports.page import Page
from nomicwolf.reports.prose import Section, by_contract, plural
from nomicwolf.reports.views import PublicView
from nomicwolf.village.events import Entry, Replaced, Told
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.roles.nomic_crossing import LAST_SHOT

ACTED_FOR = ("If you don't, it is then done for you: where you can decline you do, else a lot from the session's seed "
             "decides (NC 1j, D-A13).")

MAY_ACT = "If you don't, the contestmaster may then do it for you (NC 1j)."


def policy_lines(policy: Policy, rules: Ruleset, remind: tuple[str, ...]) -> list[str]:
    """Return what is announced of silence at a session's start, a sentence or two for each thing."""
    found = [f"Whoever owes something is reminded by private mail, {_times(remind)}."] if remind else []
    if policy.takes("prod"):
        found.append(
            f"Whoever has no vote, and was not seen in a forum for {plural(policy.prod_days, 'day')}, is named with "
            "the count." if rules.votes_stand else "Whoever lets a vote end without em is named.")
        found += [after] if (after := what_follows(policy)) else []
    if policy.takes("act-for") and by_contract(rules):
        found.append("What is owed by night is done once clause 1j allows it: where it can be declined it is, else a "
                     "lot from the session's seed decides (NC 1j, D-A13).")
    if policy.extend_if_missing:
        found.append(f"A vote in stages lasts {plural(policy.extend_hours, 'hour')} longer, "
                     f"{_often(policy.extend_times)}, if at its deadline {policy.extend_if_missing} or more have not "
                     "voted (D-A14).")
    return found


def _times(remind: tuple[str, ...]) -> str:
    said = {"50%": "at half of its time", "24h": "a day before its end"}
    return " and ".join(said.get(text) or (
        f"at {text} of its time" if text.endswith("%") else f"{plural(int(text[:-1]), 'hour')} before its end")
        for text in remind)


def _often(times: int) -> str:
    return "once" if times == 1 else f"{times} times at most"


def what_follows(policy: Policy) -> str:
    """Return what becomes of whoever stays silent after e was named, '' if nothing does."""
    then = []
    if policy.takes("replace"):
        then.append("the first on the standby list plays on (D-N41)")
    if policy.takes("remove"):
        then.append("else " * bool(then) + "the contestmaster announces a removal (NC 1c)")
    if not then:
        return ""
    often = "" if policy.prods == 1 else f" {policy.prods} times"
    return f"For whoever stays silent after having been named{often}, {'; '.join(then)}."


def prodded(page: Page, entry: Entry, event: Prodded, now: PublicView) -> Section | None:
    """Return who is named as silent, all of a letter together."""
    every = [e for e in page.entries if isinstance(e.event, Prodded)]
    if every[0] is not entry:
        return None
    named = [e.event for e in every if isinstance(e.event, Prodded)]
    policy, later = now.law.policy, page.later(entry, Replaced)
    replaced = {e.event.old for e in later if isinstance(e.event, Replaced)}
    follows = what_follows(policy) if any(p.times <= policy.prods for p in named) else ""
    gone = [p.who for p in named if p.times > policy.prods and p.who not in replaced]
    rows = [(since, [p.who for p in named if p.since == since]) for since in sorted({p.since for p in named})]
    return page.prose.section(
        "public-prodded", 32, place=now.place, rows=rows,
        names=[p.who for p in named], follows=follows,
        wanted=gone if policy.takes("replace") else [], address=now.setup.address)


def standby(page: Page, entry: Entry, event: StandbyOffered | StandbyEnded, now: PublicView) -> Section:
    """Return who is on standby now."""
    return page.prose.section(
        "public-standby", 20, who=event.who, ready=isinstance(event, StandbyOffered), names=now.law.standby)


def asked_to_speak(note: Note, entry: Entry, event: Prodded) -> Section | None:
    """Return what the reader is told who was named as silent; None where it was another, or e has been replaced."""
    public = note.view.public
    if event.who != note.view.who or event.who not in public.players:
        return None
    policy = public.law.policy
    return note.prose.section(
        "private-prodded", since=event.since,
        follows=what_follows(policy) if event.times == policy.prods else "")


def reminded(note: Note, entry: Entry, owed: Reminded) -> Section | None:
    """Return the reminder; None for what is no longer owed, for a poll that is late may find both at once."""
    lacked = next((o for o in note.view.lacks if o.verb == owed.verb), None)
    if lacked is None:
        return None
    public, until = note.view.public, owed.until or lacked.until
    duty = next((d for d in note.view.duties if d.verb == owed.verb), None)
    return note.prose.section(
        "private-reminded", verb=owed.verb, kind=owed.kind, since=owed.since, until=until, place=public.place,
        stage=public.stage, forum=duty is not None and duty.public, said=_said(note, owed),
        silence=(duty.silence if duty is not None else "") or _silence(note, owed))


def _silence(note: Note, owed: Reminded) -> str:
    """Return in a sentence what follows if the reader does nothing.

    Only for a townsperson in a night phase can the contestmaster act (NC 1j): not for Cupid, nor a dead Hunter (D-N3),
    whose death by night nobody else knows of yet.
    """
    public = note.view.public
    lacked = next(o for o in note.view.lacks if o.verb == owed.verb)
    if owed.kind == "office":
        return ""
    if owed.kind != "deed":
        return "If you don't, it ends without your vote."
    if lacked.closes and lacked.closes <= (lacked.until or lacked.closes):
        return f"If you don't, {public.place} ends without it."
    killed = any(isinstance(e.event, Told) and e.event.topic == LAST_SHOT for e in note.view.own)
    if public.phase == "night" and owed.who in public.living and not killed:
        return ACTED_FOR if public.law.policy.takes("act-for") else MAY_ACT
    return "Nobody else can do it for you, and the game waits for it (D-N3)."


def _said(note: Note, owed: Reminded) -> str:
    """Return what the reader has done of what is still owed: e has named somebody, but not all of eir fellows."""
    done = [e.event.says for e in note.view.own if isinstance(e.event, DeedDone) and e.at >= owed.since]
    return next((says for says in reversed(done) if says.split(" ")[0] == owed.verb), "")
