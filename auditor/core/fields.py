"""What the fields of an event are: said once, beside each field, and asked here.

A game declares every field as a fact (it cannot be derived), a claim (it follows from facts and the rules) or a label
(for reading only), and of what its values are. `auditor.systems.fields` writes such a declaration; this module reads
it off any class whose annotations bear one, and knows neither a game nor how a log is decoded. From the declarations
come what a line lacks, its values one by one with what each of them is, and the line with one value replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from copy import copy
from functools import cache
from operator import attrgetter, is_
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

Role: TypeAlias = Literal["fact", "claim", "label"]
Of: TypeAlias = Literal[
    "player",
    "unit",
    "model",
    "card",
    "printed card",
    "weapon",
    "wargear",
    "power",
    "discipline",
    "effect",
    "ability",
    "attack",
    "pool",
    "cast",
    "pack",
    "rule",
    "terrain",
    "face",
    "faces",
    "die",
    "number",
    "hex",
    "edge",
    "point",
    "sector",
    "choice",
    "flag",
    "event",
    "text",
    "part",
    "anything",
]
"""Of what the values of a field are.

card      a card as it lies on the table; "printed card" is the card of a set that it is a copy of
ability   the place of an ability in the ability box of its card
face      what one die showed; "faces" those of several dice in one text
die       which die of a roll, counted from 0
attack, pool, cast    names that a log gives to what belongs together
hex, edge, point      places: a hex, a hexside, a point in inches or fractions of a hex
choice    one of a few words that the field takes
event     the number of an event
part      an object with fields of its own, which say what they are
anything  any JSON
"""

DEPTHS: Mapping[str, int] = {"hex": 1, "edge": 2, "point": 1}
"""How deep the lists are nested that are one value: a hex is [q, r], an edge a pair of hexes."""

Path: TypeAlias = tuple[str | int, ...]
"""Where a value stands in an event: names of fields as the program has them, places in lists, keys of maps."""


class Declared(NamedTuple):
    """What one field is.

    words   what it says, as it stands after "the record does not state": "who acted"
    unit    of a number: "inches", "TPs"
    keys    of a map: what its keys are; `of` is then what its values are
    also    what else a value may be: cards that an ability is done to may be players
    each    of a list of pairs: what each part of a pair is
    needed  whether nobody can say how the position changed without it; or a function of the event, where that depends.
            Of a claim: whether a line that leaves it out cannot be audited in full
    parts   of a field whose values have fields of their own: which of these are needed there, with words for them
    number  of a field of ids in whose place a mere number may stand: what that number counts
    null    what an explicit null says ("nobody"); "" where null is the same as nothing
    absent  what leaving it out says ("the player did not roll"), where that says something: null is then not stated
    states  what of the position it states again, in a word of the game, and the field beside it, or of the event, that
            names whose that is; "" where it is nobody's
    """

    role: Role
    of: Of
    words: str
    unit: str = ""
    keys: Of | None = None
    also: tuple[Of, ...] = ()
    each: tuple[Of, ...] = ()
    needed: bool | Callable[[Any], bool] = False
    parts: Mapping[str, str] = {}
    number: str = ""
    null: str = ""
    absent: str = ""
    states: tuple[str, str] | None = None


class Leaf(NamedTuple):
    """One value of an event, with what it is. `key`: it is a key of a map, and `path` leads to the entry."""

    path: Path
    value: Any
    declared: Declared
    key: bool = False

    @property
    def of(self) -> Of:
        return self.declared.of


_DECLARED: dict[type, Mapping[str, Declared]] = {}


def declared(kind: type) -> Mapping[str, Declared]:
    """Field -> what it is, in the order in which the fields stand. Empty for a class that declares none."""
    known = _DECLARED.get(kind)
    if known is None:
        known = _DECLARED[kind] = {} if kind.__module__ == "builtins" else _declared(kind)
    return known


def _declared(kind: type) -> dict[str, Declared]:
    found: dict[str, Declared] = {}
    for name, hint in _hints(kind).items():
        for meta in getattr(hint, "__metadata__", ()):
            said = (getattr(meta, "extra", None) or {}).get("declared")
            if said is not None:
                found[name] = said  # the last one counts: an alias may say it first
    return found


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    """Field -> its type; taken from the words of the class once, which takes a millisecond."""
    return get_type_hints(kind, include_extras=True)


@cache
def of_one_type(kind: type, other: type, name: str) -> bool:
    """Whether a field that two classes declare holds values of one type in both."""
    return {*_classes(_hints(kind)[name])} == {*_classes(_hints(other)[name])}


@cache
def holds_a_list(kind: type, name: str) -> bool:
    """Whether a field holds several values in a list."""
    return list in _origins(_hints(kind)[name])


def _origins(hint: Any) -> Iterator[Any]:
    yield get_origin(hint)
    for part in get_args(hint):
        yield from _origins(part)


@cache
def parts_of(kind: type) -> tuple[type, ...]:
    """The classes with declared fields that the fields of a class may hold, itself first, each once."""
    seen: list[type] = []
    waiting = [kind]
    while waiting:
        one = waiting.pop(0)
        if one in seen or not declared(one):
            continue
        seen.append(one)
        for hint in _hints(one).values():
            waiting += _classes(hint)
    return tuple(seen)


def _classes(hint: Any) -> list[type]:
    """The classes that a type is made of."""
    inner = get_args(hint)
    if inner:
        return [kind for part in inner for kind in _classes(part)]
    return [hint] if isinstance(hint, type) else []


# -- the values of an event -------------------------------------------------------------------------------------------


def leaves(event: Any, names: Collection[str] | None = None) -> Iterator[Leaf]:
    """Every value that an event states, those of its parts and of lists and maps one by one, in the order of fields; of
    all its fields, or of those of some `names`.

    What was left out gives none; an explicit null gives one only where it says something.
    """
    return _within(event, (), names)


@cache
def holding(kind: type, wanted: Callable[[Declared], bool]) -> tuple[str, ...]:
    """The fields of a class that may hold a value of which `wanted` is true, themselves or in their parts."""
    hints = _hints(kind)
    return tuple(
        name
        for name, what in declared(kind).items()
        if any(map(wanted, _may_be(what)))
        or any(holding(one, wanted) for one in _classes(hints[name]) if one is not kind)
    )


def _may_be(what: Declared) -> Iterator[Declared]:
    """What the values of a field may be, and the keys of a map."""
    yield what
    yield from (what._replace(of=of, each=()) for of in what.each)
    if what.keys is not None:
        yield what._replace(of=what.keys)
    if what.number:
        yield what._replace(of="number", unit=what.number)


def _within(part: Any, path: Path, names: Collection[str] | None = None) -> Iterator[Leaf]:
    for name, what in declared(type(part)).items():
        if names is not None and name not in names:
            continue
        value = getattr(part, name)
        if value is None:
            if what.null:
                yield Leaf((*path, name), None, what)
        else:
            yield from _of_value(value, (*path, name), what)


def _of_value(value: Any, path: Path, what: Declared) -> Iterator[Leaf]:
    kind = type(value)
    if what.of == "anything":
        yield Leaf(path, value, what)
    elif kind is list or kind is tuple:
        if value and (_depth(value) <= DEPTHS.get(what.of, 0) or (what.of == "faces" and kind is list)):
            yield Leaf(path, value, what)
            return
        pair = what.each if kind is tuple else ()
        for i, item in enumerate(value):
            yield from _of_value(item, (*path, i), what._replace(of=pair[i], each=()) if pair else what)
    elif kind is dict:
        for key, item in value.items():
            if what.keys is not None:
                yield Leaf((*path, key), key, what._replace(of=what.keys), key=True)
            if item is not None:
                yield from _of_value(item, (*path, key), what)
    elif kind is int and what.number:
        yield Leaf(path, value, what._replace(of="number", unit=what.number))
    elif kind in _PLAIN:
        yield Leaf(path, value, what)
    else:  # a part of the event; or the mark of something left out, which has no fields
        yield from _within(value, path)


_PLAIN = frozenset({str, int, float, bool})


def _depth(value: Any) -> int:
    depth = 0
    while isinstance(value, (list, tuple)):
        depth += 1
        value = value[0] if value else None
    return depth


def replaced(event: Any, leaf: Leaf, value: Any) -> Any:
    """The same event with one of its values replaced; what does not change is shared."""
    return _with(event, leaf.path, value, leaf.key)


def _with(part: Any, path: Path, value: Any, key: bool) -> Any:
    first, rest = path[0], path[1:]
    if isinstance(part, dict):
        if rest or not key:
            return {**part, first: _with(part[first], rest, value, key) if rest else value}
        return {value if name == first else name: item for name, item in part.items()}
    if isinstance(part, (list, tuple)):
        items = list(part)
        items[int(first)] = _with(items[int(first)], rest, value, key) if rest else value
        return items if isinstance(part, list) else tuple(items)
    twin = copy(part)
    setattr(twin, str(first), _with(getattr(part, str(first)), rest, value, key) if rest else value)
    return twin


def without(event: Any, path: Path) -> Any:
    """The same event without one entry of one of its lists."""
    listed = value_at(event, path[:-1])
    n = int(path[-1])
    return _with(event, path[:-1], type(listed)((*listed[:n], *listed[n + 1 :])), False)


def unclaimed(part: Any) -> Any:
    """The same event with its facts only: what follows from them and the rules is left out, of its parts too."""
    twin = part
    for name, what in declared(type(part)).items():
        value = getattr(part, name)
        new = _unclaimed_value(value)
        if what.role == "claim" and what.of != "part":
            kind: type = type(part)
            new = _left_out(kind).get(name)
        if new is not value:
            twin = copy(part) if twin is part else twin
            setattr(twin, name, new)
    return twin


def _unclaimed_value(value: Any) -> Any:
    """The parts in a value with their facts only; the very same value where it has none."""
    if isinstance(value, (list, tuple)):
        parts = [unclaimed(one) if declared(type(one)) else one for one in value]
        return value if all(map(is_, parts, value)) else type(value)(parts)
    return unclaimed(value) if declared(type(value)) else value


@cache
def _left_out(kind: type) -> Mapping[str, Any]:
    """What the fields of a class hold where a line leaves them out."""
    defaults = getattr(kind, "__struct_defaults__", ())
    return dict(zip(reversed(getattr(kind, "__struct_fields__", ())), reversed(defaults), strict=False))


def value_at(event: Any, path: Path) -> Any:
    """The value that stands at some place of an event."""
    for step in path:
        event = _step(event, step)
    return event


def _step(part: Any, step: str | int) -> Any:
    if isinstance(part, (list, tuple)):
        return part[int(step)]
    return part.get(step) if isinstance(part, dict) else getattr(part, str(step))


def written(kind: type, name: str) -> str:
    """The name that a field of a class has in logs."""
    names: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    return str(getattr(kind, "__struct_encode_fields__", names)[names.index(name)]) if name in names else name


def place(event: Any, path: Path) -> str:
    """Where a value stands, as a log has it: `steps[1].faces`."""
    text = ""
    for n, step in enumerate(path):
        event = _step(event, path[n - 1]) if n else event
        if isinstance(event, (list, tuple)):
            text += f"[{step}]"
        elif isinstance(event, dict):
            text += f".{step}"
        else:
            text += f".{written(type(event), str(step))}"
    return text.removeprefix(".")


# -- what an event lacks ----------------------------------------------------------------------------------------------


class Restated(NamedTuple):
    """A value that states something of the position again: what, in a word of the game, whose, and what field says so."""

    word: str
    whose: Any
    field: str
    leaf: Leaf


_last_restated: tuple[Any, tuple[Restated, ...]] = (None, ())
"""What the last event states, which is asked for by each check that accuses in it."""


def restated(event: Any) -> tuple[Restated, ...]:
    """The values of an event that state something of the position again."""
    global _last_restated
    of, found = _last_restated
    if of is not event:
        found = tuple(_restated(event))
        _last_restated = event, found
    return found


def _restated(event: Any) -> Iterator[Restated]:
    for leaf in leaves(event):
        if leaf.declared.states is not None and not leaf.key:
            word, field = leaf.declared.states
            yield Restated(word, _beside(event, leaf.path, field), field, leaf)


def _beside(event: Any, path: Path, field: str) -> Any:
    """The value of a field of the innermost part round a value that has it."""
    for end in range(len(path) - 1, -1, -1):
        part = value_at(event, path[:end])
        if field in declared(type(part)):
            return getattr(part, field)
    return None


class _Needs(NamedTuple):
    """The facts that events of one class have to state: `stated` gives the plain ones all at once."""

    plain: tuple[tuple[str, str], ...]
    stated: Callable[[Any], tuple[Any, ...]] | None
    sometimes: tuple[tuple[str, str, Callable[[Any], bool]], ...]
    parts: tuple[tuple[str, Mapping[str, str]], ...]


_NEEDS: dict[type, _Needs] = {}


def _needs_of(kind: type) -> _Needs:
    fields = {name: what for name, what in declared(kind).items() if what.role == "fact"}
    plain = tuple((name, what.words) for name, what in fields.items() if what.needed is True)
    needs = _NEEDS[kind] = _Needs(
        plain,
        attrgetter(*(name for name, _ in plain), plain[0][0]) if plain else None,
        tuple((name, what.words, what.needed) for name, what in fields.items() if callable(what.needed)),
        tuple((name, what.parts) for name, what in fields.items() if what.parts),
    )
    return needs


def lacking(event: Any) -> list[str]:
    """The facts that an event has to state and does not, in words: "who acted"."""
    kind = type(event)
    needs = _NEEDS.get(kind) or _needs_of(kind)
    if needs.stated is not None and None in needs.stated(event):
        found = [words for name, words in needs.plain if getattr(event, name) is None]
    else:
        found = []
    for name, parts in needs.parts:
        part = getattr(event, name)
        every = part if isinstance(part, list) else () if part is None else (part,)
        found += [words for inner, words in parts.items() if any(getattr(one, inner) is None for one in every)]
    for name, words, needed in needs.sometimes:
        if getattr(event, name) is None and needed(event):
            found.append(words)
    return found


@cache
def _may_say_by_leaving_out(kind: type) -> tuple[tuple[str, str, bool], ...]:
    """The fields of a class that say something by being left out, or hold parts of which one may: name, words, if parts."""
    fields, hints = declared(kind), _hints(kind)
    found = []
    for name, what in fields.items():
        parts = any(_may_say_by_leaving_out(one) for one in _classes(hints[name]) if one is not kind)
        if what.absent or parts:
            found.append((name, what.words if what.absent else "", parts))
    return tuple(found)


def nulls(event: Any) -> Iterator[str]:
    """The facts that an event leaves open by a null, where leaving them out would say something; in words."""
    kind: type = type(event)
    for name, words, has_parts in _may_say_by_leaving_out(kind):
        value = getattr(event, name)
        if value is None and words:
            yield words
        if has_parts:
            for part in value if isinstance(value, list) else (value,):
                yield from nulls(part)


def needed(kind: type) -> frozenset[str]:
    """The facts of a class without which, always, nobody can say how the position changed."""
    return frozenset(name for name, what in declared(kind).items() if what.needed is True and what.role == "fact")
