"""The words of a printed text, with their places. Source: HCG catalogue 7.1.

Texts are read as printed: nothing is rewritten, so that every place is one of the text that players see.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import cast

from lark import Token

from auditor.systems.hcg.abilities.shapes import Span

MOST_CHARACTERS = 1_000
"""Printed texts have some hundred characters; longer ones only serve to cost time."""
MOST_NESTED = 2
"""Brackets or quotes within each other."""
MOST_DIGITS = 4

NUMBERS = {
    word: str(n)
    for n, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 1)
}
TRAITS = frozenset({"counterattack", "unique"})
"""Special abilities that have a name; they are keywords in every card set (HCG-KEY-01)."""
MARKS = {".": "STOP", ":": "COLON", ";": "SEMICOLON", "then": "THEN"}
"""What stands between the parts of a text; the grammar reads within parts and does not know them."""

_WORD = re.compile(
    r"""(?P<space>\s+)
    |(?P<quoted>"[^"]*"|“[^“”]*”)
    |(?P<d6>d6(?!\w))
    |(?P<int>\d+)
    |(?P<versus>(?:versus|vs)(?!\w)\.?)
    |(?P<word>[^\W\d_]+(?:[-'’][^\W\d_]+)*)
    |(?P<minus>[−–](?=\s?(?:\d|x(?!\w)|d6)))
    |(?P<other>.)""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


class TextRefused(ValueError):
    """A text that is too long or too deeply nested to be a printed ability."""


def check(text: str) -> None:
    """Raises TextRefused, naming the bound, before any work is done on a text."""
    if len(text) > MOST_CHARACTERS:
        raise TextRefused(f"a text of {len(text):,} characters; the longest that is read has {MOST_CHARACTERS:,}")
    for opening, closing in ("()", "“”", "[]", "{}"):
        depth = 0
        for character in text:
            depth += (character == opening) - (character == closing and depth > 0)
            if depth > MOST_NESTED:
                raise TextRefused(f'"{opening}" nested more than {MOST_NESTED} deep')


def tokens(text: str, vocabulary: Mapping[str, str], keywords: Collection[str]) -> list[Token]:
    """The words of a text as tokens of the grammar.

    `vocabulary`: each word of the grammar with the name of its token. `keywords`: those of the card set, in lower
    case; TRAITS are keywords always. A word of the language is never a keyword.
    """
    found: list[Token] = []
    for match in _WORD.finditer(text):
        kind, value = match.lastgroup, match.group()
        if kind == "space":
            continue
        if kind == "int":
            name = "INT" if len(value) <= MOST_DIGITS else "UNKNOWN"
        elif kind == "quoted":
            name = "QUOTED"
        else:
            value = _plain(kind, value)
            if value in NUMBERS:
                name, value = "INT", NUMBERS[value]
            else:
                known = "KEYWORD" if value in keywords or value in TRAITS else "UNKNOWN"
                name = vocabulary.get(value) or MARKS.get(value) or known
        found.append(Token(name, value, start_pos=match.start(), end_pos=match.end()))
    return found


def _plain(kind: str | None, value: str) -> str:
    """A word as the grammar spells it."""
    if kind == "versus":
        return "vs."
    if kind == "minus":
        return "-"
    value = value.lower().replace("’", "'")
    return "armor" if value == "armour" else value


def place(piece: Sequence[Token]) -> Span:
    """Where a run of tokens stands."""
    return cast(Span, (piece[0].start_pos, piece[-1].end_pos))
