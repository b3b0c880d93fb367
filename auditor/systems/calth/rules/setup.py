"""Set-up: sides, deployment, doors (SET)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Edge, Hex
from auditor.systems.calth.packs import SpecialRule
from auditor.systems.calth.reckoning.licence import Warrant
from auditor.systems.calth.reckoning.moves import filling
from auditor.systems.calth.reckoning.views import FloatingView, StatedView, View
from auditor.systems.calth.records import (
    Cause,
    Door,
    Event,
    GameStart,
    Place,
)
from auditor.systems.calth.records import Position as StatedPosition
from auditor.systems.calth.rules.common import (
    Seen,
    bulk_of,
    hex_marks,
    rule,
)
from auditor.systems.calth.state import CAPACITY, Position, side_key
from auditor.systems.calth.words import at, names


@rule(
    "CAL-SET-01",
    "Sides and scenario",
    section=6,
    events=("*",),
    kinds=("illegal", "ambiguous"),
    when={"*": ("opening",)},
)
def sides_and_scenario(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """One player takes the Ultramarines, the other the Word Bearers; a scenario is chosen and its rules apply.

    Log:  the header, or a `game_start` that repeats it and must agree.
    """
    if position.started:
        return None
    header = position.table.header
    # A header that enters one of them twice is at fault itself, and has been told so; a start that repeats it adds nothing.
    if isinstance(event, GameStart) and event.players != header.get("players"):
        entered = event.players if isinstance(event.players, list) else ()
        ids = [name for p in entered if isinstance(p, Mapping) and isinstance(name := p.get("id"), str)]
        if len(set(ids)) < len(ids):
            return [
                sides_and_scenario.illegal(
                    f"{len(ids)} players are entered for {names(sorted(set(ids)))}; each side has one.",
                    player=None,
                )
            ]
    if isinstance(event, GameStart):
        different = [
            field
            for field in ("game", "format", "players", "scenario", "board", "rosters", "command_cards", "campaign")
            if getattr(event, field) is not None and field in header and getattr(event, field) != header[field]
        ]
        if different:
            return [
                sides_and_scenario.ambiguous(
                    f"The start of the game and the header differ in {names(different)}; the header counts.",
                    player=None,
                )
            ]
    if position.table.scenario is None:
        return [
            sides_and_scenario.ambiguous("The scenario is not known, so its rules could not be judged.", player=None)
        ]
    return RAN


@rule(
    "CAL-SET-02",
    "Deployment",
    section=6,
    events=("place", "position", "initiative", "card_draw", "tp_refresh", "activate"),
    kinds=("illegal", "omitted", "ambiguous"),
    when={"activate": ("before actions",)},
)
def deployment(event: Place, view: FloatingView, position: Position, hearing: Hearing) -> Seen:
    """Models stand where the scenario says, and the rules of the map hold from the first placement.

    Log:  the hex of every model.
    Edge: models of one side in one hex are one unit.
    """
    return _placed(event, view, position)


@deployment.at("initiative", "card_draw", "tp_refresh", "activate")
def _everybody_was_placed(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """All whom the scenario deploys stand on the board when the game begins. A record in which nobody of a side was placed
    has no deployment of it, and accuses none of them."""
    if position.phase != "setup" or not position.started:
        return None
    scenario = position.table.scenario
    if scenario is None or scenario.deployments is None:
        return None
    absent: list[Remark] = []
    here, named = position.unit_of, position.recorded.set_up.named
    unplaced: set[str] = set()
    for side in dict.fromkeys(entry.side for entry in scenario.deployments):
        own = [m.id for m in position.table.models.values() if m.side == side]
        if not any(m in here or m in named or m not in position.reserve for m in own):
            unplaced.add(side)
            text = f"The record has no deployment of {side}, so where its models stand could not be judged."
            absent.append(deployment.ambiguous(text, player=side))
    for entry in scenario.deployments:
        expected = entry.models or tuple(m.id for m in position.table.models.values() if m.side == entry.side)
        lacking = [m for m in expected if m not in here and m in position.reserve and m not in named]
        if lacking and entry.side not in unplaced:
            absent.append(
                deployment.omitted(
                    f"{names(lacking)} {'was' if len(lacking) == 1 else 'were'} never placed.",
                    *lacking,
                    player=entry.side,
                    due=partial(Place, seq=0, model=lacking[0]) if len(lacking) == 1 else None,
                )
            )
    return absent or RAN


def _placed(event: Place, view: View, position: Position) -> Seen:
    table = position.table
    model = None if event.model is None else table.models.get(event.model)
    if model is None or event.hex is None:
        lacking = [what for what, value in (("the model", model), ("the hex", event.hex)) if value is None]
        return [deployment.missing(lacking)]
    problems: list[str] = []
    sums: tuple[Figure, ...] = ()
    zone = table.zone_of(event.hex)
    if zone in ("blocked", "off"):
        problems.append(f"{position.at(event.hex)} is {'blocked' if zone == 'blocked' else 'no hex of the board'}")
    full = filling(position, event.hex, model.side, (model.id,), (model.id,))
    if full.held_by is not None:
        problems.append(f"{position.at(event.hex)} is held by the other side")
    elif full.present and not full.fits and position.unit_of.get(model.id) is not position.by_hex.get(event.hex):
        problems.append(f"{position.at(event.hex)} would hold a bulk of {full.bulk}; 3 is the most")
        sums = (bulk_of(position, (*full.present, model.id)),)
    scenario = table.scenario
    if scenario is not None and scenario.deployments is not None and position.phase == "setup":
        own = [e for e in scenario.deployments if e.side == model.side and (e.models is None or model.id in e.models)]
        if own and not any(e.zone is None or event.hex in e.zone for e in own):
            problems.append(f"{position.at(event.hex)} is outside its zone")
    if model.id in position.removed:
        return None  # CAL-ATK-08
    standing = position.unit_of.get(model.id)
    if position.phase == "setup" and standing is not None and standing.hex != event.hex:
        problems.append("it has been placed already")
    if view.warrant is Warrant.NONE:
        problems.append("the set-up is over, and nothing brings it there")
    if not problems:
        return RAN
    return [
        deployment.illegal(
            f"{model.id} cannot be placed there: {'; '.join(problems)}.",
            model.id,
            player=model.side,
            figures=sums,
            evidence=hex_marks(event.hex, label="not here"),
        )
    ]


@deployment.at("position")
def _stated(event: StatedPosition, view: StatedView, position: Position, hearing: Hearing) -> Seen:
    """A stated position is checked like a set-up."""
    table = position.table
    found: list[Remark] = []
    sides: dict[Hex, set[str]] = {}
    inside: dict[Hex, list[str]] = {}
    seen: dict[str, int] = {}
    for entry in event.units or ():
        problems: list[str] = []
        if entry.hex is not None:
            zone = table.zone_of(entry.hex)
            if zone in ("blocked", "off"):
                why = "blocked" if zone == "blocked" else "no hex of the board"
                problems.append(f"{position.at(entry.hex)} is {why}")
        for model in entry.models or ():
            seen[model] = seen.get(model, 0) + 1
            if model not in table.models:
                problems.append(f"{model} is in no roster of this game")
            elif entry.side is not None and table.models[model].side != entry.side:
                problems.append(f"{model} is of the other side")
            if seen[model] == 2:
                problems.append(f"{model} stands twice")
        if entry.hex is not None:
            inside.setdefault(entry.hex, []).extend(m for m in entry.models or () if m in table.models)
            if entry.side is not None:
                sides.setdefault(entry.hex, set()).add(entry.side)
        if problems:
            who = entry.unit or f"The unit at {position.at(entry.hex)}{f' of {entry.side}' if entry.side else ''}"
            found.append(
                deployment.illegal(
                    f"{who}: {'; '.join(problems)}.",
                    str(entry.unit or at(entry.hex)),
                    player=entry.side,
                )
            )
    for hex_, models in inside.items():
        bulk = sum(table.models[m].bulk for m in models)
        sums: tuple[Figure, ...] = ()
        if len(sides.get(hex_, ())) > 1:
            text = f"The log has {names(models) or 'models'} of both sides in {position.at(hex_)}; a hex holds those of one."
        elif bulk > CAPACITY:
            text = f"The log has {names(models)} in {position.at(hex_)}, a bulk of {bulk}; a hex holds 3 at most."
            sums = (bulk_of(position, models),)
        else:
            continue
        owner = next(iter(sides[hex_])) if len(sides.get(hex_, ())) == 1 else None
        found.append(deployment.illegal(text, at(hex_), player=owner, figures=sums))
    return found or RAN


@rule(
    "CAL-SET-03",
    "Doors",
    section=6,
    events=("door",),
    kinds=("illegal", "ambiguous"),
)
def door_states(event: Door, view: FloatingView, position: Position, hearing: Hearing) -> Seen:
    """Doors start as the scenario says and change only by an effect of the scenario or of a card.

    Log:  every change with its cause.
    """
    if event.edge is None or event.state is None:
        lacking = [what for what, value in (("the door", event.edge), ("its state", event.state)) if value is None]
        return [door_states.missing(lacking, player=event.player)]
    door = side_key(*event.edge)
    where = f"the door between {position.at(door[0])} and {position.at(door[1])}"
    told = f"{event.player} made" if event.player is not None else "The log makes"
    told += f" {where} {event.state}"
    evidence = lambda: {  # noqa: E731
        "marks": [{"mark": "edge", "edge": [list(door[0]), list(door[1])], "label": str(event.state), "how": "bad"}]
    }
    subject = f"{at(door[0])}|{at(door[1])}"
    if door not in position.table.board.doors:
        return [
            door_states.illegal(
                f"{told}, and there is no door.",
                subject,
                player=event.player,
                evidence=evidence,
            )
        ]
    if _is_of_a_card_played(door, event.state, position):
        return RAN  # whatever cause is named
    cause = event.cause
    if cause is None or (cause.source is None and cause.id is None):
        return [door_states.missing(["what moved the door"], player=event.player)]
    if cause.id is None and cause.source in ("scenario", "card"):
        return [door_states.missing([f"which effect of the {cause.source} moved the door"], player=event.player)]
    known = _known_by(cause, position)
    if known is None and cause.source in ("card", "scenario"):
        # A name that nothing here bears may be a slip of the pen, or a text that the packs do not hold.
        text = f'The cause "{cause.id}" of {where} is known by name only.'
        return [door_states.ambiguous(text, subject, player=event.player)]
    if known is not None and known.effect is None:
        return [
            door_states.ambiguous(
                f'{told} by "{known.name}", whose text no machine can read.',
                subject,
                player=event.player,
            )
        ]
    wrong = _why_not_by(cause, known, door, event.state, told, position)
    if wrong is None:
        return RAN
    return [door_states.illegal(wrong, subject, player=event.player, evidence=evidence)]


def _known_by(cause: Cause, position: Position) -> SpecialRule | None:
    """The special rule of the scenario, or the card, that a cause names."""
    table = position.table
    if cause.id is None:
        return None
    if table.scenario is not None and cause.id in table.scenario.special_rules:
        return table.scenario.special_rules[cause.id]
    return table.cards.get(cause.id) if table.cards is not None else None


def _why_not_by(
    cause: Cause, known: SpecialRule | None, door: Edge, state: str, told: str, position: Position
) -> str | None:
    """What is `told` of a door, with what speaks against its cause; None where nothing does."""
    effect = known.effect if known is not None else None
    if known is None or effect is None:
        return f'{told} by "{cause.id or cause.source}", which is no effect of the scenario or of a card.'
    if effect.door is None or side_key(*effect.door[0]) != door or effect.door[1] != state:
        return f'{told} by "{known.name}", which does not do that.'
    if effect.round is not None and effect.round not in (position.round, _next_round(position)):
        return f'{told} in round {position.round} by "{known.name}", which does so in round {effect.round}.'
    return None


def _is_of_a_card_played(door: Edge, state: str, position: Position) -> bool:
    """Whether a card played in the open action puts a door in this state."""
    cards = position.table.cards or {}
    effects = [known.effect for card in position.cards_played if (known := cards.get(card)) is not None]
    doors = [effect.door for effect in effects if effect is not None and effect.door is not None]
    return any(side_key(*edge) == door and made == state for edge, made in doors)


def _next_round(position: Position) -> int | None:
    """The number of the next round, where this one may be over and nothing has said so yet."""
    over = position.phase == "action" and not any(unit.tp for unit in position.units.values())
    return position.round + 1 if over else None
