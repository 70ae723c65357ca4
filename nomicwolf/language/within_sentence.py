"""What talk in the same sentence does to a deed: tables for talk anywhere, behind the deed, and before it.

The first row that fits decides; what no row fits is known to be harmless. A row is a feature of talk, never a sentence.
"""

from __future__ import annotations

from itertools import pairwise

from nomicwolf.language.talk_features import (
    ANOTHERS,
    CHOICE,
    CONDITION,
    CONDITIONS,
    CONSEQUENCE,
    CORRECTION,
    DENYING,
    EXPLAINING,
    FEW,
    FRAGMENT,
    GOING_ON,
    HARMLESS,
    HEADING,
    HEDGED,
    LEFT_OVER,
    LINKS,
    MEMBERSHIP,
    NOT_WHOLE,
    OFFICES,
    PARTICIPLES,
    PARTY_TERMS,
    PERIODS,
    PLANNED,
    QUESTION,
    SAMPLE,
    SHORT,
    SIDES,
    SUPPOSING,
    TAKEN_BACK,
    THEIRS,
    THOUGHT,
    TIME,
    TRIFLES,
    UNREAL,
    VOID,
    Row,
    is_comment,
    is_plain,
    is_title,
    is_unknown_title,
    lacks_ground,
    only_adds,
    only_leads,
    runs_on,
    says_whose,
)

