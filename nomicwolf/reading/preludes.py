"""What is told, guessed, quoted or played in the sentence behind: "Let me tell you a story.", "Cue dramatic music."."""

from __future__ import annotations

import re

from nomicwolf.reading.telling import Told

_SUPPOSES = Told(re.compile(
    r"(?:(?:now|just|so|ok|okay|well|please|let's|let us|let me|for a (?:moment|minute|second)),? )*"
    r"(?:(?:pretend|suppos(?:e|ing)(?! so\b)|assum(?:e|ing)|imagine(?! (?:my|how)\b)|picture(?! of\b)"
    r"|say (?:that )?(?:it's|it is|i'm|i am|we're|we are))(?= \S)|once upon a time\b|(?:it's |time for )?(?:an? )?"
    r"(?:story|role-?play(?:ing)?|fairy ?tale|make-believe)(?: time)?[ .!]*$)", re.IGNORECASE), {
    "assume", "assuming", "fairy", "fairytale", "imagine", "make", "once", "picture", "pretend", "role", "roleplay",
    "roleplaying", "say", "story", "suppose", "supposing",
})
"""What follows at once happens only in what is supposed: "Pretend it's day 2.", "Story time."."""
_STAGES = Told(re.compile(
    r"(?:(?:what if|(?:what|who) (?:would|might|will) (?:happen|die|win|say|think) if|(?:how|what) about(?: if)?"
    r"|would it (?:help|work|count|be \w+) if)(?: (?:i|you|we|someone|one)(?: \w+){1,2})?"
    r" (?:this|that|the following)(?: (?:one|instead|now|then|here))?[ .!]*$"
    r"|(?:here(?:'s| is)|this is) (?:how|what|where) (?!i could\b)(?:[\w']+'d|(?:[\w']+ ){0,2}(?:would|could|might)"
    r"|(?:it|this|that) (?:goes|works|went|looks|sounds|reads)[ .!]*$)\b"
    r"|(?:it|this|that|things|mine|(?:an?|my|your|the) \w+)(?: then)? (?:would|could|might)(?: then)?"
    r" (?:be|go|look|read|run|sound) (?:(?:something )?like (?:this|so|that)|so|thus|as follows|this way)[ .!]*$"
    r"|(?:meanwhile,? )?in (?:an?|another|some) (?:\w+ )?(?:universe|timeline|world|life|reality|dimension)[ .!]*$"
    r"|in (?:the|this|that|my|our|a) (?:\w+ ){0,2}(?:scene|act(?! of\b)|chapter|dream|episode|film|movie|novel"
    r"|rehearsal)\b"
    r"|(?:(?:now|let me|let's|just|i'm|i am|i'll) )?play(?:ing)? (?:(?:the )?devil's advocate|pretend)\b"
    r"|if only (?:it|this|i|that) (?:were|was|could)\b|(?:imitating|impersonating|mimicking|parodying) \S+(?: \S+)?$"
    r"|\S+(?: \S+)?,? be like$"
    r"|my (?:evil|dark|wicked|other) (?:twin|side|self|half|clone)\b(?!.*\bI\b)|my alter ego\b"
    r"|in \S+'s (?:voice|words|style|manner)[ .!]*$|in the (?:voice|words|style|manner) of \S+(?: \S+)?[ .!]*$"
    r"|act (?:[ivx]+|\d|one|two|three|four|five)\b(?:[,:;-]* scene \w+)?[ .!]*$"
    r"|(?:the )?curtain (?:up|rises|opens)[ .!]*$|enter (?-i:[A-Z])\S+(?: \S+)?[ .!]*$"
    r"|(?:i (?:wish i could|wanted to|will not|won't|refuse to|would never)|never will i) (?:write|say|send|post)"
    r" (?:this|these words|the following|it)(?! again)(?: \w+)?[ .!]*$)", re.IGNORECASE), {
    "about", "act", "advocate", "be", "chapter", "clone", "curtain", "d", "dream", "ego", "enter", "episode", "film",
    "half", "if", "manner", "self", "side", "style", "twin", "voice", "words",
    "imitating", "impersonating",
    "as", "could", "dimension", "goes", "life", "like", "look", "looks", "reads", "reality", "so", "sounds", "this",
    "thus", "timeline", "universe", "went", "work", "works", "world",
    "might", "mimicking", "movie", "novel", "parodying", "post", "pretend", "rehearsal", "say", "scene", "send",
    "would", "write",
})
"""Or is only drafted or played: "What if we tried this?", "Here is how I'd begin.", "In the next scene Cam speaks."."""
_PIECES = Told(re.compile(
    r"(?!(?:nice|good|great|bad|poor|cool|weak|weird|strange|funny|lovely|interesting|true|what|quite)\b)"
    r"(?:(?:here(?:'s| is)|this is|just) )?(?:(?:an?|my|the|our|first|next|second|another|rough|quick|little|dramatic"
    r"|\S+'s|(?-i:[A-Z])\w+) ){0,3}(?:draft|sketch|sample|hypothetical|scenario|thought experiment|example|monologue"
    r"|impression|imitation|parody|spoof|audition|dry run|practice run|riddle|joke|dialogue|dream|flashback|scene"
    r"|chapter|reading|story|test|testing(?:, testing)?)(?: (?:at|of(?! time)|for|in|below|follows|here|letter|vote"
    r"|ballot|an?|the|my|time|sequence|part|role|number|day|\d+|one|two|three|(?-i:[A-Z])\w*)){0,7}[ .!]*$",
    re.IGNORECASE), {
    "audition", "chapter", "dialogue", "draft", "dream", "dry", "example", "experiment", "flashback", "hypothetical",
    "imitation", "impression", "joke", "monologue", "parody", "practice", "reading", "riddle", "sample", "scenario",
    "scene", "sketch", "spoof", "story", "test", "testing",
})
"""Or is called a piece, and no more: "Thought experiment.", "My Bex impression.", "Scene two."."""
_QUOTES = Told(re.compile(
    r"(?:just |this is )?(?:me|myself) as (?:an?|the|\S+'s) (?:\S+ ){0,2}\S+$"
    r"|(?!(?:i|i'll|i'd|my|we|let me|let us|let's|(?:so|and|but|now) i)\b)[^,;:]{1,60} (?:writes?|wrote|types?|typed"
    r"|says?|said|posts?|posted|sends?|sent|dictated|reads|goes|went|are|were)(?: (?:like|as))?"
    r" (?:this|these|the following)(?: (?:for|from) \S+(?: \S+)?)?[ .!]*$"
    r"|(?:the following|what (?:follows|comes)|these|the next (?:line|sentence))(?: \w+)?(?: (?:is|are)(?: not)?|n't)"
    r" (?:my (?:own )?words?|mine|me)\b"
    r"|(?:this|the following|what follows) is (?:an? )?(?:\w+ )?(?:role-?play|roleplaying|fiction|parody|skit|poem|song"
    r"|fan ?fiction|dialogue)\b"
    r"|(?:i )?(?:just )?(?:found|overheard|intercepted|copied) (?:this|the following)(?: \w+)?"
    r" (?:in|on|under|from|among)\b"
    r"|(?:and )?(?:then|suddenly)\b[^,;:]{1,40} (?:says|speaks|shouts|cries|whispers|replies|announces)"
    r"(?:,? \w+ing)?[ .!]*$", re.IGNORECASE), {
    "announces", "copied", "cries", "dialogue", "fan", "fanfiction", "fiction", "following", "found",
    "intercepted", "mine", "my", "me", "overheard", "parody", "play", "poem", "replies", "roleplay", "roleplaying",
    "myself", "says", "shouts", "skit", "song", "speaks", "these", "this", "whispers",
})
"""Or is another's: "Bex asked me to post this for em.", "The following are not my words."."""
_BEGINS = (
    r"(?:\w+,? ){0,2}(?:let me|let's|let us|allow me to|i(?:'ll| will| shall)|time to)")
