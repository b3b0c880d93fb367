"""Bytes to a record: everything readable is read, and everything else is listed with its place.

Two ways through a file. The fast one decodes all lines at once into structs; whatever it refuses goes the slow way,
line by line, where the schema made from the same structs names every misfit. Both accept the same lines, but that the
slow way also takes 3.0 for 3.
"""

from __future__ import annotations

import gc
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

import msgspec

from auditor import systems
from auditor.core import bounds
from auditor.core.fields import Declared, Leaf
from auditor.core.nearest import nearest_id
from auditor.core.record import InputError, PackUsed, Record, Unknown, Unread, UnreadableLog
from auditor.ingest.containers import gunzip
from auditor.ingest.heading import strangers, unknown_fields
from auditor.ingest.kinds import GZIP, HEAD, Foreign, foreign, foreign_json
from auditor.ingest.limits import LIMITS, Limits
from auditor.ingest.parts import Lines, Parts, mended, split
from auditor.ingest.spelling import Spelling
from auditor.ingest.texts import text_of
from auditor.systems import Game
from auditor.systems.conventions import Convention
from auditor.systems.formats import Format
from auditor.systems.names import Names
from auditor.systems.packs import Packs
from auditor.systems.shapes import REFUSALS, has_keys_twice, keys_twice, may_hold_floats, meant, parse, shown, whole

_NOT_STRUCTS = (Unknown, Unread)

AT_ONCE = 4_096
"""Events that are encoded again at once."""
MOST_EXPLAINED = 1_000
"""Lines whose misfits are all listed, as long as an audit lists so many errors; of any more, the first misfit only. Of
lines beyond those, and beyond the words that are read otherwise than written (`bounds.MOST_RESPELLED`), none is read
that does not fit as it stands."""

_KEY = re.compile(rb'"([^"\\]*)":')
_SPACED_COLON = re.compile(rb'"[ \t\r\n]+:')
_MARKS = re.compile(rb'\\.|["\[\]{}]', re.DOTALL)
_TEXT = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SEQ = re.compile(rb'"seq"\s*:\s*(\d{1,15})\s*[,}]')

_OPENING = {ord("{")}
_CLOSING = {ord("}"), ord("\r")}
_ALL_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(sign for sign in range(256) if sign not in b"[]{}")
_COLON = b":"
_MAYBE_A_COLON = rb"\u003"
"""How a colon begins that is written as an escape: such a one is not counted as the colon that it is."""

_encoder = msgspec.json.Encoder(enc_hook=attrgetter("written"))  # a number that no program can hold is a text


def read(
    data: bytes,
    *,
    packs: Mapping[str, Packs] | None = None,
    limits: Limits = LIMITS,
    container_sha256: str | None = None,
    read_as: Convention | None = None,
) -> Record:
    """The record that a log's bytes hold: JSONL or one object, plain or gzip.

    `packs` maps a game to its data packs; a game left out has those built in. `container_sha256` is the hash of the zip
    that the log came in. `read_as`: another way of writing in which the record is. Raises UnreadableLog, with all errors of the file, where there is no usable header or a limit
    is exceeded.
    """
    return Reading(data, packs=packs, limits=limits, container_sha256=container_sha256).record(read_as)


