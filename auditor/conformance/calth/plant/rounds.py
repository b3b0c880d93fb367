"""Faults in numbers of the rounds, of moves and of the campaign."""

from __future__ import annotations

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import as_hex, neighbours
from auditor.conformance.calth.plant.moment import Expected, Moment, Spoiler
from auditor.conformance.calth.tables import (
    LEVELS,
    MIRROR,
    SIDES,
    other,
)


def wrong_winner(at: Moment) -> Expected | None:
    """The loser of a decided roll is written down as its winner."""
    event = at.event
    if event["type"] != "initiative" or event["source"] != "roll" or len(event["attempts"]) != 1:
        return None
    due = event["winner"]
    event["winner"] = other(due)
    text = "The initiative went to the player with fewer hits."
    return at.fault("CAL-INI-01", "miscalculated", None, text, "winner", event["winner"], due)


def rolled_on(at: Moment) -> Expected | None:
    """The players roll once more although the roll was decided."""
    event = at.event
    if event["type"] != "initiative" or event["source"] != "roll":
        return None
    event["attempts"].append({side: at.table.roll(3) for side in SIDES})
    return at.fault("CAL-INI-02", "illegal", None, "The initiative was rolled again after a decided attempt.")


def four_dice(at: Moment) -> Expected | None:
    """The loser of the initiative rolls a fourth die, which shows a blank."""
    event = at.event
    if event["type"] != "initiative" or event["source"] != "roll" or len(event["attempts"]) != 1:
        return None
    side = other(event["winner"])
    event["attempts"][0][side] += "B"
    return at.fault("CAL-INI-01", "miscalculated", side, "Four dice were rolled for the initiative.")


def no_roll(at: Moment) -> Expected | None:
    """The initiative is said to be given by the scenario, which gives none in this round."""
    event = at.event
    if event["type"] != "initiative" or event["source"] != "roll":
        return None
    event["source"] = "scenario"
    del event["attempts"]
    return at.fault("CAL-INI-01", "omitted", None, "The initiative was not rolled for.")


def needless_roll(at: Moment) -> Expected | None:
    """The players roll for an initiative that the scenario gives."""
    event = at.event
    if event["type"] != "initiative" or event["source"] != "scenario":
        return None
    event["source"], event["attempts"] = "roll", [_decided(event["winner"])]
    return at.fault("CAL-INI-01", "illegal", None, "The initiative that the scenario gives was rolled for.")


def _decided(winner: str) -> dict[str, str]:
    return {winner: "HSB", other(winner): "SBB"}


def _tie(at: Moment) -> dict[str, str]:
    return {side: "".join(at.table.rng.sample("HSB", 3)) for side in SIDES}


def one_rolls_on(at: Moment) -> Expected | None:
    """After a tie only one player rolls again."""
    event = at.event
    if event["type"] != "initiative" or event["source"] != "roll":
        return None
    event["attempts"] = [_tie(at), {event["winner"]: at.table.roll(3)}]
    return at.fault("CAL-INI-02", "illegal", None, "Only one player rolled again after a tie.")


def tie_stands(at: Moment) -> Expected | None:
    """A tie is not rolled again, and one of the players takes the initiative."""
    event = at.event
    if event["type"] != "initiative" or event["source"] != "roll":
        return None
    event["attempts"] = [_tie(at)]
    return at.fault("CAL-INI-02", "illegal", None, "A tie for the initiative was not rolled again.")


def loser_after_a_tie(at: Moment) -> Expected | None:
    """After a tie the loser of the next attempt is written down as its winner."""
    event = at.event
    if event["type"] != "initiative" or event["source"] != "roll":
        return None
    due = event["winner"]
    event["attempts"], event["winner"] = [_tie(at), _decided(due)], other(due)
    text = "The initiative went to the player with fewer hits after a tie."
    return at.fault("CAL-INI-02", "miscalculated", None, text, "winner", other(due), due)


