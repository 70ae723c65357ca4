"""Lines above a deed that make a sample of it: "Plan:" with a list below it, "Poem:", "What should I send?".

A heading is often one sentence with the first line below it; what stands in the lines after that is no less under it.
"""

from __future__ import annotations

import re

from nomicwolf.reading.everyday import TITLES
from nomicwolf.reading.leads import skip_leads
from nomicwolf.reading.sentences import Sentence
from nomicwolf.reading.telling import Told
from nomicwolf.reading.vocables import is_heading, words_in

_WORKS = frozenset({
    "ballad", "demo", "demonstration", "dialogue", "dream", "excerpt", "fable", "fanfic", "fiction", "haiku",
    "instance", "limerick",
    "lyrics", "nightmare", "ode", "parable", "poem", "quiz", "rhyme", "riddle", "sample", "samples", "screenplay",
    "song",
    "sonnet", "transcript", "verse", "verses",
})
_DENIED = frozenset({"no", "not", "isn't"})
_LISTED = Told(re.compile(
    r"(?:(?:my|the|our|some|a|new|next|future|more|possible) )*(?:to-?dos?|to do|checklist|agenda|ideas?|reminders?"
    r"|steps?|rules? of thumb|(?:things|stuff|lines|words|sentences) (?:to|(?:i|nobody)(?: will| would)?"
    r" (?:could|might|should|must|never|always|ever)) [^:]{1,40})(?: list)?"
    r"(?: (?:for|to) \w+(?: \w+)?| tonight| today| tomorrow)?:"
    r"|(?:tomorrow|yesterday|later|(?:last|next) (?:day|night|week|time|round|session))(?:'s \w+)?:", re.IGNORECASE), {
    "agenda", "checklist", "do", "dos", "idea", "ideas", "last", "later", "lines", "next", "reminder",
    "reminders", "rule", "rules", "sentences", "step", "steps", "stuff", "words", "things", "todo", "todos",
    "tomorrow", "yesterday",
})
"""What is listed is still to be done, or has been: "To do:", "Next steps:", "Tomorrow:"."""
_MOST_WORDS = 8
_BRIEF = 3
_INSTRUCTS = re.compile(
    r"(?!.*\b(?:i|my|i'm|i'll|here|hereby)\b).{0,80}\b(?:write|type|say|send|post|use|enter|reply|mail)"
    r"(?: (?:this|that|something like(?: this)?|the following|exactly))?:", re.IGNORECASE)
"""It teaches what to write: "To vote for Gus, write:"."""
_ACTS = "do|send|write|post|vote|say|cast|submit|type|mail|claim|announce"
_EVEN = "(?:(?:actually|really|ever|just|even) )?"
_DO = rf"{_EVEN}(?:{_ACTS})"
_DONE = (
    rf"{_EVEN}(?:{_ACTS}|doing|sending|writing|posting|voting|saying|done|did|sent|wrote"
    r"|written|posted|voted|said|submitted|typed|mailed)\b[^,:]*:")
_PAST = r"(?: (?:was|were|stood|would be|would have been|had been|yesterday|on day \w+|so far|as follows|this))*:"
_UNDONE = re.compile(
    rf"(?:please )?(?:don't|do not|never) {_DO}\b[^,:]*:"
    r"|i (?:won't|will not|would not|wouldn't|will never|would never|didn't|did not|don't|do not|am not|refuse to|never"
    r"|almost|nearly|was (?:just )?(?:about|going|tempted) to|(?:briefly )?considered|thought of|could have|should have"
    rf"|would have|(?:had )?(?:wanted|meant|planned) to) {_DONE}"
    r"|i (?:hereby |now )?(?:take back|retract|withdraw|revoke)(?: (?:this|that|these|those|the following))?:"
    rf"|(?:i(?:'ll| will)|i(?:'m| am) going to) (?:(?:later|soon|perhaps|maybe|probably|eventually) {_DO}\b[^,:]*"
    rf"|{_DO} (?:\w+ ){{0,4}}(?:later|soon|tomorrow|eventually)):|maybe i(?:'ll| will) {_DO}\b[^,:]*:"
    r"|(?:please,? )?(?:you|everybody|everyone|all of you|y'all|somebody|someone|people)"
    rf"(?: (?:all|each|should|must|could|can|please|now|might|may|ought to|have to|need to)){{0,3}} {_DO}\b[^,:]*:"
    r"|(?:\S+, )?(?:please )?do (?:this|that|these|the following|the same|likewise|as follows)\b[^,:]*:"
    rf"|my (?:previous|old|earlier|past|former|last|yesterday's) (?:votes?|ballots?|actions?){_PAST}"
    r"|(?:my|our|the) (?:votes?|ballots?|actions?|voting)(?: (?:history|record)\b[^,:]*:"
    rf"|(?= (?:yesterday|was|were|stood|had|would|on day \w+ (?:was|were))\b){_PAST})", re.IGNORECASE)
