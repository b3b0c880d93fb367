"""Values of an audit in words: dice, fields, readings, counts.

Everything here came from a log that players wrote, so it is hostile: `tidy` takes out what could disturb a page
(control characters, marks that turn the direction of writing, halves of surrogate pairs) and the escaping is left to
Markup, which every function that gives markup returns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from markupsafe import Markup, escape

from auditor.core.naming import CALLED, in_plain_words
from auditor.core.naming import listed as listed

KINDS = ("illegal", "miscalculated", "omitted", "ambiguous")
ICONS = {"illegal": "ill", "miscalculated": "mis", "omitted": "omi", "ambiguous": "amb"}

NOT_ROLLED = ("not rolled", "d-x")


class Speech(Protocol):
    """How values of a game are said: what a kind of board knows of them (`boards.kind.Kind`)."""

    @property
    def value(self) -> Callable[[Any, str], str | None]: ...

    @property
    def faces(self) -> Mapping[str, tuple[str, str]]: ...


_UNSAFE = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ud800-\udfff]"
)
_UPPER = {"tp": "TP", "tps": "TPs", "los": "line of sight", "id": "id"}
# Boards hold thousands of numbers and few words: lists of places are looked through, not copied.
_PLACES = frozenset({"hexes", "path", "seen"})


def tidy(value: Any) -> Any:
    """The same value with every string in it made safe to print: what cannot be shown becomes U+FFFD."""
    if isinstance(value, str):
        return value if value.isascii() and value.isprintable() else _UNSAFE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {tidy(k): (v if k in _PLACES and _is_harmless(v) else tidy(v)) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [tidy(v) for v in value]
    return value


def _is_harmless(value: Any) -> bool:
    if not isinstance(value, list | tuple):
        return False
    return all(
        isinstance(item, list | tuple)
        and all(isinstance(n, int) or (isinstance(n, str) and n.isascii() and n.isprintable()) for n in item)
        for item in value
    )


_NOT_OF_A_SLUG = re.compile(r"[^A-Za-z0-9_-]")


def slug(text: object) -> str:
    """An id for a place in a page: letters, digits, '-' and '_' stay, everything else becomes its number."""
    return _NOT_OF_A_SLUG.sub(lambda found: f".{ord(found[0]):x}", str(text))


def plural(n: int, one: str, many: str | None = None) -> str:
    """'1 act', '2 acts'."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def shorten(text: str, most: int = 200) -> str:
    """At most so many characters; what is cut is shown as '…'."""
    return text if len(text) <= most else text[: most - 1] + "…"


LONGEST_WORD = 20
"""Letters of a word that a line has room for everywhere; a longer one may be broken."""


_LONG_WORDS = re.compile(rf"(\S{{{LONGEST_WORD + 1},}})")


def name_markup(text: str) -> Markup:
    """A name for a page: its words stay whole, and only one longer than any common word may break for want of room."""
    parts = _LONG_WORDS.split(text)
    return Markup("").join(
        Markup("<wbr>").join(part[i : i + 5] for i in range(0, len(part), 5)) if n % 2 else part
        for n, part in enumerate(parts)
    )


_HYPHENATED = re.compile(r"(?<!\w)\w+(?:-\w+)+")
"""Looked for from the beginning of a word only: from each of its letters, a long word would take its length squared."""


def unbroken(text: object) -> Markup:
    """A sentence for a page whose ids stay whole: no line ends within "um-6" or "re-roll"."""
    out: list[str] = []
    done = 0
    said = str(text)
    for found in _HYPHENATED.finditer(said):
        if len(found[0]) <= LONGEST_WORD:
            out += [escape(said[done : found.start()]), '<span class="unbroken">', escape(found[0]), "</span>"]
            done = found.end()
    return Markup("".join([*out, escape(said[done:])]))  # all of it is escaped, or ours


def label(name: str) -> str:
    """A field's name as a reader says it: 'tp_after' is 'TP after', 'steps.0.shields' is 'step 1, shields'."""
    parts: list[str] = []
    for part in str(name).split("."):
        if part.isdecimal() and parts:
            parts[-1] = f"{parts[-1].removesuffix('s')} {int(part[:9]) + 1}"
        else:
            words = CALLED.get(part, part.replace("_", " ")).split()
            parts.append(" ".join(_UPPER.get(w.lower(), w) for w in words))
    return ", ".join(p for p in parts if p) or str(name)


