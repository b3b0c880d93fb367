"""Positions and events as data to draw, and in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from auditor.core.plain import plain
from auditor.core.ruleset import Moment
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Edge
from auditor.systems.calth import records
from auditor.systems.calth.packs import Model
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.resolve import resolve
from auditor.systems.calth.records import faces
from auditor.systems.calth.state import Position, Table, Unit
from auditor.systems.calth.words import at, count, names

_BY_LABEL = attrgetter("side", "id")


class Drawn:
    """The parts of a table's boards that many share: made once, and read-only to everyone."""

    def __init__(self, table: Table) -> None:
        board = table.board
        self.table = table
        named = {hex_: [plain(name)] for hex_, name in board.names.items()}
        self.hexes = [[*hex_, kind, *named.get(hex_, ())] for hex_, kind in sorted(board.kinds.items())]
        self.barricades = [{"hex": list(hex_), "dir": k} for hex_, k in sorted(board.barricades)]
        self.doors = sorted(board.doors)
        self.obstructions = [
            {"edge": [list(a), list(b)], "feature": "obstruction"} for a, b in sorted(board.obstructions)
        ]
        self.models = {model.id: _model(model) for model in table.models.values()}
        self._edges: dict[frozenset[Edge], list[dict[str, Any]]] = {}

    def edges(self, sealed: frozenset[Edge]) -> list[dict[str, Any]]:
        """Hexsides with a door or an obstruction, these doors being sealed."""
        found = self._edges.get(sealed)
        if found is None:
            doors = [
                {"edge": [list(a), list(b)], "feature": "door_sealed" if (a, b) in sealed else "door_open"}
                for a, b in self.doors
            ]
            if len(self._edges) >= 64:
                self._edges.clear()
            found = self._edges[sealed] = [*doors, *self.obstructions]
        return found


def _model(model: Model) -> dict[str, Any]:
    drawn = {
        "id": model.id,
        "name": model.name,
        "bulk": model.bulk,
        "weapons": list(model.weapons),
        "wargear": sorted(model.wargear),
    }
    return {key: plain(value) for key, value in drawn.items()}


def draw(position: Position, event: Any = None) -> dict[str, Any]:
    """The board as data: hexes, hexsides, barricades, units with their models, and whose turn it is."""
    table = position.table
    drawn = table.drawn
    if drawn is None:
        drawn = table.drawn = Drawn(table)
    acting = position.act.unit if position.act is not None else None
    if isinstance(event, (records.Activate, records.MoveUnit, records.MoveModels)):
        acting = event.unit or acting
    elif isinstance(event, records.Attack):
        acting = event.attacker or acting
    models = drawn.models
    return {
        "kind": "hex",
        "hexes": drawn.hexes,
        "edges": drawn.edges(position.sealed),
        "barricades": drawn.barricades,
        "units": [
            {
                "id": plain(unit.id),
                "side": unit.side,
                "hex": list(unit.hex),
                "tp": plain(unit.tp),
                "models": [models[model] for model in unit.models],
            }
            for unit in sorted(position.units.values(), key=_BY_LABEL)
        ],
        "acting": plain(acting) if acting in position.units else None,
        "round": plain(position.round),
        "phase": position.phase,
        "to_act": position.side_to_act() if position.phase == "action" else None,
        "initiative": position.initiative,
    }


def facts(position: Position) -> Mapping[str, Any]:
    """What is on the table, one fact an entry, so that two positions can be compared in words."""
    found: dict[str, Any] = {}
    for unit in position.units.values():
        found[f"TPs of {unit.id}"] = unit.tp
        for model in unit.models:
            found[f"place of {model}"] = position.at(unit.hex)
    for model in position.removed:
        found[f"place of {model}"] = "removed"
    for door in position.table.board.doors:
        found[f"door {position.at(door[0])} | {position.at(door[1])}"] = "sealed" if door in position.sealed else "open"
    for model, weapon in position.destroyed:
        found[f"damage to the {weapon} of {model}"] = "destroyed"
    found["initiative"] = position.initiative
    return found


