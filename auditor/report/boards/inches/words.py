"""A table of inches in words: what stands on it, when it is, what differs between two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from auditor.report.boards.inches import marks as marks_of
from auditor.report.boards.inches import pieces, sightline
from auditor.report.boards.inches.plane import number, point
from auditor.report.boards.kind import Scene
from auditor.report.boards.pen import Board, Mark
from auditor.report.words import label, listed
from auditor.report.words import value_words as plain

MOST = 8
"""So many changes are told one by one."""


def description(scene: Scene) -> str:
    board = scene.board
    said = [f"A table of {board.get('width')} by {board.get('depth')} inches"] if board.get("width") else []
    said += [pieces.terrain_words(piece) for piece in board.get("terrain") or ()]
    said += [_unit(unit, models, board) for unit, models in units_of(board).items()]
    said += [marks_of.mark_words(mark) for mark in scene.marks]
    if scene.sight:
        said += [f"{question}: {answer}" for question, answer in sightline.answers(scene.sight)]
        said += [f"{c.how} {c.place}{', which stops the line' if c.stops else ''}" for c in sightline.contacts(scene)]
    return ". ".join(said) + "." if said else "An empty table."


def units_of(board: Board) -> dict[str, list[Mapping[str, Any]]]:
    """The models on the table, by their unit."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for model in board.get("models") or ():
        found.setdefault(str(model.get("unit")), []).append(model)
    return found


def _unit(unit: str, models: Sequence[Mapping[str, Any]], board: Board) -> str:
    """'Line squad (A): 5 models round 12, 6.5; pinned'."""
    spots = [at for at in (point(m.get("at")) for m in models) if at is not None]
    where = ""
    if spots:
        x, y = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
        where = f" round {x:.1f}, {y:.1f}" if len(spots) > 1 else f" at {spots[0][0]:g}, {spots[0][1]:g}"
    count = "1 model" if len(models) == 1 else f"{len(models)} models"
    states = states_of(board, unit)
    player = models[0].get("player") if models else None
    name = pieces.names_of(board).get(unit, unit)
    return f"{name} ({player}): {count}{where}" + (f"; {listed(states)}" if states else "")


def states_of(board: Board, unit: str) -> list[str]:
    """What a unit is: pinned, falling back, …"""
    return [
        label(str(state))
        for one in board.get("units") or ()
        if str(one.get("id")) == unit
        for state in one.get("states") or ()
    ]


def _moment(board: Board, key: str) -> str:
    moment = board.get("moment")
    return str(moment.get(key) or "") if isinstance(moment, Mapping) else ""


def state(board: Board) -> str:
    return _moment(board, "text") or _moment(board, "part")


def when(board: Board) -> str:
    return _moment(board, "part")


def changes(before: Board, after: Board) -> str:
    """Who moved, how many are gone or came, and what units have become."""
    old, new = units_of(before), units_of(after)
    names = {**pieces.names_of(before), **pieces.names_of(after)}
    said = []
    for unit in {**old, **new}:
        was = {str(m.get("id")): m for m in old.get(unit, ())}
        now = {str(m.get("id")): m for m in new.get(unit, ())}
        alone, parts = len({**was, **now}) == 1, []
        called = {one: pieces.called(m, names, alone=alone) for one, m in {**was, **now}.items()}
        moved = [
            one for one in now if one in was and tuple(was[one].get("at") or ()) != tuple(now[one].get("at") or ())
        ]
        if len(moved) == 1:
            one = moved[0]
            parts.append(
                f"{'' if alone else called[one] + ' '}moved {marks_of.way_words((was[one].get('at'), now[one].get('at')))}"
            )
        elif moved:
            parts.append(f"{len(moved)} models moved")
        hurt = [one for one in now if one in was and was[one].get("wounds") != now[one].get("wounds")]
        parts += [
            f"{'' if alone else called[one] + ' '}has {_wounds(now[one].get('wounds'))} left, not {was[one].get('wounds')}"
            for one in hurt[:3]
        ]
        if gone := [one for one in was if one not in now]:
            parts.append(
                "without " + listed([called[one] for one in gone]) if len(gone) <= 4 else f"without {len(gone)} models"
            )
        if come := [one for one in now if one not in was]:
            parts.append(
                "with " + listed([called[one] for one in come]) if len(come) <= 4 else f"with {len(come)} more models"
            )
        is_, were = states_of(after, unit), states_of(before, unit)
        if added := [one for one in is_ if one not in were]:
            parts.append("now " + listed(added))
        if ended := [one for one in were if one not in is_]:
            parts.append("no longer " + listed(ended))
        if parts:
            said.append(f"{names.get(unit, unit)}: {', '.join(parts)}")
    return "; ".join(said[:MOST]) + (f"; and {len(said) - MOST} more" if len(said) > MOST else "")


def _wounds(left: Any) -> str:
    return "1 wound" if left == 1 else f"{left} wounds"


def named(board: Board, names: Mapping[str, str]) -> Board:
    """The board with the players by their names."""
    if not names:
        return board

    def told(ones: Any) -> list[Any]:
        return [
            {**one, "player": names.get(str(one.get("player")), one.get("player"))} if isinstance(one, Mapping) else one
            for one in ones or ()
        ]

    return {**board, "models": told(board.get("models")), "units": told(board.get("units")), "by_name": True}


MOST_RINGED = 24
"""So many models that differ are ringed; where all differ, rings say nothing."""


def differing(before: Board, after: Board) -> list[Mark]:
    """Rings round the models that differ, and round where one stood that is gone."""
    old, new = ({str(m.get("id")): m for m in board.get("models") or ()} for board in (before, after))

    def shown(model: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(model.get("at") or ()), model.get("heading"), model.get("wounds")

    changed: list[Mark] = [
        {"mark": "model", "model": one, "how": "note"}
        for one, model in new.items()
        if one not in old or shown(old[one]) != shown(model)
    ]
    gone = [{"mark": "spot", "at": m["at"], "how": "bad"} for one, m in old.items() if one not in new and m.get("at")]
    found = [*changed, *gone]
    return found if len(found) <= MOST_RINGED else []


def answers(scene: Scene) -> tuple[tuple[str, str], ...]:
    """What the way and the line of sight come to: (question, answer)."""
    said = sightline.answers(scene.sight) if scene.sight else []
    if len(scene.path) > 1:
        said.append(("Way", marks_of.way_words(scene.path)))
    return tuple(said)


def value_words(value: Any, name: str) -> str | None:
    """A claimed place, or a way, as it is written in sentences."""
    if name in ("pos", "at", "place") and point(value) is not None:
        return f"({marks_of.spot_words(value)})"
    if name == "path" and isinstance(value, Sequence) and not isinstance(value, str) and all(map(point, value)):
        return marks_of.way_words(value)
    return None


def extra(fields: Mapping[str, Any]) -> list[tuple[str, str]] | None:
    """How far a length is from its limit, on the wrong side or with some to spare, and the tolerance; None: no length."""
    over, margin = fields.get("excess"), fields.get("tolerance")
    if over is None or fields.get("unit") != "in":
        return None
    said = [("away from the limit by", _inches(over))]
    if margin is not None:
        said.append(
            ("tolerance", f"{_inches(margin)}: what rounding in the log may come to, or what the tournament allows")
        )
    known = ("excess", "unit", "tolerance")
    return said + [(label(str(name)), plain(value)) for name, value in fields.items() if name not in known]


def _inches(length: Any) -> str:
    return f"{plain(length)} {'inch' if (number(length) or 0) <= 1 else 'inches'}"
