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
    "on second thoughts", "edit", "update", "nb", "n.b.", "note", "correction", "hey", "dear all",
    "good morning", "good evening",
    "additionally", "moreover", "besides", "for what it's worth", "fwiw", "just in case", "as of now",
    "at this time", "at the moment", "at this point", "on this day", "right now", "with this message",
    "with this letter",
    "by this message", "by this letter", "herewith", "it is with regret that", "it is with a heavy heart that",
    "my decision", "my final decision", "final answer", "decision", "conclusion", "in conclusion", "to conclude",
    "it's time",
    "it is time", "in short", "tl;dr", "tldr", "imo", "k",
    "as a werewolf", "as the werewolf", "as one of the werewolves",
    "as seer", "as the seer", "as witch", "as the witch", "as hunter", "as the hunter", "as cupid", "as doctor",
    "as the doctor", "as a villager", "as a townsperson", "as the mythomaniac", "as mythomaniac", "as the owl",
    "as owl", "as the bodyguard", "as bodyguard", "as the cop", "as cop", "as the vigilante", "as vigilante",
    "as the tracker",
    "as tracker", "as the watcher", "as watcher", "as the roleblocker", "as roleblocker", "as a policeman",
    "as the policeman", "as a prophet", "as the prophet", "as prophet", "as a gadianton", "as one of the gadiantons",
    "as one of the mafia", "as a mafioso", "as the godfather", "effective immediately",
    "in case my earlier message failed", "in case it did not get through", "change of plan", "change of plans",
    "new plan", "effective now", "bye all", "hi folks", "folks", "friends", "dear friends",
    "ttpf", "tttpf", "ttttpf", "tttttpf", "ttttttpf", "this time to the public forum", "resending to the public forum",
    "me too", "fair enough", "good point", "i agree", "i concur", "before i forget", "for the last time",
    "i change my mind", "i've changed my mind", "i have changed my mind", "actually no", "actually, no",
    "please note that",
    "let it be known that", "be it known that", "i hereby announce that", "i announce that", "i hereby declare that",
    "i declare that", "i hereby state that", "let the record show that",
    "note that", "please note", "kindly note that", "be advised that", "please be advised that", "i confirm that",
    "i hereby confirm that", "i state that", "i affirm that", "i hereby affirm that", "i repeat that", "i repeat",
    "i say again", "to repeat", "once more", "once again", "i reiterate that", "i proclaim that",
    "i hereby proclaim that", "contestmaster", "dear contestmaster", "h. contestmaster", "narrator", "dear narrator",
    "moderator", "dear moderator",
    "with my dying breath", "with my last breath", "as my last act", "as my final act", "with my last shot",
    "before i die", "as i die", "dying", "in that case then", "here goes", "so be it", "my vote for the record",
    "if i may", "if i may say so", "if it's not too late", "if it is not too late", "if it isn't too late",
    "if i'm not too late", "if i haven't already", "if i have not already", "if i haven't done so already",
    "if i'm not mistaken", "if i am not mistaken", "if it's still possible", "if that's still possible",
    "if memory serves", "if anybody cares", "if anyone cares", "if you must know", "if you ask me",
    "just so you know", "just so you all know", "just so everyone knows", "just so everybody knows", "so you know",
    "fyi", "for your information", "to be honest", "to be frank", "frankly", "honestly", "know ye all that", "know all",
    "know all that", "hear ye", "hear ye, hear ye", "ooc", "resending", "resending to the pf",
    "resent to the public forum", "action:", "my action:", "my actions:", "actions:", "my actions today:",
    "my actions for today:", "today's actions:",
    "night action:", "my night action:", "my move:",
    "nevertheless", "nonetheless", "anyhow", "by the way", "btw", "on balance", "overall", "all in all", "ultimately",
    "at last", "at long last", "this day", "to be perfectly clear", "to be absolutely clear", "for clarity",
    "for clarity's sake", "for the sake of clarity", "summary", "in summary", "result", "by announcement",
    "by public announcement", "i certify that", "i hereby certify that", "i publicly declare that",
    "my action for today:", "i do the following:", "i perform the following action:", "my action today:",
    "i act as follows:", "i hereby act as follows:",
    "i perform the following actions:", "i take the following action:", "i take the following actions:",
    "i take these actions:", "i perform these actions:", "i do these things:", "in order:", "in this order:",
    "one thing:", "two things:", "three things:", "a few things:", "some business:", "business:",
    "today's business:", "public actions:", "game actions:", "to the point:", "on the lynching:",
    "as to the lynching:", "about the lynching:", "regarding the lynching:", "re the lynching:",
    "concerning the lynching:", "for today:", "i perform the actions below:", "tonight,", "tonight:",
    "i hereby perform the following action:", "i hereby do the following:", "i state publicly:",
    "good day", "after careful consideration", "in that spirit", "that settles it", "enough", "very well",
    "oops", "whoops", "ugh", "sigh", "sighs", "shrug", "shrugs", "bang", "boom", "speaking as a villager",
    "speaking as a townsperson", "speaking as a player",
    "know all by these presents that", "i inform you that", "i inform you all that", "i'd like to announce that",
    "i would like to announce that", "i wish to announce that", "i want to announce that", "i'm afraid", "i am afraid",
    "i'm afraid that", "i am sorry to say that", "i'm sorry to say that", "i regret to say that",
    "without further ado", "without further delay", "short version", "the short version", "bottom line",
    "the bottom line", "in case it wasn't clear", "in case that wasn't clear", "in case it was not clear",
    "in case anyone is wondering", "in case anybody is wondering", "in case you're wondering",
    "in case you are wondering", "in case you were wondering", "if it wasn't clear", "if that wasn't clear",
    "if i have not done so already", "if i have not done so yet", "if i haven't done so yet", "if i haven't yet",
    "to break the tie", "in order to break the tie", "just to be safe", "just to be sure",
    "yes please", "yes, please", "well then", "ok then", "okay then", "right then", "fine then", "alright then",
    "ebwop", "ebwodp", "pedit", "p-edit", "preview edit", "instead", "much to my regret", "to my regret",
    "my action is:", "my action for tonight:", "my action for tonight is:", "my action tonight:",
    "my action tonight is:", "my night action is:", "my actions for tonight:", "action for tonight:",
    "i submit the following action:", "hammer time",
)
"""Words before a deed that leave it a deed: greetings, "so", "reluctantly"."""
INTERJECTION = (
    r"(?:ah|alright|and|but|edit|er+|fine|hm+|no|now|oh|ok|okay|oops|right|so|sorry|then|therefore|thus|update|wait"
    r"|well|yes)")
