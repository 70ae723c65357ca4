"""Where a letter came from: its route, and machines.

Its route is which forums it passed, when their servers had it, and whether it was sent to the contest itself. Machines
are answering ones, our own echo, and what bounces (RFC 3834, 3464, 3463, 6522 and 8098).

A sign of an answering machine is a shape, not one program's spelling: fields say "auto" and what was done, in whatever
order of hyphens; subjects begin with what the machine is about, in whatever brackets, case and accents. ``Precedence:
bulk`` and ``List-Id`` are on people's letters in lists, so the first counts only on letters to the contest alone and
the second never does.

Each of our letters has a return path of its own (VERP): the words of its Message-ID, which only the contest's key can
make. Nothing of a bounce but its status is ever shown, and none is passed on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from nomicwolf.letters.compose import MARK, is_ours
from nomicwolf.letters.headers import Fields, every, named, seconds, split_head
from nomicwolf.letters.identity import fold_address, folded_in, tag_in, with_tag
from nomicwolf.letters.letter import ForumInfo, Letter, Limits, Raw
from nomicwolf.letters.parts import Part, TooMuchError, tree, value_of

_MAX_HOPS = 60
_PRIVATE = (IPv4Network("10.0.0.0/8"), IPv4Network("172.16.0.0/12"), IPv4Network("192.168.0.0/16"))
_LOOPBACK = ("localhost", "127.0.0.1", "::1", "ipv6:::1", "localhost.localdomain")


@dataclass(frozen=True, slots=True)
class Route:
    """Names of *forums* in the order given, those it came *through*, their *stamps* (UTC seconds), and our *tag*.

    *unnamed* are the forums whose stamp isn't believed, each with a host above it that isn't named as one of ours.
    """

    forums: tuple[str, ...]
    through: tuple[str, ...]
    stamps: tuple[tuple[str, int], ...]
    unnamed: tuple[tuple[str, str], ...]
    to_contestmaster: bool
    tag: str


@dataclass(frozen=True, slots=True)
class Hop:
    """One Received field: its host (as looked up, if known), ``by`` whom, UTC seconds or None."""

    origin: str
    by: str
    at: int | None


def route(
    fields: Fields, forums: Sequence[ForumInfo], contestmaster: Sequence[str], own_hosts: Sequence[str] = ()
) -> Route:
    """Return where a letter with these header *fields* went; the subject, which players write, is not asked."""
    addressed, lists = _addresses(fields, "to", "cc"), _addresses(fields, "x-beenthere", "list-post")
    ids = {_list_id(value) for value in every(fields, "List-Id")}
    hops: list[Hop] | None = None
    went: list[str] = []
    through: list[str] = []
    stamps: list[tuple[str, int]] = []
    unnamed: list[tuple[str, str]] = []
    for forum in forums:
        own = own_addresses(forum)
        carried = bool(ids & _ids(forum) or lists & own)
        if carried or addressed & own:
            went.append(forum.name)
        if carried:
            through.append(forum.name)
            hops = _hops(fields) if hops is None else hops
            at = stamp(hops, _hosts(forum), own_hosts)
            stamps += [] if at is None else [(forum.name, at)]
            unnamed += [(forum.name, host) for host in _unnamed(hops, _hosts(forum), own_hosts)] if own_hosts else []
    blind = set[str]() if went else _addresses(fields, "delivered-to", "x-original-to", "envelope-to")
    to_us, tag = _to_us(addressed, blind, contestmaster)
    return Route(tuple(went), tuple(through), tuple(stamps), tuple(unnamed), to_us, tag)


def stamp(hops: Sequence[Hop], hosts: Sequence[str], own_hosts: Sequence[str] = ()) -> int | None:
    """Return when a forum's server had the letter: the topmost credible Received ``by`` one of its *hosts*.

    What is below the headers of one's own mail server can be forged. So the server above must say that it
    got the letter *from* the forum's host, and with *own_hosts* given everything above must be by those, and from them.
    """
    found = _handed_over(hops, hosts)
    if found is None or (own_hosts and _unnamed(hops, hosts, own_hosts)):
        return None
    return hops[found].at


def hosts_above(fields: Fields, forum: ForumInfo) -> tuple[str, ...]:
    """Return who passed a letter on after *forum*'s server, each once.

    A server within a provider's private network is named by that, for the next letter comes by another one.
    """
    return tuple(dict.fromkeys(map(_lasting, _unnamed(_hops(fields), _hosts(forum), ()))))


def _lasting(host: str) -> str:
    """Return *host*, or the private network (RFC 1918) of its address; IPv6 for 6to4.

    >>> _lasting("2002:a05:7300:c50f:b0:1d5:f0cb:95c1"), _lasting("mx.wolf.example")
    ('2002:a00::/24', 'mx.wolf.example')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    inner = address.sixtofour if isinstance(address, IPv6Address) else None
    for network in _PRIVATE if inner is not None else ():
        if inner in network:
            first = b"\x20\x02" + network.network_address.packed
            return str(IPv6Network((first.ljust(16, b"\0"), 16 + network.prefixlen)))
    return host


