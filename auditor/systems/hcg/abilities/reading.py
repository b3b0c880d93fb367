"""From a printed text to its ability: the text is cut into parts, and each part read by itself.

Source: HCG catalogue 7.2 (grammar) and 8 (what is done with a text that cannot be read). A part that cannot be read
leaves the others as they are: an unreadable body does not lose the cost, the type or the limit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from lark import Token

from auditor.systems.hcg.abilities import parts
from auditor.systems.hcg.abilities.shapes import (
    Ability,
    Condition,
    Cost,
    Effect,
    Row,
    Span,
    Trigger,
    Type,
    Unread,
    XValue,
)
from auditor.systems.hcg.abilities.words import check, place, tokens

TYPES = frozenset({"BA", "T", "R", "M", "A", "E"})
_TRIGGERS = frozenset({"when", "whenever", "after", "before", "if"})
_SETUP = ("when", "you", "set", "up", "your", "army", ",")
_LIMITS = {"T": "once", "R": "once", "M": "once", "E": "once"}

Piece = list[Token]


def read(text: str, keywords: Collection[str] = frozenset()) -> Ability:
    """The ability that a text prints. `keywords`: those of the card set, in lower case.

    Raises TextRefused for a text that is too long or too deeply nested to be one.
    """
    check(text)
    return _Reading(text, keywords).ability(tokens(text, parts.language()[1], keywords), quoted=False)


def type_of(text: str) -> Type | None:
    """The type that a text's letters tell; None for one without. Raises TextRefused."""
    check(text)
    return _type_of(tokens(text, parts.language()[1], ()), text)[0]


