"""The shape of a piece of JSON, given once as a msgspec type: read fast where it fits, explained fully where not.

msgspec stops at the first misfit; the JSON Schema made from the same type lets jsonschema name all of them. Both take
3.0 for 3 once `whole` has been applied, which the slow way does and the fast way leaves undone.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import msgspec

from auditor.core.nearest import nearest_id
from auditor.systems.spelling import folded

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

T = TypeVar("T")

MOST_SHOWN = 200
DIGITS_READ = 25
MOST_PLACES = 1_000
"""Places of one line that are looked at, where they do not fit."""
MOST_TEXTS = 10_000
"""Texts of which it is kept what they are read as."""

REFUSALS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What a msgspec decoder raises for bytes that do not fit."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """One place where a value does not fit: `path` within it ("units[2].hex"), what stands there, what should."""

    path: str
    found: str
    expected: str
    nearest: str | None = None


class OutOfRange:
    """A number too large to be read, kept as written. It fits nowhere."""

    def __init__(self, written: str) -> None:
        self.written = written


@dataclass(frozen=True)
class Shape(Generic[T]):
    """A JSON shape, as a msgspec type."""

    type: Any

    @cached_property
    def _decoder(self) -> msgspec.json.Decoder[T]:
        return msgspec.json.Decoder(self.type)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The shape as a JSON Schema (draft 2020-12)."""
        return schema_of(self.type)

    @cached_property
    def _validator(self) -> Validator:
        return _validator_of(self.schema)

    def read(self, data: bytes) -> T:
        """The value that the bytes hold. Raises one of REFUSALS."""
        return self._decoder.decode(data)

    def of(self, value: Any, *, floats: bool = True) -> T:
        """The value made from parsed JSON (`floats`: whether there may be any in it). Raises msgspec.ValidationError."""
        return msgspec.convert(whole(value) if floats else value, self.type)  # type: ignore[no-any-return]

    def misfits(self, value: Any) -> list[Misfit]:
        """Every place of parsed JSON that does not fit, in the order of the schema."""
        found = (misfit for error in self._validator.iter_errors(value) for misfit in _misfits(error))
        return list(dict.fromkeys(found))

    @cached_property
    def _plans(self) -> dict[tuple[str, int], Any]:
        """What `_within` says of a kind of value and a schema of these."""
        return {}

    @cached_property
    def _texts(self) -> dict[tuple[str, int], Any]:
        """What a text is read as under a schema of these: the text itself, where it fits or means nothing else."""
        return {}

    def mended(self, value: Any) -> Mended:
        """Parsed JSON with what only stands in other words than it might: what `fitted` reads of an event, but for names
        of fields; found by going through it once, and so in step with its length."""
        read: list[tuple[str, str]] = []
        defs, known, plans = self.schema["$defs"], self._texts, self._plans

        def within(schema: Any, own: str) -> Any:
            key = own, id(schema)
            if key not in plans:
                plans[key] = _within(schema, own, defs)
            return plans[key]

        def mend(value: Any, schema: Any) -> Any:
            if isinstance(value, str):
                key = value, id(schema)
                if key not in known:
                    if len(known) > MOST_TEXTS:
                        known.clear()
                    known[key] = _text_as(value, schema, defs)
                now = known[key]
                if now != value:
                    read.append((value, now if isinstance(now, str) else json.dumps(now)))
                return now
            own = _KIND_OF.get(type(value))
            if own == "array":
                first, others = within(schema, own)
                rest = value[len(first) :]
                if others is not None:
                    rest = [item if type(item) in _NUMBERS else mend(item, others) for item in rest]
                return [*map(mend, value, first), *rest]
            if own == "object":
                wanted = within(schema, own)
                return {key: mend(item, wanted[key]) if key in wanted else item for key, item in value.items()}
            return value

        around = _behind(self.schema, defs)["properties"]
        now = {key: mend(item, around[key]) if key in around and key != "type" else item for key, item in value.items()}
        return Mended(now, read)

    def fitted(self, value: Any, most: int = MOST_PLACES) -> Fitted:
        """Parsed JSON with the words that it may take written as they are known, and numbers and truth values written
        as texts read; a word that can mean none of those, or several, is left out. It ends at so many misfits (`most`)."""
        read: list[tuple[str, str]] = []
        left_out: list[Misfit] = []
        given = value
        wrong: list[ValidationError] = []
        for error in islice(self._validator.iter_errors(value), MOST_PLACES):
            before = value
            for inner in _inner(error):
                known = _choices(inner.schema) if isinstance(inner.schema, Mapping) else []
                path = list(inner.absolute_path)
                written: Any = inner.instance
                if "propertyNames" in inner.absolute_schema_path:
                    now = meant(written, known)
                    if now is not None and now not in (holder := _at(value, path)):
                        value = _with(value, path, {now if key == written else key: v for key, v in holder.items()})
                        read.append((written, now))
                    continue
                if not path or path == ["type"] or not isinstance(written, str):
                    continue
                now = _read_as(written, inner.schema, known)
                if now is not None:
                    read.append((written, now if isinstance(now, str) else json.dumps(now)))
                    value = _with(value, path, now)
                elif known and isinstance(path[-1], str):
                    left_out.append(
                        Misfit(path_text(path), shown(written), in_words(inner.schema), nearest_id(written, known))
                    )
                    value = _without(value, path)
            if value is before:
                wrong.append(error)
                if len(wrong) >= most:
                    break
        if value is not given and len(wrong) < most:
            wrong = list(islice(self._validator.iter_errors(value), most))
        misfits = dict.fromkeys(misfit for error in wrong for misfit in _misfits(error))
        return Fitted(value, read, left_out, list(misfits))


