"""The record itself, set-up, doors, and the campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.core.findings import RAN, Note, Remark
from auditor.core.ruleset import not_auditable
from auditor.core.rulings import Hearing
from auditor.systems.calth.packs import SpecialRule
from auditor.systems.calth.rules.common import (
    CHAPTERS,
    NO_FACTS,
    PLAYERS,
    SOURCE,
    THE,
    ambiguous,
    at,
    hex_marks,
    illegal,
    miscalculated,
    missing,
    names,
    omitted,
    rule,
)
from auditor.systems.calth.state import CAPACITY, OTHER, SIDES, Position, side_key

Seen = list[Remark] | tuple[Remark, ...] | None


def _procedure(rule_id: str, title: str, why: str, text: str) -> Any:
    return not_auditable(rule_id, title, why, text, chapter=CHAPTERS[1], source=f"{SOURCE}, section 1")


from_the_claim = _procedure(
    "CAL-AUD-01",
    "Going on from the claim",
    "It says how the audit proceeds; nobody can break it.",
    """After a finding the replay goes on from the state that the record claims, if that state can exist; else from the
    recomputed one, and the finding says so. A miscounted attack roll is followed with the dice actually recorded.""",
)
one_root = _procedure(
    "CAL-AUD-02",
    "One root, one finding",
    "It says how findings are counted; nobody can break it.",
    """A wrong early number is one finding, at the step where it first goes wrong; later steps are held against values
    recomputed from the record's own previous one. If a whole action was illegal, its arithmetic is still checked.""",
)
several_rules = _procedure(
    "CAL-AUD-03",
    "Several rules at once",
    "It orders findings; nobody can break it.",
    """An action that is illegal for several reasons is reported once under each distinct rule.""",
)


