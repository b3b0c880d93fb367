"""Round structure: initiative, the ready phase, alternation and cost of activations, the end of a round."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Remark
from auditor.core.rulings import Hearing
from auditor.systems.calth.records import faces
from auditor.systems.calth.rules.common import (
    NO_FACTS,
    PLAYERS,
    THE,
    ambiguous,
    closes,
    count,
    dice_of,
    illegal,
    miscalculated,
    missing,
    names,
    omitted,
    rule,
    unit_marks,
)
from auditor.systems.calth.state import OTHER, READY_TPS, SIDES, Position

Seen = list[Remark] | tuple[Remark, ...] | None
TURN = ("turn",)


def initiative_hits(shown: str, hearing: Hearing) -> int:
    """Hits in an initiative roll; whether criticals count is asked where one shows."""
    hits = shown.count("H")
    if "C" in shown and hearing.ask("R-DIE-INIT") == "crit_is_hit":
        hits += shown.count("C")
    return hits


def decided_attempts(event: Any, hearing: Hearing) -> list[str | None] | None:
    """For each attempt the side that won it (None: a tie); None where faces are missing."""
    won: list[str | None] = []
    for attempt in event.attempts or ():
        um, wb = faces(attempt.UM), faces(attempt.WB)
        if um is None or wb is None:
            return None
        a, b = initiative_hits(um, hearing), initiative_hits(wb, hearing)
        won.append("UM" if a > b else "WB" if b > a else None)
    return won


def first_initiative(position: Position) -> str | None:
    """The side that the scenario gives the initiative in this round, if it does."""
    if position.round != 1 or position.table.scenario is None:
        return None
    holder = position.table.scenario.first_initiative
    return holder if holder in SIDES else None


@rule(
    "CAL-INI-01",
    "Roll for initiative",
    section=7,
    events=("initiative", "card_draw", "tp_refresh", "activate"),
    kinds=("illegal", "miscalculated", "omitted", "ambiguous"),
    readings=("R-DIE-INIT",),
    when={"activate": ("before actions",)},
)
def initiative(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """At the start of each round both players roll 3 dice; the one with more hits has the initiative for the round.

    Log:  all attempts with the faces of both players, and the winner; or the scenario as source.
    Edge: a scenario may name the holder for round 1; then nobody rolls in that round.
    """
    if type(event).__name__ != "Initiative":
        return _initiative_skipped(event, position)
    given = first_initiative(position)
    if event.source is None and event.attempts is None:
        return [missing("CAL-INI-01", ["how the initiative was decided"], player=None)]
    if event.source == "scenario":
        if given is None:
            return [
                omitted(
                    "CAL-INI-01",
                    f"The initiative of round {position.round} was not rolled for, and the scenario does not give it.",
                    player=None,
                    rests_on=(("round",),),
                )
            ]
        if event.winner is not None and event.winner != given:
            return [
                miscalculated(
                    "CAL-INI-01",
                    f"The scenario gives the first initiative to {PLAYERS[given]}.",
                    player=None,
                    claimed={"winner": event.winner},
                    recomputed={"winner": given},
                )
            ]
        return RAN
    if given is not None:
        return [
            illegal(
                "CAL-INI-01",
                f"The players rolled for an initiative that the scenario gives to {PLAYERS[given]}.",
                player=None,
                rests_on=(("round",),),
            )
        ]
    if event.attempts is None:
        return [missing("CAL-INI-01", ["the faces of the roll for the initiative"], player=None)]
    if not event.attempts:
        return [
            omitted(
                "CAL-INI-01",
                f"Nobody rolled for the initiative of round {position.round}.",
                player=None,
                rests_on=NO_FACTS,
            )
        ]
    found: list[Remark] = []
    for number, attempt in enumerate(event.attempts, 1):
        absent = [side for side in SIDES if faces(getattr(attempt, side)) is None]
        if len(absent) == 1 and number > 1:
            continue  # one player alone rolled again: CAL-INI-02
        if absent:
            found.append(
                missing("CAL-INI-01", [f"the faces of {side} in attempt {number}" for side in absent], player=None)
            )
            continue
        for side in SIDES:
            shown = faces(getattr(attempt, side)) or ""
            if len(shown) != 3:
                found.append(
                    miscalculated(
                        "CAL-INI-01",
                        f"{THE[side]} rolled {count(len(shown), 'die', 'dice')} for the initiative; 3 are due.",
                        side,
                        str(number),
                        player=side,
                        claimed={f"attempts.{number - 1}.{side}": shown},
                        recomputed={"dice": 3},
                        rests_on=NO_FACTS,
                    )
                )
    if found:
        return found
    won = decided_attempts(event, hearing)
    if won is None or event.winner is None:
        if event.winner is None:
            hearing.not_claimed()
        return RAN
    wrong = _wrong_winner("CAL-INI-01", event, won) if len(won) == 1 else None
    return [wrong] if wrong is not None else RAN


def _wrong_winner(rule_id: str, event: Any, won: list[str | None]) -> Remark | None:
    """The winner recorded against the one of the first attempt that decides."""
    first = next((side for side in won if side is not None), None)
    if first is None or event.winner is None or first == event.winner:
        return None
    decisive = event.attempts[won.index(first)]
    return miscalculated(
        rule_id,
        f"{THE[first]} rolled more hits ({faces(decisive.UM)} for UM, {faces(decisive.WB)} for WB) "
        f"and have the initiative, not {PLAYERS[event.winner]}.",
        "winner",
        player=None,
        claimed={"winner": event.winner},
        recomputed={"winner": first},
        figures=tuple(dice_of(side, faces(getattr(decisive, side)) or "") for side in SIDES),
        rests_on=NO_FACTS,
    )


def _initiative_skipped(event: Any, position: Position) -> Seen:
    """The ready phase or the actions begin and nobody has the initiative."""
    if (
        position.rolled
        or position.phase not in ("setup", "initiative")
        or "initiative" in position.table.late_steps.get(position.round, ())
    ):
        return None
    if type(event).__name__ == "CardDraw" and event.override is not None:
        return None
    if not position.units:
        return None
    return [
        omitted(
            "CAL-INI-01",
            f"Round {position.round} went on without anybody having the initiative.",
            player=None,
            rests_on=(("phase",), ("round",)),
        )
    ]


@rule(
    "CAL-INI-02",
    "Ties are rolled again by both",
    section=7,
    events=("initiative",),
    kinds=("illegal", "miscalculated"),
    readings=("R-DIE-INIT",),
)
def initiative_ties(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """On equal hits both players roll all their dice again, until the hits differ; the first attempt that decides counts.

    Log:  every attempt.
    Edge: nobody rolls again after a decided attempt.
    """
    attempts = event.attempts
    if event.source == "scenario" or not attempts:
        return None
    for number, attempt in enumerate(attempts, 1):
        sides = [side for side in SIDES if faces(getattr(attempt, side)) is not None]
        if number > 1 and len(sides) == 1:
            return [
                illegal(
                    "CAL-INI-02",
                    f"Only {PLAYERS[sides[0]]} rolled again after a tie; both do.",
                    player=None,
                    rests_on=NO_FACTS,
                )
            ]
    won = decided_attempts(event, hearing)
    if won is None:
        return RAN
    first = next((i for i, side in enumerate(won) if side is not None), None)
    found: list[Remark] = []
    if first is not None and first < len(won) - 1:
        found.append(
            illegal(
                "CAL-INI-02",
                f"Attempt {first + 1} had decided the initiative, and the dice were rolled again.",
                player=None,
                rests_on=NO_FACTS,
            )
        )
    if first is None and event.winner is not None:
        found.append(
            illegal(
                "CAL-INI-02",
                "The initiative was given to a player although the last attempt is a tie.",
                player=None,
                rests_on=NO_FACTS,
            )
        )
    wrong = _wrong_winner("CAL-INI-02", event, won) if len(won) > 1 else None
    if wrong is not None:
        found.append(wrong)
    return found or RAN


@rule(
    "CAL-RDY-01",
    "A Command card for each player",
    section=7,
    events=("card_draw", "activate"),
    kinds=("illegal", "omitted", "ambiguous"),
    readings=("R-RDY-EMPTY",),
    when={"activate": ("before actions",)},
)
def command_card(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """In the ready phase each player draws exactly one card from the own Command deck into hand.

    Log:  one draw a player and from which deck; the card itself may be hidden.
    Edge: an effect may have cards drawn at other times; the log names it as an override.
    """
    if type(event).__name__ == "Activate":
        if position.phase != "ready" and not (position.phase == "initiative" and position.rolled):
            return None
        found: list[Remark] = []
        late = position.table.late_steps.get(position.round, ())
        for side in SIDES:
            if position.drawn.get(side, 0) or side in late:
                continue
            if position.may_be_empty(side):
                continue
            if position.deck_left.get(side) == 0 and (
                position.all_in_hand(side) or hearing.ask("R-RDY-EMPTY") == "no_draw"
            ):
                continue
            found.append(
                omitted(
                    "CAL-RDY-01",
                    f"{THE[side]} drew no Command card in round {position.round}.",
                    side,
                    player=side,
                    rests_on=(("cards",),),
                )
            )
        return found or RAN
    if event.override is not None or resolved.licensed_draw:
        return None
    side = event.player
    if side is None:
        return [missing("CAL-RDY-01", ["who drew"])]
    deck = event.deck or side
    if deck != side:
        return [
            illegal(
                "CAL-RDY-01",
                f"{THE[side]} drew from the Command deck of {PLAYERS[deck]}.",
                side,
                rests_on=NO_FACTS,
            )
        ]
    drawn = (event.count if event.count is not None else 1) + position.drawn.get(side, 0)
    if drawn > 1:
        return [
            illegal(
                "CAL-RDY-01",
                f"{THE[side]} drew {drawn} Command cards in round {position.round}; one is due.",
                side,
                claimed={"count": drawn},
                recomputed={"count": 1},
                rests_on=(("cards",),) if position.drawn.get(side, 0) else NO_FACTS,
            )
        ]
    if position.deck_left.get(side) == 0 and hearing.ask("R-RDY-EMPTY") == "no_draw":
        return [
            illegal(
                "CAL-RDY-01",
                f"{THE[side]} drew a card although their Command deck was empty.",
                side,
                rests_on=(("cards",),),
            )
        ]
    return RAN


@rule(
    "CAL-RDY-02",
    "Two tactical points for each unit",
    section=7,
    events=("tp_refresh", "activate"),
    kinds=("miscalculated", "omitted", "ambiguous"),
    when={"activate": ("before actions",)},
)
def refresh(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """In the ready phase every unit on the board gets 2 TPs, and no other unit does.

    Log:  TPs before and after, unit by unit.
    Edge: units made later in the round get none until the next ready phase, save by CAL-CON-05.
    """
    if type(event).__name__ == "Activate":
        return _not_refreshed(position)
    if event.units is None:
        return [missing("CAL-RDY-02", ["the units"], player=None)]
    found: list[Remark] = []
    for entry in event.units:
        if entry.unit is None:
            continue
        unit = position.units.get(entry.unit)
        if unit is None:
            if position.units:
                found.append(
                    miscalculated(
                        "CAL-RDY-02",
                        f"{entry.unit} was given TPs and is not on the board.",
                        entry.unit,
                        player=None,
                        claimed={f"units.{entry.unit}.tp_after": entry.tp_after},
                        recomputed={f"units.{entry.unit}.tp_after": None},
                    )
                )
            continue
        before = entry.tp_before if entry.tp_before is not None else unit.tp
        due = before + READY_TPS
        if entry.tp_after is None:
            hearing.not_claimed()
        elif entry.tp_after != due:
            found.append(
                miscalculated(
                    "CAL-RDY-02",
                    f"{entry.unit} was set to {entry.tp_after} TPs; {before} and 2 make {due}.",
                    entry.unit,
                    player=unit.side,
                    claimed={f"units.{entry.unit}.tp_after": entry.tp_after},
                    recomputed={f"units.{entry.unit}.tp_after": due},
                    rests_on=NO_FACTS if entry.tp_before is not None else (("tp", unit.id),),
                    evidence=unit_marks(position, unit.id, label=f"{due} TPs"),
                )
            )
    return found or RAN


def _not_refreshed(position: Position) -> Seen:
    """Units that were given no TPs although the actions begin."""
    if position.phase not in ("ready", "initiative") or "refresh" in position.table.late_steps.get(position.round, ()):
        return None
    given = position.refreshed
    if given is None:
        if position.phase != "ready":
            return None
        return [
            omitted(
                "CAL-RDY-02",
                f"No unit was given its TPs for round {position.round}.",
                player=None,
                rests_on=(("phase",),),
            )
        ]
    return [
        omitted(
            "CAL-RDY-02",
            f"{unit.id} was given no TPs in the ready phase.",
            unit.id,
            player=unit.side,
            evidence=unit_marks(position, unit.id, label="no TPs"),
        )
        for unit in position.units.values()
        if unit.id not in given
    ] or RAN


@rule(
    "CAL-RDY-03",
    "Initiative, then ready, then actions",
    section=7,
    events=("initiative", "card_draw", "tp_refresh", "activate", "pass", "*"),
    kinds=("illegal", "miscalculated"),
    when={"*": ("misdated",)},
)
def order_of_phases(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A round is played in order: the initiative, the ready phase, the actions.

    Log:  the order of the events; the phase, where an event states it.
    Edge: a step that is recorded late is this fault, at the late event, and is not also missing.
    """
    kind = type(event).__name__
    phase = event.phase
    if phase is not None and phase != resolved.phase:
        if kind == "Position":
            return None
        return [
            miscalculated(
                "CAL-RDY-03",
                f"The event is recorded in the {phase} phase; by what went before it belongs to the {resolved.phase} phase.",
                player=None,
                claimed={"phase": phase},
                recomputed={"phase": resolved.phase},
                rests_on=(("phase",), ("round",)),
            )
        ]
    late = resolved.late
    if late is None:
        return RAN if kind in ("Initiative", "CardDraw", "TpRefresh", "Activate") else None
    return [
        illegal(
            "CAL-RDY-03",
            late,
            player=None if kind == "Initiative" else event.player,
            rests_on=(("phase",), ("round",)),
        )
    ]