def _hops(fields: Fields) -> list[Hop]:
    return [hop(value) for value in every(fields, "Received")[:_MAX_HOPS]]


def _handed_over(hops: Sequence[Hop], hosts: Sequence[str]) -> int | None:
    """Return the place of the topmost hop by one of a forum's *hosts*, if the one above got the letter from there."""
    place = next((place for place, found in enumerate(hops) if is_host_in(found.by, hosts)), None)
    if not place or hops[place - 1].origin in _LOOPBACK or is_host_in(hops[place - 1].origin, hosts):
        return place
    return None


def _unnamed(hops: Sequence[Hop], hosts: Sequence[str], own_hosts: Sequence[str]) -> tuple[str, ...]:
    """Return who passed the letter on above the stamp of a forum's *hosts* and isn't in *own_hosts*.

    Where a hop of ours got it from counts as well: else a foreign server could invent all that is below that one,
    in our names.
    """
    place = _handed_over(hops, hosts)
    if place is None:
        return ()
    names = [found.by for found in hops[:place or 1]]
    names += [found.origin for found in hops[:max(place - 1, 0)] if found.origin and found.origin not in _LOOPBACK]
    return tuple(dict.fromkeys(name for name in names if not is_host_in(name, own_hosts)))


def hop(value: str) -> Hop:
    """Parse one Received field, linear and lenient except for the place of ``by`` (RFC 5321 4.4)."""
    text, _, date = value[:4000].rpartition(";")
    bare, comments = _without_comments(text)
    words = bare.split()
    origin = ""
    if words[:1] == ["from"] and len(words) > 1:
        origin = words[1].strip("[].").lower()
        looked_up = comments[0].split()[:1] if comments else []
        if looked_up and looked_up[0][0] != "[" and "=" not in looked_up[0] and origin not in _LOOPBACK:
            origin = origin if looked_up[0] == "localhost" else looked_up[0].rstrip(".").lower()
    by = words[words.index("by") + 1].lower() if "by" in words[:-1] else ""
    return Hop(origin, by.rstrip("."), seconds(date.strip()))


def is_host_in(host: str, domains: Sequence[str]) -> bool:
    """Return whether *host* is one of *domains* or below one of them, or an address in one that is a network.

    >>> is_host_in("mx.wolf.example", ["wolf.example"]), is_host_in("2002:a05:7300::1", ["2002:a00::/24"])
    (True, True)
    """
    if any(host == domain.lower() or host.endswith("." + domain.lower()) for domain in domains if domain):
        return True
    networks = [domain for domain in domains if "/" in domain]
    try:
        return bool(networks) and any(ip_address(host) in ip_network(each, strict=False) for each in networks)
    except ValueError:
        return False


def _without_comments(text: str) -> tuple[str, list[str]]:
    """Return *text* without its bracketed comments, and the comments."""
    if "(" not in text:
        return text, []
    bare: list[str] = []
    comments: list[str] = []
    depth, start = 0, 0
    for index, char in enumerate(text):
        if char == "(":
            start = index + 1 if depth == 0 else start
            depth += 1
        elif char == ")" and depth:
            depth -= 1
            if depth == 0:
                comments.append(text[start:index])
                bare.append(" ")
        elif depth == 0:
            bare.append(char)
    return "".join(bare), comments


def _list_id(value: str) -> str:
    """Return the identifier of a List-Id field, in lower case (RFC 2919)."""
    _, mark, inner = value.rpartition("<")
    return (inner.partition(">")[0] if mark else value).strip().lower()


def own_addresses(forum: ForumInfo) -> frozenset[str]:
    """Return the addresses (folded) of a forum's lists."""
    return frozenset(map(fold_address, forum.addresses))


def _ids(forum: ForumInfo) -> set[str]:
    """Return the list ids of a forum; by default its addresses with a dot for the ``@``."""
    named = {text.strip("<> ").lower() for text in forum.list_ids}
    return named or {address.replace("@", ".").lower() for address in forum.addresses}


