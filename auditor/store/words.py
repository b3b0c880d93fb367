"""The words that a log is found by: a plain table with an index, which every database can search from a word's start."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

LONGEST = 40
FIELDS = ("event", "round", "table")


_WORD = re.compile(r"\w+")


def parts(text: object) -> list[str]:
    """The words of a text, in the form they are compared in."""
    return [word[:LONGEST] for word in _WORD.findall(folded(str(text)))]


_LETTERS = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "ı": "i", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})


def folded(text: str) -> str:
    """A text without the difference of capitals, of marks on letters, of how these are composed and of wide letters."""
    apart = unicodedata.normalize("NFKD", text).casefold()
    if apart.isascii():
        return apart
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", apart) if not unicodedata.combining(sign))
    return unicodedata.normalize("NFC", plain.translate(_LETTERS))


def of_field(field: str, value: object) -> str:
    """How event, round or table of a match stand among the words: whole, with their field."""
    return f"{field}={' '.join(parts(value))}"


def of_player(word: str) -> str:
    """How a word of a player's name or id stands among the words, apart from the same word elsewhere."""
    return f"player={word}"


def words_of(name: str, header: Mapping[str, Any]) -> set[str]:
    """All words of a log, by its file's name and the summary of its header."""
    match = header.get("match", {})
    found = {of_field(field, match[field]) for field in FIELDS if field in match}
    players = [part for player in header.get("players", []) for text in player.values() for part in parts(text)]
    found |= {of_player(part) for part in players}
    texts = [name, *(header.get(key, "") for key in ("title", "board", "scenario", "recorded_by")), *match.values()]
    return found | {part for text in texts for part in parts(text)} | set(players)
