"""By what answering machines show themselves: fields that only they set, the program's name, and their subjects.

A sign is a shape, not one program's spelling: fields say "auto" and what was done, in whatever order of hyphens;
subjects begin with what the machine is about, in whatever brackets, case and accents.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

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
    """*subject* as subjects are compared: no accents, brackets around its first words or doubled spaces, lower case."""
    plain = unicodedata.normalize("NFKD", subject.translate(_DRAWN))
    letters = "".join(c for c in plain if unicodedata.category(c) not in ("Mn", "Cf"))
    return " ".join(letters.casefold().split()).lstrip("[(*<{ \"'").replace("]", ":", 1)


_DRAWN = str.maketrans("øØłŁđĐ", "oOlLdD")
_STARTS = tuple(_bare(each) for each in _BEGINNINGS)


def shown_by(fields: Fields, subject: str) -> str:
    """Return what of a letter's *fields* (by names in lower case) or its *subject* is an answering machine's, or ''."""
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
    """Whether a field of this *name* is an answering machine's; most letters have the same few fields."""
    return name not in _OTHERS and _FIELD.search(name) is not None


def _titled(fields: Fields, subject: str) -> bool:
    """Whether *subject* is one that machines write by themselves."""
    bare = _bare(subject[:200])
    if bare.startswith(_STARTS) or subject.lstrip().startswith("AUTO:") or _AUTO.match(bare) or _AWAY.match(bare):
        return True
    notes = "x-mimetrack" in fields or any("notes" in v.lower() for v in fields.get("x-mailer", ()))
    return notes and _NOTES.fullmatch(bare) is not None