def _hosts(forum: ForumInfo) -> tuple[str, ...]:
    """Return the hosts whose stamp counts for a forum; by default the domains of its addresses."""
    return forum.received_by or tuple(address.rpartition("@")[2] for address in forum.addresses)


def _addresses(fields: Fields, *names: str) -> set[str]:
    """Return the addresses (folded) in the fields of some *names* (in lower case)."""
    all_of = named(fields)
    return {found for name in names for value in all_of.get(name, ()) for found in folded_in(value)}


def _to_us(addressed: set[str], blind: set[str], contestmaster: Sequence[str]) -> tuple[bool, str]:
    """Return whether the letter was sent to the contest itself, and the tag of that address.

    Delivered-To tells of a *blind* copy; on a letter of a forum it only says who is subscribed, so it is not asked.
    """
    ours = {fold_address(address) for address in contestmaster}
    for group in (addressed, blind):
        for address in sorted(group):
            if address in ours:
                return True, ""
            if tag := next((found for own in sorted(ours) if (found := tag_in(address, own))), ""):
                return True, tag
    return False, ""


Grouped = Mapping[str, tuple[str, ...]]
_FIELD = re.compile(
    r"auto-?(?:matic-?)?(?:repl|respon|answer|generat|submitted)|machine-?generated|vacation|out-?of-?office"
    r"|(?:^|-)oof(?:-|$)|failed-recipients|loop-prevention|otrs-loop|boxtrapper|^feedback-type$"
    r"|^x-(?:cron-env|jira-fingerprint|ms-exchange-inbox-rules-loop|post-messageclass)$")
_OTHERS = ("auto-submitted", "x-auto-response-suppress")
"""Fields of that shape with a meaning of their own."""
_NOTHING = ("", "no", "none", "false", "off", "0")
_PROGRAM = re.compile(r"\b(?:vacation|auto-?(?:repl|respon|answer)\w*|out[- ]of[- ](?:the )?office)\b", re.IGNORECASE)
_CLASS = re.compile(r"oof|outofoffice|autoreply|content-classes:(?:dsn|mdn)", re.IGNORECASE)
_NOTES = re.compile(r".{1,80} is out of the office\b.{0,60}")
"""What Lotus Notes writes of its user; of somebody else a person could write it, too."""
_AUTO = re.compile(
    r"(?:automat(?:ic|ed|ische?s?|isk|iskt|ica|ico|ique|ska|icky|icka|iczna)?[ .-]*|autom[. ]+|auto[ -]*)"
    r"(?:repl(?:y|ies)|respon(?:se|der|d)|answer|antwort|antwoord|svar|odpoved|odpowiedz|e-?mail response)\b")
_AWAY = re.compile(
    r"(?:out[ -]of[ -](?:the )?office(?: |:|$)|oo[of] ?[:-]|away from (?:my |the )?(?:office|mail|desk|e-?mail)\b"
    r"|(?:on )?vacation(?: (?:reply|message|notice|response))?:|on (?:leave|holiday):|vacation (?:reply|message|notice)"
    r"|abwesen(?:heit\w*|d) ?(?::|$)|abwesenheits\w+|nicht im (?:buro|haus) ?(?::|$)|ausser haus"
    r"|absen(?:ce|t|te)(?:\(e\))? (?:du bureau|de mon bureau)|absence ?:|reponse auto\b"
    r"|fuera de(?: la)? oficina|ausente ?:|assente ?:|assenza (?:ufficio|dall)|fora do escritorio|ausencia ?:"
    r"|afwezig(?:heid\w*)? ?(?::|$)|niet aanwezig ?:|franvaro(?:meddelande)?\b|ikke (?:pa kontoret|til stede) ?:?"
    r"|poissaolo\w*|nieobecnosc\b|poza biurem\b|your (?:e-?mail|message) requires verification verify#)")
_BEGINNINGS = (
    "automatische antwort", "abwesenheitsnotiz", "abwesend:", "réponse automatique", "absence du bureau",
    "respuesta automática", "fuera de la oficina", "risposta automatica", "fuori sede", "resposta automática",
    "ausência temporária", "automatisch antwoord", "afwezig:", "autosvar", "automatiskt svar", "automatisk svar",
    "frånvarande", "fraværende", "automaattinen vastaus", "poissa:", "autom. odpowiedź", "odpowiedź automatyczna",
    "automatická odpověď", "automatikus válasz", "автоматический ответ", "автоответ", "автоматична відповідь",
    "automatická odpoveď", "automatski odgovor", "samodejni odgovor", "автоматичен отговор", "автоматски одговор",
    "automaatvastus", "automatinis atsakymas", "automātiskā atbilde", "resposta automàtica", "sjálfvirkt svar",
    "balasan otomatis", "trả lời tự động", "ตอบกลับอัตโนมัติ", "الرد التلقائي", "رد تلقائي", "מענה אוטומטי",
    "תשובה אוטומטית", "自動返信", "自動回覆", "自動回復", "자동 응답", "자동회신",
    "αυτόματη απάντηση", "otomatik yanıt", "răspuns automat", "自動応答", "自动答复", "自动回复", "자동 회신",
    "delivery status notification", "undelivered mail returned", "mail delivery failed", "undeliverable:",
    "returned mail:", "failure notice", "delivery failure", "warning: could not send message", "delivery delayed:",
    "mail system error", "undeliverable mail", "nondeliverable mail", "unzustellbar:",
    "non remis :", "no se puede entregar:",
)