def faces_in(key: str, value: Any) -> list[str] | None:
    """The dice in a value, one letter a die, or None where it holds no dice.

    Dice are known by the name of their field (faces, roll, rolled, added), not by their looks: 'CHS' may be a name.
    """
    if not re.search(r"face|roll|added|dice shown", key.lower()):
        return None
    letters = list(value) if isinstance(value, str | list | tuple) else []
    if letters and len(letters) <= 60 and all(isinstance(c, str) and re.fullmatch(r"[A-Z?]", c) for c in letters):
        return letters
    return None


def die(face: str, speech: Speech | None = None) -> Markup:
    """One die as a picture; a face that nobody named is shown by its own letter."""
    known = NOT_ROLLED if face == "?" else speech.faces.get(face) if speech is not None else None
    if known is not None:
        return Markup('<svg viewBox="0 0 24 24" aria-hidden="true"><use href="#{}"/></svg>').format(known[1])
    return Markup(
        '<svg viewBox="0 0 24 24" aria-hidden="true"><use href="#d-B"/><text class="dq" x="12" y="17">{}</text></svg>'
    ).format(face)


def dice(faces: Sequence[str], speech: Speech | None = None) -> Markup:
    """Dice drawn, with their faces spelled for those who hear the page."""
    names = {"?": NOT_ROLLED, **(speech.faces if speech is not None else {})}
    spelled = ", ".join(names[f][0] if f in names else f for f in faces)
    return Markup('<span class="dice" role="img" aria-label="{}">{}</span>').format(
        spelled, Markup("").join(die(f, speech) for f in faces)
    )


def value_words(value: Any, key: str = "", speech: Speech | None = None, depth: int = 0) -> str:
    """A claimed or recomputed value in words; what is a place of the board, as its kind says it."""
    if value is None:
        return "nobody" if key == "winner" else "nothing"
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return shorten(in_plain_words(value, key), 240) if value else "(empty)"
    if depth > 4:
        return "…"
    own = speech.value(value, key) if speech is not None else None
    if own is not None:
        return own
    if isinstance(value, list | tuple):
        if not value:
            return "none"
        joint = ", " if all(isinstance(v, str | int) for v in value) else "; "
        shown = [value_words(v, key, speech, depth + 1) for v in value[:40]]
        return joint.join(shown) + (f" and {len(value) - 40} more" if len(value) > 40 else "")
    if isinstance(value, Mapping):
        if not value:
            return "none"
        return ", ".join(f"{label(k)} {value_words(v, str(k), speech, depth + 1)}" for k, v in list(value.items())[:40])
    return shorten(str(value), 240)


def value_markup(value: Any, key: str = "", speech: Speech | None = None) -> Markup:
    """A value as it stands in a table: dice drawn, a list of blocks as lines, all else in words."""
    faces = faces_in(key, value)
    if faces is not None:
        return Markup('{} <span class="mono">{}</span>').format(dice(faces, speech), " ".join(faces))
    if isinstance(value, Mapping) and value and len(value) > 1:
        return Markup("").join(
            Markup('<span class="sub">{} {}</span>').format(label(k), value_markup(v, str(k), speech))
            for k, v in list(value.items())[:40]
        )
    if isinstance(value, list | tuple) and value and all(isinstance(v, Mapping) for v in value):
        return Markup("").join(
            Markup('<span class="sub"><span class="quiet">{}.</span> {}</span>').format(n, value_words(v, key, speech))
            for n, v in enumerate(value[:40], 1)
        )
    return escape(value_words(value, key, speech))


def side_class(sides: Sequence[str], side: str | None) -> str:
    """'a' for the first side in the alphabet, 'b' for the second, 'c' for any other: the shape of its tokens."""
    if side is None or side not in sides:
        return "c"
    return "abc"[min(sides.index(side), 2)]


def paragraphs(text: str) -> list[str]:
    """A docstring as paragraphs: lines joined, blank lines divide; 'Log:' and 'Edge:' lines stand alone."""
    out: list[list[str]] = [[]]
    for line in (text or "").splitlines():
        bare = line.strip()
        if not bare:
            out.append([])
        elif re.match(r"(Log|Edge|Edges|Source|Readings?|Check|Rule)s?:", bare):
            out.append([bare])
        else:
            out[-1].append(bare)
    return [" ".join(part) for part in out if part]