def card_of_the_other(at: Moment) -> Expected | None:
    """A card is drawn from the other player's deck."""
    event = at.event
    if event["type"] != "card_draw" or not at.position.deck_left[at.foe]:
        return None
    event["deck"], event["card"] = at.foe, "hidden"
    event.pop("deck_left", None)
    return at.fault("CAL-RDY-01", "illegal", event["player"], "A card was drawn from the other player's deck.")


def two_cards(at: Moment) -> Expected | None:
    """A player draws two Command cards."""
    event = at.event
    if event["type"] != "card_draw" or (at.position.deck_left[event["player"]] or 0) < 2:
        return None
    event["count"], event["card"] = 2, "hidden"
    if "deck_left" in event:
        event["deck_left"] -= 1
    return at.fault("CAL-RDY-01", "illegal", event["player"], "Two Command cards were drawn.")


def _cards_left(by: int) -> Spoiler:
    """The cards left in a deck are not those that the record has said of it before, less the one drawn."""

    def spoil(at: Moment) -> Expected | None:
        event = at.event
        if event["type"] != "card_draw" or event.get("deck_left", 0) + by < 0 or "deck_left" not in event:
            return None
        side = event["player"]
        if not any(one["type"] == "card_draw" and one["player"] == side and "deck_left" in one for one in at.table.log):
            return None
        due = event["deck_left"]
        event["deck_left"] = due + by
        text = "The cards left in a Command deck are wrong."
        return at.fault("CAL-RDY-01", "miscalculated", side, text, "deck_left", due + by, due)

    return spoil


def three_tps(at: Moment) -> Expected | None:
    """One unit gets three TPs in the ready phase."""
    event = at.event
    if event["type"] != "tp_refresh":
        return None
    line = at.table.rng.choice(event["units"])
    due = line["tp_after"]
    line["tp_after"] = due + 1
    side = at.position.units[line["unit"]].side
    name = f"units.{line['unit']}.tp_after"
    return at.fault("CAL-RDY-02", "miscalculated", side, "A unit got three TPs.", name, due + 1, due)


def forgotten_unit(at: Moment) -> Expected | None:
    """One unit gets no TPs in the ready phase."""
    event = at.event
    if event["type"] != "tp_refresh" or len(event["units"]) < 4:
        return None
    line = event["units"].pop(at.table.rng.randrange(len(event["units"])))
    side = at.position.units[line["unit"]].side
    text = f"The unit {line['unit']} got no TPs in the ready phase."
    return Expected("CAL-RDY-02", "omitted", side, text, at_next=("activate",))


def outside_zone(at: Moment) -> Expected | None:
    """A model is set up outside its zone."""
    event, position = at.event, at.position
    if event["type"] != "place":
        return None
    side = position.models[event["model"]].side
    zones = [line["zone"] for line in at.table.header["scenario"].get("deployments", ()) if line["side"] == side]
    allowed = {as_hex(h) for zone in zones for h in zone}
    free = [h for h in sorted(position.board.kinds) if h not in allowed and rules.room(position, h, side) == 3]
    if not zones or not free:
        return None
    # Not next to anybody, so that the game begins as usual.
    apart = [h for h in free if not any(position.unit_at(x) for x in neighbours(h))]
    if not apart:
        return None
    event["hex"], event["unit"] = list(apart[0]), at.table.mint(side)
    return at.fault("CAL-SET-02", "illegal", side, "A model was set up outside its zone.")


def off_the_board(at: Moment) -> Expected | None:
    """A model is set up with others in a hex that the board does not have; the game goes on with the one meant."""
    if at.event.get("unit") not in at.position.units:
        return None
    expected = _misplaced(at, "hex", [99, 99])
    return expected and expected.breaks_too("CAL-HEX-02", "A model was set up off the board.")