def marks(event: records.Event, position: Position) -> list[dict[str, Any]]:
    """The act of an event, drawn on the board before it."""
    if isinstance(event, records.MoveUnit) and event.path:
        return [{"mark": "move", "path": [list(h) for h in event.path], "ok": True, "label": event.cause or "move"}]
    if isinstance(event, records.MoveModels):
        unit = position.units.get(event.unit) if event.unit is not None else None
        if unit is None:
            return []
        return [
            {"mark": "move", "path": [list(unit.hex), list(m.to)], "ok": True, "label": m.model or ""}
            for m in event.moves or ()
            if m.to is not None
        ]
    if isinstance(event, records.Attack):
        attacker = position.units.get(event.attacker) if event.attacker is not None else None
        target = position.units.get(event.target) if event.target is not None else None
        if attacker is not None and target is not None:
            return [{"mark": "shot", "from": list(attacker.hex), "to": list(target.hex), "ok": True}]
    if isinstance(event, records.Place) and event.hex is not None:
        return [{"mark": "hex", "hex": list(event.hex), "label": event.model or "", "how": "claimed"}]
    if isinstance(event, records.Door) and event.edge is not None:
        return [{"mark": "edge", "edge": [list(h) for h in event.edge], "label": event.state or "", "how": "note"}]
    label = getattr(event, "unit", None)
    unit = position.units.get(label) if label is not None else None
    if unit is not None:
        return [_called(unit, type(event).__name__.lower())]
    return _side_marks(event, position)


def _side_marks(event: records.Event, position: Position) -> list[dict[str, Any]]:
    """An event that is no unit's: the units of the side that it is about, without a word of their own."""
    side: str | None = None
    if isinstance(event, records.Initiative):
        side = event.winner
    elif isinstance(event, records.ScenarioEnd):
        side = _leader(event.results)
    elif isinstance(event, records.CampaignEnd):
        side = _leader(event.scenario_6.after if event.scenario_6 else None)
    elif isinstance(event, (records.CardDraw, records.CardPlay, records.Pass)):
        side = event.player
    return [_called(unit, "") for unit in sorted(position.units.values(), key=lambda u: u.id) if unit.side == side]


def _leader(results: Mapping[Any, str] | None) -> str | None:
    """The side to which a result gives a victory, if it does."""
    return next((side for side, level in (results or {}).items() if "victory" in level), None)


def _called(unit: Unit, label: str) -> dict[str, Any]:
    return {"mark": "unit", "unit": unit.id, "hex": list(unit.hex), "label": label}


def sight(event: records.Event, position: Position, hearing: Hearing) -> dict[str, Any] | None:
    """The line of sight of a shot as a drawing; None for other events."""
    if not isinstance(event, records.Attack):
        return None
    view = resolve(event, position, hearing)
    assert isinstance(view, AttackView)
    if (
        view.mode != "ranged"
        or view.shooter_hex is None
        or view.target_hex is None
        or view.shooter_hex == view.target_hex
    ):
        return None
    found: dict[str, Any] | None = view.sight_evidence(hearing).get("sight")
    return found


def unfinished(position: Position) -> Sequence[str]:
    """What is still due when a record stops."""
    act = position.act
    if act is None:
        return ()
    if act.action == "assault" and not act.attacked and not act.void:
        return (f"the attack of {act.unit}",)
    if act.retreated and not act.rolled and act.target_hex is not None:
        unit = position.by_hex.get(act.target_hex)
        if unit is not None and unit.side != act.side:
            return (f"the desperate last stand of {names(unit.models)}",)
    retreats = act.attacked and not act.retreated and act.said is not False
    if retreats and act.action == "assault" and act.target_hex is not None:
        unit = position.by_hex.get(act.target_hex)
        if unit is not None and unit.side != act.side and act.losses[unit.side] > act.losses[act.side]:
            return (f"the retreat of {unit.id}",)
    return ()