class Reading:
    """A log that is read, perhaps in several ways of writing: what does not hang on these is done once."""

    def __init__(
        self,
        data: bytes,
        *,
        packs: Mapping[str, Packs] | None = None,
        limits: Limits = LIMITS,
        container_sha256: str | None = None,
    ) -> None:
        errors: list[InputError] = []
        if data.startswith(GZIP):
            container_sha256 = container_sha256 or hashlib.sha256(data).hexdigest()
            data, errors = gunzip(data, limits)
        if len(data) > limits.decoded:
            raise UnreadableLog([*errors, _over(f"{len(data):,} bytes", f"at most {limits.decoded:,}")])
        self._log_sha256 = hashlib.sha256(data).hexdigest()
        self._container_sha256 = container_sha256
        if (kind := foreign(data[:HEAD])) is not None:
            raise UnreadableLog([*errors, _named(kind)])
        decoded = text_of(data)
        text = decoded.utf8
        errors += decoded.errors
        if not text.strip():
            raise UnreadableLog(errors or [InputError(None, "", "an empty file", "a header and events")])
        file = split(text)
        errors += file.errors
        refused = _refusals(file, limits)
        if refused:
            raise UnreadableLog(errors + refused)
        self._header, game, wrong = _header(file, limits)
        errors += wrong
        if game is None:
            kind = foreign_json(text)
            raise UnreadableLog(errors if kind is None else [_named(kind)])
        refused = _refused_by(game.format, len(file.pieces), len(data))
        if refused:
            raise UnreadableLog(errors + refused)
        events = Events(game.format, limits)
        file = events.read(file)
        self._errors = errors + events.errors
        self._game, self._events = game, events
        self._written, self._header_line, self._lines = file.header, file.header_line, file.lines
        self._remarks = (*decoded.remarks, *file.remarks)
        known = (packs or {}).get(game.key)
        self._packs = game.built_in_packs if known is None else known
        self._names: Names | None = None
        self._strange: list[int] = []
        self._touched: dict[Callable[[Declared], bool], list[list[Leaf]]] = {}

    def record(self, read_as: Convention | None = None) -> Record:
        """The record, as it is written or in another way of writing."""
        header, game, events = self._header, self._game, self._events
        errors = list(self._errors)
        setup: Any = None
        used: tuple[PackUsed, ...] = ()
        told = list(events.events)
        if header is not None:
            written = self._written
            if read_as is not None:
                header = read_as.header(header)
                written = _encoder.encode(header)
                told = self._written_so(read_as)
            setup, misfits, used = game.format.setup(written, self._packs)
            errors += [InputError(self._header_line, m.path, m.found, m.expected, m.nearest) for m in misfits]
            listed = {error.path for error in errors}
            errors += [error for error in strangers(header, self._header_line) if error.path not in listed]
        errors.sort(key=lambda error: error.line or 0)
        if header is None or setup is None:
            raise UnreadableLog(errors)
        names = game.format.names(setup, header, told)
        spelling = Spelling(names)
        spelling.words(events.words)
        spelling.look_at_header(self._header_line)
        may_be_strange: Iterable[int] | None = None
        if read_as is not None and names == self._names:
            # What is written as its names are known is so still, where none is written otherwise.
            touched = self._touched[read_as.touches]
            named = not spelling.names.keys().isdisjoint(leaf.of for leaves in touched for leaf in leaves)
            may_be_strange = sorted({*self._strange, *(at for at, leaves in enumerate(touched) if named and leaves)})
        strange = spelling.read(told, self._lines, may_be_strange)
        if read_as is None:
            self._names, self._strange = names, strange
        places = {line: index for index, line in enumerate(self._lines)} if events.unsure else {}
        left_out = {places[line]: why for line, why in events.unsure.items()}
        errors = sorted([*errors, *spelling.errors], key=lambda error: error.line or 0)
        return Record(
            game=game.key,
            header=header,
            events=told,
            lines=self._lines,
            errors=errors,
            log_sha256=self._log_sha256,
            container_sha256=self._container_sha256,
            unsure=spelling.unsure | left_out,
            doubtful=spelling.doubtful | left_out | events.doubtful,
            setup=setup,
            packs=used,
            known={of: names.names for of, names in spelling.names.items()},
            remarks=(*self._remarks, *unknown_fields(header, game.format.header), *spelling.remarks),
        )

    def _written_so(self, convention: Convention) -> list[Any]:
        """The events in another way of writing; which of their values are written otherwise is asked once for all ways of one
        kind."""
        touched = self._touched.get(convention.touches)
        if touched is None:
            touched = self._touched[convention.touches] = [convention.touched(one) for one in self._events.events]
        return [convention.event(one, leaves) for one, leaves in zip(self._events.events, touched, strict=True)]


def _named(kind: Foreign) -> InputError:
    """That a file is no log but something else, and what to do."""
    return InputError(None, "", kind.what, f"a log: {kind.do}")


def _over(found: str, expected: str, line: int | None = None) -> InputError:
    return InputError(line, "", found, expected)


def _refused_by(form: Format, events: int, size: int) -> list[InputError]:
    """What a game's own limits refuse."""
    found: list[InputError] = []
    if form.most_events is not None and events > form.most_events:
        found.append(_over(f"{events:,} events", f"at most {form.most_events:,} in a log of this game"))
    if form.most_bytes is not None and size > form.most_bytes:
        found.append(_over(f"{size:,} bytes", f"at most {form.most_bytes:,} in a log of this game"))
    return found


