"""The one place where bytes become audits: reads the log, finds its game and its rulings, asks the core.

Values in, values out: no file, clock, database or request. The service and the command line both ask here, so that
both give the same audit for the same log, rulings, data packs and ruleset version.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from auditor import __version__, systems
from auditor.core import bounds
from auditor.core.audit import BESIDE, audit, audit_value, beyond, sealed, sealed_json
from auditor.core.canonical import canonical
from auditor.core.causes import trace
from auditor.core.evidence import Everything
from auditor.core.findings import Note
from auditor.core.nearest import nearest
from auditor.core.plain import plain
from auditor.core.record import InputError, Unknown, Unread, UnreadableLog
from auditor.core.replay import Replay
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import BadRulings, Hearing, Rulings
from auditor.core.rulings import rulings as complete
from auditor.ingest import LIMITS, Packs, pack_schema, read
from auditor.ingest import schema as schema_of
from auditor.ingest.containers import GZIP, gunzip
from auditor.ingest.parts import Parts, split
from auditor.systems.shapes import REFUSALS

Json = dict[str, Any]
PacksOfGames = Mapping[str, Packs]
"""The data packs of each game, as `ingest.packs_with` gives them."""

ENGINE = f"tabletop-auditor {__version__}"

NOTHING_CHECKED: Json = {
    "events": 0,
    "resolved": 0,
    "not_claimed": 0,
    "unchecked": [],
    "rules_run": [],
    "rules_idle": [],
    "rules_not_auditable": [],
}


class _Games(Mapping[str, Ruleset]):
    """Rulesets by the key of their game, each loaded when first looked up."""

    def __getitem__(self, key: str) -> Ruleset:
        return systems.game(key).ruleset

    def __iter__(self) -> Iterator[str]:
        return iter(systems.game_keys())

    def __len__(self) -> int:
        return len(systems.game_keys())

    def __contains__(self, key: object) -> bool:
        return key in systems.game_keys()


GAMES: Mapping[str, Ruleset] = _Games()


# -- audits ---------------------------------------------------------------------------------------------------------


def audit_log(
    data: bytes,
    *,
    rulings: Mapping[str, Any] | None = None,
    packs: PacksOfGames | None = None,
    container_sha256: str | None = None,
    digest: bool = True,
    causes: bool = True,
    strict: bool = False,
    everything: Everything = False,
) -> Json:
    """The audit of a log as a JSON value (design 5.3), with its digest unless that is not wanted.

    `rulings` given here are in force over the header's, the header's over the defaults. A log without a usable header
    gives the verdict "unreadable", with everything that is wrong with it in `errors`. Nothing in the log raises;
    BadRulings is raised for rulings given here that name what does not exist. With `everything` (of all
    events, or of those of some numbers), the evidence and the effect of findings that hold only under readings not in force stand under `drawn`, beside what the digest is of.
    """
    try:
        record = read(data, packs=packs, container_sha256=container_sha256)
    except UnreadableLog as refusal:
        value = _unreadable(data, rulings, refusal.errors)
        return sealed(value) if digest else value
    ruleset = GAMES[record.game]
    in_force, notes, errors = _in_force(record.header, ruleset, rulings)
    if errors:
        line = _header_line(data)
        errors = [replace(error, line=line) for error in errors]
        record = replace(record, errors=sorted([*record.errors, *errors], key=lambda error: error.line or 0))
    used = [{"id": pack.id, "sha256": pack.sha256} for pack in record.packs]
    with seldom_collected():
        value = audit(
            record,
            ruleset,
            in_force,
            engine=ENGINE,
            packs=used,
            notes=notes,
            strict=strict,
            causes=causes,
            everything=everything,
        )
    return sealed(value) if digest else value


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let garbage be collected seldom: an audit keeps most of what it makes and leaves hardly a cycle behind."""
    before = gc.get_threshold()
    if before[0]:
        gc.set_threshold(max(before[0], 100_000), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def audit_json(
    data: bytes, *, rulings: Mapping[str, Any] | None = None, packs: PacksOfGames | None = None
) -> tuple[Json, bytes]:
    """The audit of a log with its digest (`audit_log`), and its canonical JSON; encoded once."""
    return sealed_json(audit_log(data, rulings=rulings, packs=packs, digest=False))


def audit_counts(data: bytes, *, packs: PacksOfGames | None = None) -> tuple[Json, dict[str, int]]:
    """The audit of a log without a digest, and how many of its events asked each open reading, whatever the answer.

    For tests of ourselves: a fault of ours raises. Raises UnreadableLog.
    """
    record = read(data, packs=packs)
    ruleset = GAMES[record.game]
    in_force, notes, _ = _in_force(record.header, ruleset, None)
    replay = Replay(ruleset, record, in_force, strict=True)
    outcome = replay.run()
    trace(replay)
    value = audit_value(record, ruleset, in_force, outcome, engine=ENGINE, packs=(), notes=notes)
    return value, outcome.asked


def check_rulings(given: Mapping[str, Any], game: str) -> Rulings:
    """The complete rulings of a game. Raises BadRulings with everything that is wrong with those given."""
    return _complete(given, GAMES[game], "unnamed")


def game_of_rulings(given: Mapping[str, Any]) -> str:
    """The game that rulings are of: the one that they name, else the only one that they fit.

    Raises BadRulings with everything that is wrong with them, and where they fit several games.
    """
    if isinstance(given, Mapping) and given.get("game") is not None:
        named = given["game"]
        if named not in list(GAMES):
            known = ", ".join(GAMES)
            raise BadRulings([f'there is no game "{str(named)[:64]}"{nearest(named, GAMES)}; there is {known}'])
        check_rulings(given, named)
        return str(named)
    refusals: list[BadRulings] = []
    fitting: list[str] = []
    for game in GAMES:
        try:
            check_rulings(given, game)
        except BadRulings as bad:
            refusals.append(bad)
        else:
            fitting.append(game)
    if len(fitting) > 1:
        raise BadRulings([f'they name no game and fit {" and ".join(fitting)}: add "game"'])
    if not fitting:
        # The game that has most of what they name was meant.
        raise min(refusals, key=lambda bad: len(bad.problems))
    return fitting[0]


def _complete(given: Any, ruleset: Ruleset, name: str) -> Rulings:
    named = given.get("game") if isinstance(given, Mapping) else None
    if named is not None and named != ruleset.key:
        raise BadRulings([f'they are of the game "{str(named)[:64]}", and this is {ruleset.key}'])
    rule_ids = [rule.id for rule in ruleset.rules]
    return complete(given, ruleset.readings, rule_ids, name=name, settings=ruleset.settings)


def _in_force(
    header: Mapping[str, Any], ruleset: Ruleset, given: Mapping[str, Any] | None
) -> tuple[Rulings, list[Note], list[InputError]]:
    """The rulings in force; where the header's own differ, a note for each difference; what is wrong with those."""
    own: Rulings | None = None
    errors: list[InputError] = []
    if header.get("rulings"):
        try:
            own = _complete(header["rulings"], ruleset, "the log's own")
        except BadRulings as bad:
            expected = "rulings that this game has; the header's are passed over"
            errors = [InputError(None, "rulings", problem, expected) for problem in bad.problems]
    if given is not None:
        in_force = _complete(given, ruleset, "unnamed")
    else:
        in_force = own or _complete(None, ruleset, "defaults")
    notes = [Note("reading", text) for text in _differences(header["rulings"], own, in_force)] if own else []
    return in_force, notes, errors


def _differences(written: Mapping[str, Any], own: Rulings, in_force: Rulings) -> Iterator[str]:
    """What a header says of rulings and is not in force, a sentence each."""
    by = f'by the rulings "{in_force.name}"'
    stated = written.get("readings") if isinstance(written.get("readings"), Mapping) else written
    for reading, option in own.readings.items():
        if reading in (stated or {}) and in_force.readings[reading] != option:
            yield f"The header claims {reading} as {option}; in force is {in_force.readings[reading]}, {by}."
    set_there = written.get("settings")
    for name, value in own.settings.items():
        if name in (set_there or {}) and in_force.settings.get(name) != value:
            yield f"The header claims {name} as {value}; in force is {in_force.settings.get(name, 'nothing')}, {by}."
    for rule in own.not_audited:
        if rule not in in_force.not_audited:
            yield f"The header wants {rule} left out; it is audited, {by}."


def not_read(why: str) -> Json:
    """The audit of a log whose bytes could not be had, with the reason: unreadable, and the hash of nothing."""
    return sealed(_unreadable(b"", None, [InputError(None, "", why, "a log that can be opened")]))


def _unreadable(data: bytes, given: Mapping[str, Any] | None, errors: Sequence[InputError]) -> Json:
    """The audit of a log that cannot be replayed: what is wrong with it, and nothing else."""
    more = beyond(errors=len(errors))
    game = log_header(data).get("game")
    ruleset = GAMES[game] if isinstance(game, str) and game in GAMES else None
    if ruleset is not None:
        in_force = _complete(given, ruleset, "defaults" if given is None else "unnamed").as_json()
    else:
        in_force = {"name": "none", "readings": {}, "settings": {}, "not_audited": {}}
    return {
        "audit": 1,
        "engine": ENGINE,
        "game": ruleset.key if ruleset else None,
        "ruleset_version": ruleset.version if ruleset else None,
        "log_sha256": log_sha256(data),
        "packs": [],
        "rulings": plain(in_force),
        "verdict": "unreadable",
        "errors": [plain(error.as_json()) for error in errors[: bounds.MOST_ERRORS]],
        "findings": [],
        "notes": [],
        "coverage": NOTHING_CHECKED,
        **({"more": more} if more else {}),
    }


# -- headers --------------------------------------------------------------------------------------------------------


def log_header(data: bytes) -> Json:
    """The header of a log as written, without a look at the rest; empty where none can be had. Never raises."""
    parts = _parts(data)
    if parts is None:
        return {}
    try:
        header = msgspec.json.decode(parts.header)
    except REFUSALS:
        return {}
    return header if isinstance(header, dict) else {}


def log_heading(data: bytes) -> Json:
    """What a report says of a game before its events: {"title", "players": [{"id", "name"}], "match": {"event",
    "round", "table"}, "board", "scenario", "recorded_by"}, each only where the header has it in a form to be shown."""
    header = log_header(data)
    players = header.get("players")
    match = header.get("match")
    heading: Json = {
        "title": _shown(header.get("title")),
        "players": [
            {
                "id": _shown(player.get("id")) or "?",
                "name": _shown(player.get("name")) or _shown(player.get("id")) or "?",
            }
            for player in (players[:8] if isinstance(players, list) else [])
            if isinstance(player, dict)
        ],
        "match": {key: _shown(match.get(key)) for key in ("event", "round", "table") if isinstance(match, dict)},
        "board": _shown(header.get("board")),
        "scenario": _shown(header.get("scenario")),
        "recorded_by": _shown(header.get("recorded_by")),
    }
    heading["match"] = {key: value for key, value in heading["match"].items() if value is not None}
    return {key: value for key, value in heading.items() if value not in (None, [], {})}


def _shown(value: Any) -> str | None:
    """A short value of a header as text; of a data pack in full its title or id."""
    if isinstance(value, dict):
        value = value.get("title") or value.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(plain(value))[:200] or None


def log_sha256(data: bytes) -> str:
    """The hash that a log goes by: of its own bytes, after gunzip."""
    return hashlib.sha256(_unpacked(data)).hexdigest()


def _unpacked(data: bytes) -> bytes:
    """The log's own bytes, or those given where they cannot be unpacked."""
    if data.startswith(GZIP):
        try:
            return gunzip(data, LIMITS)[0]
        except UnreadableLog:
            return data
    return data


def _parts(data: bytes) -> Parts | None:
    text = _unpacked(data).removeprefix(b"\xef\xbb\xbf")
    if len(text) > LIMITS.decoded or not text.strip():
        return None
    return split(text)


def _header_line(data: bytes) -> int | None:
    parts = _parts(data)
    return parts.header_line if parts else None


# -- replays --------------------------------------------------------------------------------------------------------


class _Game(NamedTuple):
    """What a record is replayed by."""

    ruleset: Ruleset
    rulings: Rulings


def replay_frames(
    data: bytes,
    *,
    rulings: Mapping[str, Any] | None = None,
    packs: PacksOfGames | None = None,
    seqs: Iterable[int] | None = None,
) -> list[Json]:
    """Drawings of a log's events, in the order of the file: of those numbered in `seqs`, or where that is None of the
    first event, the first of each further part of the game, and the last.

    A frame is {"seq", "line", "type", "player", "moment", "text", "board", "marks", "sight"}: the board as it
    was just before the event, and the event's own act as marks on it. Nothing is judged. Empty for an unreadable log.
    """
    wanted = None if seqs is None else frozenset(seqs)
    frames: list[Json] = []
    parts: set[str] = set()

    def draw(game: _Game, entry: Json, event: Any, position: Any, is_last: bool) -> None:
        part = entry["moment"]["part"]
        is_new = part not in parts
        parts.add(part)
        if entry["seq"] in wanted if wanted is not None else is_new or is_last:
            frames.append({**entry, **_drawn(game.ruleset, event, position, game.rulings)})

    _walk(data, rulings, packs, draw)
    return frames


def timeline(
    data: bytes,
    *,
    rulings: Mapping[str, Any] | None = None,
    packs: PacksOfGames | None = None,
    texts: bool = False,
) -> list[Json]:
    """The events of a log in the order of the file: {"seq", "line", "type", "player", "moment"}, and "text"
    where `texts` are wanted. Empty for an unreadable log."""
    entries: list[Json] = []

    def note(game: _Game, entry: Json, event: Any, position: Any, is_last: bool) -> None:
        entries.append({**entry, "text": _said(game.ruleset, event, position)} if texts else entry)

    _walk(data, rulings, packs, note)
    return entries


def _walk(
    data: bytes,
    given: Mapping[str, Any] | None,
    packs: PacksOfGames | None,
    visit: Callable[[_Game, Json, Any, Any, bool], None],
) -> None:
    """Replay a log without judging it: `visit(game, entry, event, position, is_last)` before each event."""
    try:
        record = read(data, packs=packs)
    except UnreadableLog:
        return
    ruleset = GAMES[record.game]
    in_force = _in_force(record.header, ruleset, given)[0]
    game = _Game(ruleset, in_force)
    last = len(record.events) - 1
    moment: Json = {"part": "", "short": "", "text": ""}

    def on_event(index: int, event: Any, position: Any) -> None:
        nonlocal moment
        if type(event) in ruleset.events:
            moment = {**moment, **_moment(ruleset, event, position)}
        entry = {
            "seq": plain(event.seq),
            "line": record.lines[index],
            "type": _type_of(ruleset, event),
            "player": plain(getattr(event, "player", None)),
            "moment": moment,
        }
        visit(game, entry, event, position, index == last)

    # No rules and one option a reading: each event is resolved once, and there is never more than one lane.
    decided = {reading: (option,) for reading, option in in_force.selected.items()}
    Replay(replace(ruleset, rules=()), record, replace(in_force, domains=decided)).run(on_event)


def _moment(ruleset: Ruleset, event: Any, position: Any) -> Json:
    try:
        moment = ruleset.moment(event, position)
    except Exception:
        # A picture is not worth more than the rest of the replay; the audit says what cannot be replayed.
        return {}
    return {key: str(plain(said)) for key, said in moment.items()}


def _type_of(ruleset: Ruleset, event: Any) -> str:
    known = ruleset.events.get(type(event))
    return known or ("unread" if isinstance(event, Unread) else str(plain(getattr(event, "type", "unknown"))))


def _said(ruleset: Ruleset, event: Any, position: Any) -> str:
    """One line that says what an event claims."""
    if isinstance(event, Unread):
        return str(plain(event.why))
    if isinstance(event, Unknown):
        return f'An event of the unknown type "{plain(event.type)}".'
    try:
        return str(plain(ruleset.describe(event, position)))
    except Exception:
        return f"{ruleset.events[type(event)]}, which cannot be put into words."


def _drawn(ruleset: Ruleset, event: Any, position: Any, rulings: Rulings) -> Json:
    """What a frame shows of an event."""
    is_known = type(event) in ruleset.events
    hearing = Hearing(rulings.selected, rulings.settings)

    def show(draw: Any, fallback: Any, *arguments: Any) -> Any:
        if draw is None:
            return fallback
        try:
            return plain(draw(*arguments))
        except Exception:
            return fallback

    return {
        "text": _said(ruleset, event, position),
        "board": show(ruleset.draw, None, position, event if is_known else None),
        "marks": show(ruleset.marks, [], event, position) if is_known else [],
        "sight": show(ruleset.sight, None, event, position, hearing) if is_known else None,
    }


# -- what the games are made of -------------------------------------------------------------------------------------


def rules(game: str) -> list[Json]:
    """The rules of a game. `auditable` is true, or the reason why no log can show the rule."""
    return [
        {
            "id": rule.id,
            "title": rule.title,
            "chapter": rule.chapter,
            "source": rule.source,
            "kinds": list(rule.kinds),
            "events": list(rule.events),
            "readings": list(rule.readings),
            "auditable": True if rule.check is not None else rule.why_not_auditable,
            "text": rule.text,
        }
        for rule in GAMES[game].rules
    ]


def readings(game: str) -> list[Json]:
    """The open readings of a game with their options, and the rules that may ask them."""
    return [
        {
            "id": reading.id,
            "question": reading.question,
            "options": [{"id": option.id, "means": option.means} for option in reading.options],
            "default": reading.default,
            "rules": [rule.id for rule in GAMES[game].rules if reading.id in rule.readings],
        }
        for reading in GAMES[game].readings
    ]


def caveat(game: str | None) -> str:
    """What whoever reads an audit of a game has to know of the auditor; "" where nothing. No part of an audit."""
    return systems.game(game).caveat if game is not None and game in systems.game_keys() else ""


def schema(game: str, pack: str | None = None) -> Json:
    """The JSON Schema of a log of a game, or of its data packs of one kind."""
    return schema_of(game) if pack is None else pack_schema(game, pack)


# -- audits held against each other ---------------------------------------------------------------------------------


def verify(audit_value: Mapping[str, Any], data: bytes, packs: PacksOfGames | None = None) -> list[str]:
    """How an audit differs from the one made anew from a log; nothing where it is reproduced.

    The digest is the audit's own; the rulings are those that it names. The version of the program may differ: an audit is a function of the
    log, the ruleset version, the rulings and the data packs.
    """
    body = {key: value for key, value in audit_value.items() if key not in BESIDE}
    found: list[str] = []
    try:
        if audit_value.get("digest") != hashlib.sha256(canonical(body)).hexdigest():
            found.append("the digest is not the one of the audit's own content")
    except (TypeError, ValueError) as error:
        return [f"it is no audit: {error}"]
    if audit_value.get("log_sha256") != log_sha256(data):
        return [*found, f"it is the audit of another log, {str(audit_value.get('log_sha256'))[:64]}"]
    given = audit_value.get("rulings")
    try:
        anew = audit_log(data, rulings=given if isinstance(given, Mapping) else None, packs=packs, digest=False)
    except BadRulings as bad:
        return [*found, *(f"its rulings are not of this game: {problem}" for problem in bad.problems)]
    return found + [
        sentence
        for key in dict.fromkeys((*anew, *body))
        if key != "engine" and anew.get(key, _ABSENT) != body.get(key, _ABSENT)
        for sentence in _departures(key, body.get(key, _ABSENT), anew.get(key, _ABSENT))
    ]


_ABSENT = object()
_WORDS = {
    "ruleset_version": "the ruleset version",
    "game": "the game",
    "packs": "the data packs",
    "rulings": "the rulings in force",
    "verdict": "the verdict",
    "audit": "the version of the audit's form",
}


def _departures(key: str, given: Any, anew: Any) -> Iterator[str]:
    """How one part of an audit differs from the same part made anew, in sentences."""
    if given is _ABSENT or anew is _ABSENT:
        yield f'"{str(key)[:64]}" is {"missing from" if given is _ABSENT else "unknown in"} the audit'
    elif key == "findings" and isinstance(given, list):
        difference = compare({"findings": given}, {"findings": anew})
        for finding in difference["gone"]:
            yield f"the finding {_named(finding)} is not made anew"
        for finding in difference["new"]:
            yield f"the finding {_named(finding)} is missing from the audit"
        for change in difference["changed"]:
            yield f"the finding {_named(change['new'])} differs in {', '.join(change['differs'])}"
        if not (difference["gone"] or difference["new"] or difference["changed"]):
            yield "the findings stand in another order or come twice"
    elif key in _WORDS and isinstance(given, str | int) and isinstance(anew, str | int):
        yield f"{_WORDS[key]} is {str(given)[:80]} in the audit and {anew} made anew"
    else:
        yield f"{_WORDS.get(key, f'its {str(key)[:64]}')}: not the same as made anew"


def _named(finding: Mapping[str, Any]) -> str:
    return f"{str(finding.get('id'))[:20]} ({str(finding.get('rule'))[:64]} at event {str(finding.get('seq'))[:20]})"


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> Json:
    """What changed from one audit to another, findings matched by id:

    {"audits": {"old": head, "new": head}, "gone": [finding], "new": [finding],
     "changed": [{"id", "differs": [key], "old": finding, "new": finding}], "unchanged": count}
    A head is {"game", "log_sha256", "ruleset_version", "rulings", "verdict", "digest"}.
    """
    before, after = _by_id(old), _by_id(new)
    both = [key for key in after if key in before]
    return {
        "audits": {"old": _head(old), "new": _head(new)},
        "gone": [finding for key, finding in before.items() if key not in after],
        "new": [finding for key, finding in after.items() if key not in before],
        "changed": [
            {"id": key, "differs": _parts_that_differ(before[key], after[key]), "old": before[key], "new": after[key]}
            for key in both
            if before[key] != after[key]
        ],
        "unchanged": sum(before[key] == after[key] for key in both),
    }


def _parts_that_differ(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [part for part in dict.fromkeys((*old, *new)) if old.get(part, _ABSENT) != new.get(part, _ABSENT)]


def _by_id(audit_value: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    findings = audit_value.get("findings")
    listed = findings if isinstance(findings, list) else []
    return {str(finding.get("id")): finding for finding in listed if isinstance(finding, Mapping)}


def _head(audit_value: Mapping[str, Any]) -> Json:
    rulings = audit_value.get("rulings")
    return {
        "game": audit_value.get("game"),
        "log_sha256": audit_value.get("log_sha256"),
        "ruleset_version": audit_value.get("ruleset_version"),
        "rulings": rulings.get("name") if isinstance(rulings, Mapping) else None,
        "verdict": audit_value.get("verdict"),
        "digest": audit_value.get("digest"),
    }