def moment(event: records.Event, position: Position) -> Moment:
    """The round and phase in which an event stands. All that comes before the first round is the set-up."""
    number, phase = _round_and_phase(event, position)
    said = ([f"round {number}"] if number else []) + ([f"{phase} phase".replace("_", " ")] if phase else [])
    return {
        "part": f"Round {number}" if number and phase != "setup" else "Set-up",
        "short": f"R{number}" if number else "",
        "text": ", ".join(said).capitalize(),
    }


def _round_and_phase(event: records.Event, position: Position) -> tuple[int | None, str | None]:
    if isinstance(event, records.Position):
        return event.round or position.round, event.phase or position.phase
    view = resolve(event, position, _QUIET) if type(event) in _DATED else None
    return (position.round, position.phase) if view is None else (view.round, view.phase)


_QUIET = Hearing({})
_DATED = frozenset({records.Initiative, records.TpRefresh, records.CardDraw, records.Activate})

SIDE_NAMES = {"UM": "Ultramarines", "WB": "Word Bearers"}


def describe(event: records.Event, position: Any = None) -> str:
    """One line that says what an event claims. Ids stand as the log has them, at the start of a line too."""
    going = _GOING.get(type(event))
    if going is not None:
        return going(event, at if position is None else position.at)
    teller = _TELLERS.get(type(event))
    if teller is None:
        return str(getattr(event, "type", "An event")).replace("_", " ")
    return str(teller(event))


def _who(event: records.Event) -> str:
    return SIDE_NAMES.get(event.player or "", "Somebody")


def _tps(n: Any) -> str:
    return "an unknown number of TPs" if n is None else count(n, "TP")


def _tell_attack(e: Any) -> str:
    verb = {
        "assault": "assaults",
        "counter": "strikes back at",
        "shoot": "shoots at",
        "flamer_follow_up": "follows up on",
    }
    roll = faces(e.roll)
    told = f"{e.attacker} {verb.get(e.role or '', 'attacks')} {e.target}"
    if e.los is not None and e.los.class_ is not None:
        told += f" in {'clear sight' if e.los.class_ == 'clear' else 'an obscured shot'}"
    if roll is not None:
        told += f", rolling {roll}"
    if e.pool is not None:
        told += f" for a pool of {e.pool}"
    lost = sum(1 for step in e.steps or () if step.casualty)
    return told + (f"; {count(lost, 'model')} removed" if lost else "")


def _tell_activation(e: Any) -> str:
    action = _ACTIONS.get(e.action or "", "with an action that is not stated")
    spent = "" if e.tp_before is None and e.tp_after is None else f"; from {_tps(e.tp_before)} to {e.tp_after}"
    return f"{e.unit} is activated {action}{spent}"


_ACTIONS = {
    "advance": "to Advance",
    "run": "to Run",
    "consolidate": "to Consolidate",
    "assault": "to Assault",
    "shoot": "to Shoot",
    "none": "for no action",
}


def _tell_place(e: Any, at: Callable[[Any], str]) -> str:
    return f"{e.model} is placed at {at(e.hex)}"


def _tell_move(e: Any, at: Callable[[Any], str]) -> str:
    path = [at(h) for h in e.path or ()]
    how = f" ({e.cause.replace('_', ' ')})" if e.cause else ""
    if len(path) < 2:
        return f"{e.unit} moves{how}: {', '.join(path) or 'no path is stated'}"
    through = f" through {names(path[1:-1])}" if len(path) > 2 else ""
    return f"{e.unit} moves{how} from {path[0]}{through} to {path[-1]}"