@rule(
    "CAL-AUD-04",
    "Facts that are missing",
    section=1,
    events=("attack",),
    kinds=("ambiguous",),
)
def missing_facts(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Faces, targets, paths, weapons, cards and who acted cannot be derived: without one of them the event is one ambiguous
    finding, under the rule that needed it most. Numbers that follow from facts and are left out were simply not claimed.

    Log:  every fact that the rules of the event name.
    """
    lacking = resolved.lacking(hearing)
    if not lacking:
        return RAN
    return [missing(lacking[0][0], [what for _, what in lacking], *((event.attacker,) if event.attacker else ()))]


def override_named(position: Position, event: Any) -> SpecialRule | None:
    """The scenario rule or card that an event's override names, if the data know it."""
    source = event.override.source
    table = position.table
    if table.scenario is not None and source in table.scenario.special_rules:
        return table.scenario.special_rules[source]
    if table.cards is not None and source in table.cards:
        return table.cards[source]
    for known in (table.scenario.special_rules if table.scenario is not None else {}), (table.cards or {}):
        for rule_ in known.values():
            if source is not None and rule_.name.casefold() == source.casefold():
                return rule_
    return None


def suspended(position: Position, event: Any) -> frozenset[str]:
    """Rules that an override on the event takes out of force, or whose force it leaves open (CAL-AUD-05)."""
    if event.override is None:
        return frozenset()
    known = override_named(position, event)
    named = frozenset(event.override.rule_ids or ())
    if known is None:
        return named
    if known.effect is None:
        return named | known.rule_ids
    suspends: frozenset[str] = known.effect.suspends
    return suspends


@rule(
    "CAL-AUD-05",
    "Overrides",
    section=1,
    events=("*",),
    kinds=("ambiguous",),
    when={"*": ("override",)},
)
def overrides(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Scenario rules and Command cards can change any rule; the event names the one that did. Where the data hold its effect
    it is applied. Where they hold only its text, or nothing, the rules that it names are not judged on that event.

    Log:  the override with its source, the rules it touches, its text.
    """
    if event.override is None:
        return None
    known = override_named(position, event)
    source = event.override.source
    if source is None:
        return [missing("CAL-AUD-05", ["the source of the override"])]
    if known is None:
        return [
            ambiguous(
                "CAL-AUD-05",
                f'The event rests on "{source[:80]}", which neither the scenario nor the cards know.',
                source,
            )
        ]
    if known.effect is None:
        return [
            ambiguous(
                "CAL-AUD-05",
                f'The event rests on "{known.name}", whose text no machine can read; '
                f"{names(sorted(suspended(position, event))) or 'nothing'} could not be judged.",
                known.id,
            )
        ]
    return RAN


@rule(
    "CAL-AUD-06",
    "The record against itself",
    section=1,
    events=("activate", "move_unit", "move_models", "tp_refresh", "tp_loss", "position"),
    kinds=(),
)
def record_against_itself(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A start hex, unit or count of TPs that differs from the replayed position, with nothing between that explains it, is
    noted for the judge and accuses nobody; the record's statement is adopted where it can exist.

    Log:  what events say of the position before them.
    """
    kind = type(event).__name__
    notes: list[Remark] = []

    def note(text: str) -> None:
        notes.append(Note("record", text, "CAL-AUD-06"))

    if kind == "Position":
        if position.started:
            for text in resolved.differences:
                note(text)
        return notes or RAN
    if kind in ("Activate", "TpLoss"):
        unit = position.units.get(event.unit) if event.unit else None
        if unit is None:
            if event.unit is not None and not resolved.destroyed(event.unit):
                note(f"{event.unit} is named, and no unit of that name is on the board.")
        elif event.tp_before is not None and event.tp_before != unit.tp and not resolved.echo:
            note(
                f"{unit.id} is said to have {event.tp_before} TPs before this event; by the record so far it has {unit.tp}."
            )
        return notes or RAN
    if kind == "TpRefresh":
        for entry in event.units or ():
            unit = position.units.get(entry.unit) if entry.unit else None
            if unit is not None and entry.tp_before is not None and entry.tp_before != unit.tp:
                note(
                    f"{unit.id} is said to have {entry.tp_before} TPs before this; by the record so far it has {unit.tp}."
                )
        return notes or RAN
    unit = resolved.actor
    if kind == "MoveUnit":
        if unit is not None and event.path and event.path[0] != unit.hex:
            note(
                f"{unit.id} starts at {at(event.path[0])} by this event; by the record so far it stands at {at(unit.hex)}."
            )
        elif unit is None and event.unit is not None and not resolved.destroyed(event.unit):
            note(f"{event.unit} is named, and no unit of that name is on the board.")
    elif unit is None and event.unit is not None and not resolved.destroyed(event.unit):
        note(f"{event.unit} is named, and no unit of that name is on the board.")
    return notes or RAN


# -- set-up ---------------------------------------------------------------------------------------------------


@rule(
    "CAL-SET-01",
    "Sides and scenario",
    section=6,
    events=("*",),
    kinds=("illegal", "ambiguous"),
    when={"*": ("opening",)},
)
def sides_and_scenario(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """One player takes the Ultramarines, the other the Word Bearers; a scenario is chosen and its rules apply.

    Log:  the header, or a `game_start` that repeats it and must agree.
    """
    if position.started:
        return None
    header = position.table.header
    found: list[Remark] = []
    told = [header.get("players")]
    if type(event).__name__ == "GameStart":
        told.append(event.players)
    for players in told:
        entered = players if isinstance(players, list) else ()
        ids = [name for p in entered if isinstance(p, Mapping) and isinstance(name := p.get("id"), str)]
        if ids and (len(set(ids)) < len(ids)):
            found.append(
                illegal(
                    "CAL-SET-01",
                    f"{len(ids)} players are entered for {names(sorted(set(ids)))}; each side has one.",
                    player=None,
                    rests_on=NO_FACTS,
                )
            )
            break
    if type(event).__name__ == "GameStart" and not found:
        different = [
            field
            for field in ("game", "format", "players", "scenario", "board", "rosters", "command_cards", "campaign")
            if getattr(event, field) is not None and field in header and getattr(event, field) != header[field]
        ]
        if different:
            found.append(
                ambiguous(
                    "CAL-SET-01",
                    f"The start of the game and the header differ in {names(different)}; the header counts.",
                    player=None,
                )
            )
    if position.table.scenario is None and not found:
        found.append(
            ambiguous("CAL-SET-01", "The scenario is not known, so its rules could not be judged.", player=None)
        )
    return found or RAN


@rule(
    "CAL-SET-02",
    "Deployment",
    section=6,
    events=("place", "position", "initiative", "card_draw", "tp_refresh", "activate"),
    kinds=("illegal", "omitted"),
    when={"activate": ("before actions",)},
)
def deployment(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Models stand where the scenario says, and the rules of the map hold from the first placement.

    Log:  the hex of every model.
    Edge: models of one side in one hex are one unit.
    """
    kind = type(event).__name__
    if kind == "Place":
        return _placed(event, position)
    if kind == "Position":
        return _stated(event, position)
    if position.phase != "setup" or not position.started:
        return None
    scenario = position.table.scenario
    if scenario is None or scenario.deployments is None:
        return None
    absent: list[Remark] = []
    for entry in scenario.deployments:
        expected = entry.models or tuple(m.id for m in position.table.models.values() if m.side == entry.side)
        lacking = [m for m in expected if m not in position.unit_of and m in position.reserve]
        if lacking:
            absent.append(
                omitted(
                    "CAL-SET-02",
                    f"{names(lacking)} {'was' if len(lacking) == 1 else 'were'} never placed.",
                    *lacking,
                    player=entry.side,
                )
            )
    return absent or RAN


def _placed(event: Any, position: Position) -> Seen:
    if event.model is None or event.hex is None:
        lacking = [what for what, value in (("the model", event.model), ("the hex", event.hex)) if value is None]
        return [missing("CAL-SET-02", lacking)]
    table = position.table
    model = table.models.get(event.model)
    if model is None:
        return [illegal("CAL-SET-02", f"{event.model} is in no roster of this game.", event.model, rests_on=NO_FACTS)]
    problems: list[str] = []
    zone = table.zone_of(event.hex)
    if zone in ("blocked", "off"):
        problems.append(f"{at(event.hex)} is {'blocked' if zone == 'blocked' else 'no hex of the board'}")
    there = position.by_hex.get(event.hex)
    if there is not None and there.side != model.side:
        problems.append(f"{at(event.hex)} is held by the other side")
    elif there is not None and model.id not in there.models and position.bulk(there.models) + model.bulk > CAPACITY:
        problems.append(
            f"{at(event.hex)} would hold a bulk of {position.bulk(there.models) + model.bulk}; 3 is the most"
        )
    scenario = table.scenario
    if scenario is not None and scenario.deployments is not None and position.phase == "setup":
        own = [e for e in scenario.deployments if e.side == model.side and (e.models is None or model.id in e.models)]
        if own and not any(e.zone is None or event.hex in e.zone for e in own):
            problems.append(f"{at(event.hex)} is outside its zone")
    if not problems:
        return RAN
    return [
        illegal(
            "CAL-SET-02",
            f"{model.id} cannot be placed there: {'; '.join(problems)}.",
            model.id,
            player=model.side,
            evidence=hex_marks(event.hex, label="not here"),
        )
    ]


def _stated(event: Any, position: Position) -> Seen:
    """A stated position is checked like a set-up."""
    table = position.table
    found: list[Remark] = []
    sides: dict[Any, set[str]] = {}
    inside: dict[Any, list[str]] = {}
    seen: dict[str, int] = {}
    for entry in event.units or ():
        problems: list[str] = []
        if entry.hex is not None:
            zone = table.zone_of(entry.hex)
            if zone in ("blocked", "off"):
                problems.append(f"{at(entry.hex)} is {'blocked' if zone == 'blocked' else 'no hex of the board'}")
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
            found.append(
                illegal(
                    "CAL-SET-02",
                    f"{entry.unit or at(entry.hex)}: {'; '.join(problems)}.",
                    str(entry.unit or at(entry.hex)),
                    player=entry.side,
                    rests_on=NO_FACTS,
                )
            )
    for hex_, models in inside.items():
        bulk = sum(table.models[m].bulk for m in models)
        if len(sides.get(hex_, ())) > 1:
            text = f"{at(hex_)} is held by both sides."
        elif bulk > CAPACITY:
            text = f"{at(hex_)} holds a bulk of {bulk}; it holds 3 at most."
        else:
            continue
        owner = next(iter(sides[hex_])) if len(sides.get(hex_, ())) == 1 else None
        found.append(illegal("CAL-SET-02", text, at(hex_), player=owner, rests_on=NO_FACTS))
    return found or RAN


@rule(
    "CAL-SET-03",
    "Doors",
    section=6,
    events=("door",),
    kinds=("illegal", "ambiguous"),
)
def door_states(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Doors start as the scenario says and change only by an effect of the scenario or of a card.

    Log:  every change with its cause.
    """
    if event.edge is None or event.state is None:
        lacking = [what for what, value in (("the door", event.edge), ("its state", event.state)) if value is None]
        return [missing("CAL-SET-03", lacking, player=None)]
    door = side_key(*event.edge)
    where = f"the door between {at(door[0])} and {at(door[1])}"
    evidence = lambda: {  # noqa: E731
        "marks": [{"mark": "edge", "edge": [list(door[0]), list(door[1])], "label": str(event.state), "how": "bad"}]
    }
    subject = f"{at(door[0])}|{at(door[1])}"
    if door not in position.table.board.doors:
        return [
            illegal(
                "CAL-SET-03",
                f"There is no door between {at(door[0])} and {at(door[1])}.",
                subject,
                player=None,
                rests_on=NO_FACTS,
                evidence=evidence,
            )
        ]
    cause = event.cause
    if cause is None or (cause.source is None and cause.id is None):
        return [missing("CAL-SET-03", ["what moved the door"], player=None)]
    if cause.id is None and cause.source in ("scenario", "card"):
        return [missing("CAL-SET-03", [f"which effect of the {cause.source} moved the door"], player=None)]
    table = position.table
    known = None
    if cause.id is not None:
        if table.scenario is not None and cause.id in table.scenario.special_rules:
            known = table.scenario.special_rules[cause.id]
        elif table.cards is not None and cause.id in table.cards:
            known = table.cards[cause.id]
    if known is None:
        data = table.cards if cause.source == "card" else (table.scenario if cause.source == "scenario" else ())
        if data is None:
            return [
                ambiguous(
                    "CAL-SET-03", f'The cause "{cause.id}" of {where} is known by name only.', subject, player=None
                )
            ]
        return [
            illegal(
                "CAL-SET-03",
                f'{where[0].upper()}{where[1:]} changed by "{cause.id or cause.source}", '
                "which is no effect of the scenario or of a card.",
                subject,
                player=None,
                rests_on=NO_FACTS,
                evidence=evidence,
            )
        ]
    effect = known.effect
    if effect is None:
        return [
            ambiguous(
                "CAL-SET-03",
                f'{where[0].upper()}{where[1:]} changed by "{known.name}", whose text no machine can read.',
                subject,
                player=None,
            )
        ]
    if effect.door is None or side_key(*effect.door[0]) != door or effect.door[1] != event.state:
        return [
            illegal(
                "CAL-SET-03",
                f'"{known.name}" does not make {where} {event.state}.',
                subject,
                player=None,
                rests_on=NO_FACTS,
                evidence=evidence,
            )
        ]
    if effect.round is not None and effect.round != resolved.round:
        return [
            illegal(
                "CAL-SET-03",
                f'"{known.name}" makes {where} {event.state} in round {effect.round}, not in round {resolved.round}.',
                subject,
                player=None,
                rests_on=(("round",),),
                evidence=evidence,
            )
        ]
    return RAN


# -- campaign -------------------------------------------------------------------------------------------------

VICTORIES = ("major_victory", "minor_victory")
SHIFTED = {"minor_victory": "major_victory", "major_defeat": "minor_defeat", "minor_defeat": "draw"}
MIRROR = {
    "major_victory": "major_defeat",
    "minor_victory": "minor_defeat",
    "draw": "draw",
    "minor_defeat": "minor_victory",
    "major_defeat": "major_victory",
}


def _tally(event: Any, hearing: Hearing) -> dict[str, int] | None:
    """Victories of each side; whether scenario 6 counts is asked where it has a victor."""
    results = {entry.scenario: entry for entry in event.results or ()}
    counted = [_of_both({side: getattr(results.get(n), side, None) for side in SIDES}) for n in range(1, 6)]
    if not all(counted):
        return None
    last = _of_both({side: getattr(results.get(6), side, None) for side in SIDES})
    if any(level in VICTORIES for level in last.values()):
        if hearing.ask("R-CMP-TALLY") == "all_six":
            counted.append(last)
    return {side: sum(levels[side] in VICTORIES for levels in counted) for side in SIDES}


def _of_both(levels: Mapping[str, str | None]) -> dict[str, str]:
    """The levels of both sides; where only one is stated, the other mirrors it. Empty where neither is."""
    known = {side: level for side, level in levels.items() if level is not None}
    return {**{OTHER[side]: MIRROR[level] for side, level in known.items()}, **known}


@rule(
    "CAL-CMP-01",
    "Campaign tally",
    section=6,
    events=("campaign_end",),
    kinds=("miscalculated", "ambiguous"),
    readings=("R-CMP-TALLY",),
)
def campaign_tally(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Over the six scenarios each victory, major or minor, counts one for its player; a draw counts for nobody.

    Log:  the levels of every scenario, the tally.
    """
    if event.results is None:
        return [missing("CAL-CMP-01", ["the results of the scenarios"], player=None)]
    due = _tally(event, hearing)
    if due is None:
        return [missing("CAL-CMP-01", ["the results of all scenarios"], player=None)]
    if event.tally is None:
        hearing.not_claimed()
        return RAN
    wrong = {side: n for side, n in event.tally.items() if n != due[side]}
    if not wrong:
        return RAN
    return [
        miscalculated(
            "CAL-CMP-01",
            "The tally of victories is wrong: "
            + names(f"{PLAYERS[side]} have {due[side]}, not {n}" for side, n in wrong.items())
            + ".",
            player=None,
            claimed={f"tally.{side}": n for side, n in wrong.items()},
            recomputed={f"tally.{side}": due[side] for side in wrong},
            rests_on=NO_FACTS,
        )
    ]


@rule(
    "CAL-CMP-02",
    "The adjustment of scenario 6",
    section=6,
    events=("campaign_end",),
    kinds=("miscalculated", "omitted"),
    readings=("R-CMP-TALLY",),
)
def scenario_six(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """For the player with more victories the result of scenario 6 is shifted by one step: a minor victory becomes major, a
    major defeat minor, a minor defeat a draw. A major victory or a draw stays; with equal tallies nothing is shifted.

    Log:  the result before and after.
    """
    shift = event.scenario_6
    if shift is None or shift.before is None or shift.after is None:
        return None
    tally: Mapping[str, int] | None = (
        event.tally if event.tally and set(event.tally) == set(SIDES) else _tally(event, hearing)
    )
    if tally is None:
        return None
    before = _of_both(shift.before)
    if not before:
        return None
    due = dict(before)
    leader = "UM" if tally["UM"] > tally["WB"] else "WB" if tally["WB"] > tally["UM"] else None
    if leader is not None:
        level: str = SHIFTED.get(before[leader], before[leader])
        due = {leader: level, OTHER[leader]: MIRROR[level]}
    after = dict(shift.after)
    if all(after.get(side) == due[side] for side in after if side in due):
        return RAN
    numbers: dict[str, Any] = {"claimed": {"scenario_6.after": after}, "recomputed": {"scenario_6.after": due}}
    if leader is not None and all(after[side] == before[side] for side in after):
        return [
            omitted(
                "CAL-CMP-02",
                f"{THE[leader or 'UM']} have more victories, and the result of scenario 6 was not shifted.",
                player=None,
                rests_on=NO_FACTS,
                **numbers,
            )
        ]
    return [
        miscalculated(
            "CAL-CMP-02",
            "The result of scenario 6 was shifted wrongly: "
            + names(f"{PLAYERS[side]} come to a {due[side].replace('_', ' ')}" for side in due)
            + ".",
            player=None,
            rests_on=NO_FACTS,
            **numbers,
        )
    ]


RULES = (
    from_the_claim,
    one_root,
    several_rules,
    missing_facts,
    overrides,
    record_against_itself,
    sides_and_scenario,
    deployment,
    door_states,
    campaign_tally,
    scenario_six,
)
