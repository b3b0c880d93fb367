"""Faults planted while a game is being played, one kind for each rule that a log can break.

A fault is planted at the table, not into a finished log: the game goes on from what the log then
claims (CAL-AUD-01), so that nothing else follows from it. `PLANTERS` says for each rule at which
stage of an event its planter may act; a planter looks at the event, and either spoils it and says
what an audit must find, or leaves it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from auditor.conformance import referee as rules
from auditor.conformance.board import Board, Hex, as_hex, edge_of, neighbours
from auditor.conformance.boards import random_board
from auditor.conformance.generate import lay_out, play
from auditor.conformance.position import Event, Position, Unit
from auditor.conformance.sight import Lattice, Vector, centre, chord, corner, cross, hexes_near, minus
from auditor.conformance.table import Table
from auditor.conformance.tables import (
    CANNON,
    CHAINFIST,
    CHAINSWORD,
    CLAWS,
    FIST,
    MELT,
    MISSILE,
    PLASMA,
    SIDES,
    SUPPRESS,
    SWORD,
    WEAPONS,
    cannon_rerolls,
    other,
    overheat_face,
)

CLOSING = ("activate", "pass", "round_end", "scenario_end")


@dataclass
class Expected:
    """What an audit must find. `seq` is 0 while the event that shows an omission is still to come."""

    rule: str
    kind: str
    player: str | None
    text: str
    claimed: Mapping[str, Any] | None = None
    recomputed: Mapping[str, Any] | None = None
    seq: int = 0
    at_next: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """As it stands in an `expected.json`."""
        line: dict[str, Any] = {
            "rule": self.rule, "kind": self.kind, "seq": self.seq, "player": self.player, "text": self.text,
        }  # fmt: skip
        if self.claimed is not None:
            line["claimed"] = dict(self.claimed)
        if self.recomputed is not None:
            line["recomputed"] = dict(self.recomputed)
        return line


@dataclass
class Moment:
    """An event while it is being written, with the units of an attack."""

    table: SpoiledTable
    event: Event
    unit: Unit | None = None
    target: Unit | None = None

    @property
    def position(self) -> Position:
        """What stands on the table."""
        return self.table.position

    @property
    def side(self) -> str:
        """The player who acts."""
        if self.unit is not None:
            return self.unit.side
        return str(self.event["player"])

    @property
    def foe(self) -> str:
        """The other player."""
        return other(self.side)

    @property
    def step(self) -> dict[str, Any]:
        """The newest step of an attack's damage loop."""
        newest: dict[str, Any] = self.event["steps"][-1]
        return newest

    def step_field(self, name: str) -> str:
        """The log field of the newest step."""
        return f"steps.{len(self.event['steps']) - 1}.{name}"

    def fault(
        self, rule: str, kind: str, player: str | None, text: str, name: str = "", claimed: Any = None, due: Any = None
    ) -> Expected:
        """What the audit must find in this event."""
        if not name:
            return Expected(rule, kind, player, text)
        return Expected(rule, kind, player, text, {name: claimed}, {name: due})


Spoiler = Callable[[Moment], Expected | None]
Misdeed = Callable[["SpoiledTable", str], Expected | None]

# ------------------------------------------------------------------ numbers of rounds and moves


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


def two_cards(at: Moment) -> Expected | None:
    """A player draws two Command cards."""
    event = at.event
    if event["type"] != "card_draw" or (at.position.deck_left[event["player"]] or 0) < 2:
        return None
    event["count"], event["card"] = 2, "hidden"
    if "deck_left" in event:
        event["deck_left"] -= 1
    return at.fault("CAL-RDY-01", "illegal", event["player"], "Two Command cards were drawn.")


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


# ------------------------------------------------------------------ attacks, before the dice


def wrong_distance(at: Moment) -> Expected | None:
    """The distance is one too long, where no weapon depends on it."""
    event = at.event
    if event["mode"] != "ranged" or at.unit is None:
        return None
    carried = [WEAPONS[w] for _, w in rules.intact(at.position, at.unit)]
    if any(w.limit is not None or w.effect_range is not None for w in carried if w.kind == "ranged"):
        return None
    due = event["los"]["distance"]
    if due is None:
        return None
    event["los"]["distance"] = due + 1
    text = "The distance to the target was miscounted."
    return at.fault("CAL-DST-01", "miscalculated", at.side, text, "los.distance", due + 1, due)


def _bonus_left_out(at: Moment, name: str, rule: str, text: str) -> Expected | None:
    bonuses = at.event.get("los", {}).get("bonuses", {})
    if not bonuses.get(name):
        return None
    due = bonuses[name]
    bonuses[name] = 0
    return at.fault(rule, "miscalculated", at.foe, text, f"los.bonuses.{name}", 0, due)


def no_obscured_bonus(at: Moment) -> Expected | None:
    """The two dice of an obscured shot are forgotten."""
    return _bonus_left_out(at, "obscured", "CAL-OBS-02", "The defence dice of an obscured shot were left out.")


def no_rubble_bonus(at: Moment) -> Expected | None:
    """The die for rubble is forgotten."""
    return _bonus_left_out(at, "rubble", "CAL-DEF-02", "The defence die for rubble was left out.")


def no_barricade_bonus(at: Moment) -> Expected | None:
    """The two dice for a barricade are forgotten."""
    return _bonus_left_out(at, "barricade", "CAL-DEF-03", "The defence dice for a barricade were left out.")


