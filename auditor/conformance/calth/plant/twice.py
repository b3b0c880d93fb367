"""What counts once and is counted twice: a bonus, a loss, a die, the effect of a card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.plant.moment import Expected, Misdeed, Moment, Spoiler
from auditor.conformance.calth.tables import CHAINSWORD, MISSILE, PLASMA, other

if TYPE_CHECKING:
    from auditor.conformance.calth.plant.table import SpoiledTable


def _bonus(rule: str, name: str) -> Spoiler:
    """A defence bonus is counted twice, and its dice are rolled."""

    def spoil(at: Moment) -> Expected | None:
        los = at.event.get("los")
        if los is None or not los["bonuses"][name] or at.target is None:
            return None
        due = los["bonuses"][name]
        los["bonuses"] = {**los["bonuses"], name: 2 * due}
        text = f"A defence bonus was counted twice ({name})."
        return at.fault(rule, "miscalculated", at.target.side, text, f"los.bonuses.{name}", 2 * due, due)

    return spoil


def _part(rule: str, name: str) -> Spoiler:
    """A part of the dice of melee is counted twice, and the dice are rolled."""

    def spoil(at: Moment) -> Expected | None:
        dice = at.event["dice"]
        if at.event["mode"] != "melee" or not dice[name]:
            return None
        due = dice[name]
        at.event["dice"] = {**dice, name: 2 * due, "total": dice["total"] + due}
        text = f"Dice of a melee attack were counted twice ({name})."
        return at.fault(rule, "miscalculated", at.side, text, f"dice.{name}", 2 * due, due)

    return spoil


def _added(effect: str) -> Spoiler:
    """An effect adds its dice twice; the second ones hit nothing."""

    def spoil(at: Moment) -> Expected | None:
        crit = rules.the_crit(at.event)
        if crit is None or crit["effect"] != effect or not crit["added"]:
            return None
        crit["added"] += "S" * len(crit["added"])
        return at.fault(effect, "miscalculated", at.side, "An effect added its dice twice.")

    return spoil


def shields_taken_twice(at: Moment) -> Expected | None:
    """The shields of a defence roll are taken from the pool twice; the model stays either way."""
    event = at.event
    if event["type"] != "attack" or not event["steps"]:
        return None
    n = len(event["steps"]) - 1
    step = event["steps"][n]
    due, shields = step["pool_after_shields"], step["shields"]
    if not shields or not due or step["casualty"]:
        return None
    step["pool_after_shields"] = max(0, due - shields)
    text, name = "Shields were taken from the pool twice.", f"steps.{n}.pool_after_shields"
    side = at.position.units[event["target"]].side
    return at.fault("CAL-ATK-05", "miscalculated", side, text, name, step["pool_after_shields"], due)


def loss_taken_again(at: Moment) -> Expected | None:
    """A loss of TPs that is written down once more is taken once more."""
    event = at.event
    if event["type"] != "tp_loss" or event["cause"] != "crit" or not event["amount"]:
        return None
    unit = at.position.units[event["unit"]]
    if not unit.tp:
        return None
    event["tp_before"], event["tp_after"] = event["tp_before"] - event["amount"], event["tp_after"] - event["amount"]
    text = "A loss of TPs that was written down once more was taken once more."
    return at.fault("CAL-CRT-03", "miscalculated", unit.side, text)


def cost_taken_again(table: SpoiledTable, side: str) -> Expected | None:
    """The cost of an activation is written down once more, and taken once more."""
    units = [unit for unit in table.position.side_units(side) if unit.tp > 1]
    if not units:
        return None
    unit = table.rng.choice(units)
    table.activate(unit, "none")
    expected = table.expect("CAL-ACT-02", "miscalculated", side, "An activation was paid for twice.")
    expected.claimed, expected.recomputed = {"tp_after": unit.tp - 1}, {"tp_after": unit.tp}
    table.write("tp_loss", side, unit=unit.id, amount=1, cause="activation", tp_after=unit.tp - 1)
    return expected


def refreshed_again(table: SpoiledTable, side: str) -> Expected | None:
    """A unit that has acted is given TPs once more in the same round."""
    if table.position.phase != "action" or table.position.last_actor is None:
        return None
    unit = table.rng.choice(table.position.side_units(side))
    expected = table.expect("CAL-RDY-02", "illegal", None, "A unit was refreshed twice in a round.")
    line: dict[str, Any] = {"unit": unit.id, "tp_before": unit.tp, "tp_after": unit.tp + 2}
    table.write("tp_refresh", units=[line])
    return expected


def _in_hand(table: SpoiledTable, side: str, effect: str) -> dict[str, Any] | None:
    cards = {card["id"]: card for card in table.header.get("command_cards", ())}
    return next((cards[one] for one in table.in_hand[side] if effect in (cards[one].get("effect") or {})), None)


def drawn_twice(table: SpoiledTable, side: str) -> Expected | None:
    """A card that draws is played once, and what it gives is drawn twice."""
    card = _in_hand(table, side, "draw")
    count = card["effect"]["draw"] if card is not None else 0
    if card is None or table.position.phase != "action" or (table.position.deck_left[side] or 0) < 2 * count:
        return None
    table.in_hand[side].remove(card["id"])
    table.write("card_play", side, card=card["id"])
    table.write("card_draw", side, card="hidden", count=count)
    expected = table.expect("CAL-RDY-01", "illegal", side, "What a card gives was drawn twice.")
    table.write("card_draw", side, card="hidden", count=count)
    return expected


def given_twice(table: SpoiledTable, side: str) -> Expected | None:
    """The TPs that a card gives are given twice."""
    card = _in_hand(table, side, "tp")
    if card is None or table.position.phase != "action":
        return None
    by = card["effect"]["tp"]
    units = table.position.side_units(side if by > 0 else other(side))
    units = [unit for unit in units if unit.tp + 2 * by >= 0]
    if not units:
        return None
    unit = table.rng.choice(units)
    due = unit.tp + by
    table.in_hand[side].remove(card["id"])
    expected = table.expect("CAL-ACT-05", "miscalculated", unit.side, "The TPs that a card gives were given twice.")
    expected.claimed, expected.recomputed = {f"tp.{unit.id}": due + by}, {f"tp.{unit.id}": due}
    table.write("card_play", side, card=card["id"], target=unit.id, tp={unit.id: due + by})
    return expected


SPOILERS: dict[str, tuple[str, Spoiler]] = {
    "CAL-OBS-02 counted twice": ("dice", _bonus("CAL-OBS-02", "obscured")),
    "CAL-DEF-03 counted twice": ("dice", _bonus("CAL-DEF-03", "barricade")),
    "CAL-ATK-01 pistols counted twice": ("dice", _part("CAL-ATK-01", "pistols")),
    "CAL-MEL-01 counted twice": ("dice", _part("CAL-MEL-01", "weapons")),
    "CAL-WAR-01 counted twice": ("dice", _part("CAL-WAR-01", "harness")),
    "CAL-CRT-07 added twice": ("crit", _added(MISSILE)),
    "CAL-CRT-08 added twice": ("crit", _added(PLASMA)),
    "CAL-CRT-10 added twice": ("crit", _added(CHAINSWORD)),
    "CAL-ATK-05 shields twice": ("write", shields_taken_twice),
    "CAL-CRT-03 taken again": ("write", loss_taken_again),
}
MISDEEDS: dict[str, Misdeed] = {
    "CAL-ACT-02 taken again": cost_taken_again,
    "CAL-RDY-02 again": refreshed_again,
    "CAL-RDY-01 drawn twice": drawn_twice,
    "CAL-ACT-05 given twice": given_twice,
}
