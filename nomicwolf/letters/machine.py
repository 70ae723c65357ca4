"""Mail from machines: bounces, auto-replies, echoes.

RFC 3834, 3464, 3463, 6522 and 8098.

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

from nomicwolf.letters.compose import MARK, is_ours
from nomicwolf.letters.headers import every, named, split_head
from nomicwolf.letters.identity import fold_address, with_tag
from nomicwolf.letters.letter import Letter, Limits, Raw
from nomicwolf.letters.parts import Part, TooMuchError, tree, value_of

Fields = Mapping[str, tuple[str, ...]]
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


def shown_by(fields: Fields, subject: str) -> str:
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


def _titled(fields: Fields, subject: str) -> bool:
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