def placed_again(at: Moment) -> Expected | None:
    """A model is set up again in place of another; the game goes on with the one that was meant."""
    event, position = at.event, at.position
    if event["type"] != "place":
        return None
    side = position.models[event["model"]].side
    there = [model for unit in position.side_units(side) for model in unit.models if unit.id != event["unit"]]
    return _misplaced(at, "model", at.table.rng.choice(there)) if there else None


def _misplaced(at: Moment, name: str, value: str | list[int]) -> Expected | None:
    event = at.event
    if event["type"] != "place":
        return None
    side = at.position.models[event["model"]].side
    at.table.meant[name], event[name] = event[name], value
    named = None if name == "model" and value not in at.position.models else side
    expected = at.fault(
        "CAL-SET-02", "illegal", named, "A model was set up that could not be, or where it could not be."
    )
    expected.also.append(Expected("CAL-AUD-06", "record", None, "All else in the record tells what was meant."))
    return expected


def free_activation(at: Moment) -> Expected | None:
    """An activation costs nothing."""
    event = at.event
    if event["type"] != "activate" or event["action"] in ("none", "consolidate"):
        return None
    due = event["tp_after"]
    event["tp_after"] = event["tp_before"]
    text = "An activation cost no TP."
    return at.fault("CAL-ACT-02", "miscalculated", event["player"], text, "tp_after", event["tp_after"], due)


def _moved_tp(at: Moment, rule: str, text: str, of_host: bool) -> Expected | None:
    event = at.event
    if event["type"] != "move_models" or event["cause"] != "consolidate":
        return None
    parent = at.position.units[event["unit"]]
    for line in event["units"]:
        h = as_hex(line["hex"])
        if h != parent.hex and (at.position.unit_at(h) is not None) == of_host:
            due = line["tp"]
            line["tp"] = due + 1
            name = f"units.{line['unit']}.tp"
            return at.fault(rule, "miscalculated", event["player"], text, name, due + 1, due)
    return None


def host_gains(at: Moment) -> Expected | None:
    """A unit gains a TP because models joined it."""
    return _moved_tp(at, "CAL-CON-04", "A unit that models joined changed its TPs.", of_host=True)


def newcomer_gains(at: Moment) -> Expected | None:
    """A new unit has one TP more than the unit it came from."""
    return _moved_tp(at, "CAL-CON-05", "A new unit did not copy the TPs of its parent.", of_host=False)


def wrong_casualties(at: Moment) -> Expected | None:
    """The retreat names one casualty too many, which changes nothing."""
    event = at.event
    if event["type"] != "retreat" or not event["due"]:
        return None
    due = event["casualties"][event["player"]]
    event["casualties"][event["player"]] = due + 1
    text = "The casualties of the assault were miscounted."
    return at.fault(
        "CAL-RET-01", "miscalculated", event["player"], text, f"casualties.{event['player']}", due + 1, due
    )  # fmt: skip


def saved_by_a_hit(at: Moment) -> Expected | None:
    """A model without a shield survives its last stand."""
    event = at.event
    if event["type"] != "last_stand" or len(event["survivors"]) == len(event["models"]):
        return None
    due = list(event["survivors"])
    saved = next(m for m in event["models"] if m not in due)
    event["survivors"] = [*due, saved]
    event["tp_after"] = 0
    text = "A model stayed on the board without a shield in its last stand."
    return at.fault("CAL-DLS-01", "miscalculated", event["player"], text, "survivors", [*due, saved], due)


def keeps_tps(at: Moment) -> Expected | None:
    """The survivors of a last stand keep TPs."""
    event = at.event
    if event["type"] != "last_stand" or not event["survivors"]:
        return None
    event["tp_after"] = 1
    text = "The survivors of a last stand kept a TP."
    return at.fault("CAL-DLS-02", "miscalculated", event["player"], text, "tp_after", 1, 0)


