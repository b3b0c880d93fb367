"""No text of a user makes a pattern of ours take more than time in step with its length.

The patterns are found in the source, so that a new one is among them.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import TypeAlias

import pytest

ROOT = Path(__file__).resolve().parents[2] / "auditor"
LENGTHS = (500, 4_000, 100_000)
WITHIN = ("search", "findall", "finditer", "sub", "subn", "split")
LOOKED_FOR = re.compile(rf"\b(\w+)\.(?:{'|'.join(WITHIN)})\b")
"""The names of patterns that are looked for within a text."""
Pattern: TypeAlias = "re.Pattern[str] | re.Pattern[bytes]"
PIECES = (
    "a", "A", "1", "-", " ", ".", ",", "/", "|", "(", "[", "{", "}", '"', "\\", "<", "*", "+", "=", "_", "\n", "\t",
    "é", "\u0301", "\u200b", "a-", "-a", "1.", "1/", "1 ", "a ", " a", "a.", "{}", "\\a", '"a"', '":', "\n ", "<a ",
    "a, ", "1-1", "; ", "<!", ",,", "1e", "sep=", ": ", "/*", "re-roll ", "a: ", "*a*", "0", "+1 ", '{"a":', "jan ",
)  # fmt: skip
"""Repeated to a length, alone and with something behind that keeps a match from being found."""
ENDS = ("", "!", "\n")
LONG = ("a", "1", "-", " ", "a-", "1/", "a ", "\u0301", "(", '"', "\\", "{}", "a, ", "\n")
SLOW = {500: 0.02, 4_000: 0.05, 100_000: 0.5}
"""Seconds that a length may take; squared, the second would take a hundred times as long as it does, the third hours."""


def patterns() -> Iterator[tuple[str, Pattern, bool]]:
    """Every pattern that is written out in a call of `re`: its place, and whether it is looked for within a text."""
    called = re.compile(rf"\bre\.(?:{'|'.join((*WITHIN, 'match', 'fullmatch'))})\(")
    for path in sorted(ROOT.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if called.search(text) else ():
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
                continue
            if node.func.attr not in {*WITHIN, "match", "fullmatch"} or getattr(node.func.value, "id", "") != "re":
                continue
            try:
                written = ast.literal_eval(node.args[0])
            except ValueError:
                continue
            flags = re.IGNORECASE if any("re.I" in ast.unparse(arg) for arg in node.args[1:]) else 0
            yield f"{path.relative_to(ROOT)}:{node.lineno}", re.compile(written, flags), node.func.attr in WITHIN


def kept() -> Iterator[tuple[str, Pattern, bool]]:
    """The patterns that modules keep, however they were made; those of lists count as looked for within a text."""
    sources = {path: path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py"))}
    looked_for = {path: set(LOOKED_FOR.findall(text)) for path, text in sources.items()}
    anywhere = set().union(*looked_for.values())
    for path, text in sources.items():
        if "re.compile(" not in text or "migrations" in path.parts:
            continue
        dotted = ".".join(("auditor", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
        for name, value in vars(importlib.import_module(dotted)).items():
            todo: list[tuple[object, bool]] = [(value, False)]
            while todo:
                one, is_listed = todo.pop()
                if isinstance(one, re.Pattern):
                    where = looked_for[path] if name.startswith("_") else anywhere
                    yield f"{path.relative_to(ROOT)}:{name}", one, is_listed or name in where
                elif isinstance(one, tuple | list):
                    todo += [(item, True) for item in one]


ALL: dict[tuple[Pattern, bool], str] = {(pattern, within): place for place, pattern, within in (*patterns(), *kept())}


def texts(length: int) -> Iterator[str]:
    pieces, ends = (PIECES, ENDS) if length < 100_000 else (LONG, ("!",))
    for piece in pieces:
        for end in ends:
            yield (piece * (length // len(piece) + 1))[:length] + end


def test_the_patterns_are_found() -> None:
    assert len(ALL) > 60
    assert any(place.startswith("report/words.py") for place in ALL.values())


def slow_at(pattern: Pattern, within: bool) -> tuple[int, str] | None:
    """The first length, and the text, at which a pattern takes too long."""
    for length in LENGTHS:
        for text in texts(length):
            subject: str | bytes = text.encode() if isinstance(pattern.pattern, bytes) else text
            begin = process_time()
            if within:
                deque(pattern.finditer(subject), 0)
            pattern.match(subject)
            pattern.fullmatch(subject)
            if process_time() - begin > SLOW[length]:
                return length, text[:10]
    return None


@pytest.mark.parametrize(("pattern", "place"), ALL.items(), ids=ALL.values())
def test_a_pattern_takes_time_in_step_with_the_text(pattern: tuple[Pattern, bool], place: str) -> None:
    assert slow_at(*pattern) is None, (place, pattern)


def test_a_pattern_that_is_quadratic_is_noticed() -> None:
    found = slow_at(re.compile(r"\w+(?:-\w+)+"), within=True)
    assert found is not None and found[0] < 100_000


def test_sentences_with_long_words_are_made_fit_for_a_page_in_no_time() -> None:
    from auditor.report.words import unbroken

    for piece in ("a", "a-", "-", "ä", "re-roll "):
        begin = process_time()
        assert unbroken(piece * 100_000)
        assert process_time() - begin < 3