@dataclass
class _Reading:
    """One text being read: what was found so far."""

    text: str
    keywords: Collection[str]
    costs: list[Cost] = field(default_factory=list)
    trigger: Trigger | None = None
    effects: list[Effect] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    x: XValue | None = None
    unlimited: bool = False
    unread: list[Unread] = field(default_factory=list)

    def ability(self, words: Piece, *, quoted: bool) -> Ability:
        kind, colon = _type_of(words, self.text)
        if kind is not None:
            self._read_costs(words[1:colon])
            self._read_body(words[colon + 1 :], triggered=True)
        elif [str(word) for word in words[: len(_SETUP)]] == list(_SETUP):
            kind = "setup"
            self._read_body(words[len(_SETUP) :], triggered=False)
        else:
            kind = "static"
            for sentence in _cut(words, "STOP"):
                self._read_static(sentence)
        effects = tuple(self._with_abilities(effect, quoted) for effect in self.effects)
        understood = kind != "static" or any(effect.op != "raw" for effect in effects)
        if not words or not understood:
            status = "none"
        else:
            status = "partial" if self.unread or not effects else "full"
        return Ability(
            type=kind,
            text=self.text,
            status=cast(Any, status),
            limit=cast(Any, "unlimited" if self.unlimited else _LIMITS.get(kind, "none")),
            costs=tuple(self.costs),
            trigger=self.trigger,
            effects=effects,
            conditions=tuple(self.conditions),
            x=self.x,
            unread=tuple(self.unread),
            several=_holds_several(words, self.text),
            at=place(words) if words else (0, 0),
        )

    # -- parts ----------------------------------------------------------------------------------------------------

    def _say(self, span: Span) -> str:
        return self.text[span[0] : span[1]]

    def _not_read(self, part: Any, piece: Piece, stopped: Span | None) -> Span:
        """Note a part that was not read. Gives back its place."""
        unknown = tuple(place([word]) for word in piece if word.type == "UNKNOWN")
        self.unread.append(Unread(part=part, words=unknown or (stopped or place(piece[-1:]),), at=place(piece)))
        return place(piece)

    def _read_costs(self, words: Piece) -> None:
        """Costs stand between the type letters and the colon; commas between them may be left out."""
        for piece in _costs_apart(words):
            try:
                self.costs.extend(parts.read(piece, "costs"))
            except parts.NotRead as stopped:
                span = self._not_read("cost", piece, stopped.at)
                self.costs.append(Cost(op="raw", text=self._say(span), at=span))

    def _read_body(self, words: Piece, *, triggered: bool) -> None:
        if triggered and words and words[0] in _TRIGGERS:
            words = self._read_trigger(words)
        while words:
            if _is_roll(words):
                words = self._read_table(words)
                continue
            end = next((i for i, word in enumerate(words) if word.type == "STOP"), len(words))
            self._read_sentence(words[:end])
            words = words[end + 1 :]

    def _read_trigger(self, words: Piece) -> Piece:
        """Read the trigger up to its comma. Gives back what follows."""
        end = next((i for i, word in enumerate(words) if word.type in ("COMMA", "STOP")), None)
        if end is None or words[end].type == "STOP":
            return words  # Without a comma there is no trigger, but a clause that cannot be read.
        piece = words[:end]
        try:
            self.trigger = parts.read(piece, "trigger")
        except parts.NotRead as stopped:
            span = self._not_read("trigger", piece, stopped.at)
            self.trigger = Trigger(what="raw", text=self._say(span), at=span)
        return words[end + 1 :]

    def _read_sentence(self, words: Piece) -> None:
        """A rider, or clauses with joints between them."""
        if not words:
            return
        first = str(words[0])
        second = str(words[1]) if len(words) > 1 else ""
        if first == "unlimited" and len(words) == 1:
            self.unlimited = True
        elif first == "x" and second in ("=", "is", "equals"):
            try:
                self.x = parts.read(words, "xdef")
            except parts.NotRead as stopped:
                span = self._not_read("x", words, stopped.at)
                self.x = XValue(what="raw", text=self._say(span), at=span)
        elif first in ("only", "not") and second == "playable" and len(words) > 3 and words[2] in _WHILE:
            self._read_condition(words[3:], negated=first == "not", span=place(words))
        else:
            for piece in _joined(words):
                self._read_clause(piece, self.effects)

    def _read_condition(self, words: Piece, *, negated: bool, span: Span) -> None:
        try:
            made: Condition = parts.read(words, "condition")
        except parts.NotRead as stopped:
            self._not_read("condition", words, stopped.at)
            made = Condition(what="raw", text=self._say(place(words)), at=span)
        self.conditions.append(_negated(made) if negated else made)

    def _read_clause(self, piece: Piece, into: list[Effect]) -> None:
        """A clause; where "and" may join two numbers or two clauses, two numbers come first."""
        try:
            into.append(parts.read(piece, "clause"))
            return
        except parts.NotRead as stopped:
            one, *others = _cut(piece, "AND")
            if others:
                for each in (one, *others):
                    self._read_clause(each, into)
                return
            span = self._not_read("effect", piece, stopped.at)
            into.append(Effect(op="raw", text=self._say(span), at=span))

    def _read_table(self, words: Piece) -> Piece:
        """ "Roll: 1-2: …; 3-6: …." Gives back what follows."""
        end = next((i for i, word in enumerate(words) if i > 1 and word.type == "STOP"), len(words))
        rows: list[Row] = []
        for piece in _cut(words[2:end], "SEMICOLON"):
            low, high, rest = _row(piece)
            if not rest:
                span = self._not_read("effect", piece, None)
                self.effects.append(Effect(op="raw", text=self._say(span), at=span))
                continue
            made: list[Effect] = []
            for clause in _joined(rest):
                self._read_clause(clause, made)
            rows.append(Row(low=low, high=high, effects=tuple(made), at=place(piece)))
        self.effects.append(Effect(op="table", rows=tuple(rows), at=place(words[: max(end, 1)])))
        return words[end + 1 :]

    def _read_static(self, sentence: Piece) -> None:
        try:
            self.effects.extend(parts.read(sentence, "static"))
        except parts.NotRead as stopped:
            span = self._not_read("static", sentence, stopped.at)
            self.effects.append(Effect(op="raw", text=self._say(span), at=span))

    def _with_abilities(self, effect: Effect, quoted: bool) -> Effect:
        """A grant of an ability in quotes, with that ability read; one within another is left unread."""
        if effect.op != "grant" or effect.text is None:
            return effect
        fields = {name: getattr(effect, name) for name in effect.__struct_fields__}
        if quoted:
            self.unread.append(Unread(part="effect", words=(effect.at,), at=effect.at))
            return Effect(**{**fields, "op": "raw"})
        inner = _Reading(effect.text, self.keywords)
        given = inner.ability(tokens(effect.text, parts.language()[1], self.keywords), quoted=True)
        if given.status != "full":
            self.unread.append(Unread(part="effect", words=(effect.at,), at=effect.at))
        return Effect(**{**fields, "ability": given})


