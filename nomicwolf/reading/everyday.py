"""Everyday words around deeds: which leave a sentence a deed, which make it talk, which make it doubtful."""

from __future__ import annotations

LEADS = (
    "ok", "okay", "well", "so", "thus", "hence", "therefore", "hereby", "now", "right", "alright", "all right",
    "fine",
    "anyway", "also", "and", "but", "yes", "yeah", "yep", "hmm", "first", "firstly", "finally", "lastly", "next",
    "meanwhile", "accordingly", "consequently", "for the record", "with that", "with regret", "with a heavy heart",
    "hello", "hi", "hi all", "hello all", "hello everyone", "hi everyone", "all", "everyone", "greetings", "for now",
    "and so", "that said", "that being said", "having said that", "as promised", "given all this", "given all that",
    "for these reasons", "for that reason", "for this reason", "because of this", "because of that",
    "in light of this",
    "in light of that", "as a result", "to be clear", "officially", "formally", "today", "this time", "again",
    "still",
    "after some thought", "after much thought", "on reflection", "reluctantly", "happily", "gladly", "sadly",
    "regretfully", "unfortunately", "secondly", "in the meantime", "as such", "and now", "oh", "ah", "eh", "meh",
    "sorry", "changed my mind", "i changed my mind", "no wait", "no, wait", "wait", "actually", "on second thought",
    "on second thoughts", "edit", "update", "correction", "hey", "dear all", "good morning", "good evening",
    "additionally", "moreover", "besides", "for what it's worth", "fwiw", "just in case", "as of now",
)
"""Words before a deed that leave it a deed: greetings, "so", "reluctantly"."""
CONNECTORS = (
    "so", "and so", "therefore", "thus", "hence", "and", "but", "and therefore", "and thus", "accordingly",
)
"""Words that join a reason to the deed that follows from it."""
LAST_OF_TALK = frozenset({
    "after", "although", "always", "as", "because", "before", "can", "could", "did", "do", "does", "ever", "everyone",
    "guess", "guy", "how", "if", "imagine", "may", "might", "must", "never", "normally", "not", "often",
    "once", "one",
    "ones", "people", "person", "player", "players", "pretend", "rarely", "reason", "said", "say", "saying", "says",
    "shall", "should", "since", "sometimes", "suppose", "than", "that", "think", "though", "thought", "till", "time",
    "times", "unless", "until", "usually", "what", "what's", "when", "whenever", "where", "whether", "while", "who",
    "whoever", "whom", "whomever", "why", "will", "would",
})
"""A performing phrase right after one of these is talk: "why I vote"."""
MADE_UP = frozenset({
    "example", "hypothetically", "imagine", "instance", "pretend", "quote", "said", "says", "suppose",
    "writes", "wrote",
})
"""Words that make a sentence a supposition or a report."""
STRONG = frozenset({
    "assuming", "could", "example", "hypothetically", "if", "imagine", "instance", "joke", "joking", "kidding",
    "later",
    "might", "nobody", "once", "otherwise", "pretend", "promise", "provided", "quote", "said", "sarcastically",
    "says",
    "seriously", "should", "suppose", "tempted", "till", "tomorrow", "unless", "until", "when", "whenever", "whether",
    "wish", "wonder", "would", "wrote", "yesterday",
})
"""Words before a performing phrase that make it doubtful."""
IDIOMS = frozenset({
    "because", "early", "every", "here", "how", "in", "often", "on", "that", "this", "we", "we'd", "we'll", "when",
    "whenever",
})
""""I vote that we wait" proposes."""
CANCELS = (
    "just kidding", "kidding", "jk", "j/k", "joking", "just joking", "not really", "only joking", "maybe",
    "perhaps", "i take that back", "i take it back", "scratch that", "nevermind", "never mind",
    "or maybe not", "forget that", "forget it", "strike that", "ignore that", "cancel that", "no", "wait",
    "or maybe", "psych", "/s",
    "that was a joke", "this is a joke", "i'm kidding", "i am kidding", "i'm joking", "lol jk", "not", "no wait",
    "or not", "i don't mean that", "i'm not serious", "i am not serious", "this is not a vote", "that is not a vote",
    "this isn't a vote", "that's not a vote", "not a vote", "this is not an actual vote", "just testing",
    "this vote is not real", "sarcasm", "wait, no", "april fools",
)
"""What takes back a sentence before it."""
VOTING_WORDS = frozenset({
    "attack", "endorse", "endorsing", "heal", "lynch", "lynching", "poison", "retract", "shoot", "unvote", "unvoting",
    "vote", "voted", "votes", "voting",
})
"""Words of sentences that look like deeds."""
HALF_SAID = (
    "i would like to retract", "i'd like to retract", "i want to retract",
    "i'm voting", "i am voting", "i'd like to vote", "i want to vote", "i'm changing my vote",
    "i am changing my vote",
    "changing my vote", "switching to", "switching my vote", "i'm endorsing", "i am endorsing", "my vote stays",
    "my vote remains", "put me down for", "put my vote", "count my vote", "i'm switching", "prolly", "make my vote",
    "let my vote", "my vote shall be", "my vote will be", "i wish to vote", "i'd vote now",
)
"""Openings that could be meant as a vote."""
BRIEF = 4
""""Voting Gus" is a vote half said only when the sentence is about so short."""
CHANGES = (
    "changed my mind", "i changed my mind", "i've changed my mind", "i have changed my mind", "change of heart",
)
"""Openings of a change that is not worded as one."""
HALF_CHOSEN = (
    "i choose", "my target", "my choice", "my victim", "target:", "no heal", "don't heal", "do not heal",
    "i do not heal",
    "i don't heal", "i won't heal", "i will not heal", "seer:", "we attack", "we kill", "we choose",
    "i want to know about",
    "i'd like to know about", "i would like to know about", "is ", "tell me about", "i pick", "my pick", "no poison",
)
"""Openings in private letters that could be meant as a deed of the night."""
NOMIC_WORDS = frozenset({
    "proposal", "proposals", "present", "against", "above", "all", "decision", "decisions", "election", "referendum",
    "endorsement", "cfj", "dispute", "motion", "following",
})
"""Words of the nomics' other votes: a vote for no player that has one of these is not meant here."""