def _is_taken_for_a_stop(board: Board, h: Hex, s: Lattice, d: Vector) -> bool:
    """Whether a line meets something in a hex that a player may take for a stop and that is none (CAL-LOS-05)."""
    inside = chord(h, s, d)
    if inside is not None and board.is_rubble(h):
        return True
    marked = {*board.doors, *board.obstructions, *(edge_of(b, neighbours(b)[k]) for b, k in board.barricades)}
    crossed = [k for k in range(6) if cross(d, minus(corner(h, k - 1), s)) * cross(d, minus(corner(h, k), s)) < 0]
    return any(edge_of(h, neighbours(h)[k]) in marked for k in crossed)


def clear_called_obscured(at: Moment) -> Expected | None:
    """A clear shot that meets no corner, rubble, door, obstruction or barricade is written down as obscured."""
    event, unit, target = at.event, at.unit, at.target
    if event["mode"] != "ranged" or unit is None or target is None or event["los"]["class"] != "clear":
        return None
    s = centre(unit.hex)
    d = minus(centre(target.hex), s)
    near = hexes_near(s, d, Fraction(1))
    if any(cross(d, minus(corner(h, k), s)) == 0 for h in near for k in range(6)):
        return None
    if any(_is_taken_for_a_stop(at.position.board, h, s, d) for h in near):
        return None
    los = event["los"]
    event["los"] = {
        "class": "obscured",
        "aim": [str(target.hex[0]), str(target.hex[1])],
        "distance": los["distance"],
        "bonuses": {**los["bonuses"], "obscured": 2},
    }
    text = "A clear shot was taken for an obscured one."
    return at.fault("CAL-LOS-01", "miscalculated", at.side, text, "los.class", "obscured", "clear")


def pistol_too_far(at: Moment) -> Expected | None:
    """A restricted weapon gives dice against a target beyond three hexes."""
    event = at.event
    if event.get("role") != "shoot" or at.unit is None:
        return None
    steps = event["los"]["distance"]
    far = [
        pair for pair in rules.intact(at.position, at.unit)
        if WEAPONS[pair[1]].kind == "ranged" and not rules.within(steps, WEAPONS[pair[1]].limit)
    ]  # fmt: skip
    if not far:
        return None
    event["weapons"].append(list(far[0]))
    event["dice"] = rules.shooting_dice(event["weapons"])
    at.table.no_effects = True
    return at.fault("CAL-SHT-02", "illegal", at.side, f"A {far[0][1]} was used beyond three hexes.")


def one_model_too_many(at: Moment) -> Expected | None:
    """A melee attack counts one die too many for its models."""
    dice = at.event["dice"]
    if at.event["mode"] != "melee":
        return None
    due = dice["models"]
    at.event["dice"] = {**dice, "models": due + 1, "total": dice["total"] + 1}
    text = "The Assault values of a melee attack were added up wrongly."
    return at.fault("CAL-ATK-01", "miscalculated", at.side, text)


def one_shot_too_many(at: Moment) -> Expected | None:
    """The total of a ranged attack is one more than its parts."""
    dice = at.event["dice"]
    if at.event["mode"] != "ranged":
        return None
    due = dice["total"]
    at.event["dice"] = {**dice, "total": due + 1}
    text = "The dice of a ranged attack were added up wrongly."
    return at.fault("CAL-ATK-02", "miscalculated", at.side, text, "dice.total", due + 1, due)


def _wrong_table(at: Moment, mode: str, rule: str, text: str) -> Expected | None:
    dice = at.event["dice"]
    if at.event["mode"] != mode or not dice["weapons"]:
        return None
    due = dice["weapons"]
    at.event["dice"] = {**dice, "weapons": due + 1, "total": dice["total"] + 1}
    return at.fault(rule, "miscalculated", at.side, text, "dice.weapons", due + 1, due)


def wrong_shoot_value(at: Moment) -> Expected | None:
    """A ranged weapon counts one die more than the table gives it."""
    return _wrong_table(at, "ranged", "CAL-RNG-01", "A ranged weapon gave more dice than the table says.")


def wrong_assault_bonus(at: Moment) -> Expected | None:
    """A melee weapon counts one die more than the table gives it."""
    return _wrong_table(at, "melee", "CAL-MEL-01", "A melee weapon gave more dice than the table says.")


def no_harness(at: Moment) -> Expected | None:
    """The dice of a grenade harness are forgotten."""
    dice = at.event["dice"]
    if not dice["harness"] or at.event["mode"] != "melee":
        return None
    at.event["dice"] = {**dice, "harness": 0, "total": dice["total"] - dice["harness"]}
    text = "The dice of a grenade harness were left out."
    return at.fault("CAL-WAR-01", "miscalculated", at.side, text, "dice.harness", 0, dice["harness"])


# ------------------------------------------------------------------ attacks, the roll


def extra_face(at: Moment) -> Expected | None:
    """One face more is recorded than dice were due."""
    at.event["roll"] += at.table.roll(1)
    text = "More dice were rolled than were due."
    return at.fault("CAL-DIE-01", "miscalculated", at.side, text)


def vexilla_of_nobody(at: Moment) -> Expected | None:
    """A unit without a bearer re-rolls as if it had a vexilla."""
    event = at.event
    if event["mode"] != "melee" or at.unit is None or rules.has_vexilla(at.position, at.unit.models):
        return None
    misses = [i for i, face in enumerate(event["roll"]) if face in "SB"]
    if not misses:
        return None
    event["vexilla"] = {"model": at.unit.models[0], "indices": misses[:2], "faces": at.table.roll(len(misses[:2]))}
    return at.fault(
        "CAL-WAR-02", "illegal", at.side, "A unit without a Legion Vexilla re-rolled dice as if it had one."
    )