def _refusals(file: Parts, limits: Limits) -> list[InputError]:
    """Every limit that the file exceeds and that is a reason to refuse it."""
    found: list[InputError] = []
    if len(file.pieces) > limits.events:
        found.append(_over(f"{len(file.pieces):,} events", f"at most {limits.events:,}"))
    if len(file.header) > limits.line:
        found.append(_over(f"a line of {len(file.header):,} bytes", f"at most {limits.line:,}", file.header_line))
    if sum(map(len, file.pieces)) > limits.line and max(map(len, file.pieces)) > limits.line:
        for line, piece in zip(file.lines, file.pieces, strict=True):
            if len(piece) > limits.line:
                found.append(_over(f"a line of {len(piece):,} bytes", f"at most {limits.line:,}", line))
    return found


# -- one line -------------------------------------------------------------------------------------------------------


def is_deeper(piece: bytes, depth: int) -> bool:
    """Whether objects and lists stand more than `depth` deep in a piece of JSON."""
    if piece.count(b"[") + piece.count(b"{") <= depth or not _looks_deeper(_TEXT.sub(b"", piece), depth):
        return False
    inside, level = False, 0
    for mark in _MARKS.finditer(piece):
        sign = piece[mark.start()]
        if sign == 0x22:
            inside = not inside
        elif inside or sign == 0x5C:
            continue
        elif sign in b"[{":
            level += 1
            if level > depth:
                return True
        else:
            level -= 1
    return False


def _looks_deeper(piece: bytes, depth: int) -> bool:
    """A quick guess at `is_deeper`, misled only by brackets within texts."""
    brackets = piece.translate(_ALL_SQUARE, _NO_BRACKETS)
    for _ in range(depth):
        if not brackets:
            break
        brackets = brackets.replace(b"[]", b"")  # takes out the innermost, one level at a time
    return bool(brackets)


def _may_have_keys_twice(piece: bytes) -> bool:
    """A quick look, whether a key may stand twice in an object of a piece of JSON."""
    if b"\\" in piece or _SPACED_COLON.search(piece):
        return True
    keys = _KEY.findall(piece)
    return len(set(keys)) != len(keys)


def _value_of(piece: bytes, line: int, limits: Limits) -> tuple[Any, InputError | None]:
    """The JSON value of a line read the slow way, or why there is none."""
    try:
        text = piece.decode()
    except UnicodeDecodeError as error:
        found = f"the byte 0x{piece[error.start]:02x} in column {error.start + 1}"
        return None, InputError(line, "", found, "UTF-8")
    if is_deeper(piece, limits.depth):
        return None, InputError(
            line, "", f"more than {limits.depth} levels", f"at most {limits.depth} levels of nesting"
        )
    try:
        value = parse(text)
    except RecursionError:
        return None, InputError(line, "", "a very deep value", f"at most {limits.depth} levels of nesting")
    except ValueError as error:
        column = getattr(error, "pos", None)
        if column is None:
            return None, InputError(line, "", str(error), "JSON")
        about = shown(text[max(0, column - 20) : column + 20])
        if column >= len(text.rstrip()) or str(error).startswith("Unterminated"):
            return None, InputError(line, "", f"a line that breaks off after {about}", "one whole JSON object")
        if "\r" in text[len(text[:column].rstrip()) : column]:
            return None, InputError(line, "", "lines that end in CR alone", "lines that end in LF or in CR LF")
        if not text.lstrip("\ufeff \t").startswith(("{", "[")):
            return None, InputError(line, "", shown(text[:40]), "a JSON object, as each line of a log is one")
        said = f"JSON; in column {column + 1}: {getattr(error, 'msg', error)}"
        return None, InputError(line, "", about, said)
    if _SURROGATE.search(text):
        try:
            msgspec.json.encode(whole(value), enc_hook=lambda _: None)  # numbers out of range are not text
        except UnicodeEncodeError:
            return None, InputError(line, "", "half of a surrogate pair", "whole characters")
        except (OverflowError, msgspec.MsgspecError):
            pass
    return value, None