class Mended(NamedTuple):
    """A value in which words and numbers were read as what they can only mean, and what was read as what."""

    value: Any
    read: list[tuple[str, str]]


class Fitted(NamedTuple):
    """A value made to fit: what was read as what (written, known), what was left out, and what still does not fit."""

    value: Any
    read: list[tuple[str, str]]
    left_out: list[Misfit]
    misfits: list[Misfit]


def _validator_of(schema: Mapping[str, Any]) -> Validator:
    """A validator that goes only where something does not fit, and only into the alternative that was meant.

    It names the same misfits as the validator that it is made of. That one makes an object for every value that it comes
    to and for every alternative that a value is not, which took 26 ms of a line with a hundred numbers that do not fit.
    """
    from jsonschema import Draft202012Validator  # takes longer than most audits, and few logs need it
    from jsonschema.validators import extend

    ours = Draft202012Validator.VALIDATORS
    defs = schema.get("$defs", {})

    def properties(validator: Any, wanted: Mapping[str, Any], value: Any, _: Any) -> Iterator[ValidationError]:
        if isinstance(value, dict):
            for key, each in wanted.items():
                if key in value and not _fits(value[key], each, defs):
                    yield from validator.descend(value[key], each, path=key, schema_path=key)

    def items(validator: Any, wanted: Any, value: Any, around: Any) -> Iterator[ValidationError]:
        if isinstance(wanted, bool) or "prefixItems" in around:
            yield from ours["items"](validator, wanted, value, around) or ()
        elif isinstance(value, list):
            for place, item in enumerate(value):
                if not _fits(item, wanted, defs):
                    yield from validator.descend(item, wanted, path=place)

    def any_of(validator: Any, wanted: Sequence[Any], value: Any, around: Any) -> Iterator[ValidationError]:
        if any(_fits(value, each, defs) for each in wanted):
            return
        kinds = [_kind(each, defs) for each in wanted]
        own = _KIND_OF.get(type(value))
        place = kinds.index(own) if own in ("object", "array", "string") and kinds.count(own) == 1 else None
        # Names of fields are left to the validator: an enumeration of them is told of as a whole.
        if place is not None and None not in kinds and "propertyNames" not in wanted[place]:
            yield from validator.descend(value, wanted[place], schema_path=place)
        else:
            yield from ours["anyOf"](validator, wanted, value, around) or ()

    keywords = {"properties": properties, "items": items, "anyOf": any_of}
    made = extend(Draft202012Validator, keywords)  # type: ignore[no-untyped-call]
    return made(schema)  # type: ignore[no-any-return]