def vexilla_in_a_shot(at: Moment) -> Expected | None:
    """A vexilla re-rolls dice of a ranged attack."""
    event = at.event
    if event["mode"] != "ranged" or at.unit is None:
        return None
    bearer = next((m for m in at.unit.models if rules.has_vexilla(at.position, [m])), None)
    misses = [i for i, face in enumerate(event["roll"]) if face in "SB"]
    if bearer is None or not misses:
        return None
    event["vexilla"] = {"model": bearer, "indices": misses[:1], "faces": at.table.roll(1)}
    return at.fault("CAL-WAR-02", "illegal", at.side, "A Legion Vexilla was used in a ranged attack.")


def _shows_critical(at: Moment) -> bool:
    return "C" in rules.faces_for_trigger(at.event, at.table.readings)


def _effect_of(at: Moment, effect: str) -> dict[str, Any] | None:
    """The critical effect of this attack, if it is the one asked for."""
    crit = rules.the_crit(at.event)
    return crit if crit is not None and crit["effect"] == effect else None


def _suppressor(at: Moment) -> tuple[str, str] | None:
    open_ = rules.effects_open(at.position, at.event, at.table.readings)
    return next((pair for pair in open_ if WEAPONS[pair[1]].effect == SUPPRESS), None)


def effect_while_obscured(at: Moment) -> Expected | None:
    """A critical effect in an obscured attack."""
    event, target = at.event, at.target
    if target is None or event.get("los", {}).get("class") != "obscured" or not _shows_critical(at):
        return None
    pair = _suppressor(at)
    if pair is None:
        return None
    event["crit"] = at.table.carry_out(event, target, *pair)
    text = "A critical effect was triggered in an obscured attack."
    return at.fault("CAL-OBS-03", "illegal", at.side, text)


def effect_without_critical(at: Moment) -> Expected | None:
    """A critical effect although no critical shows."""
    event, target = at.event, at.target
    if target is None or event.get("los", {}).get("class") != "clear" or _shows_critical(at):
        return None
    pair = _suppressor(at)
    if pair is None:
        return None
    event["crit"] = at.table.carry_out(event, target, *pair)
    text = "A critical effect was triggered without a critical in the roll."
    return at.fault("CAL-CRT-01", "illegal", at.side, text)


def pistol_in_melee(at: Moment) -> Expected | None:
    """The effect of a pistol in a melee attack."""
    event, target = at.event, at.target
    if event["mode"] != "melee" or at.unit is None or target is None or not _shows_critical(at):
        return None
    pistols = [pair for pair in rules.intact(at.position, at.unit) if pair[1] == "bolt_pistol"]
    if not pistols:
        return None
    event["crit"] = at.table.carry_out(event, target, *pistols[0])
    text = "The effect of a bolt pistol was triggered in a melee attack."
    return at.fault("CAL-CRT-02", "illegal", at.side, text)


def suppressed_twice(at: Moment) -> Expected | None:
    """The target loses two TPs to one effect."""
    crit, target = _effect_of(at, SUPPRESS), at.target
    if crit is None or target is None or target.tp < 2:
        return None
    crit["tp_lost"], crit["tp_after"] = 2, target.tp - 2
    text = "A suppressed unit lost two TPs."
    return at.fault("CAL-CRT-03", "miscalculated", at.side, text)


def cannon_rerolls_hits(at: Moment) -> Expected | None:
    """The assault cannon rolls a hit again."""
    crit = _effect_of(at, CANNON)
    faces = rules.faces_before_crit(at.event)
    wrong = [i for i, face in enumerate(faces) if face not in cannon_rerolls(at.table.readings)]
    if crit is None or not wrong or not crit["passes"]:
        return None
    first = crit["passes"][0]
    crit["passes"] = [{"indices": [*first["indices"], wrong[-1]], "faces": first["faces"] + at.table.roll(1)}]
    crit["weapon_destroyed"] = rules.cannon_breaks(at.event, at.table.readings)
    text = "An assault cannon re-rolled a die that showed a hit."
    return at.fault("CAL-CRT-06", "illegal", at.side, text)


def cannon_kept(at: Moment) -> Expected | None:
    """The assault cannon is kept although the roll destroys it."""
    crit = _effect_of(at, CANNON)
    if crit is None or not crit["weapon_destroyed"]:
        return None
    crit["weapon_destroyed"] = False
    text = "An assault cannon was kept although its roll destroyed it."
    return at.fault("CAL-CRT-06", "omitted", at.side, text, "crit.weapon_destroyed", False, True)


def _one_die_more(at: Moment, effect: str, text: str) -> Expected | None:
    crit = _effect_of(at, effect)
    if crit is None:
        return None
    crit["added"] += at.table.roll(1)
    return at.fault(effect, "miscalculated", at.side, text)


def missile_adds_more(at: Moment) -> Expected | None:
    """The missile launcher adds one die too many."""
    return _one_die_more(at, MISSILE, "A missile launcher added more dice than the target has models.")


def chain_adds_more(at: Moment) -> Expected | None:
    """The chainsword adds one die too many."""
    return _one_die_more(at, CHAINSWORD, "A chainsword added more dice than the roll shows criticals.")