def _sound_header(piece: bytes, limits: Limits) -> tuple[dict[str, Any], Game] | None:
    """A header with which nothing is wrong, and its game; None where a closer look is needed."""
    try:
        value = msgspec.json.decode(piece)
        game = systems.game(value["game"])
        game.format.header.read(piece)
    except (*REFUSALS, KeyError, TypeError):
        return None
    if _MAYBE_A_COLON in piece or _looks_deeper(piece, limits.depth):
        return None
    # A key that stands twice is encoded once, and takes a colon with it.
    if _encoder.encode(value).count(_COLON) != piece.count(_COLON):
        return None
    return value, game


def _header(file: Parts, limits: Limits) -> tuple[dict[str, Any] | None, Game | None, list[InputError]]:
    """The header as written (None where it cannot be used), its game, and what is wrong with it."""
    line = file.header_line
    if not file.header:
        return None, None, [InputError(line, "header", "nothing", 'a header: {"type": "header", "game": …}')]
    quickly = _sound_header(file.header, limits)
    if quickly is not None:
        return quickly[0], quickly[1], []
    value, error = _value_of(file.header, line, limits)
    if error:
        return None, None, [error]
    if not isinstance(value, dict):
        return None, None, [InputError(line, "", shown(value), "the header, an object")]
    errors: list[InputError] = []
    usable = True
    kind = value.get("type")
    if kind is None and "game" in value:
        if not file.single:
            errors.append(InputError(line, "type", "nothing", '"header"'))
        value = {"type": "header", **value}
    elif kind != "header":
        expected = 'a header on the first line: {"type": "header", "game": …, "format": 1, …}'
        return None, None, [InputError(line, "type", shown(kind) if "type" in value else "nothing", expected)]
    known = systems.game_keys()
    if value.get("game") not in known:
        found = shown(value["game"]) if "game" in value else "nothing"
        expected = "one of " + ", ".join(f'"{key}"' for key in known)
        return None, None, [*errors, InputError(line, "game", found, expected, nearest_id(value.get("game"), known))]
    game = systems.game(value["game"])
    form = game.format
    twice = list(keys_twice(value))
    errors += [InputError(line, path, "a key given twice", "each key once") for path in twice]
    if any(path.split(".")[0].split("[")[0] in {"game", "format", *form.once} for path in twice):
        usable = False
    for misfit in form.header.misfits(value):
        top = misfit.path.split(".")[0].split("[")[0]
        if misfit.path == "format":
            usable = False
        # What is wrong inside a pack is said by its own checks.
        if top not in form.given or (misfit.path in form.given and misfit.found == "nothing"):
            errors.append(InputError(line, misfit.path, misfit.found, misfit.expected, misfit.nearest))
    return (whole(value) if usable else None), game, errors