def _bare(subject: str) -> str:
    """Normalise *subject*: no accents, leading brackets or doubled spaces, lower case."""
    plain = unicodedata.normalize("NFKD", subject.translate(_DRAWN))
    letters = "".join(c for c in plain if unicodedata.category(c) not in ("Mn", "Cf"))
    return " ".join(letters.casefold().split()).lstrip("[(*<{ \"'").replace("]", ":", 1)


_DRAWN = str.maketrans("øØłŁđĐ", "oOlLdD")
_STARTS = tuple(_bare(each) for each in _BEGINNINGS)


def shown_by(fields: Grouped, subject: str) -> str:
    """Return what in *fields* (by lower-case names) or *subject* reveals an answering machine, or ''."""
    for name, values in fields.items():
        if _answers(name) and any(value.strip().lower() not in _NOTHING for value in values):
            return name
    for name in ("x-mailer", "user-agent"):
        if any(_PROGRAM.search(value) for value in fields.get(name, ())):
            return f"{name}: {fields[name][0][:40]}"
    for name in ("content-class", "x-message-class", "message-class"):
        if any(_CLASS.search(value) for value in fields.get(name, ())):
            return name
    return f"subject: {subject[:60]}" if subject and _titled(fields, subject) else ""


@lru_cache(maxsize=512)
def _answers(name: str) -> bool:
    """Return whether a field of this *name* is an answering machine's; most letters have the same few fields."""
    return name not in _OTHERS and _FIELD.search(name) is not None


def _titled(fields: Grouped, subject: str) -> bool:
    """Return whether *subject* is one that only machines write."""
    bare = _bare(subject[:200])
    if bare.startswith(_STARTS) or subject.lstrip().startswith("AUTO:") or _AUTO.match(bare) or _AWAY.match(bare):
        return True
    notes = "x-mimetrack" in fields or any("notes" in v.lower() for v in fields.get("x-mailer", ()))
    return notes and _NOTES.fullmatch(bare) is not None


_ROBOTS = frozenset(
    ("mailerdaemon", "postmaster", "noreply", "donotreply", "bounce", "bounces", "autoreply", "autoresponder",
     "autoresponse", "autoconfirm", "mdaemon", "maildaemon", "listserv", "majordomo", "vacation"),
)
"""Names before the ``@`` that no person writes from, without hyphens and the like."""
_ROBOT_ENDS = ("-bounces", "-bounce", "-owner-bounces", "+bounces")
_PARTS = str.maketrans("", "", "-_.")
_NONE = ("",)
_REPORTS = (
    "multipart/report", "message/delivery-status", "message/disposition-notification", "message/feedback-report",
)


@dataclass(frozen=True, slots=True)
class OwnMarks:
    """How our own mail is recognised: its Message-IDs' key, the contest's *addresses*, its *instance*."""

    secret: bytes
    addresses: tuple[str, ...] = ()
    instance: str = ""


def machine(letter: Letter) -> str:
    """Return why *letter* was written by a machine, or '' if a person may have written it.

    Its deeds must not count and it must never be answered.
    """
    fields = named(letter.headers)
    if submitted := _submitted(fields):
        return f"Auto-Submitted: {submitted[:40]}"
    if "<>" in map(str.strip, fields.get("return-path", ())):
        return "null return path"
    kind = value_of(_first(fields, "content-type"))
    if kind in _REPORTS:
        return f"a report: {kind}"
    if sign := shown_by(fields, letter.subject):
        return sign
    if "autoresponder" in (value.strip().lower() for value in fields.get("delivered-to", ())):
        return "Delivered-To: Autoresponder"
    precedence = _first(fields, "precedence").strip().lower()
    if precedence in ("auto_reply", "auto-reply") or (precedence in ("bulk", "junk") and not letter.forums):
        return f"Precedence: {precedence}"
    if _first(fields, "x-auto-response-suppress") and not letter.through:
        return "X-Auto-Response-Suppress"
    local = _robot(letter)
    return f"from {local}" if local else ""