def overheat_ignored(at: Moment) -> Expected | None:
    """The plasma firer stays although the weapon overheated."""
    crit = _effect_of(at, PLASMA)
    if crit is None:
        return None
    if crit["self_casualty"] is None:
        # Two overheating dice, so that there is something to ignore.
        crit["added"] = overheat_face(at.table.readings) * 2 + crit["added"][2:]
    due = crit["model"]
    crit["self_casualty"] = None
    text = "The firer of an overheated plasma weapon was not removed."
    return at.fault("CAL-CRT-08", "omitted", at.side, text, "crit.self_casualty", None, due)


def claws_take_three(at: Moment) -> Expected | None:
    """A single lightning claw re-rolls three dice."""
    crit = _effect_of(at, CLAWS)
    if crit is None or crit["weapon"] != "lightning_claw":
        return None
    again = {i for entry in rules.rerolls_of(at.event) for i in entry["indices"]}
    free = [i for i in range(len(at.event["roll"])) if i not in again]
    if len(free) < 3:
        return None
    crit["passes"] = [{"indices": free[:3], "faces": at.table.roll(3)}]
    text = "A single lightning claw re-rolled three dice."
    return at.fault("CAL-CRT-11", "illegal", at.side, text)


def rerolled_again(at: Moment) -> Expected | None:
    """A lightning claw re-rolls a die that the vexilla had re-rolled."""
    crit = _effect_of(at, CLAWS)
    vexilla = at.event.get("vexilla")
    if crit is None or not vexilla:
        return None
    crit["passes"] = [{"indices": [vexilla["indices"][0]], "faces": at.table.roll(1)}]
    text = "A die that had been re-rolled was re-rolled again."
    return at.fault("CAL-DIE-02", "illegal", at.side, text)


def hits_miscounted(at: Moment) -> Expected | None:
    """One hit too many goes into the pool."""
    due = at.event["pool"]
    at.event["pool"] = due + 1
    text = "The hits of an attack roll were miscounted."
    return at.fault("CAL-ATK-03", "miscalculated", at.side, text, "pool", due + 1, due)


# ------------------------------------------------------------------ attacks, defence and damage


def _full_armour(at: Moment, effects: Sequence[str]) -> Expected | None:
    crit = rules.the_crit(at.event)
    if crit is None or crit["effect"] not in effects or len(at.event["steps"]) != 1:
        return None
    printed = rules.printed_values(at.position, at.step)[0]
    due = at.step["armour_used"]
    if due == printed:
        return None
    at.step["armour_used"] = printed
    text = "The first target rolled its full Armour although an effect had lowered it."
    return at.fault(crit["effect"], "miscalculated", at.side, text, at.step_field("armour_used"), printed, due)


def full_armour_against_melta(at: Moment) -> Expected | None:
    """Melta triggered within range, and full Armour rolled."""
    return _full_armour(at, (MELT,))


def full_armour_against_fist(at: Moment) -> Expected | None:
    """Power fist triggered, and full Armour rolled."""
    return _full_armour(at, (FIST,))


def full_armour_against_sword(at: Moment) -> Expected | None:
    """Power sword triggered, and full Armour rolled."""
    return _full_armour(at, (SWORD,))


def full_stamina_against_chainfist(at: Moment) -> Expected | None:
    """Chainfist triggered, and full Stamina used."""
    crit = rules.the_crit(at.event)
    if crit is None or crit["effect"] != CHAINFIST or len(at.event["steps"]) != 1:
        return None
    printed = rules.printed_values(at.position, at.step)[1]
    if printed == 1:
        return None
    at.step["stamina_used"] = printed
    text = "The chainfist's target used its full Stamina."
    return at.fault("CAL-CRT-12", "miscalculated", at.side, text, at.step_field("stamina_used"), printed, 1)


def shield_overlooked(at: Moment) -> Expected | None:
    """One shield of a defence roll is not counted."""
    due = at.step["shields"]
    if not due:
        return None
    at.step["shields"] = due - 1
    text = "A shield of a defence roll was not counted."
    return at.fault("CAL-ATK-05", "miscalculated", at.foe, text, at.step_field("shields"), due - 1, due)


def bonus_once_only(at: Moment) -> Expected | None:
    """The second target model of an attack rolls without the bonus dice."""
    due = at.step["bonus_dice"]
    if len(at.event["steps"]) < 2 or not due:
        return None
    at.step["bonus_dice"] = 0
    text = "The bonus dice were left out for a later target model."
    return at.fault("CAL-DEF-04", "miscalculated", at.foe, text, at.step_field("bonus_dice"), 0, due)


def casualty_overlooked(at: Moment) -> Expected | None:
    """A model stays although the hits reached its Stamina."""
    if not at.step["casualty"] or "target_model" not in at.step:
        return None
    at.step["casualty"] = False
    text = "A model stayed on the board although the hits reached its Stamina."
    return at.fault("CAL-ATK-06", "miscalculated", at.foe, text, at.step_field("casualty"), False, True)


def attacker_chooses(at: Moment) -> Expected | None:
    """The attacker picks the target model."""
    if "target_model" not in at.step:
        return None
    at.step["chosen_by"] = at.side
    text = "The attacker picked the target model."
    return at.fault("CAL-ATK-04", "illegal", at.foe, text)


def wrong_drawer(at: Moment) -> Expected | None:
    """The Word Bearers draw the Damage card."""
    card = at.step.get("damage_card")
    if card is None:
        return None
    card["by"] = "WB"
    return at.fault("CAL-SOR-01", "illegal", at.foe, "The Word Bearers drew a Damage card.")


