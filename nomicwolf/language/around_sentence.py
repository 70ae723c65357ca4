"""What the sentences beside a deed do to it: tables for either side, for the next one, and for the one above.

The first row that fits decides; what no row fits is known to be harmless. A row is a feature of talk, never a sentence.
"""

from __future__ import annotations

from nomicwolf.language.talk_features import (
    ANOTHERS,
    CHOICE,
    CONDITION,
    CORRECTION,
    DENYING,
    FEW,
    FORWARD,
    FRAGMENT,
    HARMLESS,
    HEADING,
    HEDGED,
    LONG,
    POINTING,
    SAMPLE,
    SAYING,
    SHORT,
    TAKEN_BACK,
    THEIRS,
    TIME,
    TRIFLES,
    TURNING,
    VOID,
    Row,
    embeds,
    is_other_names,
    is_title,
    says_whose,
)

AROUND = (
    Row(
        lambda t: t.above and "cancel" in t.marks and (t.dated or bool(t.texts & {"previous", "earlier", "last"})), None
    ),
    Row(
        lambda t: not t.above and t.first.text == "or" and any(word.terminal == "WOULD" for word in t.words[:4]),
        TAKEN_BACK,
    ),
    Row(lambda t: t.has_consequence, None),
    Row(
        lambda t: (
            t.joint == "condition" and any(word.sense("REQUEST") or word.text == "let me" for word in t.words[3:])
        ),
        None,
    ),
    Row(
        lambda t: (
            t.frame == "unvote"
            and not (t.above or t.asked or t.others or t.texts & VOID or "joint condition" in t.marks)
            and t.first.text != "actually"
        ),
        None,
    ),
    Row(
        lambda t: (
            t.above
            and t.texts & {"last", "previous"} != set()
            and t.texts & {"count", "counts"} != set()
            and not t.named
        ),
        None,
    ),
    Row(lambda t: "cancel" in t.marks and "no" in t.texts and not t.texts & VOID and len(t.words) <= FEW, None),
    Row(
        lambda t: (
            "cancel" in t.marks
            and ("refer" in t.marks or (len(t.words) <= SHORT and not t.others))
            and not (t.ignores and any(word.terminal == "POSS" for word in t.words))
            and (not t.above or bool(t.texts & (FORWARD if t.near else FORWARD - {"i", "only"})))
        ),
        TAKEN_BACK,
    ),
    Row(
        lambda t: (
            (
                t.denies(VOID)
                or (
                    "no" in t.texts
                    and "i" not in t.texts
                    and bool(t.texts & {"vote", "votes", "action", "actions", "effect"})
                )
            )
            and bool(t.texts & VOID)
            and t.start.text not in THEIRS
            and not (t.named or (t.above and "had" in t.texts))
            and "you" not in t.texts
            and ("refer" in t.marks or len(t.words) <= FEW + 1)
        ),
        TAKEN_BACK,
    ),
    Row(says_whose, ANOTHERS),
)
NEXT = (
    Row(
        lambda t: (
            "not" in t.texts
            and t.named
            and not t.others
            and all(word.person or word.breaks or word.text in TURNING or word.marks & HARMLESS for word in t.words)
        ),
        TAKEN_BACK,
    ),
    Row(lambda t: t.first.text in {"wait", "hold"} and bool(t.texts & {"before", "until", "next"}), TAKEN_BACK),
    Row(lambda t: t.joint == "contrast" and "only" in t.texts and "joint condition" in t.marks, CONDITION),
    Row(lambda t: t.first.terminal == "BE" and "what" in t.texts and bool(t.marks & {"author", "report"}), ANOTHERS),
    Row(lambda t: t.asked and t.corrects, CORRECTION),
    Row(
        lambda t: (
            "elsewhere" in t.marks
            and len(t.words) <= FEW
            and (
                t.first.text in {"effective", "valid", "starting"}
                or (t.first.text in {"that", "this", "it"} and "was" in t.texts)
            )
        ),
        TIME,
    ),
    Row(
        lambda t: t.first.text in {"after", "before", "until", "unless"} and t.named and len(t.words) <= FEW,
        CONDITION,
    ),
    Row(lambda t: "conditionally" in t.texts and len(t.words) <= 2, CONDITION),
    Row(lambda t: any(word.sense("UNDO") for word in t.words[:2]) and "said" in t.texts and not t.named, TAKEN_BACK),
    Row(lambda t: t.last.text == "wish" and len(t.words) <= 2, TAKEN_BACK),
    Row(lambda t: t.first.text == "no" and bool(t.others) and len(t.words) <= FEW, CORRECTION),
    Row(lambda t: t.first.terminal == "BE" and bool(t.others) and len(t.words) <= FRAGMENT, ANOTHERS),
    Row(lambda t: bool(t.others) and bool(t.texts & {"said", "says"}) and len(t.words) <= FEW, ANOTHERS),
    Row(lambda t: t.first.text.startswith("this") and (t.texts >= {"how", "done"} or "form" in t.texts), SAMPLE),
    Row(
        lambda t: bool(t.first.text.split()[0] in POINTING) and "would" in t.texts and len(t.words) <= SHORT, TAKEN_BACK
    ),
    Row(lambda t: t.texts >= {"takes", "effect"} or t.texts >= {"take", "effect"}, TIME),
    Row(
        lambda t: (
            t.first.sense("UNDO") is not None
            and ("refer" in t.marks or "said" in t.texts)
            and not t.named
            and len(t.words) <= FRAGMENT
        ),
        TAKEN_BACK,
    ),
    Row(lambda t: t.texts >= {"not", "say", "that"}, TAKEN_BACK),
    Row(lambda t: "conditional" in t.texts and "could" not in t.texts and len(t.words) <= SHORT, CONDITION),
    Row(
        lambda t: (
            t.first.text == "not"
            and bool(t.others)
            and len(t.words) <= FRAGMENT
            and not (t.words[1].person is not None and "joint condition" not in t.marks)
        ),
        CONDITION,
    ),
    Row(lambda t: t.first.terminal == "FROM" and "elsewhere" in t.marks and len(t.words) <= FEW, TIME),
    Row(lambda t: t.first.text in SAYING and bool(t.others) and len(t.words) <= FEW, ANOTHERS),
    Row(lambda t: t.asked and "would" in t.texts, SAMPLE),
    Row(lambda t: t.conditional and t.named and len(t.words) <= FRAGMENT + 1, CONDITION),
    Row(lambda t: t.last.terminal == "NOT" and len(t.words) <= FEW + 1, TAKEN_BACK),
    Row(lambda t: t.first.sense("UNDO") is not None and len(t.words) <= 2, TAKEN_BACK),
    Row(lambda t: "yeah" in t.texts and len(t.texts) > 1 and t.texts <= {"yeah", "right", "sure"}, TAKEN_BACK),
    Row(lambda t: "elsewhere" in t.marks and t.texts >= {"i", "will", "it"} and t.first.terminal == "I", TIME),
    Row(
        lambda t: (
            bool(t.others)
            and t.first.person is not None
            and len(t.words) <= FEW
            and (t.dated or "elsewhere" in t.marks)
            and not any(word.senses or word.marks & {"report", "author"} for word in t.words[1:2])
        ),
        ANOTHERS,
    ),
    Row(
        lambda t: (
            t.asked
            and (
                (len(t.words) <= 2 and bool(t.texts & {"deal", "ok", "okay"} or "question" in t.marks))
                or bool(t.texts & {"that", "this"} and t.texts & {"sound", "sounds"})
            )
        ),
        SAMPLE,
    ),
    Row(
        lambda t: (
            t.first.terminal in {"TO", "AS"}
            and len(t.words) <= FRAGMENT
            and (t.first.text != "to" or (t.words[1:2] != [] and t.words[1].text == "be"))
            and "i" not in t.texts
        ),
        TIME,
    ),
    Row(lambda t: t.joint == "condition" and not t.parted and len(t.words) <= LONG, CONDITION),
    Row(
        lambda t: (
            ((t.joint == "choice" or "joint correction" in t.marks) and len(t.words) <= FRAGMENT)
            or any(
                "joint correction" in word.marks and any(after.person for after in t.words[at + 1 : at + 3])
                for at, word in enumerate(t.words[:3])
            )
        ),
        CORRECTION,
    ),
    Row(lambda t: "hedge" in t.marks and len(t.words) <= FEW and t.frame != "unvote", HEDGED),
    Row(lambda t: is_other_names(t) and ("or" in t.texts or not t.asked), CHOICE),
    Row(
        lambda t: (
            "elsewhere" in t.marks
            and len(t.words) <= FEW
            and (t.first.terminal in {"IN", "FOR"} or t.first.text in {"at", "count"} or t.only(TRIFLES))
        ),
        TIME,
    ),
    Row(
        lambda t: (
            any(word.text in DENYING for word in t.words)
            and all(word.text in TURNING or word.marks & HARMLESS for word in t.words)
        ),
        TAKEN_BACK,
    ),
)
ABOVE = (
    Row(
        lambda t: (
            t.parted == "COLON" and all(word.person or word.breaks or word.marks & {"discourse"} for word in t.words)
        ),
        None,
    ),
    Row(
        lambda t: (
            [w.text for w in t.words if not (w.person or w.marks & HARMLESS)] in (["what", "said"], ["what", "says"])
        ),
        None,
    ),
    Row(
        lambda t: "cancel" in t.marks and not t.named and t.first.terminal != "COMMUNITY" and len(t.words) <= FEW - 1,
        TAKEN_BACK,
    ),
    Row(
        lambda t: (
            bool(t.others)
            and bool(t.marks & {"report", "author", "sample"})
            and t.reports_nothing
            and not any(word.sense("CAN", "MUST", "WOULD") for word in t.words)
            and len(t.words) <= FRAGMENT
            and (t.first.terminal != "I" and "i" not in t.texts)
        ),
        ANOTHERS,
    ),
    Row(
        lambda t: (
            bool(t.others)
            and (
                bool(t.texts & {"here", "quote", "impression"})
                or t.texts >= {"post", "this"}
                or (t.texts >= {"this", "is"})
            )
            and len(t.words) <= SHORT
        ),
        ANOTHERS,
    ),
    Row(
        lambda t: (
            bool(t.texts & {"following", "below", "follows"})
            and bool(t.texts & {"not", "none", "nothing", "no", "consider"} or t.marks & {"cancel", "joint correction"})
        ),
        SAMPLE,
    ),
    Row(
        lambda t: (
            t.asked
            and bool(
                t.texts >= {"would", "this"}
                or t.texts
                & {
                    "bot",
                    "robot",
                    "parser",
                    "these",
                    "better",
                    "right",
                    "work",
                    "form",
                    "clearer",
                    "word",
                    "following",
                    "send",
                    "write",
                }
            )
            and len(t.words) <= SHORT
        ),
        SAMPLE,
    ),
    Row(
        lambda t: (
            "joint correction" in t.marks
            and bool(t.texts & {"message", "this"} or "refer" in t.marks)
            and (len(t.words) <= FEW + 1)
        ),
        TAKEN_BACK,
    ),
    Row(
        lambda t: (
            t.parted == "COLON"
            and (
                bool(t.others)
                or "cancel" in t.marks
                or "bygone" in t.marks
                or any(word.sense("UNDO") and word.text != "take" for word in t.words)
                or bool(t.texts & {"not", "never", "everybody", "everyone", "you"})
                or bool(t.texts & {"previous", "last", "old", "count", "options", "commands", "draft", "rules"})
            )
            and len(t.words) <= SHORT
        ),
        HEADING,
    ),
    Row(lambda t: not t.ended and t.last.text in {"write", "say", "send", "post", "type"}, SAMPLE),
    Row(lambda t: not t.ended and t.last.text in {"wrote", "sent", "posted", "typed", "tried"}, ANOTHERS),
    Row(lambda t: t.parted == "COLON" and bool(t.texts & {"refused", "rejected", "bounced"}), HEADING),
    Row(
        lambda t: not t.ended and [w.text for w in t.words if w.terminal != "AND"][:1] == ["to"] and not t.named,
        SAMPLE,
    ),
    Row(
        lambda t: (
            bool(t.others)
            and bool(t.texts & {"posting", "posted", "forwarded", "forwarding", "relaying", "style", "behalf"})
            and len(t.words) <= FRAGMENT
        ),
        ANOTHERS,
    ),
    Row(lambda t: t.parted == "COLON" and (embeds(t) or not is_title(t)), HEADING),
    Row(
        lambda t: (
            bool(t.marks & {"fiction", "sample"})
            and len(t.words) <= SHORT
            and not (t.named or t.first.text in {"no", "sorry", "oops"})
        ),
        SAMPLE,
    ),
    Row(lambda t: t.joint == "condition" and not t.parted and bool(t.texts & {"following", "this"}), CONDITION),
    Row(
        lambda t: (
            t.last.terminal == "NOT"
            and len(t.words) <= FEW
            and [word.terminal for word in t.words] != ["I", "WILL", "NOT"]
        ),
        TAKEN_BACK,
    ),
)
