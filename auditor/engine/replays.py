"""A log event by event without a judgement: its timeline and its drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from auditor.core.naming import Names, named_marks
from auditor.core.plain import plain
from auditor.core.record import Unknown, Unread, UnreadableLog
from auditor.core.replay import Replay
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import Hearing, Rulings
from auditor.engine.conventions import chosen
from auditor.engine.games import GAMES, Json, PacksOfGames
from auditor.engine.rulings import in_force_of
from auditor.ingest import read


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
    given, convention = chosen(given)
    try:
        record = read(data, packs=packs, read_as=convention)
    except UnreadableLog:
        return
    ruleset = GAMES[record.game]
    in_force = in_force_of(record.header, ruleset, given)[0]
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
        "marks": _told(show(ruleset.marks, [], event, position), ruleset, position) if is_known else [],
        "sight": show(ruleset.sight, None, event, position, hearing) if is_known else None,
    }


def _told(marks: Any, ruleset: Ruleset, position: Any) -> Any:
    """Marks with what they say told by names."""
    if ruleset.names is None or not any(isinstance(mark, dict) and mark.get("label") for mark in marks):
        return marks
    try:
        return named_marks(marks, Names(ruleset.names(position)))
    except Exception:
        return marks