"""An expression for one of the small words, casefolded, with which sentences begin."""
HANGED = frozenset({"eliminated", "executed", "hanged", "killed", "lynched"})
"""What is done to whom the town has voted for."""
CONNECTORS = (
    "so", "and so", "therefore", "thus", "hence", "and", "but", "and therefore", "and thus", "accordingly",
)
"""Words that join a reason to the deed that follows from it."""
LAST_OF_TALK = frozenset({
    "after", "although", "always", "as", "assume", "because", "before", "believes", "can", "claims", "could", "day",
    "days", "did", "do", "does", "either", "ever", "everyone", "guess", "guy", "hopes", "how", "if", "imagine",
    "insists", "knows", "may", "might", "moment", "must", "never", "normally", "not", "often", "once", "one", "ones",
    "people", "person", "player", "players", "pretend", "rarely", "reason", "said", "say", "saying", "says", "shall",
    "should", "since", "sometimes", "suppose", "than", "that", "think", "thinks", "though", "thought", "till", "time",
    "times", "unless", "until", "usually", "wants", "what", "what's", "when", "whenever", "where", "whether", "while",
    "who", "whoever", "whom", "whomever", "why", "will", "would",
})
"""A performing phrase right after one of these is talk: "why I vote"."""
MADE_UP = frozenset({
    "draft", "example", "hypothetically", "imagine", "instance", "pretend", "quote", "said", "says", "suppose",
    "writes", "wrote",
})
"""Words that make a sentence a supposition or a report."""
STRONG = frozenset({
    "assuming", "could", "example", "hypothetically", "if", "imagine", "instance", "joke", "joking", "kidding", "later",
    "might", "nobody", "once", "otherwise", "pretend", "promise", "provided", "quote", "said", "sarcastically", "says",
    "seriously", "should", "suppose", "tempted", "till", "tomorrow", "unless", "until", "when", "whenever", "whether",
    "wish", "wonder", "would", "wrote", "yesterday",
})
"""Words before a performing phrase that make it doubtful."""
SUPPOSED = frozenset({
    "always", "believe", "claim", "doubt", "dream", "dreamt", "every", "expect", "fear", "guess", "he", "hope", "how",
    "let", "like", "often", "people", "reckon", "say", "see", "she", "sometimes", "that", "they", "think", "usually",
    "want", "what", "why", "you",
})
"""Words of a clause with which the next one may be supposed, too: "I hope he lies and I vote for Gus"."""
IDIOMS = frozenset({
    "because", "differently", "early", "every", "here", "how", "in", "late", "often", "on", "rarely", "seldom", "that",
    "this", "we", "we'd", "we'll", "when", "whenever",
})
""""I vote that we wait" proposes."""
CANCELS = (
    "just kidding", "kidding", "jk", "j/k", "joking", "just joking", "not really", "only joking", "maybe",
    "perhaps", "i take that back", "i take it back", "scratch that", "nevermind", "never mind",
    "or maybe not", "forget that", "forget it", "strike that", "ignore that", "cancel that", "no", "wait",
    "wrong game", "wrong contest", "wrong thread", "wrong list", "wrong mail", "that was for the other game",
    "that was for another game", "that was meant for another game", "that was the wrong game",
    "this was for another game",
    "or maybe", "psych", "/s", "i retract that", "i retract it", "i retract this", "i withdraw that", "i withdraw it",
    "i withdraw this", "i rescind that", "i rescind it", "i revoke that", "i revoke it", "i cancel that", "i cancel it",
    "i hereby retract that", "i hereby retract it", "i hereby withdraw that", "i hereby withdraw it", "on no account",
    "i take this back", "i undo that", "retracted", "withdrawn", "belay that", "disregard that", "disregard this",
    "please ignore that", "please ignore this", "ignore this", "please disregard that", "please disregard this",
    "that was a joke", "this is a joke", "i'm kidding", "i am kidding", "i'm joking", "lol jk", "not", "no wait",
    "or not", "don't", "do not", "no i don't", "no, i don't", "no i do not", "i don't mean that", "i'm not serious",
    "i am not serious",
    "this is not a vote", "that is not a vote",
    "this isn't a vote", "that's not a vote", "not a vote", "this is not an actual vote", "just testing", "joke vote",
    "commented out", "actually no", "actually, no", "not seriously", "this vote is not real", "sarcasm", "wait, no",
    "april fools",
)
"""What takes back a sentence before it."""
VOTING_WORDS = frozenset({
    "attack", "endorse", "endorsing", "heal", "lynch", "lynching", "poison", "retract", "shoot", "unvote", "unvoting",
    "vote", "voted", "votes", "voting",
})
"""Words of sentences that look like deeds."""
HALF_SAID = (
    "i would like to retract", "i'd like to retract", "i want to retract",
    "my vote's on ", "my vote's for ", "my vote's still ", "i would like to cast my vote", "i'd like to cast my vote",
    "i want to cast my vote", "i wish to cast my vote", "let this be my vote", "i can't help but vote",
    "i cannot help but vote", "i have to vote ", "conditional vote:", "my vote endorses", "my vote follows",
    "my vote mirrors",
    "i'm voting", "i am voting", "i'll go with", "i go with", "i'd like to vote", "i want to vote",
    "i'm changing my vote",
    "i am changing my vote",
    "changing my vote", "switching to", "switching my vote", "i'm endorsing", "i am endorsing", "my vote stays",
    "my vote remains", "put me down for", "put my vote", "count my vote", "i'm switching", "prolly", "make my vote",
    "let my vote", "my vote shall be", "i wish to vote", "i'd vote now", "moving my vote", "placing my vote",
    "shifting my vote", "putting my vote", "i'm moving my vote", "i am moving my vote", "i'm putting my vote",
    "i am putting my vote", "i'm placing my vote", "i'm shifting my vote", "i am switching", "retracting my vote",
    "i'm retracting my vote", "i am retracting my vote", "i'm withdrawing my vote", "withdrawing my vote",
    "please count my vote", "please count me as voting", "please record my vote", "please register my vote",
    "please put me down",
    "i wish to change my vote", "i want to change my vote", "i'd like to change my vote",
    "i would like to change my vote", "i'm casting my vote", "i am casting my vote", "casting my vote", "lynch: ",
    "count me as voting", "count this as a vote", "count this as my vote", "consider me as voting",
    "consider me to be voting", "lynching vote:", "lynch vote:",
    "on the lynching:", "voting: ", "i must vote for", "i have to vote for", "i have decided to vote for",
    "i've decided to vote for", "i must now vote for",
    "i'm changing to", "i am changing to", "changing to", "changing from", "moving to", "moving from", "switching from",
    "i'm moving to", "i'm moving from", "change: ", "i lock in ", "locking in ",
    "i withhold my vote", "withholding my vote",
    "i vote we lynch", "i vote that we lynch", "i vote we hang", "i vote that we hang", "i vote we execute",
)
"""Openings that could be meant as a vote."""
HANDED = (
    "has my vote", "gets my vote", "'s got my vote", "has my vote today", "gets my vote today", "gets my vote then",
)
"""Ends of short sentences that could be meant as a vote: "Gus gets my vote"."""
DENIED = frozenset({
    "cannot", "doesn't", "hardly", "maybe", "never", "no", "nobody", "not", "once", "perhaps", "who", "whoever",
})
"""Words with which such a sentence is talk."""
NOT_YET = frozenset({
    "eventually", "later", "maybe", "next", "perhaps", "possibly", "sometimes", "soon", "tomorrow", "yesterday",
})
"""First words that put the rest into another time, or into doubt."""
TITLES = frozenset({
    "draft", "example", "examples", "hypothesis", "option", "options", "plan", "possibilities", "scenario", "scenarios",
    "suppose", "template", "templates",
})
"""Words of a heading ("Plan:") under which nothing is done, only considered."""
CONSIDERED = TITLES | {
    "alternatives", "compare", "either", "choices", "could", "happen", "hypothetical", "hypothetically", "i'd",
    "imagine", "might", "outcomes",
    "possible", "would",
}
"""Those of a heading on a line of its own ("Let's see what can happen:")."""
NOT_A_VALUE = frozenset({
    "based", "going", "hold", "important", "meant", "mine", "not", "private", "secret", "what", "where", "worth",
    "wrong",
})
""""My vote is not for Gus", "my vote is worth nothing": talk."""
BRIEF = 4
""""Voting Gus" is a vote half said only when the sentence is about so short."""
CHANGES = (
    "changed my mind", "i changed my mind", "i've changed my mind", "i have changed my mind", "change of heart",
    "i change my mind", "change of mind",
)
"""Openings of a change that is not worded as one."""
HALF_CHOSEN = (
    "i choose", "my target", "my choice", "my victim", "target:", "no heal", "don't heal", "do not heal",
    "i do not heal",
    "i don't heal", "i won't heal", "i will not heal", "seer:", "we attack", "we kill", "we choose",
    "i want to know about",
    "i'd like to know about", "i would like to know about", "is ", "tell me about", "i pick", "my pick", "no poison",
    "tonight we ", "we eat", "we want to ", "the werewolves attack", "the werewolves choose",
    "the pack ", "our target", "our choice", "our victim", "let's attack", "let's kill", "let us attack", "wolf kill",
    "night kill", "nk:", "i select", "i use my", "my power", "witch:", "doctor:", "hunter:", "cupid:", "wolves:",
    "bang",
    "i take ", "check ", "i'd rather", "i would rather", "i agree to attack", "i agree to kill", "we have agreed",
    "we agree", "we've agreed", "the wolves have agreed", "the werewolves have agreed", "the wolves agree",
    "please tell me if",
    "i change my attack", "i change my target", "i change my choice", "i'm protecting", "i'm guarding", "i'm attacking",
    "i'm killing", "i'm poisoning", "i'm shooting", "i'm checking", "i'm blocking", "i'm watching", "i'm tracking",
    "i am protecting", "i am guarding", "i am attacking", "i am killing", "i am poisoning", "i am shooting",
    "i am checking", "death potion", "poison potion", "doc on", "doctor on", "owl on", "owl ->", "we spare",
    "i target ", "tonight i target ", "my bullet ", "i propose ", "revenge on ", "i have a vision of", "vision on ",
    "vision of ", "i point the owl ",
    "please tell me whether", "tell me whether", "tell me if", "put ", "nk ", "kill:", "attack:", "my vote for tonight",
    "my vote tonight", "my vote for the kill", "our vote",
    "target ", "we'd like to ", "we would like to ", "instead of ", "we skip ",
    "show me ", "please show me ", "my protection ", "my shield ", "my poison ", "my shot ", "my bite ",
)
"""Openings in private letters that could be meant as a deed of the night."""
HALF_JOINED = {
    "join this contract": (
        "i'd like to join", "i would like to join", "i want to join", "i wish to join", "count me in",
        "please count me in", "i'd like to play", "i would like to play", "i want to play", "i wish to play",
        "let me play",
    "deal me in", "count me in for the next game", "count me in for the next session", "count me in for the next round",
    "i'd love to join", "i'd love to play", "may i join", "can i play", "may i play", "i want in", "add me to",
    "please add me to",
        "i'd like to sign up", "i would like to sign up", "i want to sign up", "i become a contestant",
        "sign me up", "please sign me up for", "i'm joining", "i am joining", "i'll join", "i will join",
    "i'm in", "i am in", "/in", "/join", "please let me join", "let me join", "please sign me up", "can i join",
    ),
    "leave this contract": (
        "i'd like to leave", "i would like to leave", "i want to leave", "i wish to leave", "count me out", "i'm out",
        "i no longer wish to play", "i no longer want to play", "i don't want to play any more",
        "i don't want to play anymore", "i do not want to play any more", "i stop playing",
        "please remove me from", "/out", "/leave", "i terminate my membership", "i end my membership",
        "i cancel my membership",
        "i'm leaving", "i am leaving", "i'm quitting", "i am quitting",
        "take me out of", "please take me out of",
    ),
}
"""Whole sentences that could be meant as joining or leaving, and what to write for them."""
NOMIC_WORDS = frozenset({
    "above", "against", "all", "cfj", "decision", "decisions", "dispute", "election", "endorsement", "following",
    "motion", "present", "proposal", "proposals", "referendum",
})
"""Words of the nomics' other votes: a vote for no player that has one of these is not meant here."""
TALKED_OF = frozenset({
    "accuse", "admire", "agree", "am", "believed", "blame", "came", "congratulate", "disagree", "distrust", "endorse",
    "enjoy", "envy", "feel", "felt", "find", "found", "gave", "get", "go", "got", "hear", "knew", "liked", "met",
    "miss", "object", "offer", "pity", "play", "played", "respect", "salute", "say", "second", "sent", "share", "spoke",
    "suspect", "take", "talk", "talked", "thank", "trusted", "vote", "welcome", "went", "worry", "write",
})
"""After an "I": what one feels, says or has done, which is no deed of the night."""
SOFT_VERBS = frozenset({"check", "choose", "let", "link", "make", "name", "observe", "point", "raise", "view", "watch"})
"""Verbs of the night that letters use for other things too."""
