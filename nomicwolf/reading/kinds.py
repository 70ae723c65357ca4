"""Sets of terminals and marks that the scanner treats alike."""

from __future__ import annotations

NUMBERS = {word: number for number, word in enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
))}
JOINERS = frozenset({
    "_IF", "_UNLESS", "_THEN", "_IN_WHICH_CASE", "_BUT_IF", "_BUT", "_OTHERWISE", "_OR_IF_NONE", "_IF_NOT", "_AND",
    "_OR",
    "_AND_NAME", "_OR_NAME", "_NOR", "_ONCE", "_UNTIL", "AFTER", "BEFORE", "AS_OF_NOW", "_NOT_MINE",
})
VALUES = frozenset({
    "NOBODY", "ENDORSE", "COPY", "PRONOUN", "VAGUE", "ALIKE", "ME", "_EITHER", "_FOR", "GUILTY", "INNOCENT",
})
GROUPED = frozenset({
    "_IF", "_UNLESS", "_NOT", "ENDORSE", "COPY", "NOBODY", "NOBODY_ELSE", "ANYBODY", "ANYBODY_ELSE", "_BOTH", "_EITHER",
    "_NEITHER", "AT_LEAST", "MORE_THAN", "AT_MOST", "FEWER_THAN", "EXACTLY", "NOT_EXACTLY", "_IT_IS", "_IT_IS_NOT",
    "MY", "ME", "_MAJORITY", "AFTER", "BEFORE", "_THE_DAY", "_THERE_ARE", "_VOTE", "_FOR", "_SO_WHEN_CAST",
    "_NOT_SO_WHEN_CAST",
})
ENDERS = frozenset({"AS_OF_NOW", "_NOT_MINE"})
VERBS = frozenset({"_VOTE", "ENDORSE", "COPY"})
OPENERS = {"(": ")", "[": "]", "{": "}"}
SEPARATORS = ",;:-="
MARKUP = "*_~"
MOST_DIGITS = 6
WRITTEN = frozenset({
    "CHECK", "SAY", "SAY_TO", "ASK", "INTEND", "INTEND_WITHOUT", "OBJECT", "SUPPORT", "WITHDRAW", "RESOLVE", "ACT_FOR",
    "CONFIRM",
    "ALIAS", "ADDRESS", "HOLIDAY", "WITHDRAW_ALL", "CLAIM", "AWAY", "BACK", "BACK_ON",
    "OBJECT_TO", "SUPPORT_OF", "WITHDRAW_OF", "STANDBY", "STANDBY_OVER", "OBSERVE", "DIGEST",
    "TIMEZONE", "STATISTICS", "UNLISTED",
})
READY = frozenset({"STANDBY", "STANDBY_OVER", "OBSERVE", "DIGEST", "TIMEZONE", "STATISTICS", "UNLISTED"})
ASKED = frozenset({"HELP", "STATUS", "VOTES_WORD", "HISTORY", "RESEND", "QUESTION"})