def is_own(letter: Letter, own_marks: OwnMarks) -> bool:
    """Return whether *letter* is our own mail come back: by Message-ID, mark, or address in From.

    A letter that only pretends to be ours is not heard either.
    """
    if is_ours(letter.message_id, own_marks.secret):
        return True
    if own_marks.instance and own_marks.instance in every(letter.headers, MARK):
        return True
    ours = {fold_address(address) for address in own_marks.addresses}
    return any(fold_address(address) in ours for _, address in letter.senders)


def answerable(letter: Letter, own_marks: OwnMarks, caps: Sequence[str] = ()) -> bool:
    """Return whether *letter* may be answered (RFC 3834 2): a person's, whose address isn't in *caps*."""
    capped = {fold_address(address) for address in caps}
    senders = {fold_address(address) for _, address in letter.senders}
    return bool(senders) and not senders & capped and not machine(letter) and not is_own(letter, own_marks)


def _submitted(fields: Mapping[str, tuple[str, ...]]) -> str:
    """Return the value of Auto-Submitted in any of its fields, unless it is ``no`` (RFC 3834 5)."""
    said = (value.split("(", 1)[0].split(";", 1)[0].strip().lower() for value in fields.get("auto-submitted", ()))
    return next((each for each in said if each not in ("", "no")), "")


def _first(fields: Mapping[str, tuple[str, ...]], name: str) -> str:
    """Return the topmost value of the field *name* (in lower case), or ''."""
    return fields.get(name, _NONE)[0]


def _robot(letter: Letter) -> str:
    """Return the local part of a sender that no person writes from, or ''."""
    for _, address in letter.senders:
        local = address.rpartition("@")[0].lower()
        if local.partition("+")[0].translate(_PARTS) in _ROBOTS or local.endswith(_ROBOT_ENDS):
            return local
    return ""


_RETURN_TAG = "b-"
_RETURNED = ("message/rfc822", "message/global", "text/rfc822-headers", "message/global-headers")
_STATUS = ("message/delivery-status", "message/global-delivery-status")


@dataclass(frozen=True, slots=True)
class Bounce:
    """A letter that was given up: its *status* (``5.1.1``), and the Message-IDs it may have had."""

    status: str
    ids: tuple[str, ...]


def return_path(sender: str, message_id: str) -> str:
    """Return the address to which the letter with this Message-ID bounces; *sender* if there is no room.

    >>> return_path("wolf@contest.example", "<abc.def@contest.example>")
    'wolf+b-abc.def@contest.example'
    """
    return with_tag(sender, _RETURN_TAG + message_id.strip("<>").rpartition("@")[0])


def bounce(raw: Raw, letter: Letter, domain: str) -> Bounce | None:
    """Return what *letter* reports of one of our letters with an id in *domain*; None if no failure."""
    if value_of(next(iter(every(letter.headers, "Content-Type")), "")) != "multipart/report":
        return None
    bounds = Limits()
    try:
        head = split_head(raw.data.replace(b"\r\n", b"\n"), bounds.headers, bounds.header_bytes)
        parts = list(_leaves(tree(head, bounds)))
    except TooMuchError:
        return None
    status = _status(parts)
    if status is None:
        return None
    tagged = letter.tag.removeprefix(_RETURN_TAG).lower() if letter.tag.lower().startswith(_RETURN_TAG) else ""
    heads = [split_head(p.data, bounds.headers, bounds.header_bytes) for p in parts if p.kind in _RETURNED]
    ids = (f"<{tagged}@{domain}>" if tagged else "", *(found.first("Message-ID").strip() for found in heads))
    return Bounce(status, tuple(dict.fromkeys(i for i in ids if i)))


def _status(parts: list[Part]) -> str | None:
    """Return the status of the first recipient given up, '' if it has none; None if nobody was."""
    for part in parts:
        if part.kind not in _STATUS:
            continue
        for group in part.data.split(b"\n\n"):
            fields = dict(_field(line) for line in group.decode("ascii", "replace").splitlines() if ":" in line)
            if fields.get("action", "").lower() == "failed":
                found = fields.get("status", "").split(" ")[0].split("(")[0]
                return found if found.replace(".", "").isdecimal() and len(found) <= 11 else ""
    return None


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip().lower(), value.strip()


def _leaves(part: Part) -> Iterator[Part]:
    if not part.children:
        yield part
    for child in part.children:
        yield from _leaves(child)