def loop_cut_short(at: Moment) -> Expected | None:
    """The damage loop stops although hits and models are left."""
    steps = at.event["steps"]
    for n, step in enumerate(steps[:-1]):
        if step["pool_left"] > 0:
            at.event["steps"] = steps[: n + 1]
            text = "The damage loop stopped while hits and models were left."
            return at.fault("CAL-ATK-07", "omitted", at.foe, text)
    return None


# ------------------------------------------------------------------ misdeeds: whole acts


def _free_ways(table: SpoiledTable, unit: Unit, length: int) -> list[list[Hex]]:
    """Paths of so many legal steps that come back to no hex."""
    paths = [[unit.hex]]
    for _ in range(length):
        paths = [
            [*path, h]
            for path in paths
            for h in neighbours(path[-1])
            if h not in path and rules.may_enter(table.position, path[-1], h)
        ]
    return paths


def _ready(table: SpoiledTable, side: str) -> list[Unit]:
    units = [unit for unit in table.position.side_units(side) if unit.tp >= 1]
    table.rng.shuffle(units)
    return units


def _pinned(table: SpoiledTable, unit: Unit) -> bool:
    return rules.next_to_enemy(table.position, unit.hex, unit.side)


def _moved(table: SpoiledTable, unit: Unit, action: str, path: Sequence[Hex]) -> None:
    table.activate(unit, action)
    table.write("move_unit", unit.side, unit=unit.id, path=[list(h) for h in path], cause=action)


def run_while_pinned(table: SpoiledTable, side: str) -> Expected | None:
    """A pinned unit Runs one step."""
    for unit in _ready(table, side):
        ways = _free_ways(table, unit, 1)
        if _pinned(table, unit) and ways:
            expected = table.expect("CAL-PIN-01", "illegal", side, "A pinned unit declared a Run.")
            _moved(table, unit, "run", ways[0])
            return expected
    return None


def shoot_while_pinned(table: SpoiledTable, side: str) -> Expected | None:
    """A pinned unit shoots."""
    for unit in _ready(table, side):
        shots = table.shots(unit)
        if _pinned(table, unit) and shots:
            expected = table.expect("CAL-PIN-01", "illegal", side, "A pinned unit declared a Shoot.")
            table.shoot(unit, *shots[0])
            return expected
    return None


def late_card(table: SpoiledTable, side: str) -> Expected | None:
    """The Command card that was forgotten is drawn in the action phase."""
    if side not in table.owed_cards or table.position.phase != "action":
        return None
    table.owed_cards.remove(side)
    expected = table.expect("CAL-RDY-03", "illegal", side, "A Command card was drawn after the actions had begun.")
    table.draw_card(side)
    return expected


def advance_two(table: SpoiledTable, side: str) -> Expected | None:
    """A unit Advances two steps."""
    for unit in _ready(table, side):
        ways = _free_ways(table, unit, 2)
        if ways:
            table.activate(unit, "advance")
            text = "An Advance went two steps."
            expected = table.expect("CAL-ADV-01", "illegal", side, text)
            path = [list(h) for h in table.rng.choice(ways)]
            table.write("move_unit", side, unit=unit.id, path=path, cause="advance")
            return expected
    return None


def _run(table: SpoiledTable, side: str, rule: str, text: str, length: int, stops: str) -> Expected | None:
    """A Run whose inner hexes are next to an enemy (`enemy`), rubble (`rubble`) or neither (`nothing`)."""
    position = table.position

    def kind(h: Hex) -> tuple[bool, bool]:
        return rules.next_to_enemy(position, h, side), position.board.is_rubble(h)

    wanted = {"nothing": (False, False), "enemy": (True, False), "rubble": (False, True)}[stops]
    for unit in _ready(table, side):
        if _pinned(table, unit):
            continue
        ways = [path for path in _free_ways(table, unit, length) if all(kind(h) == wanted for h in path[1:-1])]
        if ways:
            table.activate(unit, "run")
            expected = table.expect(rule, "illegal", side, text)
            path = [list(h) for h in table.rng.choice(ways)]
            table.write("move_unit", side, unit=unit.id, path=path, cause="run")
            return expected
    return None


def run_three(table: SpoiledTable, side: str) -> Expected | None:
    """A Run of three steps."""
    return _run(table, side, "CAL-RUN-01", "A Run went three steps.", 3, "nothing")


def run_past_enemy(table: SpoiledTable, side: str) -> Expected | None:
    """A Run that goes on beyond a hex next to an enemy."""
    return _run(table, side, "CAL-RUN-02", "A Run went on after a hex next to an enemy.", 2, "enemy")


def run_through_rubble(table: SpoiledTable, side: str) -> Expected | None:
    """A Run that goes on beyond rubble."""
    return _run(table, side, "CAL-RUN-03", "A Run went on after entering rubble.", 2, "rubble")


def jump(table: SpoiledTable, side: str) -> Expected | None:
    """A model Consolidates into a hex two steps away."""
    for unit in _ready(table, side):
        ways = _free_ways(table, unit, 2)
        near = neighbours(unit.hex)
        far = [path[-1] for path in ways if path[-1] not in near]
        if far and len(unit.models) > 1:
            table.activate(unit, "consolidate")
            expected = table.expect("CAL-CON-01", "illegal", side, "A model Consolidated two steps far.")
            placing: dict[str, Hex | None] = dict.fromkeys(unit.models)
            placing[unit.models[0]] = far[0]
            table.move_models(unit, placing, "consolidate")
            return expected
    return None