def wrong_tally(at: Moment) -> Expected | None:
    """The leader's victories are counted one too high, which leaves the leader the same."""
    event = at.event
    if event["type"] != "campaign_end" or event["tally"]["UM"] == event["tally"]["WB"]:
        return None
    leader = max(SIDES, key=lambda side: int(event["tally"][side]))
    due = event["tally"][leader]
    event["tally"] = {**event["tally"], leader: due + 1}
    text = "The victories of the campaign were miscounted."
    return at.fault("CAL-CMP-01", "miscalculated", None, text, f"tally.{leader}", due + 1, due)


def no_shift(at: Moment) -> Expected | None:
    """The leader's adjustment of scenario 6 is forgotten."""
    event = at.event
    if event["type"] != "campaign_end" or event["scenario_6"]["before"] == event["scenario_6"]["after"]:
        return None
    due = event["scenario_6"]["after"]
    event["scenario_6"] = {"before": event["scenario_6"]["before"], "after": dict(event["scenario_6"]["before"])}
    text = "The leader's result of scenario 6 was not adjusted."
    return at.fault("CAL-CMP-02", "omitted", None, text, "scenario_6.after", event["scenario_6"]["after"], due)


def wrong_shift(at: Moment) -> Expected | None:
    """The result of scenario 6 is shifted to where it does not belong."""
    event = at.event
    if event["type"] != "campaign_end":
        return None
    before, due = event["scenario_6"]["before"], event["scenario_6"]["after"]
    level = at.table.rng.choice([one for one in LEVELS if one not in (before["UM"], due["UM"])])
    after = {"UM": level, "WB": MIRROR[level]}
    event["scenario_6"] = {"before": before, "after": after}
    text = "The result of scenario 6 was adjusted wrongly."
    return at.fault("CAL-CMP-02", "miscalculated", None, text, "scenario_6.after", after, due)


def one_die_more(at: Moment) -> Expected | None:
    """A last stand is rolled with one die too many."""
    event = at.event
    if event["type"] != "last_stand":
        return None
    event["faces"] += "B"
    return at.fault("CAL-DLS-01", "miscalculated", event["player"], "A last stand was rolled with a die too many.")


SPOILERS: dict[str, tuple[str, Spoiler]] = {
    "CAL-INI-01": ("write", wrong_winner),
    "CAL-INI-01 dice": ("write", four_dice),
    "CAL-INI-01 omitted": ("write", no_roll),
    "CAL-INI-01 illegal": ("write", needless_roll),
    "CAL-INI-02": ("write", rolled_on),
    "CAL-INI-02 alone": ("write", one_rolls_on),
    "CAL-INI-02 tie": ("write", tie_stands),
    "CAL-INI-02 miscalculated": ("write", loser_after_a_tie),
    "CAL-RDY-01": ("write", two_cards),
    "CAL-RDY-01 deck": ("write", card_of_the_other),
    "CAL-RDY-01 more left": ("write", _cards_left(1)),
    "CAL-RDY-01 fewer left": ("write", _cards_left(-1)),
    "CAL-RDY-02": ("write", three_tps),
    "CAL-SET-02": ("write", outside_zone),
    "CAL-SET-02 off the board": ("write", off_the_board),
    "CAL-SET-02 again": ("write", placed_again),
    "CAL-RDY-02 omitted": ("write", forgotten_unit),
    "CAL-ACT-02": ("write", free_activation),
    "CAL-CON-04": ("write", host_gains),
    "CAL-CON-05": ("write", newcomer_gains),
    "CAL-RET-01": ("write", wrong_casualties),
    "CAL-DLS-01": ("write", saved_by_a_hit),
    "CAL-DLS-02": ("write", keeps_tps),
    "CAL-CMP-01": ("write", wrong_tally),
    "CAL-CMP-02": ("write", no_shift),
    "CAL-CMP-02 miscalculated": ("write", wrong_shift),
    "CAL-DLS-01 dice": ("write", one_die_more),
}