_TALES = Told(re.compile(
    rf"{_BEGINS} (?:tell|relate|recount|recite|share)(?: \S+){{0,2}} (?:an?|another|the|my|\S+'s) (?:\w+ ){{0,2}}"
    r"(?:story|tale|fable|parable|joke|riddle|lie|dream|poem|fantasy)\b[^?]*$", re.IGNORECASE), {
    "recite", "recount", "relate", "share", "tell",
})
"""Or is told: "Let me tell you a story."."""
_GUESSES = Told(re.compile(
    rf"{_BEGINS} (?:(?:speculate|fantasi[sz]e|daydream|dream|hypothesi[sz]e|rehearse|improvise|role-?play|pretend"
    r"|imagine|demonstrate|illustrate|prophesy|impersonate|imitate|parody|mimic|quote (?!myself\b)|set the scene"
    r"|act (?:it|this|that) out)\b|(?:guess|predict|foretell) (?:what|who|how|the)\b"
    r"|paint (?:\S+ )?a (?:\w+ )?picture\b|show \S+(?: all)? how (?:to|it|one|this|that|a|you)\b)[^?]*$"
    r"|(?!(?:nice|good|great|bad|what) )(?:an? )?(?:\w+ )?(?:speculation|fantasy|daydream|tale|fable|parable|anecdote"
    r"|skit|prediction|prophecy)(?: time)?[ .!]*$"
    r"|(?:(?:i'm|i am|we're) )?(?:(?:just|only|merely) )?(?:speculating|fantasi[sz]ing|daydreaming|dreaming|rehearsing"
    r"|practi[sc]ing|pretending|role-?playing|improvising)(?: (?:here|aloud|out loud|now|again|a bit|a little|wildly))?"
    r"[ .!]*$|cue (?:the )?(?:\w+ ){0,2}\w+[ .!]*$|lights,? camera,? action[ .!]*$", re.IGNORECASE), {
    "act", "action", "cue", "daydream", "daydreaming", "demonstrate", "dream", "dreaming", "fantasize", "fantasise",
    "fantasizing", "fantasising", "foretell", "guess", "hypothesize", "hypothesise", "illustrate", "imagine",
    "imitate", "impersonate", "improvise", "improvising", "mimic", "parody", "picture", "play", "practicing",
    "practising", "predict", "pretend", "pretending", "prophesy", "quote", "rehearse", "rehearsing", "role", "roleplay",
    "roleplaying", "playing", "scene", "show", "speculate", "speculating", "anecdote", "fable", "fantasy", "parable",
    "prediction", "prophecy", "skit", "speculation", "tale",
})
"""Or is guessed or shown: "I'm only speculating.", "Let me show you how.", "Cue dramatic music."."""


def only_plays(text: str) -> bool:
    """Whether the sentence *text* leads to what is only supposed, played, told or quoted.

    >>> only_plays("Here is how it would go"), only_plays("Let me be clear")
    (True, False)
    """
    return any(each.match(text) for each in (_SUPPOSES, _STAGES, _PIECES, _QUOTES, _TALES, _GUESSES))