@rule(
    "CAL-ACT-01",
    "Players alternate",
    section=7,
    events=("activate",),
    kinds=("illegal", "ambiguous"),
)
def alternation(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The player with the initiative activates first; then the players alternate, one activation each.

    Log:  who activates.
    Edge: a player without a unit that has TPs is passed over (CAL-ACT-04). Counter-attacks, retreats and flamer
          follow-ups are no activations. Whose turn it is, is looked up again after the whole activation.
    """
    side = event.player
    if side is None:
        unit = position.units.get(event.unit) if event.unit else None
        if unit is None:
            return [missing("CAL-ACT-01", ["who activates"])]
        side = unit.side
    due = resolved.side_due
    if due is None or side == due:
        return RAN
    if not position.has_tps(side):
        return RAN  # a unit without TPs is CAL-ACT-02's business
    return [
        illegal(
            "CAL-ACT-01",
            f"{THE[side]} activated a unit when it was the turn of {PLAYERS[due]}, who have units with TPs.",
            *((event.unit,) if event.unit else ()),
            player=side,
            evidence=unit_marks(position, event.unit, label="acts out of turn"),
        )
    ]


@rule(
    "CAL-ACT-02",
    "An activation costs 1 TP",
    section=7,
    events=("activate", "move_unit", "move_models", "attack"),
    kinds=("illegal", "miscalculated", "ambiguous"),
)
def activation_cost(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """To act a unit is activated, which costs it 1 TP, whatever the action; a unit without TPs cannot be activated.

    Log:  TPs before and after.
    Edge: counter-attack, retreat, last stand, free move-in and flamer follow-up need no activation and cost nothing.
    """
    if type(event).__name__ != "Activate":
        return _unlicensed(event, resolved, position)
    unit = position.units.get(event.unit) if event.unit else None
    if event.unit is None:
        return [missing("CAL-ACT-02", ["the unit"])]
    if unit is None:
        return None  # CAL-ATK-08 or a unit that nobody knows
    found: list[Remark] = []
    if event.player is not None and unit.side != event.player:
        found.append(
            illegal(
                "CAL-ACT-02",
                f"{THE[event.player]} activated {unit.id}, a unit of {PLAYERS[unit.side]}.",
                unit.id,
                evidence=unit_marks(position, unit.id, label="not theirs"),
            )
        )
    stated = event.tp_before is not None and event.tp_before >= 0
    before = event.tp_before if stated else unit.tp
    facts = NO_FACTS if stated else (("tp", unit.id),)
    if before <= 0:
        found.append(
            illegal(
                "CAL-ACT-02",
                f"{unit.id} was activated without a TP.",
                unit.id,
                rests_on=facts,
                claimed={"tp_before": before},
                evidence=unit_marks(position, unit.id, label="0 TPs"),
            )
        )
    elif event.tp_after is None:
        hearing.not_claimed()
    elif event.tp_after != before - 1:
        found.append(
            miscalculated(
                "CAL-ACT-02",
                f"{unit.id} had {before} TPs and was activated; it has {before - 1}, not {event.tp_after}.",
                unit.id,
                claimed={"tp_after": event.tp_after},
                recomputed={"tp_after": before - 1},
                rests_on=facts,
                evidence=unit_marks(position, unit.id, label=f"{before - 1} TPs"),
            )
        )
    if event.tp_before is None:
        hearing.not_claimed()
    return found or RAN


def _unlicensed(event: Any, resolved: Any, position: Position) -> Seen:
    """An action event that no activation licenses."""
    if resolved.licence != "none":
        return RAN if resolved.licence == "activation" else None
    if type(event).__name__ == "Attack" and event.role is None:
        return None  # it may be a counter-attack
    unit = resolved.actor
    who = unit.id if unit is not None else "A unit"
    return [
        illegal(
            "CAL-ACT-02",
            f"{who} acted without being activated.",
            *((unit.id,) if unit is not None else ()),
            evidence=unit_marks(position, who, label="not activated"),
        )
    ]


@rule(
    "CAL-ACT-03",
    "One action an activation",
    section=7,
    events=("activate", "move_unit", "move_models", "attack"),
    kinds=("illegal", "ambiguous"),
)
def one_action(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """An activation holds at most one action.

    Log:  the action declared and the events that follow.
    Edge: no action at all is fine. What belongs to an action (counter-attack, retreat, move-in, follow-up) is no second one.
          Only another action than the one declared: the record contradicts itself, and the event is judged as what it shows.
    """
    if type(event).__name__ == "Activate":
        if event.action is None:
            return [missing("CAL-ACT-03", ["the action"], *((event.unit,) if event.unit else ()))]
        return RAN
    if resolved.licence == "second":
        unit = resolved.actor
        return [
            illegal(
                "CAL-ACT-03",
                f"{unit.id} made a second action in one activation.",
                unit.id,
                evidence=unit_marks(position, unit.id, label="second action"),
            )
        ]
    if resolved.licence == "other":
        act = position.act
        assert act is not None
        return [
            ambiguous(
                "CAL-ACT-03",
                f"The record declares the action {act.action} for {act.unit} and then shows another.",
                act.unit,
            )
        ]
    return RAN if resolved.licence == "activation" else None


@rule(
    "CAL-ACT-04",
    "When one player has no TPs left",
    section=7,
    events=("pass", "position"),
    kinds=("illegal", "miscalculated"),
    readings=("R-ACT-PASS",),
)
def out_of_tps(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A player whose units have no TPs is passed over, and the other goes on alone until nobody has TPs.

    Log:  the passes.
    Edge: a player who gets TPs back by a card or scenario joins in again.
    """
    if type(event).__name__ == "Position":
        return _stated_turn(event)
    side = event.player
    if side is None:
        return [missing("CAL-ACT-04", ["who passed"])]
    if not position.has_tps(side):
        return RAN
    if hearing.ask("R-ACT-PASS") == "pass_allowed":
        return RAN
    able = sorted(unit.id for unit in position.units.values() if unit.side == side and unit.tp > 0)
    return [
        illegal(
            "CAL-ACT-04",
            f"{THE[side]} passed although {names(able)} {'has' if len(able) == 1 else 'have'} TPs.",
            player=side,
            evidence=unit_marks(position, *able, label="has TPs"),
        )
    ]


def _stated_turn(event: Any) -> Seen:
    """A stated position in which the side to act has no TPs while the other has."""
    if event.to_act is None or event.phase != "action" or event.units is None:
        return None
    if any(unit.side is None or unit.tp is None for unit in event.units):
        return None
    tps = {side: sum(max(0, u.tp or 0) for u in event.units if u.side == side) for side in SIDES}
    if tps[event.to_act] == 0 and tps[OTHER[event.to_act]] > 0:
        return [
            miscalculated(
                "CAL-ACT-04",
                f"{THE[event.to_act]} are said to act next and have no unit with TPs.",
                player=None,
                claimed={"to_act": event.to_act},
                recomputed={"to_act": OTHER[event.to_act]},
                rests_on=NO_FACTS,
            )
        ]
    return RAN


@rule(
    "CAL-ACT-05",
    "Keeping count of TPs",
    section=7,
    events=("position", "tp_loss", "*"),
    kinds=("miscalculated", "illegal"),
    when={"*": ("tps",)},
)
def tp_bookkeeping(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A unit at 0 cannot lose a TP, and no count falls below 0.

    Log:  the TPs claimed for units.
    Edge: an effect that takes a TP from a unit at 0 is legal and does nothing.
    """
    kind = type(event).__name__
    if kind == "Position":
        return [
            miscalculated(
                "CAL-ACT-05",
                f"{entry.unit} is stated with {entry.tp} TPs; a count never falls below 0.",
                str(entry.unit),
                player=entry.side,
                claimed={f"units.{entry.unit}.tp": entry.tp},
                recomputed={f"units.{entry.unit}.tp": 0},
                rests_on=NO_FACTS,
            )
            for entry in event.units or ()
            if entry.tp is not None and entry.tp < 0
        ] or RAN
    found: list[Remark] = []
    if kind == "TpLoss":
        found += _tp_loss(event, resolved, position, hearing)
    if event.tp:
        for unit_id, claimed in event.tp.items():
            due = resolved.tps_after(unit_id)
            if due is not None and claimed != due:
                found.append(
                    miscalculated(
                        "CAL-ACT-05",
                        f"{unit_id} is recorded with {claimed} TPs after this event; it has {due}.",
                        unit_id,
                        player=position.units[unit_id].side if unit_id in position.units else None,
                        claimed={f"tp.{unit_id}": claimed},
                        recomputed={f"tp.{unit_id}": due},
                    )
                )
        return found or RAN
    return found or (RAN if kind == "TpLoss" else None)


def _tp_loss(event: Any, resolved: Any, position: Position, hearing: Hearing) -> list[Remark]:
    unit = position.units.get(event.unit) if event.unit else None
    if unit is None or event.tp_after is None:
        return []
    before = event.tp_before if event.tp_before is not None else unit.tp
    if resolved.echo:
        due = unit.tp
    else:
        due = max(0, before - (event.amount or 0))
    if event.tp_after != due and not resolved.echo:
        return [
            miscalculated(
                "CAL-ACT-05",
                f"{unit.id} had {before} TPs and lost {event.amount}; it has {due}, not {event.tp_after}.",
                unit.id,
                player=unit.side,
                claimed={"tp_after": event.tp_after},
                recomputed={"tp_after": due},
                rests_on=NO_FACTS if event.tp_before is not None else (("tp", unit.id),),
            )
        ]
    if resolved.echo and event.tp_after != due:
        return [
            miscalculated(
                "CAL-ACT-05",
                f"{unit.id} is recorded with {event.tp_after} TPs; the attack before left it {due}.",
                unit.id,
                player=unit.side,
                claimed={"tp_after": event.tp_after},
                recomputed={"tp_after": due},
            )
        ]
    return []


@rule(
    "CAL-RND-01",
    "The end of a round",
    section=7,
    events=("round_end", "initiative", "*"),
    kinds=("illegal", "miscalculated"),
    when={"*": ("misdated",)},
)
def end_of_round(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A round ends exactly when no unit of either side has TPs; then the next begins with the initiative.

    Log:  the end of the round; the round, where an event states it.
    """
    kind = type(event).__name__
    if kind == "RoundEnd" or (kind == "Initiative" and position.phase == "action" and resolved.late is None):
        left = [unit for unit in position.units.values() if unit.tp > 0]
        if left:
            listed = names(f"{unit.id} ({unit.tp})" for unit in left)
            return [
                illegal(
                    "CAL-RND-01",
                    f"The round was ended while units have TPs: {listed}.",
                    player=None,
                    claimed={"tp_left": dict(event.tp_left) if kind == "RoundEnd" and event.tp_left else {}},
                    recomputed={"tp_left": {unit.id: unit.tp for unit in left}},
                    evidence=unit_marks(position, *(unit.id for unit in left), label="has TPs"),
                )
            ]
        return RAN
    if event.round is not None and event.round != resolved.round and kind != "Position":
        return [
            miscalculated(
                "CAL-RND-01",
                f"The event is recorded in round {event.round}; by what went before it belongs to round {resolved.round}.",
                player=None,
                claimed={"round": event.round},
                recomputed={"round": resolved.round},
                rests_on=(("round",),),
            )
        ]
    return None


RULES = (
    initiative,
    initiative_ties,
    command_card,
    refresh,
    order_of_phases,
    alternation,
    activation_cost,
    one_action,
    out_of_tps,
    tp_bookkeeping,
    end_of_round,
)

__all__ = ["RULES", "closes"]