_NUMBERS = frozenset({int, float})
_KIND_OF: Mapping[type, str] = {
    dict: "object",
    list: "array",
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
_TOLD_ONLY = frozenset(["title", "description", "default", "x-role", "x-of", "x-needed", "x-unit", "discriminator"])


def _behind(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema that one stands for."""
    while "$ref" in schema:
        schema = defs[schema["$ref"].rpartition("/")[2]]
    return schema


def _within(schema: Any, own: str, defs: Mapping[str, Any]) -> Any:
    """The schemas for what a value of some kind holds: of an object, of its fields; of an array, of its first items and of
    the rest (None: of no schema). None of them, where several schemas may be meant."""
    schema = _behind(schema, defs) if isinstance(schema, dict) else {}
    branches = [_behind(each, defs) for each in schema.get("anyOf", (schema,))]
    branches = [each for each in branches if each.get("type") == own]
    one = branches[0] if len(branches) == 1 else {}
    if own == "object":
        return one.get("properties", {})
    rest = one.get("items")
    return one.get("prefixItems", ()), rest if isinstance(rest, dict) else None


def _kind(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> str | None:
    """The one JSON type that a schema asks for; None where it may be several."""
    kind = _behind(schema, defs).get("type")
    return kind if isinstance(kind, str) else None


def _fits(value: Any, schema: Any, defs: Mapping[str, Any]) -> bool:
    """Whether a value fits a schema, as far as a quick look tells: False is "not seen"."""
    kind = _KIND_OF.get(type(value))
    if kind is None or not isinstance(schema, dict):
        return False
    for key, wanted in schema.items():
        if key == "type":
            right = kind == wanted or (kind == "integer" and wanted == "number")
        elif key == "anyOf":
            right = any(_fits(value, each, defs) for each in wanted)
        elif key == "$ref":
            right = _fits(value, _behind(schema, defs), defs)
        elif key == "enum":
            right = kind == "string" and value in wanted
        elif key in ("minimum", "maximum"):
            right = kind not in ("integer", "number") or (value >= wanted if key == "minimum" else value <= wanted)
        elif key in ("minLength", "maxLength"):
            right = kind != "string" or (len(value) >= wanted if key == "minLength" else len(value) <= wanted)
        elif key in ("minItems", "maxItems"):
            right = kind != "array" or (len(value) >= wanted if key == "minItems" else len(value) <= wanted)
        elif key == "prefixItems":
            right = kind != "array" or all(map(_fits, value, wanted, repeat(defs)))
        elif key == "items":
            rest = value[len(schema.get("prefixItems", ())) :] if kind == "array" else ()
            right = all(_fits(item, wanted, defs) for item in rest)
        elif key == "properties":
            right = kind != "object" or all(_fits(value[k], each, defs) for k, each in wanted.items() if k in value)
        elif key == "required":
            right = kind != "object" or all(k in value for k in wanted)
        else:
            right = key in _TOLD_ONLY
        if not right:
            return False
    return True


def _text_as(written: str, schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Any:
    """What a text is read as under a schema; the text itself, where it fits or can mean nothing else."""
    schema = _behind(schema, defs)
    if _fits(written, schema, defs) or "string" in _kinds(schema):
        return written
    now = _read_as(written, schema, _choices(schema))
    return written if now is None else now


def _read_as(written: str, schema: Any, known: list[str]) -> Any:
    """The word, the number or the truth value that a text can only mean where a schema asks for one; else None."""
    return meant(written, known) if known else _plain_value(written, schema)


def meant(written: str, known: Iterable[str]) -> str | None:
    """The one of some words that a text can only mean."""
    fold = folded(written)
    fits = {word for word in known if folded(word) == fold}
    return fits.pop() if len(fits) == 1 else None


_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


def _plain_value(written: str, schema: Any) -> Any:
    """The number or truth value that a text is, where the schema asks for one."""
    kinds = _kinds(schema)
    text = unicodedata.normalize("NFKC", written).strip()
    if "boolean" in kinds and text.casefold() in _TRUTH:
        return _TRUTH[text.casefold()]
    if kinds & {"integer", "number"} and _NUMBER.fullmatch(text):
        number = whole(float(text))
        return number if isinstance(number, int) or "number" in kinds else None
    return None


_NUMBER = re.compile(r"[+-]?[0-9]{1,15}([.][0-9]{1,9})?")


def _kinds(schema: Any) -> set[str]:
    if not isinstance(schema, Mapping):
        return set()
    own = schema.get("type", ())
    found = {own} if isinstance(own, str) else set(own)
    return found.union(*(_kinds(part) for part in schema.get("anyOf", ())))


def _inner(error: ValidationError) -> Iterator[ValidationError]:
    """The errors behind one: those inside the alternative that was meant, or itself."""
    branch = _meant(error) if error.validator == "anyOf" else None
    if branch is None:
        yield error
        return
    for inner in branch:
        yield from _inner(inner)


def _at(value: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        value = value[step]
    return value


def _with(value: Any, path: Sequence[str | int], now: Any) -> Any:
    """Parsed JSON with another value at some place; the one given stays as it was."""
    if not path:
        return now
    twin = copy(value)
    twin[path[0]] = _with(value[path[0]], path[1:], now)
    return twin


def _without(value: Any, path: Sequence[str | int]) -> Any:
    holder = {key: item for key, item in _at(value, path[:-1]).items() if key != path[-1]}
    return _with(value, path[:-1], holder)


def schema_of(*types: Any) -> dict[str, Any]:
    """The JSON Schema of one type, or of any one of several."""
    schemas, components = msgspec.json.schema_components(types)
    top = dict(schemas[0]) if len(schemas) == 1 else {"anyOf": list(schemas)}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **top, "$defs": _in_order(components)}


def _in_order(components: Any) -> dict[str, Any]:
    """The shapes by name; the word that tells a shape from others is described like any other field."""
    for shape in components.values():
        for field in shape.get("properties", {}).values():
            if set(field) == {"enum"}:
                field["description"] = "What this is."
    return {name: components[name] for name in sorted(components)}


def whole(value: Any) -> Any:
    """The same JSON, as `parse` gives it, with 3.0 as 3."""
    kind = type(value)
    if kind is float:
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if kind is list:
        return [whole(item) if type(item) in _MAY_HOLD_FLOATS else item for item in value]
    if kind in _MAY_HOLD_FLOATS:
        return {key: whole(item) if type(item) in _MAY_HOLD_FLOATS else item for key, item in value.items()}
    return value


class Twice(dict[str, Any]):
    """An object in which keys stood more than once; the last value counts."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        seen: set[str] = set()
        self.keys_twice = sorted({key for key, _ in pairs if key in seen or seen.add(key)})  # type: ignore[func-returns-value]


_MAY_HOLD_FLOATS = frozenset([float, list, dict, Twice])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Twice(pairs)


def _integer(digits: str) -> int | OutOfRange:
    return int(digits) if len(digits) <= DIGITS_READ else OutOfRange(digits)


def _decimal(digits: str) -> float | OutOfRange:
    number = float(digits)
    return OutOfRange(digits) if number in (float("inf"), float("-inf")) else number


def _constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


_FLOAT = re.compile(r"[0-9][.eE]")
_LONG_NUMBER = re.compile(rf"[0-9]{{{DIGITS_READ}}}")


def may_hold_floats(text: str) -> bool:
    """Whether there may be a number in a JSON text that is not written as a whole one."""
    return _FLOAT.search(text) is not None


_parser = json.JSONDecoder(object_pairs_hook=_object, parse_float=_decimal, parse_constant=_constant)
_parser_of_long_numbers = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_decimal, parse_constant=_constant
)


def parse(text: str) -> Any:
    """The JSON value of a text: NaN and Infinity refused, oversized numbers as `OutOfRange`, doubled keys as `Twice`.

    Raises ValueError (JSONDecodeError where there is a place) and RecursionError.
    """
    if text.startswith("\ufeff"):
        raise json.JSONDecodeError("Unexpected UTF-8 BOM", text, 0)
    # Integers are made without a call each where none can be too long.
    return (_parser_of_long_numbers if _LONG_NUMBER.search(text) else _parser).decode(text)


class _Twice(Exception):
    """A key stands twice in an object."""


def _object_once(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) != len(pairs):
        raise _Twice


_looker = json.JSONDecoder(object_pairs_hook=_object_once, parse_int=str, parse_float=str, parse_constant=_constant)


def has_keys_twice(text: str) -> bool:
    """Whether a key stands twice in an object of a JSON text; of what is no JSON, no."""
    try:
        _looker.decode(text)
    except _Twice:
        return True
    except (ValueError, RecursionError):
        return False
    return False


def keys_twice(value: Any, path: str = "") -> Iterator[str]:
    """The paths of the keys that stand twice in a value that `parse` gave."""
    if isinstance(value, Twice):
        for key in value.keys_twice:
            yield join(path, key)
    if isinstance(value, dict):
        for key, item in value.items():
            yield from keys_twice(item, join(path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from keys_twice(item, f"{path}[{i}]")


def join(path: str, key: str) -> str:
    """The path of a key below a path. Keys are shortened."""
    return f"{path}.{shown_key(key)}" if path else shown_key(key)


def shown_key(key: str) -> str:
    return key[:64].encode("ascii", "backslashreplace").decode() if not key.isascii() else key[:64]


def shown(value: Any) -> str:
    """A value as quoted source text of at most 200 characters; what is not ASCII printable-safe is escaped."""
    if isinstance(value, OutOfRange):
        text = value.written
    else:
        try:
            text = json.dumps(value, ensure_ascii=False, default=lambda v: getattr(v, "written", "?"))
        except (ValueError, RecursionError):
            text = type(value).__name__
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"


def path_text(path: Iterable[str | int], prefix: str = "") -> str:
    """`units[2].hex` from ("units", 2, "hex")."""
    text = prefix
    for part in path:
        text = f"{text}[{part}]" if isinstance(part, int) else join(text, part)
    return text


def _misfits(error: ValidationError) -> Iterator[Misfit]:
    """The misfits behind one error of jsonschema: those inside the alternative that was meant, or the error itself."""
    if error.validator == "anyOf":
        branch = _meant(error)
        if branch is not None:
            for inner in branch:
                yield from _misfits(inner)
            return
    path = path_text(error.absolute_path)
    schema: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
    if error.validator == "required":
        wanted: Any = error.validator_value
        here: Any = error.instance
        missing = [key for key in wanted if key not in here]
        # jsonschema reports each missing key by itself; its message begins with the quoted key.
        for key in missing:
            if error.message.startswith(repr(key)):
                expected = in_words(schema.get("properties", {}).get(key, {}))
                yield Misfit(path_text([key], path), "nothing", expected)
        return
    if error.validator == "additionalProperties":
        names = list(schema.get("properties", {}))
        for key in error.instance if isinstance(error.instance, Mapping) else ():
            if key not in names:
                yield Misfit(join(path, key), shown(key), "one of " + ", ".join(names), nearest_id(key, names))
        return
    if error.validator in _COUNTED and isinstance(error.instance, Sized):
        found, expected = f"{len(error.instance):,} entries", f"at most {error.validator_value:,}"
        yield Misfit(path, found, expected)
        return
    known = _choices(schema)
    near = nearest_id(error.instance, known) if known else None
    yield Misfit(path, shown(error.instance), in_words(schema), near)


_COUNTED = ("maxItems", "maxProperties")


def _meant(error: ValidationError) -> list[ValidationError] | None:
    """The errors of the one alternative whose JSON type is that of the value; None where no or several alternatives
    could have been meant."""
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(int(inner.relative_schema_path[0]), []).append(inner)
    alternatives: Any = error.validator_value
    fitting = [
        errors
        for number, errors in branches.items()
        if not any(e.validator == "type" and not e.relative_path for e in errors)
        and alternatives[number].get("type") != "null"
    ]
    # An enumeration has no JSON type of its own: it is meant only by texts.
    fitting = [errors for errors in fitting if not _enum_misses(errors) or isinstance(error.instance, str)]
    return fitting[0] if len(fitting) == 1 else None


def _enum_misses(errors: list[ValidationError]) -> bool:
    return any(e.validator in ("enum", "const") and not e.relative_path for e in errors)


def _choices(schema: Mapping[str, Any]) -> list[str]:
    """The texts that a schema names."""
    found = [item for item in schema.get("enum", ()) if isinstance(item, str)]
    for part in schema.get("anyOf", ()):
        if isinstance(part, Mapping):
            found += _choices(part)
    return found


_TYPES = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
}


def in_words(schema: Any) -> str:
    """What a schema asks for, in a few words."""
    if not isinstance(schema, Mapping):
        return "nothing more"
    if "enum" in schema:
        names = [json.dumps(item) for item in schema["enum"]]
        return names[0] if len(names) == 1 else "one of " + ", ".join(names)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "anyOf" in schema:
        words = [in_words(part) for part in schema["anyOf"] if part != {"type": "null"}]
        return " or ".join(dict.fromkeys(words))
    if "$ref" in schema:
        return "an object"
    kind = schema.get("type")
    if kind == "integer":
        low, high = schema.get("minimum"), schema.get("maximum")
        if low is not None and low >= 0:
            top = f" to {high}" if high is not None and high < 2**53 - 1 else " or more"
            return f"a whole number, {low}{top}"
        if high is None:
            return "a whole number"
        return "a whole number within ±(2^53 - 1)" if high == 2**53 - 1 else f"a whole number within ±{high}"
    if "maxLength" in schema:
        least = "of 1 to" if schema.get("minLength") else "of at most"
        return f"a text {least} {schema['maxLength']} characters"
    if kind == "array" and "prefixItems" in schema:
        inner = list(dict.fromkeys(in_words(part) for part in schema["prefixItems"]))
        return (
            f"a list of {len(schema['prefixItems'])}, each {inner[0]}"
            if len(inner) == 1
            else "a list of " + ", ".join(inner)
        )
    if kind == "array" and schema.get("minItems"):
        return f"a list of at least {schema['minItems']}"
    return _TYPES.get(str(kind), "something else")
