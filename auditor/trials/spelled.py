"""Legal games with their values written as people write them: nobody may be accused of a spelling.

Each way writes one declared value of a line otherwise, or leaves it unreadable. A game is tried with one value of it
written so, and with every value of one kind.
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from auditor import engine, systems
from auditor.conformance.logs import as_jsonl
from auditor.core.fields import Leaf, leaves, place
from auditor.trials.tally import Json, Tally

Way = Callable[[Any], Any]


def _text(write: Callable[[str], Any]) -> Way:
    return lambda value: write(value) if isinstance(value, str) and value else value


def _number(write: Callable[[float], Any]) -> Way:
    return lambda value: write(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


WAYS: dict[str, Way] = {
    "lower case": _text(str.lower),
    "upper case": _text(str.upper),
    "capitals": _text(str.title),
    "a blank behind": _text(lambda text: f"{text} "),
    "a blank before": _text(lambda text: f" {text}"),
    "a hard blank behind": _text(lambda text: f"{text}\u00a0"),
    "a tab behind": _text(lambda text: f"{text}\t"),
    "_ for -": _text(lambda text: text.replace("-", "_")),
    "- for _": _text(lambda text: text.replace("_", "-")),
    "blanks for both": _text(lambda text: text.replace("-", " ").replace("_", " ")),
    "neither": _text(lambda text: text.replace("-", "").replace("_", "")),
    "long dashes": _text(lambda text: text.replace("-", "\u2013")),
    "letters taken apart": _text(lambda text: unicodedata.normalize("NFD", text)),
    "full width": _text(lambda text: "".join(chr(ord(s) + 0xFEE0) if "!" <= s <= "~" else s for s in text)),
    "another name": _text(lambda text: f"{text} or so"),
    "letters of another script": _text(lambda text: text.translate(str.maketrans("CHBScehospa", "СНВЅсеһоѕра"))),
    "a word of its own": _text(lambda text: "see the note"),
    "in quotes": _text(lambda text: f'"{text}"'),
    "a number as text": _number(lambda number: f"{number}"),
    "a number with a blank": _number(lambda number: f" {number} "),
    "a number with a point": _number(float),
    "a die too high": _number(lambda number: number + 70),
    "yes and no": lambda value: {True: "yes", False: "No"}[value] if isinstance(value, bool) else value,
    "null": lambda value: None,
}
"""How a value is written otherwise; a way that means nothing for it gives it back."""
OF_DICE = frozenset({"a die too high"})
LEFT_ALONE = frozenset({"event", "anything", "text", "part"})


class Tried(NamedTuple):
    """One game with one or all of its values written in some way, and what it was accused of."""

    seed: int
    way: str
    where: str
    accused: list[str]


def once(game: str, seed: int, lines: list[Json], rng: Random, number: int) -> Iterator[Tried]:
    """A legal game with one value written otherwise, so many times."""
    values = list(_values(game, lines))
    for _ in range(number):
        index, path, leaf = rng.choice(values)
        way = rng.choice([name for name in WAYS if _means(name, leaf)])
        made = _written(lines, index, path, WAYS[way], leaf.key)
        if made is not None:
            yield Tried(seed, way, f"line {index + 1}, {place_of(path)}", accused(made))


def everywhere(game: str, seed: int, lines: list[Json], rng: Random, number: int) -> Iterator[Tried]:
    """A legal game with every value of one kind written otherwise, so many times."""
    values = list(_values(game, lines))
    kinds = sorted({leaf.of for _, _, leaf in values})
    for _ in range(number):
        of = rng.choice(kinds)
        chosen = [one for one in values if one[2].of == of and not one[2].key]
        names = [name for name in WAYS if chosen and _means(name, chosen[0][2])]
        if not names:
            continue
        yield from _everywhere(game, seed, lines, of, rng.choice(names))


class Plan(NamedTuple):
    """A value to be written otherwise, or every value of a kind."""

    way: str
    of: str
    line: int = 0
    path: tuple[str | int, ...] = ()
    key: bool = False


def plans(game: str, lines: list[Json], rng: Random, share: float) -> list[Plan]:
    """Each field of a legal game in each of the ways that mean something for it, at a share of the places where it stands, at
    least one; and every kind of value everywhere, in each way. In an order of chance: whoever stops early has tried a sample."""
    places: dict[tuple[str, bool, str], list[tuple[int, tuple[str | int, ...], Leaf]]] = {}
    kinds: dict[str, Leaf] = {}
    for one in _values(game, lines):
        index, _, leaf = one
        places.setdefault((lines[index]["type"], leaf.key, leaf.declared.words), []).append(one)
        if not leaf.key:
            kinds.setdefault(leaf.of, leaf)
    found: list[Plan] = []
    for way in WAYS:
        for where in places.values():
            meant = [one for one in where if _means(way, one[2])]
            for index, path, leaf in rng.sample(meant, min(len(meant), max(1, round(share * len(meant))))):
                found.append(Plan(way, leaf.of, index, path, leaf.key))
        found += [Plan(way, of) for of, leaf in kinds.items() if _means(way, leaf)]
    rng.shuffle(found)
    return found


def carried_out(game: str, seed: int, lines: list[Json], plan: Plan) -> Iterator[Tried]:
    """A legal game written so; none where the value is not where it should be."""
    if not plan.path:
        yield from _everywhere(game, seed, lines, plan.of, plan.way)
        return
    made = _written(lines, plan.line, plan.path, WAYS[plan.way], plan.key)
    if made is not None:
        yield Tried(seed, plan.way, f"line {plan.line + 1}, {place_of(plan.path)}", accused(made))


def _everywhere(game: str, seed: int, lines: list[Json], of: str, way: str) -> Iterator[Tried]:
    """A legal game with every value of one kind written in some way; none where it means nothing for any of them."""
    made = lines
    for index, path, leaf in _values(game, lines):
        if leaf.of == of and not leaf.key and _means(way, leaf):
            made = _written(made, index, path, WAYS[way], leaf.key) or made
    if made is not lines:
        yield Tried(seed, way, f"every {of}", accused(made))


SPELLED, ROUNDED = "the spellings of people", "places rounded as the header says"
"""What a conformance run counts these under, beside the relations of a game."""
ONE_IN = 5
"""Of the legal games of a run one in so many is written otherwise."""
STEPS = (0.1, 0.25, 0.5)
"""Inches, as people read a tape."""


def rounded(game: str, lines: list[Json], step: float) -> list[Json] | None:
    """A legal game with all its places rounded, and its header saying so; None where a game has no places."""
    if "recording_precision" not in systems.game(game).format.header.type.__struct_fields__:
        return None
    made = [{**lines[0], "recording_precision": step}, *lines[1:]]
    for index, path, leaf in _values(game, lines):
        if leaf.of == "point" and not leaf.key:
            made = _written(made, index, path, lambda place: _on_a_grid(place, step), False) or made
    return made


def _on_a_grid(value: Any, step: float) -> Any:
    if isinstance(value, list):
        return [_on_a_grid(item, step) for item in value]
    return (
        value if isinstance(value, bool) or not isinstance(value, int | float) else round(round(value / step) * step, 4)
    )


def try_as_people_write(game: str, lines: list[Json], seed: int, tally: Tally) -> None:
    """Write one in so many legal games of a run as people do, and count whether anybody was accused of that."""
    if seed % ONE_IN:
        return
    rng = Random(f"{game} {seed}")
    trials = [(SPELLED, f"{one.way}, {one.where}: ", one.accused) for one in once(game, seed, lines, rng, 1)]
    step = rng.choice(STEPS)
    if (coarse := rounded(game, lines, step)) is not None:
        trials.append((ROUNDED, f"to {step:g} inches: ", accused(coarse)))
    for name, how, wrong in trials:
        tally.relations[name, "broken" if wrong else "held"] += 1
        tally.broken_listed += [{"relation": name, "number": seed, "text": how + one} for one in wrong[:5]]


def accused(lines: list[Json]) -> list[str]:
    """What an audit of some lines holds against somebody."""
    audit = engine.audit_log(as_jsonl(lines).encode(), digest=False, causes=False)
    return [f"{one['seq']} {one['rule']} {one['text']}" for one in audit["findings"] if one["stands"]]


def table(tried: list[Tried]) -> list[tuple[str, int, int]]:
    """For each way how many games were written in it, and how many of them were accused of something."""
    games, faults = Counter(one.way for one in tried), Counter(one.way for one in tried if one.accused)
    return [(way, games[way], faults[way]) for way in WAYS if games[way]]


def _means(way: str, leaf: Leaf) -> bool:
    if leaf.of in LEFT_ALONE or (way in OF_DICE and leaf.of != "face"):
        return False
    if way == "null" and leaf.declared.null:
        return False  # null says something of its own
    return WAYS[way](leaf.value) != leaf.value or json.dumps(WAYS[way](leaf.value)) != json.dumps(leaf.value)


def _values(game: str, lines: list[Json]) -> Iterator[tuple[int, tuple[str | int, ...], Leaf]]:
    """Every declared value of the events of a game, with its line and its place in that line as it is written."""
    shapes = systems.game(game).format.shapes
    for index, line in enumerate(lines[1:], 1):
        event: Any = shapes[line["type"]].of(line)
        for leaf in leaves(event):
            if leaf.path[0] not in ("seq",) and leaf.of not in LEFT_ALONE:
                yield index, _as_written(event, leaf), leaf


def _as_written(event: Any, leaf: Leaf) -> tuple[str | int, ...]:
    text, found = place(event, leaf.path), []
    for part in text.replace("[", ".[").split("."):
        found.append(int(part[1:-1]) if part.startswith("[") else part)
    return tuple(found)


def place_of(path: tuple[str | int, ...]) -> str:
    return ".".join(map(str, path))


def _written(lines: list[Json], index: int, path: tuple[str | int, ...], way: Way, key: bool) -> list[Json] | None:
    """The lines with one value written otherwise; None where it is not where it should be."""
    line = json.loads(json.dumps(lines[index]))
    holder = line
    try:
        for step in path[:-1]:
            holder = holder[step]
        if key:
            holder[way(path[-1])] = holder.pop(path[-1])
        else:
            holder[path[-1]] = way(holder[path[-1]])
    except (KeyError, IndexError, TypeError):
        return None
    return [*lines[:index], line, *lines[index + 1 :]]
