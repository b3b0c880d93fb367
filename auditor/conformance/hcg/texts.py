"""Printed abilities of the example set, read by recursive descent over their words (catalogue 7).

What no reader understands keeps its type, costs and limits; `readable` is then false and its effect is what the log says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

NUMBERS = {
    w: str(n) for n, w in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 1)
}
NOUNS = {"unit": "unit", "units": "unit", "asset": "asset", "assets": "asset", "ship": "ship", "ships": "ship"}
NOUNS |= {"card": "card", "cards": "card"}
STAT_WORDS = {"firepower": "firepower", "assault": "assault", "speed": "speed", "armor": "armor", "armour": "armor"}
STAT_WORDS |= {"flag": "flags", "flags": "flags"}
STATES = ("ready", "locked", "charging")
ROLES = ("blocking", "attacking", "defending", "shooting", "assaulting")
TYPES = re.compile(r"(BA|T|R|M|A|E)\b([^:.]*(?:\([^)]*\)[^:.]*)*):\s*(.*)$", re.S)
TOKEN = re.compile(r'"[^"]*"|[a-z][a-z0-9\'-]*|\d+|[-+(),.:;=]')
Made = TypeVar("Made")
Amount = int | str
"""A number, "x" or "d6"."""


class Unread(Exception):
    """The words here are of no form that is known."""


@dataclass(frozen=True)
class Select:
    """Which cards a text means. q: self, that, exact, upto or all; where: here, any, another or fleet."""

    q: str
    n: Amount = 1
    side: str = "any"
    kind: str = "card"
    state: str | None = None
    role: str | None = None
    flag: bool | None = None
    keywords: tuple[str, ...] = ()
    other: bool = False
    where: str = "here"
    limit: tuple[str, bool, int] | None = None
    """(stat, at least rather than at most, number)."""


@dataclass(frozen=True)
class Cost:
    """One printed cost. op: test, lock, discard, mill, destroy, rally or other."""

    op: str
    need: Amount = 0
    n: Amount = 0
    upto: bool = False
    what: Select | None = None


@dataclass(frozen=True)
class Effect:
    """One thing a text does, by the ops of catalogue 7.3; `player` is you, enemy or each."""

    op: str
    player: str = "you"
    n: Amount = 1
    what: Select | None = None
    mods: tuple[tuple[str, int, Amount], ...] = ()
    """(stat, sign, amount) each."""
    until: str = "ba"
    gained: str = ""
    zone: str = ""
    whose: str = "any"
    """Of a roll: any, own or enemy."""


@dataclass(frozen=True)
class Condition:
    """kind: has (player, fewest, what), no (player, what), more or fewer (what: "flags" or cards), is (state), is_not, there."""

    kind: str
    what: Select | None = None
    word: str = ""
    negated: bool = False


@dataclass(frozen=True)
class Trigger:
    """What a reaction answers: an act of cards that `what` selects, or of a player (you, enemy, each, both)."""

    act: str
    what: Select | None = None
    player: str = ""


@dataclass(frozen=True)
class Text:
    """A typed ability or set-up instruction."""

    text: str
    type: str
    costs: tuple[Cost, ...] = ()
    trigger: Trigger | None = None
    effects: tuple[Effect, ...] = ()
    rows: tuple[tuple[int, int, tuple[Effect, ...]], ...] = ()
    unlimited: bool = False
    x: Amount | Select | tuple[str, str] | None = None
    """A number, what is counted, or (whose, stat)."""
    condition: Condition | None = None
    readable: bool = True


@dataclass(frozen=True)
class Static:
    """A text without type letter. kind: trait, versus, standing, cannot or unread."""

    text: str
    kind: str
    traits: tuple[str, ...] = ()
    mods: tuple[tuple[str, int, Amount], ...] = ()
    what: Select | None = None
    condition: Condition | None = None
    act: str = ""
    by: Select | None = None


class Words:
    """The words of a sentence, taken from the front."""

    def __init__(self, text: str) -> None:
        plain = text.lower().replace("versus", "vs").replace("vs.", "vs").replace("−", "-").replace("–", "-")
        words = TOKEN.findall(plain)
        # A sentence of which not every sign became a word is not understood.
        if re.sub(r"\s", "", "".join(words)) != re.sub(r"\s", "", plain):
            raise Unread(text)
        self.words: list[str] = [NUMBERS.get(word, word) for word in words]
        self.at = 0

    def ahead(self, count: int = 1) -> str:
        return " ".join(self.words[self.at : self.at + count])

    def take(self) -> str:
        if self.at >= len(self.words):
            raise Unread("no more words")
        self.at += 1
        return self.words[self.at - 1]

    def skip(self, *phrases: str) -> str:
        """Take the first of these phrases that comes next; the empty string where none does."""
        for phrase in phrases:
            count = phrase.count(" ") + 1
            if self.ahead(count) == phrase:
                self.at += count
                return phrase
        return ""

    def need(self, *phrases: str) -> str:
        found = self.skip(*phrases)
        if not found:
            raise Unread(f"{phrases} before {self.ahead(3)}")
        return found

    def number(self) -> int:
        word = self.take()
        if not word.isdigit():
            raise Unread(word)
        return int(word)

    def amount(self) -> Amount:
        word = self.take()
        if word in ("x", "d6"):
            return word
        if word in ("a", "an"):
            return 1
        if word.isdigit():
            return int(word)
        raise Unread(word)

    def over(self) -> bool:
        return self.at >= len(self.words)


def selector(words: Words) -> Select:
    """A selector of catalogue 7.2."""
    if words.skip("itself", "this unit", "this card", "this asset", "this ship"):
        return Select("self")
    q, n = "exact", 1
    amount: Amount = n
    if words.skip("up to"):
        q, amount = "upto", words.amount()
    elif words.skip("all", "each"):
        q = "all"
    elif words.skip("the"):
        q = "that"
    elif words.ahead() in ("any", "a", "an", "x") or words.ahead().isdigit():
        word = words.take()
        amount = int(word) if word.isdigit() else ("x" if word == "x" else 1)
    else:
        raise Unread(words.ahead(3))
    found = described(words)
    return replace(found, q=q, n=amount)


def described(words: Words) -> Select:
    """Adjectives, a noun and a place."""
    found = Select("all")
    while words.ahead() not in NOUNS:
        word = words.take()
        if word == "of":
            continue
        if word in ("your", "friendly"):
            found = replace(found, side="own")
        elif word == "enemy":
            found = replace(found, side="enemy")
        elif word in STATES:
            found = replace(found, state=word)
        elif word in ROLES:
            found = replace(found, role=word)
        elif word in ("flag", "non-flag"):
            found = replace(found, flag=word == "flag")
        elif word == "other":
            found = replace(found, other=True)
        elif re.fullmatch(r"[a-z]+(-[a-z]+)?", word) and word not in STAT_WORDS:
            found = replace(found, keywords=(*found.keywords, word))
        else:
            raise Unread(word)
    found = replace(found, kind=NOUNS[words.take()])
    if words.skip("at this sector"):
        return found
    if words.skip("at any sector"):
        return replace(found, where="any")
    if words.skip("at another sector"):
        return replace(found, where="another")
    if words.skip("in your fleet"):
        return replace(found, where="fleet")
    if words.skip("you control"):
        return replace(found, side="own")
    if words.skip("with"):
        number = words.number()
        words.need("or")
        more = words.need("more", "less", "fewer") == "more"
        return replace(found, limit=(STAT_WORDS[words.take()], more, number))
    return found


def modifiers(words: Words) -> tuple[tuple[str, int, Amount], ...]:
    """Signed amounts of stats: "+1 firepower, +1 speed"."""
    mods = []
    while True:
        sign = -1 if words.need("+", "-") == "-" else 1
        amount = words.amount()
        if words.ahead() not in STAT_WORDS:
            raise Unread(words.ahead())
        mods.append((STAT_WORDS[words.take()], sign, amount))
        if words.ahead(2) not in ("and +", "and -", ", +", ", -"):
            return tuple(mods)
        words.take()


def until(words: Words) -> str:
    if words.skip("until the end of the battle", "for the rest of the battle"):
        return "battle"
    return "turn" if words.skip("until the end of the turn") else "ba"


def player(words: Words) -> str:
    said = words.skip("you", "your enemy", "each player", "both players")
    return {"you": "you", "your enemy": "enemy", "each player": "each", "both players": "each", "": ""}[said]


OWNERS = ("your enemy's", "its owner's", "his or her", "their", "each player's", "your")


def clause(words: Words, typed: str) -> Effect:
    """One clause of a body."""
    start = words.at
    who = player(words)
    if who and words.skip("get", "gets"):
        ((stat, sign, amount),) = modifiers(words)
        if stat != "flags":
            raise Unread(stat)
        return Effect("flags", who, amount, mods=((stat, sign, amount),))
    if not who and typed != "M" and words.ahead() in ("+", "-"):
        mods = modifiers(words)
        return Effect("flags", "you", mods=mods)
    acting = who or "you"
    if words.skip("draw", "draws"):
        amount = words.amount()
        words.need("card", "cards")
        return Effect("draw", acting, amount)
    if words.skip("discard", "discards"):
        if words.skip("the top"):
            amount = words.amount() if words.ahead().isdigit() else 1
            words.need("card", "cards")
            words.need("of")
            whose = words.need(*OWNERS)
            words.need("deck")
            return Effect("mill", "enemy" if whose == "your enemy's" else acting, amount)
        amount = "all" if words.skip("all") else words.amount()
        words.need("card", "cards")
        if words.skip("from"):
            words.need(*OWNERS)
            words.need("hand")
        return Effect("discard", acting, amount)
    if who:
        raise Unread(words.ahead(3))
    if words.skip("destroy"):
        return Effect("destroy", what=selector(words))
    if words.skip("lock"):
        return Effect("lock", what=selector(words))
    if words.skip("rally"):
        return Effect("rally", what=selector(words))
    if words.skip("infiltrate"):
        what = selector(words)
        words.need("from")
        words.need(*OWNERS)
        return Effect("infiltrate", what=what, zone=words.need("hand", "discard pile", "deck"))
    if words.skip("return"):
        what = selector(words)
        words.need("to")
        words.need(*OWNERS)
        return Effect("return", what=what, zone=words.need("hand", "deck"))
    if words.skip("deal") or words.ahead(3).endswith("damage to"):
        amount = words.amount()
        words.need("damage to")
        return Effect("damage", n=amount, what=selector(words))
    if typed == "M":
        return of_a_roll(words)
    words.at = start
    what = selector(words)
    if words.skip("get", "gets"):
        mods = modifiers(words)
        return Effect("modify", what=what, mods=mods, until=until(words))
    if words.skip("gain", "gains", "has", "have"):
        return Effect("grant", what=what, gained=words.take().strip('"'), until=until(words))
    raise Unread(words.ahead(3))


def of_a_roll(words: Words) -> Effect:
    """What a modifier does to a roll."""
    whose = {"any roll": "any", "the roll": "any", "your roll": "own", "your enemy's roll": "enemy", "a roll": "any"}
    if words.skip("reroll"):
        return Effect("reroll", whose=whose.get(words.skip(*whose), "any"))
    if words.skip("change"):
        of = whose[words.need(*whose)]
        words.need("to")
        return Effect("roll_set", n=words.number(), whose=of)
    sign = 1
    said = words.need("add", "subtract", "+", "-")
    sign = 1 if said in ("add", "+") else -1
    amount = words.amount()
    words.need("to", "from")
    return Effect("roll_add", mods=(("roll", sign, amount),), whose=whose[words.need(*whose)])


def cost_list(text: str) -> tuple[tuple[Cost, ...], bool]:
    """The costs between the type and the colon, and whether each was understood."""
    costs: list[Cost] = []
    readable = True
    for part in re.split(r",\s*|(?<=\))\s+|(?<!\s)\s+(?=\()", text.strip()):
        if not part:
            continue
        try:
            costs.append(one_cost(Words(part)))
        except Unread:
            costs.append(Cost("other"))
            readable = False
    return tuple(costs), readable


def one_cost(words: Words) -> Cost:
    if words.skip("("):
        cost = Cost("test", words.amount())
        words.need("+")
        words.need(")")
    elif words.skip("discard the top"):
        cost = Cost("mill", n=words.amount() if words.ahead().isdigit() else 1)
        words.need("card", "cards")
        words.need("of your deck")
    elif words.skip("discard"):
        upto = bool(words.skip("up to"))
        cost = Cost("discard", n=words.amount(), upto=upto)
        words.need("card", "cards")
        words.skip("from your hand")
    else:
        op = words.need("lock", "destroy", "rally")
        cost = Cost(op, what=selector(words))
    if not words.over():
        raise Unread(words.ahead(3))
    return cost


def condition(words: Words) -> Condition:
    """What must be so for a text to be played or to count."""
    if words.skip("there is"):
        return Condition("there", selector(words))
    if words.skip("this unit is not", "this card is not"):
        return Condition("is", word=words.take(), negated=True)
    if words.skip("this unit is", "this card is"):
        return Condition("is", word=words.take())
    who = player(words)
    if who != "you" or not words.skip("have", "has"):
        raise Unread(words.ahead(3))
    if words.skip("no"):
        return Condition("has", described(words), negated=True)
    kind = words.skip("more", "fewer")
    if kind:
        word = words.take()
        words.need("than your enemy")
        return Condition(kind, word=STAT_WORDS.get(word, word))
    return Condition("has", selector(words))


ACTS = {
    "is destroyed": "destroyed",
    "is attacked": "attacked",
    "blocks": "blocks",
    "is locked": "locked",
    "charges": "charges",
    "shoots": "shoots",
    "assaults": "assaults",
    "is infiltrated": "infiltrated",
}


def trigger(words: Words) -> Trigger:
    start = words.at
    who = player(words)
    act = words.skip("draws", "draw", "discards", "discard", "plays", "play") if who else ""
    if act:
        words.amount()
        words.need("card", "cards")
        both = words.words[start] == "both"
        return Trigger(act if act.endswith("s") else f"{act}s", player="both" if both else who)
    words.at = start
    what = selector(words)
    return Trigger(ACTS[words.need(*ACTS)], what)


def variable_rows(words: Words) -> tuple[tuple[int, int, tuple[Effect, ...]], ...]:
    rows = []
    while not words.over():
        low = words.number()
        high = words.number() if words.skip("-") else low
        words.need(":", ",", "=")
        effects = [clause(words, "BA")]
        while words.skip("and"):
            effects.append(clause(words, "BA"))
        rows.append((low, high, tuple(effects)))
        words.skip(";", ".")
    return tuple(rows)


def body_of(words: Words, made: Text) -> Text:
    """The body after the colon, with the riders behind it."""
    if words.skip("when", "whenever", "after", "before", "if"):
        made = replace(made, trigger=trigger(words))
        words.need(",")
    if words.skip("roll :", "roll ."):
        return replace(made, rows=variable_rows(words))
    effects: list[Effect] = []
    while not words.over():
        if words.skip("unlimited"):
            made = replace(made, unlimited=True)
        elif words.ahead(2) in ("x =", "x is", "x equals"):
            words.at += 2
            made = replace(made, x=x_value(words))
        elif words.skip("only playable"):
            words.need("while", "when", "if")
            made = replace(made, condition=condition(words))
        elif words.skip("not playable"):
            words.need("while", "when", "if")
            wanted = condition(words)
            made = replace(made, condition=replace(wanted, negated=not wanted.negated))
        else:
            effects.append(clause(words, made.type))
        if not words.over():
            words.need(".", ";", ", then", "then", "and")
    return replace(made, effects=tuple(effects))


def x_value(words: Words) -> Amount | Select | tuple[str, str]:
    if words.skip("the number of"):
        return described(words)
    if words.ahead().isdigit():
        return words.number()
    words.need("the", "that", "this")
    noun = words.take()
    if not noun.endswith("'s") or words.ahead() not in STAT_WORDS:
        raise Unread(noun)
    whose = "self" if words.words[words.at - 2] == "this" else "that"
    return (whose, STAT_WORDS[words.take()])


def static_text(text: str) -> Static:
    """A text without type letter."""
    words = Words(text)
    if words.ahead() in ("+", "-"):
        mods = modifiers(words)
        words.need("vs")
        return Static(text, "versus", mods=mods, what=ended(words, described(words)))
    if re.fullmatch(r"\w+(, \w+)*\.", text) and text.count(" ") <= text.count(","):
        return Static(text, "trait", traits=tuple(word for word in words.words if word not in (",", ".")))
    what = selector(words)
    if words.skip("cannot", "may not"):
        act = words.need("charge", "shoot", "assault", "be blocked", "be targeted", "be attacked", "block")
        by = selector(words) if words.skip("by") else None
        return ended(words, Static(text, "cannot", what=what, act=act, by=by))
    words.need("get", "gets")
    made = Static(text, "standing", what=what, mods=modifiers(words))
    if words.skip("while", "if", "as long as"):
        made = replace(made, condition=condition(words))
    return ended(words, made)


def ended(words: Words, made: Made) -> Made:
    words.skip(".")
    if not words.over():
        raise Unread(words.ahead(3))
    return made


@cache
def read_text(text: str) -> Text | Static:
    """A printed text, read as far as it can be."""
    set_up = re.match(r"When you set up your army,\s*(.*)$", text, re.S | re.I)
    typed = TYPES.match(text)
    if set_up is None and typed is None:
        try:
            return static_text(text)
        except Unread:
            return Static(text, "unread")
    if set_up is not None:
        made, readable, body = Text(text, "setup"), True, set_up.group(1)
    else:
        assert typed is not None
        costs, readable = cost_list(typed.group(2))
        made, body = Text(text, typed.group(1), costs), typed.group(3)
    try:
        made = body_of(Words(body), made)
    except Unread:
        readable = False
    return replace(made, readable=readable)
