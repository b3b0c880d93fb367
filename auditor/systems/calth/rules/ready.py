"""The ready phase: Command cards, TPs, the order of phases (RDY)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from auditor.core.findings import RAN, Remark
from auditor.core.ruleset import Topics
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.claims import WrongTps, tps_before
from auditor.systems.calth.reckoning.labels import unit_called
from auditor.systems.calth.reckoning.refresh import COMMAND_CARD, REFRESH
from auditor.systems.calth.reckoning.views import DrawView, RefreshView, View
from auditor.systems.calth.records import Activate, CardDraw, Event, Initiative, Pass, Side, TpChange, TpRefresh
from auditor.systems.calth.rules.common import (
    Seen,
    rule,
    said_of,
    tp_faults,
    unit_marks,
)
from auditor.systems.calth.state import READY_TPS, SIDES, Position, Unit, is_made_up
from auditor.systems.calth.words import count, names

BEFORE_ACTIONS: Mapping[str, Topics] = dict.fromkeys(("activate", "pass"), ("before actions",))
"""With an activation or a pass the actions begin, so the ready phase is over."""


@rule(
    COMMAND_CARD,
    "A Command card for each player",
    section=7,
    events=("card_draw", "activate", "pass"),
    kinds=("illegal", "miscalculated", "omitted", "ambiguous"),
    readings=("R-RDY-EMPTY",),
    when=BEFORE_ACTIONS,
)
def command_card(event: CardDraw, view: DrawView, position: Position, hearing: Hearing) -> Seen:
    """In the ready phase each player draws exactly one card from the own Command deck into hand.

    Log:  one draw a player and from which deck; the card itself may be hidden. How many cards are left after it is
          compared with what the record has said of that deck before.
    Edge: an effect may have cards drawn at other times; the log names it as an override.
    """
    if event.player is None:
        return [command_card.missing(["who drew"])]
    found = [*_drawn(event, event.player, view, position, hearing), *_left(event, event.player, position, hearing)]
    return found or RAN


def _left(event: CardDraw, side: Side, position: Position, hearing: Hearing) -> list[Remark]:
    """The cards left in a deck, of which the record has said before how many it held."""
    deck, n = event.deck or side, 1 if event.count is None else event.count
    before = position.deck_left.get(deck)
    if before is None or not 0 <= n <= before or event.override is not None:
        return []
    if event.deck_left is None:
        hearing.not_claimed()
    if event.deck_left in (None, before - n):
        return []
    return [
        command_card.miscalculated(
            f"{side} drew {count(n, 'card')}, which leaves {before - n} in the Command deck{'' if deck == side else f' of {deck}'}; "
            f"the log says {event.deck_left}.",
            side,
            "left",
            player=side,
            claimed={"deck_left": event.deck_left},
            recomputed={"deck_left": before - n},
        )
    ]


def _drawn(event: CardDraw, side: Side, view: DrawView, position: Position, hearing: Hearing) -> list[Remark]:
    """One card from the own deck, once a round."""
    if view.licensed:
        return []
    deck = event.deck or side
    if event.count is not None and event.count < 0:
        return [
            command_card.illegal(
                f"The log has {side} draw {event.count} Command cards.",
                side,
                claimed={"count": event.count},
                recomputed={"count": 1},
            )
        ]
    if deck != side:
        return [
            command_card.illegal(
                f"{side} drew from the Command deck of {deck}.",
                side,
            )
        ]
    drawn = (event.count if event.count is not None else 1) + position.drawn.get(side, 0)
    if drawn > 1:
        return [
            command_card.illegal(
                f"{side} drew {drawn} Command cards in round {position.round}; one is due.",
                side,
                claimed={"count": drawn},
                recomputed={"count": 1},
            )
        ]
    if position.deck_left.get(side) == 0 and hearing.ask("R-RDY-EMPTY") == "no_draw":
        return [
            command_card.illegal(
                f"{side} drew a card from an empty Command deck.",
                side,
            )
        ]
    return []


@command_card.at("activate", "pass")
def _everybody_drew(event: Activate | Pass, view: View, position: Position, hearing: Hearing) -> Seen:
    """Each player has drawn when the actions begin."""
    if position.phase != "ready" and not (position.phase == "initiative" and position.rolled):
        return None
    found: list[Remark] = []
    late = position.recorded.late.steps.get(position.round, ())
    for side in SIDES:
        if position.drawn.get(side, 0) or side in late or position.may_be_empty(side):
            continue
        if position.deck_left.get(side) == 0 and (
            position.all_in_hand(side) or hearing.ask("R-RDY-EMPTY") == "no_draw"
        ):
            continue
        found.append(
            command_card.omitted(
                f"{side} drew no Command card in round {position.round}.",
                side,
                player=side,
            )
        )
    return found or RAN


@rule(
    REFRESH,
    "Two tactical points for each unit",
    section=7,
    events=("tp_refresh", "activate", "pass"),
    kinds=("illegal", "miscalculated", "omitted", "ambiguous"),
    when=BEFORE_ACTIONS,
)
def refresh(event: TpRefresh, view: RefreshView, position: Position, hearing: Hearing) -> Seen:
    """In the ready phase every unit on the board gets 2 TPs, and no other unit does.

    Log:  TPs before and after, unit by unit.
    Edge: units made later in the round get none until the next ready phase, save by CAL-CON-05. TPs that are recorded
          after the actions have begun are one fault (CAL-RDY-03), and nothing in that line is compared.
    """
    if event.units is None:
        return [refresh.missing(["the units"], player=None)]
    found: list[Remark] = []
    twice = _given_twice(event, view, position)
    if twice:
        found.append(
            refresh.illegal(
                f"{names(twice)} {'was' if len(twice) == 1 else 'were'} given TPs twice in round {position.round}{_instead(twice)}.",
                *twice,
                player=None,
                claimed={f"units.{unit}.tp_after": said for unit, (said, _) in twice.items() if said is not None},
                recomputed={f"units.{unit}.tp_after": due for unit, (_, due) in twice.items()},
                evidence=unit_marks(position, *twice, label="twice"),
            )
        )
    for entry, unit in zip(event.units, view.listed, strict=True):
        if entry.unit is None or unit is not None:
            if entry.tp_after is None:
                hearing.not_claimed()
        elif (
            view.late is None
            and position.units
            and unit_called(position, entry.unit) is None
            and position.former.get(entry.unit) != ()
        ):
            found.append(
                refresh.miscalculated(
                    f"The log gives TPs to {entry.unit}{f' ({entry.tp_after} after it)' if entry.tp_after is not None else ''}, "
                    "which is not on the board.",
                    entry.unit,
                    player=None,
                    claimed={f"units.{entry.unit}.tp_after": entry.tp_after},
                    recomputed={f"units.{entry.unit}.tp_after": None},
                )
            )
    return [*found, *tp_faults(refresh, event, view, position, hearing, _refresh_words)] or RAN


def _refresh_words(wrong: WrongTps) -> str:
    if wrong.kind == "omitted":
        return f"{wrong.name} was given no TPs in the ready phase; it has {wrong.due} after it."
    before = [due for key, due in wrong.recomputed.items() if key.endswith(".tp_before")]
    after = [due for key, due in wrong.recomputed.items() if key.endswith(".tp_after")]
    if not before:
        return f"{wrong.name} gets 2 TPs and has {wrong.due}; {said_of(wrong)}."
    then = f" and {after[0]} after that" if after else ""
    return f"{wrong.name} has {count(before[0] or 0, 'TP')} before it gets 2{then}; {said_of(wrong)}."


def _given_twice(event: TpRefresh, view: RefreshView, position: Position) -> dict[str, tuple[int | None, int]]:
    """The units that a refresh gives TPs which they have been given in this round: the TPs that it says they have then,
    and those that they have.
    """
    given = {unit.id: tps_before(event, position, unit) for unit in _given_before(position)}
    twice: dict[str, tuple[int | None, int]] = {}
    for entry, unit in zip(event.units or (), view.listed, strict=True):
        if unit is None:
            continue
        if unit.id in given:
            twice[unit.id] = entry.tp_after, given[unit.id]
        else:
            before = tps_before(event, position, unit) if entry.tp_before is None else entry.tp_before
            given[unit.id] = before + READY_TPS
    return twice


def _instead(twice: Mapping[str, tuple[int | None, int]]) -> str:
    """What the log gives a unit, and what it has, where that is one unit."""
    (said, due), *more = twice.values()
    return "" if more or said is None else f": it has {due}, and the log gives {said}"


def _refreshed(unit: Unit) -> TpChange:
    return TpChange(unit=unit.id, tp_before=unit.tp, tp_after=unit.tp + READY_TPS)


def _given_before(position: Position) -> list[Unit]:
    """The units that an earlier refresh of this round gave TPs."""
    return [position.units[unit] for unit in position.refreshed or () if unit in position.units]


@refresh.at("activate", "pass")
def _everybody_was_refreshed(event: Activate | Pass, view: View, position: Position, hearing: Hearing) -> Seen:
    """Every unit has been given its TPs when the actions begin."""
    if position.phase not in ("ready", "initiative") or "refresh" in position.recorded.late.steps.get(
        position.round, ()
    ):
        return None
    given = position.refreshed
    if given is None:
        if position.phase != "ready":
            return None
        return [
            refresh.omitted(
                f"No unit of {' or '.join(SIDES)} was given its TPs for round {position.round}.",
                player=None,
                recomputed={f"units.{unit.id}.tp_after": unit.tp + READY_TPS for unit in position.units.values()},
                due=partial(TpRefresh, seq=0, round=position.round, units=[*map(_refreshed, position.units.values())]),
            )
        ]
    return [
        refresh.omitted(
            f"{unit.id} was given no TPs in the ready phase.",
            unit.id,
            *(unit.models if is_made_up(unit.id) else ()),
            player=unit.side,
            recomputed={f"units.{unit.id}.tp_after": unit.tp + READY_TPS},
            evidence=unit_marks(position, unit.id, label="no TPs"),
        )
        for unit in position.units.values()
        if unit.id not in given and unit.id not in (position.awaited or ())
    ] or RAN


@rule(
    "CAL-RDY-03",
    "Initiative, then ready, then actions",
    section=7,
    events=("initiative", "card_draw", "tp_refresh", "activate"),
    kinds=("illegal",),
    finds=dict.fromkeys(("initiative", "card_draw", "tp_refresh", "activate"), ("misdated",)),
)
def order_of_phases(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A round is played in order: the initiative, the ready phase, the actions.

    Log:  the order of the events.
    Edge: a step that is recorded late is this fault, at the late event, and is not also missing.
    """
    if view.late is None:
        return RAN if isinstance(event, (Initiative, CardDraw, TpRefresh, Activate)) else None
    return [
        order_of_phases.illegal(
            view.late,
            player=None if isinstance(event, Initiative) else event.player,
        )
    ]