def _tell_moves(e: Any, at: Callable[[Any], str]) -> str:
    moves = names(f"{m.model} to {at(m.to)}" for m in e.moves or ())
    return f"{e.unit} {'retreats' if e.cause == 'retreat' else 'consolidates'}: {moves or 'nobody moves'}"


def _tell_initiative(e: Any) -> str:
    winner = SIDE_NAMES.get(e.winner or "")
    rolls = "".join(f", {faces(a.UM)} for UM against {faces(a.WB)} for WB" for a in e.attempts or ())
    given = ", as the scenario says" if e.source == "scenario" else ""
    return f"{f'The {winner} have' if winner else 'Nobody has'} the initiative{given}{rolls}"


def _tell_draw(e: Any) -> str:
    cards = "a Command card" if e.count in (None, 1) else f"{e.count} Command cards"
    return f"The {_who(e)} draw {cards}" if e.player else f"Somebody draws {cards}"


def _tell_last_stand(e: Any) -> str:
    kept = list(e.survivors or ())
    stay = f"{names(kept)} {'stays' if len(kept) == 1 else 'stay'}" if kept else "nobody stays"
    rolled = list(e.models or ())
    return f"{names(rolled)} {'rolls' if len(rolled) == 1 else 'roll'} {faces(e.faces)} in a last stand; {stay}"


def _because(cause: Any) -> str:
    return f" ({str(cause).replace('_', ' ')})" if cause else ""


_COUNTERS = {"made": "strikes back", "declined": "does not strike back", "not_possible": "cannot strike back"}

_GOING: Mapping[type, Callable[[Any, Callable[[Any], str]], str]] = {
    records.Place: _tell_place,
    records.MoveUnit: _tell_move,
    records.MoveModels: _tell_moves,
}
"""Events that say where: how each is told, and how a hex is called there."""

_TELLERS: Mapping[type, Any] = {
    records.GameStart: lambda e: "The game starts",
    records.Position: lambda e: f"The position is stated: round {e.round}, {count(len(e.units or ()), 'unit')}",
    records.Initiative: _tell_initiative,
    records.CardDraw: _tell_draw,
    records.CardPlay: lambda e: f"The {_who(e)} play {e.card}" if e.player else f"{e.card} is played",
    records.TpRefresh: lambda e: f"{count(len(e.units or ()), 'unit')} are given their TPs",
    records.Activate: _tell_activation,
    records.Pass: lambda e: f"The {_who(e)} pass" if e.player else "Somebody passes",
    records.Attack: _tell_attack,
    records.Counter: lambda e: f"{e.unit} {_COUNTERS.get(e.choice or '', 'may strike back')}",
    records.Retreat: lambda e: f"{e.unit} {'has' if e.due else 'does not have'} to retreat",
    records.LastStand: _tell_last_stand,
    records.TpLoss: lambda e: f"{e.unit} loses {_tps(e.amount)}{_because(e.cause)}",
    records.Door: lambda e: f"A door is {e.state}",
    records.WeaponDestroyed: lambda e: f"{(e.weapon or 'A weapon').replace('_', ' ')} of {e.model} is destroyed",
    records.DamageCard: lambda e: f"Damage card {e.card} is drawn",
    records.UnitRemoved: lambda e: f"{e.unit} is removed{_because(e.cause)}",
    records.ModelRemoved: lambda e: f"{e.model} is removed{_because(e.cause)}",
    records.RoundEnd: lambda e: "The round ends",
    records.ScenarioEnd: lambda e: (
        "The scenario ends: "
        + ", ".join(f"{SIDE_NAMES[s]} {level.replace('_', ' ')}" for s, level in (e.results or {}).items())
    ),
    records.CampaignEnd: lambda e: "The campaign ends",
    records.Undo: lambda e: f"Play goes back to just after event {e.to}",
    records.Judge: lambda e: f"A judge: {e.text}",
    records.Remark: lambda e: f"Remark: {e.text}",
    records.End: lambda e: f"The record ends{_because(e.reason)}",
}