ANYWHERE = (
    Row(
        lambda t: (
            t.first.text in {"until", "till", "til", *({"pending"} if t.frame == "unvote" else ())}
            and t.frame in {"vote", "unvote", "endorse"}
            and "elsewhere" not in t.marks
            and not (t.dated or (t.frame != "unvote" and any(word.person for word in t.words[1:2])))
        ),
        None,
    ),
    Row(
        lambda t: t.first.text in {"until", "till", "til"} and any(word.person for word in t.words[1:2]),
        CONDITION,
    ),
    Row(
        lambda t: (
            t.frame in {"join", "leave"} and t.first.text in {"after", "before", "from"} and bool(t.texts & PERIODS)
        ),
        TIME,
    ),
    Row(lambda t: t.frame == "unvote" and bool(t.texts & {"mistake", "wrong"}) and not t.others, None),
    Row(lambda t: t.frame == "accuse" and t.first.terminal == "TO" and "be" in t.texts and not t.others, None),
    Row(
        lambda t: (
            t.frame in {"join", "leave"}
            and bool(t.texts & PARTY_TERMS)
            and not (t.others or t.marks & {"cancel", "joint condition", "hedge", "report"} or t.texts & {"not", "no"})
        ),
        None,
    ),
    Row(lambda t: t.private and t.frame == "see" and bool(t.texts & SIDES) and not t.others, None),
    Row(
        lambda t: (
            (t.attached or (bool(t.before) and not t.parted) or (t.before == "OPEN" and t.parted == "CLOSE"))
            and t.last.text in DENYING | {"never"}
            and all(word.text in DENYING | {"never"} or word.marks & HARMLESS for word in t.words)
        ),
        TAKEN_BACK,
    ),
    Row(lambda t: "quoted" in t.marks and "cancel" not in t.marks, None),
    Row(
        lambda t: (
            t.before != "DASH"
            and all((word.marks & HARMLESS and not word.senses) or word.text.isdigit() for word in t.words)
        ),
        None,
    ),
    Row(
        lambda t: (
            "cancel" in t.marks
            and not (t.first.person is not None or t.first.text in THEIRS)
            and (t.joint not in {"reason", "concession"} or bool(t.before) or t.first.text == "as")
            and not (t.ignores and t.parted == "COMMA" and not t.others and not t.marks & {"refer"})
        ),
        TAKEN_BACK,
    ),
    Row(lambda t: t.frame != "unvote" and says_whose(t), ANOTHERS),
    Row(lambda t: "law proxy" in t.marks and t.named, ANOTHERS),
)
BEHIND = (
    Row(
        lambda t: (
            t.attached
            and t.first.text == "after"
            and not (t.named or "ground" in t.marks or t.texts & {"that", "last", "all", "i", "my", "reading"})
        ),
        TIME,
    ),
    Row(lambda t: t.takes_back, TAKEN_BACK),
    Row(
        lambda t: any(
            one.text in {"not", "only"} and ("joint condition" in two.marks or two.text in {"while", "after", "before"})
            for one, two in pairwise(t.words)
        ),
        CONDITION,
    ),
    Row(
        lambda t: (
            t.joint in {"contrast", "addition", "concession"}
            and any("joint condition" in word.marks for word in t.words[:3])
            and (t.last.terminal == "NOT" or any(word.sense("UNDO") for word in t.words[3:]))
            and any(word.terminal == "I" for word in t.words[3:])
        ),
        CONDITION,
    ),
    Row(lambda t: t.joint == "contrast" and t.texts >= {"not", "both"}, CONDITION),
    Row(
        lambda t: (
            t.first.text in {"after", "before"}
            and len(t.words) > 2
            and t.words[1].person is not None
            and any(word.sense("VOTE", "LABEL", "DO", "HAVE") for word in t.words[2:4])
        ),
        CONDITION,
    ),
    Row(
        lambda t: (
            t.frame == "vote"
            and t.attached
            and (
                (t.first.terminal == "TO" and t.words[1:2] != [] and t.words[1].text in OFFICES)
                or (
                    t.first.text == "as"
                    and len(t.words) <= FEW
                    and not t.marks & {"ground"}
                    and not any(
                        w.terminal in {"I", "THEY", "BE", "HAVE", "DO"} or w.text.endswith("ed") for w in t.words[1:]
                    )
                    and not any(w.text in {"well", "usual", "before", "always", "ever"} for w in t.words[1:])
                )
            )
        ),
        TIME,
    ),
    Row(lambda t: t.private and t.frame == "see" and t.attached and t.first.terminal == "AS", THOUGHT),
    Row(
        lambda t: t.private and t.frame == "see" and t.attached and t.first.terminal == "AND" and bool(t.others), CHOICE
    ),
    Row(
        lambda t: (
            t.private
            and t.frame == "see"
            and t.attached
            and any(word.sense("HAVE", "BE", "WILL") or word.text.endswith("ed") for word in t.words[:3])
        ),
        LEFT_OVER,
    ),
    Row(
        lambda t: t.frame == "unvote" and bool(t.others) and any(word.sense("VOTE", "N_VOTE") for word in t.words),
        CHOICE,
    ),
    Row(lambda t: t.wished and t.joint == "contrast", THOUGHT),
    Row(
        lambda t: (
            t.before == "OPEN" and t.denies(VOID) and "refer" in t.marks and t.first.text not in THEIRS and not t.named
        ),
        TAKEN_BACK,
    ),
    Row(lambda t: t.before == "COMMA" and [w.terminal for w in t.words[1:]] == ["NOT", "I"], HEDGED),
    Row(lambda t: t.frame == "accuse" and t.first.terminal == "OF" and not t.others, None),
    Row(
        lambda t: (
            t.first.sense("AND") is not None
            and len(t.words) == 2
            and not (t.last.senses or t.last.marks or t.last.person)
        ),
        LEFT_OVER,
    ),
    Row(
        lambda t: (
            t.first.text == "for"
            and any(word.text.endswith("ing") for word in t.words[1:3])
            and not t.others
            and not t.marks & {"elsewhere", "sample", "fiction", "cancel"}
        ),
        None,
    ),
    Row(
        lambda t: t.before == "OPEN" and t.first.text != "so" and bool(t.texts & {"form", "manual", "robot", "parser"}),
        SAMPLE,
    ),
    Row(
        lambda t: (
            t.frame == "accuse" and (bool(t.texts & {"rule", "rules"}) or any(word.text.isdigit() for word in t.words))
        ),
        LEFT_OVER,
    ),
    Row(lambda t: t.first.text in {"which", "except"} and "not" in t.texts, TAKEN_BACK),
    Row(lambda t: t.first.text in {"at", "by"} and any(word.text.isdigit() for word in t.words), TIME),
    Row(lambda t: t.before == "OPEN" and "elsewhere" in t.marks and len(t.words) <= FEW, TIME),
    Row(lambda t: t.before == "DASH" and all(word.text.isdigit() for word in t.words), ANOTHERS),
    Row(
        lambda t: (
            bool(t.others)
            and not t.first.senses
            and not t.first.marks
            and t.first.person is None
            and len(t.words) <= FEW - 1
        ),
        CHOICE,
    ),
    Row(
        lambda t: (
            any("report" in word.marks for word in t.words[:3])
            and not t.joint
            and len(t.words) <= SHORT
            and (t.first.terminal == "I" or (t.first.person is not None and bool(t.others)))
        ),
        ANOTHERS,
    ),
    Row(
        lambda t: (
            t.first.text in {"after", "before"}
            and len(t.words) > 2
            and (t.words[1].person is not None or t.words[1].terminal == "THEY")
            and (t.words[2].sense("HAVE") is not None or (t.first.text == "after" and t.words[2].text.endswith("s")))
        ),
        CONDITION,
    ),
    Row(lambda t: t.dated and t.first.terminal in {"IN", "FOR", "FROM"} | {""} and len(t.words) <= FEW + 1, TIME),
    Row(
        lambda t: (
            t.first.text in {"absent", "without", "were", "had", "where", "pretending", "barring"}
            and len(t.words) <= SHORT
            and (t.named or "law matter" in t.marks or "objections" in t.texts)
        ),
        CONDITION,
    ),
    Row(
        lambda t: (
            bool(t.others)
            and any(word.text in {"not", "rather than", "instead of", "over"} for word in t.words[:2])
            and all(
                word.person is not None
                or word.terminal in LINKS
                or word.text in {"not", "rather than", "instead of", "over"}
                for word in t.words
            )
        ),
        None,
    ),
    Row(lambda t: t.corrects, CORRECTION),
    Row(lambda t: t.has_consequence, None),
    Row(
        lambda t: any(
            "joint condition" in word.marks and not (word is t.words[-1] and word.text == "once")
            for word in t.words[: 4 if t.joint == "contrast" or (t.attached and t.joint != "addition") else 2]
        ),
        CONDITION,
    ),
    Row(lambda t: bool(t.texts & CONDITIONS) and not t.texts & {"no", "without", "any", "un"}, CONDITION),
    Row(
        lambda t: (
            t.joint == "choice"
            and t.words[1:2] != []
            and t.words[1].terminal in {"I", "WE", "THEY"}
            and not (t.others or (t.first.text == "or" and any(word.terminal == "WOULD" for word in t.words)))
        ),
        None,
    ),
    Row(lambda t: t.joint == "choice" or t.before == "SLASH", CHOICE),
    Row(lambda t: "joint condition" in t.marks and bool(t.others) and t.first.terminal in {"AND", "WITH"}, CONDITION),
    Row(lambda t: t.first.terminal == "WITH" and "exception" in t.texts, CONDITION),
    Row(lambda t: t.first.text == "as" and "of" in t.texts and (t.dated or "elsewhere" in t.marks), TIME),
    Row(
        lambda t: (
            bool(t.others)
            and not t.texts & {"sorry", "thanks", "poor"}
            and all(
                word.person is not None
                or word.terminal in LINKS
                or word.marks & HARMLESS
                or "joint contrast" in word.marks
                or word.text in {"first", "second"}
                for word in t.words
            )
        ),
        CHOICE,
    ),
    Row(
        lambda t: (
            t.before == "OPEN"
            and t.named
            and not t.texts & {"sorry", "thanks", "poor", "like"}
            and (len(t.words) <= 2 or t.first.text in {"via", "for", "by", "from", "per", "on"})
        ),
        ANOTHERS,
    ),
    Row(
        lambda t: (
            t.before == "OPEN"
            and (
                bool(t.marks & {"sample", "fiction"})
                or ("report" in t.marks and "i" not in t.texts)
                or t.texts & {"how", "fails", "quoting", "quotation", "phrase"} != set()
            )
        ),
        SAMPLE,
    ),
    Row(
        lambda t: t.first.terminal == "BE" and t.first.text != "being" and t.before not in {"OPEN", "COLON", "QUOTE"},
        ANOTHERS,
    ),
    Row(
        lambda t: (
            bool(t.others)
            and len(t.words) <= FEW - 1
            and not t.texts & {"sorry", "thanks", "poor", "like"}
            and (t.first.person is not None or any(word.text.isdigit() or word.text[:1].isdigit() for word in t.words))
            and not any(word.sense("HAVE", "BE", "WILL") for word in t.words[1:2])
        ),
        CHOICE,
    ),
    Row(lambda t: t.first.text == "among", CHOICE),
    Row(
        lambda t: (
            t.first.text == "for"
            and (t.private or t.frame in {"accuse", "unvote"} or bool(t.texts & {"me", "us", "trial"}))
            and not (t.others or t.dated or "elsewhere" in t.marks or t.marks & {"fiction", "sample"})
        ),
        None,
    ),
    Row(lambda t: t.joint == "reason" and t.first.text == "for" and lacks_ground(t), TIME),
    Row(
        lambda t: (
            "elsewhere" in t.marks
            and len(t.words) < FRAGMENT
            and "i" not in t.texts
            and t.first.terminal in {"FOR", "AS", "IN", "FROM"}
        ),
        TIME,
    ),
    Row(
        lambda t: t.joint == "reason" and t.first.text == "as" and any(word.terminal == "WOULD" for word in t.words),
        THOUGHT,
    ),
    Row(lambda t: t.first.text == "effective" and "elsewhere" in t.marks, TIME),
    Row(
        lambda t: (
            t.first.terminal == "TO"
            and len(t.words) > 1
            and t.words[1].text in {"be", "stay", "live", "win"}
            and not any(word.sense("STRIKE", "VOTE") for word in t.words[2:])
        ),
        TIME,
    ),
    Row(
        lambda t: t.joint in EXPLAINING and not (t.joint == "reason" and t.first.text == "for" and (lacks_ground(t))),
        None,
    ),
    Row(lambda t: "elsewhere" in t.marks and "i" not in t.texts and (t.attached or t.only(TRIFLES)), TIME),
    Row(lambda t: "report" in t.marks and len(t.words) <= FEW and t.first.text not in {"i", "what"}, ANOTHERS),
    Row(
        lambda t: (
            t.first.terminal == "AND"
            and len(t.words) > 2
            and t.words[1].terminal == "YOU"
            and any(word.terminal == "WILL" for word in t.words)
        ),
        LEFT_OVER,
    ),
    Row(
        lambda t: (
            t.first.terminal == "AND"
            and (len(t.words) <= 2 or t.words[1].text == "get")
            and any(word.senses for word in t.words[1:])
        ),
        LEFT_OVER,
    ),
    Row(
        lambda t: (
            t.attached
            and not t.filled
            and not t.first.marks & HARMLESS
            and not t.joint
            and (t.first.terminal not in {"IN", "AS", "WITH", "TO"} or t.frame == "join")
            and (t.first.text not in PARTICIPLES)
        ),
        NOT_WHOLE,
    ),
    Row(
        lambda t: (
            t.attached
            and t.joint not in GOING_ON
            and not t.first.marks & HARMLESS
            and not (only_adds(t) or is_comment(t) or runs_on(t))
        ),
        LEFT_OVER,
    ),
)
BEFORE = (
    Row(
        lambda t: t.parted == "COMMA" and t.first.terminal == "I" and t.last.terminal == "NOT" and not t.named,
        TAKEN_BACK,
    ),
    Row(lambda t: [word.terminal for word in t.words] == ["DO"] and t.mine, QUESTION),
    Row(
        lambda t: (
            t.first.text in {"instead of", "rather than"}
            and t.named
            and all(word.person or word.sense("AND", "OR") for word in t.words[1:])
        ),
        None,
    ),
    Row(
        lambda t: t.parted == "COLON" and bool(t.texts & {"you", "your", "due", "received", "owed", "open", "read"}),
        ANOTHERS,
    ),
    Row(
        lambda t: (
            t.first.terminal == "I"
            and t.last.sense("AND") is not None
            and not t.named
            and not any(
                word.text != "it" and word.sense("NOT", "WILL", "WOULD", "CAN", "PLAN", "YOU", "THEY")
                for word in t.words
            )
            and not t.marks & {"report", "hedge", "cancel", "fiction", "sample", "question"}
            and ("think" not in t.marks or "about" in t.texts)
        ),
        None,
    ),
    Row(lambda t: t.frame in {"join", "leave"} and t.words[0].text == "if" and t.texts <= MEMBERSHIP, None),
    Row(
        lambda t: (
            t.parted == "COLON"
            and t.words[-1].text in CONSEQUENCE
            and not t.marks & {"report", "sample", "fiction", "cancel", "joint condition"}
        ),
        None,
    ),
    Row(lambda t: t.texts >= {"as", "i", "said"} and not t.others and len(t.words) <= FRAGMENT, None),
    Row(
        lambda t: (
            t.parted == "COLON"
            and t.named
            and t.first.sense("NOT", "NEITHER") is not None
            and all(
                word.person or word.sense("NOT", "NEITHER", "AND", "OR") or word.marks & HARMLESS for word in t.words
            )
        ),
        None,
    ),
    Row(
        lambda t: "report" in t.marks and t.parted == "COMMA" and not t.texts & {"i", "my"} and len(t.words) <= FEW,
        ANOTHERS,
    ),
    Row(
        lambda t: t.ignores and t.parted == "COMMA" and bool(t.texts & {"i", "my"}) and (t.private or not t.others),
        None,
    ),
    Row(lambda t: ("ago" in t.texts and len(t.words) <= FEW) or t.texts >= {"from", "now"}, TIME),
    Row(lambda t: t.first.text in {"after", "before", "until", "once"} and t.named and len(t.words) <= FEW, CONDITION),
    Row(lambda t: t.first.text == "were", CONDITION),
    Row(lambda t: t.dated and t.first.terminal in {"IN", "FOR", "FROM"} | {""} and len(t.words) <= FEW + 1, TIME),
    Row(
        lambda t: (
            t.first.terminal == "WITH"
            and bool(t.texts & {"notice", "support", "supporters", "consent", "objection", "objections", "permission"})
        ),
        CONDITION,
    ),
    Row(lambda t: t.corrects, None),
    Row(lambda t: any("joint condition" in word.marks for word in t.words[:2]), CONDITION),
    Row(
        lambda t: (
            bool(t.others)
            and t.parted == "COMMA"
            and len(t.words) <= FRAGMENT
            and (
                t.first.text in {"for", "via", "through", "by", "quoth", "on"}
                or t.marks & {"report", "author"} != set()
                or (
                    (
                        t.first.terminal in {"AS", "IN"}
                        and t.first.text != "like"
                        and (len(t.words) <= 2 or any(word.terminal == "POSS" for word in t.words))
                    )
                    or (t.words[1:2] != [] and t.words[1].terminal == "AS")
                )
            )
        ),
        ANOTHERS,
    ),
    Row(
        lambda t: (
            t.first.text == "as"
            and t.parted == "COMMA"
            and len(t.words) <= FEW + 2
            and not (t.words[1:2] != [] and (t.words[1].text.endswith("ed") or t.words[1].text[:1].isdigit()))
            and ("ground" not in t.marks)
            and not any(
                word.terminal in {"BE", "HAVE", "I", "DO", "THEY"} or word.person is not None for word in t.words
            )
        ),
        TIME,
    ),
    Row(
        lambda t: (
            t.parted == "COLON"
            and t.joint not in EXPLAINING
            and not is_title(t)
            and not (t.private and t.own and t.first.terminal == "I")
            and bool(t.others or (t.texts & PLANNED and "like" not in t.texts) or t.marks & UNREAL)
        ),
        HEADING,
    ),
    Row(is_unknown_title, HEADING),
    Row(lambda t: t.start.text in SUPPOSING, SAMPLE),
    Row(lambda t: t.parted == "COLON" and [word.terminal for word in t.words] == ["NOT"], TAKEN_BACK),
    Row(lambda t: [w.text for w in t.words[:2]] == ["one", "more"] and only_leads(t), CONDITION),
    Row(
        lambda t: (
            "fiction" in t.marks and (not t.parted or len(t.words) <= FEW) and (t.joint not in {"reason", "concession"})
        ),
        SAMPLE,
    ),
    Row(lambda t: "sample" in t.marks and (not t.parted or len(t.words) < FEW), SAMPLE),
    Row(lambda t: "question" in t.first.marks and t.joint != "relative" and not t.parted, QUESTION),
    Row(lambda t: bool(t.texts & {"more"}) and t.last.terminal == "AND" and not t.named, CONDITION),
    Row(lambda t: "elsewhere" in t.marks and t.first.text in {"after", "before", "during", "until"}, TIME),
    Row(lambda t: t.named and t.first.text in {"under", "were", "had"} and t.parted == "COMMA", CONDITION),
    Row(lacks_ground, TIME),
    Row(lambda t: t.joint in {"reason", "concession"}, None),
    Row(
        lambda t: "elsewhere" in t.marks and (not t.parted or len(t.words) <= FEW) and (not t.texts & {"i", "my"}),
        TIME,
    ),
    Row(lambda t: "hedge" in t.marks and t.only(TRIFLES), HEDGED),
    Row(lambda t: not t.parted and not only_leads(t) and not (t.mine and is_plain(t)), LEFT_OVER),
)