_WHILE = frozenset({"while", "when", "if"})


def _type_of(words: Piece, text: str) -> tuple[Type | None, int]:
    """The type letters that a text begins with, and the place of its colon; upper case, so "A unit" is no special
    assault."""
    if not words:
        return None, 0
    start, end = place(words[:1])
    letters = text[start:end]
    if letters not in TYPES:
        return None, 0
    for i, word in enumerate(words):
        if word.type == "STOP":
            break
        if word.type == "COLON":
            return cast(Type, letters), i
    return None, 0


def _holds_several(words: Piece, text: str) -> bool:
    """Whether another ability begins behind the first: the letters of a type with their colon, at the beginning of a sentence
    or of a line. Within quotes is the text of an ability that is given."""
    begins = (
        i
        for i, word in enumerate(words)
        if i and (words[i - 1].type == "STOP" or "\n" in text[place(words[i - 1 : i])[1] : place([word])[0]])
    )
    return any(_type_of(words[i:], text)[0] is not None for i in begins)


def _cut(words: Sequence[Token], mark: str) -> list[Piece]:
    """The runs of words between marks of one kind; empty ones are left out, and a comma at the end of one."""
    pieces: list[Piece] = [[]]
    for word in words:
        if word.type == mark:
            pieces.append([])
        else:
            pieces[-1].append(word)
    return [kept for piece in pieces if (kept := _without_comma(piece))]


def _without_comma(piece: Piece) -> Piece:
    while piece and piece[-1].type == "COMMA":
        piece = piece[:-1]
    return piece


def _costs_apart(words: Piece) -> list[Piece]:
    """Costs cut at commas, and before and after each test."""
    pieces: list[Piece] = [[]]
    depth = 0
    for word in words:
        if word == "(" and depth == 0:
            pieces.append([])
        depth += (word == "(") - (word == ")")
        if word.type == "COMMA" and depth <= 0:
            pieces.append([])
            continue
        pieces[-1].append(word)
        if word == ")" and depth == 0:
            pieces.append([])
    return [piece for piece in pieces if piece]


def _joined(words: Piece) -> list[Piece]:
    """Clauses apart: at semicolons, at "then", and at an "and" that no number follows ("and +1 armor")."""
    pieces: list[Piece] = [[]]
    for word, following in zip(words, (*words[1:], None), strict=True):
        if word.type in ("SEMICOLON", "THEN") or (word == "and" and following not in ("+", "-")):
            pieces.append([])
        else:
            pieces[-1].append(word)
    return [kept for piece in pieces if (kept := _without_comma(piece))]


def _is_roll(words: Piece) -> bool:
    """Whether a variable roll begins here: "Roll:" or "Roll." and then a number."""
    return len(words) > 2 and words[0] == "roll" and words[1].type in ("COLON", "STOP") and words[2].type == "INT"


def _row(piece: Piece) -> tuple[int, int, Piece]:
    """(lowest, highest, what happens) of a row; nothing happens where it is no row."""
    if piece[0].type != "INT":
        return 0, 0, []
    low = high = int(piece[0])
    rest = piece[1:]
    if len(rest) > 1 and rest[0] == "-" and rest[1].type == "INT":
        high, rest = int(rest[1]), rest[2:]
    if not rest or (rest[0].type not in ("COLON", "COMMA") and rest[0] != "="):
        return 0, 0, []
    return low, high, rest[1:]


def _negated(condition: Condition) -> Condition:
    fields = {name: getattr(condition, name) for name in condition.__struct_fields__}
    return Condition(**{**fields, "negated": not condition.negated})