def turn_taken(table: SpoiledTable, side: str) -> Expected | None:
    """The other player activates although it is not their turn."""
    if not table.position.has_tp(other(side)):
        return None
    expected = table.expect("CAL-ACT-01", "illegal", other(side), "A player activated out of turn.")
    table.plain_activation(other(side))
    return expected


def needless_pass(table: SpoiledTable, side: str) -> Expected | None:
    """A player with TPs passes."""
    if not table.position.has_tp(other(side)):
        return None
    expected = table.expect("CAL-ACT-04", "illegal", side, "A player who had TPs passed.")
    table.write("pass", side, reason="wants to wait")
    return expected


def spent_unit_acts(table: SpoiledTable, side: str) -> Expected | None:
    """A unit without TPs Advances."""
    for unit in table.position.side_units(side):
        ways = _free_ways(table, unit, 1)
        if unit.tp == 0 and ways:
            expected = table.expect("CAL-ACT-02", "illegal", side, "A unit without TPs was activated.")
            table.write("activate", side, unit=unit.id, tp_before=0, tp_after=0, action="advance")
            path = [list(h) for h in ways[0]]
            table.write("move_unit", side, unit=unit.id, path=path, cause="advance")
            return expected
    return None


def two_advances(table: SpoiledTable, side: str) -> Expected | None:
    """Two Advances in one activation."""
    for unit in _ready(table, side):
        ways = _free_ways(table, unit, 2)
        if ways:
            table.activate(unit, "advance")
            expected = None
            for a, b in pairwise(ways[0]):
                expected = table.expect("CAL-ACT-03", "illegal", side, "Two actions were made in one activation.")
                table.write("move_unit", side, unit=unit.id, path=[list(a), list(b)], cause="advance")
            return expected
    return None


def step_before_assault(table: SpoiledTable, side: str) -> Expected | None:
    """A unit that stands next to an enemy moves before its attack."""
    position = table.position
    for unit in _ready(table, side):
        steps = [h for h in rules.advances(position, unit) if rules.next_to_enemy(position, h, side)]
        if _pinned(table, unit) and steps:
            expected = table.expect(
                "CAL-ASL-02", "illegal", side, "A unit next to an enemy moved before its attack.", 1
            )
            table.assault_from(unit, steps[0])
            return expected
    return None


def assault_without_attack(table: SpoiledTable, side: str) -> Expected | None:
    """An Assault is declared next to an enemy and nothing follows."""
    for unit in _ready(table, side):
        if _pinned(table, unit):
            table.activate(unit, "assault")
            return Expected(
                "CAL-ASL-01", "omitted", side, "An Assault was declared and no attack was made.", at_next=CLOSING
            )
    return None


def own_door(table: SpoiledTable, side: str) -> Expected | None:
    """A player opens a door by hand."""
    if not table.position.sealed:
        return None
    a, b = table.rng.choice(sorted(table.position.sealed))
    expected = table.expect("CAL-SET-03", "illegal", None, "A sealed door was opened without a cause.")
    table.write("door", edge=[list(a), list(b)], state="open", cause={"source": "player", "id": "by hand"})
    return expected


def round_cut_short(table: SpoiledTable, side: str) -> Expected | None:
    """The round ends while units have TPs."""
    left = {unit.id: unit.tp for unit in table.position.units.values() if unit.tp > 0}
    if len(left) > 3:
        return None
    table.cut_short = True
    text = "The round ended while units had TPs."
    expected = table.expect("CAL-RND-01", "illegal", None, text)
    expected.recomputed = {"tp_left": left}
    return expected


# ------------------------------------------------------------------ the tables

SPOILERS: dict[str, tuple[str, Spoiler]] = {
    "CAL-INI-01": ("write", wrong_winner),
    "CAL-INI-02": ("write", rolled_on),
    "CAL-RDY-01": ("write", two_cards),
    "CAL-RDY-02": ("write", three_tps),
    "CAL-SET-02": ("write", outside_zone),
    "CAL-RDY-02 omitted": ("write", forgotten_unit),
    "CAL-ACT-02": ("write", free_activation),
    "CAL-CON-04": ("write", host_gains),
    "CAL-CON-05": ("write", newcomer_gains),
    "CAL-RET-01": ("write", wrong_casualties),
    "CAL-DLS-01": ("write", saved_by_a_hit),
    "CAL-DLS-02": ("write", keeps_tps),
    "CAL-CMP-01": ("write", wrong_tally),
    "CAL-CMP-02": ("write", no_shift),
    "CAL-DST-01": ("dice", wrong_distance),
    "CAL-OBS-02": ("dice", no_obscured_bonus),
    "CAL-DEF-02": ("dice", no_rubble_bonus),
    "CAL-DEF-03": ("dice", no_barricade_bonus),
    "CAL-LOS-01": ("dice", clear_called_obscured),
    "CAL-SHT-02": ("dice", pistol_too_far),
    "CAL-ATK-01": ("dice", one_model_too_many),
    "CAL-ATK-02": ("dice", one_shot_too_many),
    "CAL-RNG-01": ("dice", wrong_shoot_value),
    "CAL-MEL-01": ("dice", wrong_assault_bonus),
    "CAL-WAR-01": ("dice", no_harness),
    "CAL-DIE-01": ("roll", extra_face),
    "CAL-WAR-02": ("vexilla", vexilla_of_nobody),
    "CAL-WAR-02 ranged": ("vexilla", vexilla_in_a_shot),
    "CAL-OBS-03": ("crit", effect_while_obscured),
    "CAL-CRT-01": ("crit", effect_without_critical),
    "CAL-CRT-02": ("crit", pistol_in_melee),
    "CAL-CRT-03": ("crit", suppressed_twice),
    "CAL-CRT-06": ("crit", cannon_rerolls_hits),
    "CAL-CRT-06 omitted": ("crit", cannon_kept),
    "CAL-CRT-07": ("crit", missile_adds_more),
    "CAL-CRT-08": ("crit", overheat_ignored),
    "CAL-CRT-10": ("crit", chain_adds_more),
    "CAL-CRT-11": ("crit", claws_take_three),
    "CAL-DIE-02": ("crit", rerolled_again),
    "CAL-ATK-03": ("pool", hits_miscounted),
    "CAL-CRT-05": ("armour", full_armour_against_melta),
    "CAL-DEF-04": ("armour", bonus_once_only),
    "CAL-CRT-09": ("armour", full_armour_against_fist),
    "CAL-CRT-13": ("armour", full_armour_against_sword),
    "CAL-ATK-04": ("armour", attacker_chooses),
    "CAL-SOR-01": ("armour", wrong_drawer),
    "CAL-ATK-05": ("shields", shield_overlooked),
    "CAL-CRT-12": ("stamina", full_stamina_against_chainfist),
    "CAL-ATK-06": ("casualty", casualty_overlooked),
    "CAL-ATK-07": ("steps", loop_cut_short),
}