"""It tells what isn't done here: "Don't do this:", "I almost sent:", "My previous vote was:"."""
_TESTED = (
    r"(?:the |this |a |my |our |your )?(?:robot|bot|program|parser|machine|software|script|grammar|nomicwolf"
    r"|automaton)")
_THIS = r"(?:this|that|it|these|the following|the below|either|either of these|any of these|both)"
_ASKS = re.compile(
    r"(?:(?:and|but|so|ok|okay|now|well|hi|hello|hey|um|er|quick question|question)[,:. ]+)*(?:"
    r"(?:what|which|how)(?: \w+){0,2} (?:should|must|shall|would|could|do|am|ought) (?:i|you|one|we|people)"
    r"(?: have| need| supposed| meant)?(?: to)? (?:send|write|post|type|mail|submit|phrase|word|format|enter|spell)\b.*"
    rf"|(?:would|will|does(?! this work$)|do|can|could|may) {_THIS} (?:(?:even|really|already|also|still) )?"
    r"(?:work|count|parse|pass|qualify|register|suffice|do|read|be (?:read|valid|right|understood|accepted|enough))\b.*"
    rf"|(?:is|are) {_THIS} (?:(?:the|a|an|how) )?(?:(?:right|correct|valid|proper|legal|good|ok|okay|allowed|understood"
    r"|enough|acceptable|well-formed)\b(?! to (?!say\b|write\b|vote\b|put\b|send\b)).*|(?:way|form|format|phrase"
    r"|wording|syntax|vote|ballot|you|one|to)\b.*)"
    r"|what(?:'s| is) (?:the|a) (?:\w+ )?(?:form|format|wording|syntax|phrase|formula|way|words?)\b.*"
    r"|(?:(?:just|maybe|perhaps) )?(?:like|as) (?:this|so|that|these)"
    r"|which(?: (?:one|form|wording|version|way|line|sentence|phrase))?(?: of (?:these|them|the following|the two))? "
    r"(?:is|would be|are|sounds|looks|reads|works|counts|parses) ?(?:(?:the|more|most) )*"
    r"(?:right|correct|better|best|valid|proper|one|preferred|nicer|clearer|way|form|wording)?"
    rf"|(?:what|how) (?:would|will|does|do|might) (?:{_TESTED}|you|people|everyone) (?:make of|read|parse"
    rf"|understand|take"
    r"|do with|treat|handle|interpret|think of) (?:this|that|it|these|the following)\b.*"
    rf"|(?:would|will|does|do|can|could) {_TESTED} (?:read|parse|understand|take|accept|count|like|get|handle"
    rf"|see)\b.*)",
    re.IGNORECASE)
"""A question of wording, or whether something would count: what follows is the sample."""
_LONGEST_QUESTION = 100
_DEED = re.compile(
    r"[^\w]*(?:I (?:(?:hereby|now|also|then) )?(?:vote|endorse|retract|withdraw|accuse|nominate|second|object|support"
    r"|join|leave|resolve|unvote)\b|(?:un)?vote\b|endorse\b|my vote\b)", re.IGNORECASE)


def is_titled(text: str) -> bool:
    """Whether under *text*, which ends with a colon, things are considered, shown or taught: "Plan:", "A poem:"."""
    words = words_in(text)
    considered = is_heading(text) or ("consider" in words and "my" not in words)
    return considered or _is_work(text) or any(
        each.fullmatch(text) is not None for each in (_LISTED, _UNDONE, _INSTRUCTS))


def asks_wording(text: str) -> bool:
    """Whether *text*, a question, asks how something is to be worded, or whether what follows would count.

    >>> asks_wording("What should I send"), asks_wording("Would this work"), asks_wording("Which of you is the wolf")
    (True, True, False)
    """
    return len(text) <= _LONGEST_QUESTION and _ASKS.fullmatch(text.strip()) is not None


def begins_deed(text: str) -> bool:
    """Whether *text*, the first of some lines, begins as a public deed does."""
    return _DEED.match(text) is not None


def heading_of(sentence: Sentence) -> Sentence | None:
    """The heading with which *sentence* begins, if what it leads to goes on behind the sentence; None if it doesn't.

    On a line for itself, above something said of votes or the lines of a poem; or of a word or so: "Plan: ...".
    """
    at = sentence.text.find(":")
    if at < 0 or at == len(sentence.text) - 1:
        return None
    head = sentence.text[:at + 1]
    below = sentence.whole.raw[sentence.whole.origin[sentence.start + at] + 1:].lstrip(" *_")
    titled = bool(words_in(head) & TITLES) or _is_work(head)
    if below[:1] == "\n":
        leads = not below.startswith("\n>") and (titled or begins_deed(sentence.text[at + 1:]))
    else:
        leads = titled and len(head.split()) <= _BRIEF
    if not leads or skip_leads(f"{head} x", 0) >= len(head):
        return None
    return sentence._replace(end=sentence.start + at + 1, text=head, close="")


def _is_work(text: str) -> bool:
    words = words_in(text)
    return bool(words & _WORKS) and not words & _DENIED and len(text.split()) <= _MOST_WORDS