@contextmanager
def _uncollected() -> Iterator[None]:
    """Hold garbage collection off: a long log makes many lists and no garbage, and collecting triples the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _lines_with(mark: bytes, text: bytes) -> list[int]:
    """The lines of a text, from 0, in which a mark stands."""
    found: list[int] = []
    line = counted = 0
    at = text.find(mark)
    while at >= 0:
        line += text.count(b"\n", counted, at)
        found.append(line)
        counted = text.find(b"\n", at)
        if counted < 0:
            break
        at = text.find(mark, counted)
    return found


def _encoded(events: list[Any]) -> Iterator[bytes]:
    """Events as lines of JSON, some at a time: those of a long log would be as large as the log."""
    return (_encoder.encode_lines(events[first : first + AT_ONCE]) for first in range(0, len(events), AT_ONCE))


class Events:
    """The events of one file, read the fast way where possible. `words`: what was written for a word that the game
    knows, and that word; `unsure`: the line of an event in which such a word was left out -> why."""

    def __init__(self, form: Format, limits: Limits) -> None:
        self.form = form
        self.limits = limits
        self.events: list[Any] = []
        self.errors: list[InputError] = []
        self.doubtful: dict[int, str] = {}
        self.words: Counter[tuple[str, str]] = Counter()
        self.unsure: dict[int, str] = {}
        self._explained = self._respelled = 0
        self._quickly = False
        self._shapes = form.shapes

    def read(self, file: Parts) -> Parts:
        """Read the events of a file. Gives back the file with its lines as they were read."""
        if not file.pieces:
            return file
        with _uncollected():
            self._quickly = self._all_at_once(file)
            if not self._quickly:
                file = mended(file)
                refused = _refusals(file, self.limits)
                if refused:
                    raise UnreadableLog(refused)
                self._one_by_one(file)
        self._look_closer(file)
        if file.twice:
            self.doubtful.setdefault(0, "the file holds its header or its events twice")
        self._settle(file.lines)
        return file

    def _all_at_once(self, file: Parts) -> bool:
        """Decode the whole file in one go. False where a line is refused or where lines and objects do not agree."""
        body = file.joined
        if body is None:
            return False
        if {piece[0] for piece in file.pieces} != _OPENING or not {piece[-1] for piece in file.pieces} <= _CLOSING:
            return False
        if not body.isascii():
            try:
                body.decode()
            except UnicodeDecodeError:
                return False
        try:
            self.events = self.form.decoder.decode_lines(body)
        except REFUSALS:
            return False
        # No break between "}" and "{" can lie within an object, so as many objects as lines means one on each.
        return len(self.events) == len(file.pieces)

    def _one_by_one(self, file: Parts) -> None:
        decode = self.form.decoder.decode
        self.events = events = []
        for piece, line in zip(file.pieces, file.lines, strict=True):
            try:
                if not piece.isascii():
                    piece.decode()
                events.append(decode(piece))
            except REFUSALS as refusal:
                due = events[-1].seq + 1 if events else 1
                events.append(self._slowly(piece, line, due, refusal))

    def _slowly(self, piece: bytes, line: int, due: int, refusal: Exception | None) -> Any:
        """The event of a line that the fast way refused; `Unread` where it cannot be had."""
        written = _SEQ.search(piece)
        seq = int(written.group(1)) if written and int(written.group(1)) > 0 else due
        full = self._explained < MOST_EXPLAINED and self._respelled < bounds.MOST_RESPELLED
        event, errors = self.explain(piece, line, full=full, refusal=refusal)
        self._explained += bool(errors)
        self.errors += errors
        if event is None:
            first = errors[0]
            place = f" at {first.path}" if first.path else ""
            return Unread(seq, line, f"line {line} cannot be read:{place} {first.found}, expected {first.expected}")
        return event

    def explain(
        self, piece: bytes, line: int, *, full: bool = True, refusal: Exception | None = None
    ) -> tuple[Any, list[InputError]]:
        """The slow way: the event of a line, or None, and everything that is wrong with the line."""
        value, error = _value_of(piece, line, self.limits)
        if error:
            return None, [error]
        if not isinstance(value, dict):
            return None, [InputError(line, "", shown(value), "an event, an object")]
        kind = value.get("type")
        shape = self._shapes.get(kind) if isinstance(kind, str) else None
        if shape is None and isinstance(kind, str) and (known := meant(kind, self._shapes)) is not None:
            self.words[kind, known] += 1
            value, shape = {**value, "type": known}, self._shapes[known]
        if shape is None:
            return self._unknown(value, line)
        floats = may_hold_floats(piece.decode())
        if not full and refusal is not None:
            try:
                return shape.of(value, floats=floats), []
            except REFUSALS as again:
                return None, [InputError(line, "", str(again), "what the schema of the game says")]
        now, read = shape.mended(value)
        try:
            event = shape.of(now, floats=floats)
        except REFUSALS:
            pass
        else:
            self.words.update(read)
            self._respelled += len(read)
            return event, []
        fitted = shape.fitted(value, max(1, bounds.MOST_ERRORS - len(self.errors)))
        value = fitted.value
        errors = [InputError(line, m.path, m.found, m.expected, m.nearest) for m in fitted.misfits]
        errors += [InputError(line, m.path, m.found, m.expected, m.nearest) for m in fitted.left_out]
        if len(errors) > len(fitted.left_out):
            return None, errors
        self.words.update(fitted.read)
        self._respelled += len(fitted.read)
        if fitted.left_out:
            first = fitted.left_out[0]
            self.unsure[line] = f"line {line} has {first.found[:80]} at {first.path}"
        try:
            return shape.of(value, floats=floats), errors
        except REFUSALS as again:
            return None, [InputError(line, "", str(again), "what the schema of the game says")]

    def _unknown(self, value: dict[str, Any], line: int) -> tuple[Any, list[InputError]]:
        """An event of a type that the game does not have."""
        kind = value.get("type")
        names = self.form.events
        found = shown(kind) if "type" in value else "nothing"
        if kind == "header":
            errors = [InputError(line, "type", found, "an event; the header stands once, on the first line")]
        else:
            # Looking for what was meant costs more than all else here, and no more errors than these are listed.
            near = nearest_id(kind, names) if len(self.errors) < bounds.MOST_ERRORS else None
            errors = [InputError(line, "type", found, "the type of an event", near)]
        plain = whole(value)
        seq = plain.get("seq")
        if not isinstance(kind, str) or len(kind) > 64 or isinstance(seq, bool):
            return None, errors
        if not isinstance(seq, int) or not 1 <= seq <= 2**53 - 1:
            errors.append(
                InputError(
                    line, "seq", shown(value.get("seq")) if "seq" in value else "nothing", "a whole number, 1 or more"
                )
            )
            return None, errors
        player = plain.get("player") or plain.get("by")
        self.errors += errors
        return Unknown(seq, kind, plain, player if isinstance(player, str) else None), []

    def _look_closer(self, file: Parts) -> None:
        """Find lines that the fast way took and should not have: nested too deep, or with a key that stands twice.

        Which of two values counts is anybody's guess, so such an event is doubtful.
        """
        for i in self._suspects(file):
            event, piece, line = self.events[i], file.pieces[i], file.lines[i]
            if type(event) is Unread:
                continue
            if is_deeper(piece, self.limits.depth):
                self.events[i] = self._slowly(piece, line, event.seq, None)
            elif _may_have_keys_twice(piece) and has_keys_twice(text := piece.decode()):
                paths = list(keys_twice(parse(text)))
                self.errors += [InputError(line, path, "a key given twice", "each key once") for path in paths]
                self.doubtful[i] = f"line {line} gives {', '.join(paths[:5])} twice"

    def _suspects(self, file: Parts) -> Iterable[int]:
        """The events whose lines may hold more than the event does: an unknown field, a null, a key a second time.

        Encoding an event gives each of its keys once, and every text as it stood. Where that makes as many colons as the
        line has, the line holds nothing else; and only what may hold any JSON can be deep. Only an escape could hide a
        colon.
        """
        joined, events, pieces = file.joined, self.events, file.pieces
        if joined is None or not self._quickly or _MAYBE_A_COLON in joined:
            return range(len(pieces))
        deep = self._deep(joined, pieces)
        surplus = joined.count(_COLON) - sum(encoded.count(_COLON) for encoded in _encoded(events))
        if not surplus:
            return deep
        # Nulls are the commonest surplus, so lines with one are set apart before every line is counted.
        null = _lines_with(b"null", joined)
        surplus -= sum(pieces[i].count(_COLON) for i in null)
        surplus += sum(encoded.count(_COLON) for encoded in _encoded([events[i] for i in null]))
        if not surplus:
            return sorted({*deep, *null})
        made = (line for encoded in _encoded(events) for line in encoded.splitlines())
        differing = (
            i
            for i, (piece, own) in enumerate(zip(pieces, made, strict=True))
            if piece.count(_COLON) != own.count(_COLON)
        )
        return sorted({*deep, *differing})

    def _deep(self, joined: bytes, pieces: Sequence[bytes] | Lines) -> list[int]:
        """The events of types that may hold any JSON whose lines are nested too deep."""
        names = [name.encode() for name, kind in self.form.events.items() if kind in self.form.free]
        if not any(name in joined for name in names):
            return []
        free, depth = self.form.free, self.limits.depth
        return [i for i, event in enumerate(self.events) if type(event) in free and is_deeper(pieces[i], depth)]

    def _settle(self, lines: list[int]) -> None:
        """Say who acted where only `by` was written, and list the numbers that repeat or fall."""
        # The number of a line that cannot be read may be a guess, so it is not compared.
        before = 0
        for i, event in enumerate(self.events):
            seq = event.seq
            if seq <= before and type(event) is not Unread:
                self.errors.append(InputError(lines[i], "seq", str(seq), f"a number above {before}"))
            if event.player is None and type(event) not in _NOT_STRUCTS:
                by = getattr(event, "by", None)
                if by is not None:
                    event.player = by
            if type(event) is not Unread:
                before = seq