MISDEEDS: dict[str, Misdeed] = {
    "CAL-PIN-01": run_while_pinned,
    "CAL-PIN-01 shoot": shoot_while_pinned,
    "CAL-RDY-03": late_card,
    "CAL-ADV-01": advance_two,
    "CAL-RUN-01": run_three,
    "CAL-RUN-02": run_past_enemy,
    "CAL-RUN-03": run_through_rubble,
    "CAL-CON-01": jump,
    "CAL-ACT-01": turn_taken,
    "CAL-ACT-04": needless_pass,
    "CAL-ACT-02 illegal": spent_unit_acts,
    "CAL-ACT-03": two_advances,
    "CAL-ASL-01": assault_without_attack,
    "CAL-ASL-02": step_before_assault,
    "CAL-SET-03": own_door,
    "CAL-RND-01": round_cut_short,
}

# Faults that sit in the middle of an assault; SpoiledTable plants them itself.
IN_ASSAULT = ("CAL-RET-01 omitted", "CAL-RET-01 illegal", "CAL-RET-02", "CAL-RET-03", "CAL-ASL-04", "CAL-CRT-04")

PLANTABLE: tuple[str, ...] = (*SPOILERS, *MISDEEDS, *IN_ASSAULT)


class SpoiledTable(Table):
    """A table where some faults happen, each once, spread over the rounds.

    `faults` are names from PLANTABLE in the order wanted; `rounds` is the length of the game.
    """

    def prepare(self, faults: Sequence[str], rounds: int) -> None:
        """Say which faults are to come, and from which round on each may."""
        unknown = set(faults) - set(PLANTABLE)
        if unknown:
            raise ValueError(f"no planter for {', '.join(sorted(unknown))}")
        self.pending = {name: 1 + n * rounds // len(faults) for n, name in enumerate(faults)}
        self.planted: list[Expected] = []
        self.resting = 0
        self.no_effects = False
        self.cut_short = False
        self.owed_cards: list[str] = []

    # -------------------------------------------------------------- when

    def is_time_for(self, name: str) -> bool:
        """Whether a fault may be planted now: wanted, late enough, and the table has rested since the last one."""
        return self.resting <= 0 and self.pending.get(name, self.position.round + 1) <= self.position.round

    def plant(self, name: str, expected: Expected | None) -> bool:
        """Book a planted fault."""
        if expected is None:
            return False
        del self.pending[name]
        if not expected.seq and not expected.at_next:
            expected.seq = len(self.log) + 1
        self.planted.append(expected)
        self.resting = 2
        return True

    def expect(self, rule: str, kind: str, player: str | None, text: str, after: int = 0) -> Expected:
        """A fault in the next event, or `after` events later."""
        return Expected(rule, kind, player, text, seq=len(self.log) + 1 + after)

    # -------------------------------------------------------------- where

    def meddle(self, stage: str, event: Event, unit: Unit | None = None, target: Unit | None = None) -> None:
        """Spoil the event at this stage, if a fault for it is due."""
        if stage == "write":
            for expected in self.planted:
                if not expected.seq and event["type"] in expected.at_next:
                    expected.seq = event["seq"]
        for name, (wanted, spoil) in SPOILERS.items():
            if wanted == stage and self.is_time_for(name):
                if self.plant(name, spoil(Moment(self, event, unit, target))):
                    return

    def activation(self, side: str) -> None:
        """A misdeed where one is due, else a fair activation."""
        self.no_effects = False
        self.resting -= 1
        for name, misdeed in MISDEEDS.items():
            if self.is_time_for(name):
                self.resting = 2  # nothing else goes wrong inside a misdeed
                if self.plant(name, misdeed(self, side)):
                    return
                self.resting = 0
        self.plain_activation(side)

    def draw_card(self, side: str) -> None:
        """A fair draw, or none yet where a late one is to come."""
        if self.position.phase == "ready" and self.is_time_for("CAL-RDY-03") and not self.owed_cards:
            if self.position.deck_left[side]:
                self.owed_cards.append(side)
                return
        super().draw_card(side)

    def plain_activation(self, side: str) -> None:
        """A fair activation."""
        super().activation(side)

    def finish(self) -> None:
        """The end of the game, where a fault may still be planted."""
        self.resting = 0
        super().finish()

    def round_is_over(self) -> bool:
        """Whether the table stops the round although it should not."""
        stop, self.cut_short = self.cut_short, False
        return stop

    def critical(self, unit: Unit, target: Unit, event: Event) -> Any:
        """As at a fair table, except where an effect would muddle the fault just planted."""
        crit = super().critical(unit, target, event)
        return "declined" if self.no_effects and isinstance(crit, dict) else crit

    # -------------------------------------------------------------- inside an assault

    def forgets_retreat(self, unit: Unit) -> bool:
        """A retreat that was due does not happen."""
        name = "CAL-RET-01 omitted"
        text = "A retreat was due and was not made."
        return self.is_time_for(name) and self.plant(
            name, Expected("CAL-RET-01", "omitted", unit.side, text, at_next=CLOSING)
        )

    def retreats_anyway(self, unit: Unit) -> bool:
        """A unit leaves although it did not lose more models."""
        if unit.id not in self.position.units or not self.is_time_for("CAL-RET-01 illegal"):
            return False
        ways = [way for way in rules.retreats(self.position, unit) if all(h is not None for h in way.values())]
        if not ways:
            return False
        text = "A unit retreated although no retreat was due."
        self.plant("CAL-RET-01 illegal", self.expect("CAL-RET-01", "illegal", unit.side, text))
        self.move_models(unit, self.rng.choice(ways), "retreat")
        return True

    def choose_retreat(self, unit: Unit) -> dict[str, Hex | None]:
        """A fair retreat, or one next to an enemy, or one where a model stays needlessly."""
        position = self.position
        everywhere = rules.consolidation_hexes(position, unit)
        allowed = rules.retreat_hexes(position, unit)
        closed = [h for h in everywhere if h not in allowed and everywhere[h] >= position.bulk(unit.models)]
        if closed and self.is_time_for("CAL-RET-02"):
            text = "A unit retreated into a hex next to an enemy."
            self.plant("CAL-RET-02", self.expect("CAL-RET-02", "illegal", unit.side, text))
            return dict.fromkeys(unit.models, self.rng.choice(closed))
        if allowed and self.is_time_for("CAL-RET-03"):
            staying: dict[str, Hex | None] = dict.fromkeys(unit.models)
            if rules.needlessly_stayed(position, staying, allowed):
                text = "A model stayed although it could have retreated."
                self.plant("CAL-RET-03", self.expect("CAL-RET-03", "illegal", unit.side, text))
                return staying
        return super().choose_retreat(unit)

    def move_in(self, unit: Unit, spot: Hex) -> None:
        """The free move, now and then by a unit that did not attack."""
        position = self.position
        others = [u for u in position.side_units(unit.side) if u is not unit and rules.adjacent(position, u.hex, spot)]
        if others and self.is_time_for("CAL-ASL-04"):
            text = "A unit that had not attacked made the free move."
            self.plant("CAL-ASL-04", self.expect("CAL-ASL-04", "illegal", unit.side, text))
            super().move_in(others[0], spot)
            return
        super().move_in(unit, spot)

    def follow_ups(self, unit: Unit, spot: Hex) -> list[Any]:
        """The targets of a follow-up, or one that is not next to the first target."""
        if self.is_time_for("CAL-CRT-04"):
            position = self.position
            beside = [e for e in position.side_units(other(unit.side)) if rules.adjacent(position, spot, e.hex)]
            far = [
                shot
                for shot in self.shots(unit)
                if shot[0] not in beside and shot[0].hex != spot and rules.within(shot[2], 3)
            ]
            if far:
                text = "A flamer's follow-up went to a unit that was not next to the first target."
                self.plant("CAL-CRT-04", self.expect("CAL-CRT-04", "illegal", unit.side, text))
                return far[:1]
        return super().follow_ups(unit, spot)


def faulty_game(
    seed: int, faults: Sequence[str], *, rounds: int = 4, **settings: Any
) -> tuple[list[Event], list[dict[str, Any]]]:
    """A game with faults, and what an audit must find in it, in the order of the log.

    `faults` are names from PLANTABLE; the settings are those of `generate`. A fault for which the
    game gave no occasion is missing from the second list.
    """
    header, table = lay_out(SpoiledTable, seed, rounds=rounds, **settings)
    table.prepare(faults, rounds)
    play(table, rounds)
    expected = sorted((e for e in table.planted if e.seq), key=lambda e: (e.seq, e.rule))
    return [header, *table.log], [e.as_json() for e in expected]


def plant(name: str, seed: int, tries: int = 60, **settings: Any) -> tuple[list[Event], dict[str, Any]]:
    """A game with this one fault, from the first seed at or after `seed` that gives an occasion for it.

    Raises LookupError when none of the tries does.
    """
    given: dict[str, Any] = {"rounds": 3, "campaign": name.startswith("CAL-CMP"), **settings}
    for n in range(seed, seed + tries):
        if name.startswith("CAL-DLS") and "board" not in settings:
            # Only where there is no room does anybody have to make a last stand.
            given["board"] = random_board(Random(n), radius=2)
        lines, expected = faulty_game(n, [name], **given)
        if expected:
            return lines, expected[0]
    raise LookupError(f"no occasion for {name} in {tries} games from seed {seed}")
