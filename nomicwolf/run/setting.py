"""From settings to what a contest is."""

from __future__ import annotations

import tomllib

from nomicwolf.nomic.cover import slots_of
from nomicwolf.nomic.profiles import Profile, profile, profile_of
from nomicwolf.nomic.setup import Caps, Forum, Other, Setup
from nomicwolf.settings import NomicSettings, Settings, SettingsError
from nomicwolf.settings.shape import nearest
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import BUILT_IN, ruleset, switches_of_all
from nomicwolf.village.switches import OF_ALL

LAWS = {"agora": "agora-2009", "b": "b-2009"}
"""Which law a nomic of that name has, unless the settings say another."""
USUAL_LAW = "agora-2009"
_OURS = ("settling", "instant", "cover")
SETTLING, SETTLING_CLAMPED = 10, 30
"""Minutes for which a public deed may still be overtaken (D-N9), by default."""


def unknown_switches(settings: Settings) -> tuple[str, ...]:
    """Say which of the settings' switches no rule set has; some may be for a session of another than the contest's."""
    given = [name for name in settings.switches if name not in _OURS]
    if all(any(name == s.name for rules in BUILT_IN.values() for s in rules.switches) for name in given):
        return ()
    try:
        own = [switch.name for switch in ruleset(settings.contest.ruleset).switches]
        every = {*own, *switches_of_all()}
    except Refusal:
        return ()  # `check` and `start` tell what is wrong with the rule set
    return tuple(f"switches.{name}: unknown key; {nearest(name, [*own, *OF_ALL])}"
                 for name in given if name not in every)


def setup_of(settings: Settings, secret: bytes, others: tuple[Other, ...] = ()) -> Setup:
    """Return what the settings say of the contest; *secret* keys the marks of its mail, *others* read its mailbox.

    `SettingsError` for what can't be known without the rule sets: switches that none has.
    """
    if unknown := unknown_switches(settings):
        raise SettingsError(unknown)
    contest = settings.contest
    default = SETTLING_CLAMPED if any(n.instant == "clamped" for n in settings.nomics) else SETTLING
    return Setup(
        contest=contest.id,
        name=contest.name or contest.id,
        ruleset=contest.ruleset,
        contestmaster=contest.contestmaster.name,
        contestmaster_addresses=tuple(a.lower() for a in contest.contestmaster.addresses),
        address=settings.address,
        forums=tuple(_forum(n, settings) for n in settings.nomics),
        switches={name: value for name, value in settings.switches.items() if name not in _OURS},
        settling=60 * int(settings.switches.get("settling", default)),
        limit={n.name: n.limit for n in settings.nomics if n.limit is not None},
        secret=secret,
        daily_count=contest.daily_count,
        guard=3600 * contest.guard_hours,
        prefixes=contest.prefixes,
        authserv_ids=contest.authserv_ids,
        forum_authserv_ids=tuple(host for n in settings.nomics for host in n.authserv_ids),
        assurance=settings.required,
        subaddresses=settings.identity.subaddresses,
        token_hours=settings.identity.token_hours,
        signature_days=settings.identity.signature_days,
        cover=slots_of(settings.switches.get("cover", "on")),
        others=others,
        open_journal=contest.open_journal,
        utf8=settings.smtp.utf8,
        stamps_prove=bool(settings.contest.mail_hosts),
        caps=Caps(settings.limits.letters_per_day, settings.limits.deeds_per_day, settings.limits.answers_per_day),
    )


def _forum(nomic: NomicSettings, settings: Settings) -> Forum:
    law = _law(nomic, settings)
    return Forum(
        nomic=nomic.name,
        address=nomic.forum,
        discussion=nomic.discussion,
        list_id=nomic.list_id.strip("<>"),
        received_by=nomic.received_by,
        instant=nomic.instant,
        profile=law.name,
        own=law,
        title=nomic.title,
        zone=nomic.zone,
        tag=nomic.tag.strip("[] "),
    )


def _law(nomic: NomicSettings, settings: Settings) -> Profile:
    """Return a nomic's law: a profile of ours, or one that a TOML file beside the settings tells."""
    name = nomic.profile or LAWS.get(nomic.name.lower(), USUAL_LAW)
    try:
        if not name.endswith(".toml"):
            return profile(name)
        with (settings.folder / name).open("rb") as file:
            return profile_of(tomllib.load(file))
    except (OSError, ValueError) as error:
        raise SettingsError((f"nomic.{nomic.name}.profile: {error}",)) from error
