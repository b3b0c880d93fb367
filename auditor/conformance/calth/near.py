"""How near a legal game came to a fault: situations in which one hex, one die or one point more would be one.

`NEAR` is the list, in words; `near` says which of them an event is, before it is carried out, and `numbers` of which
rules it claims a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import Hex, as_hex, edge_of, neighbours
from auditor.conformance.calth.position import Event, Position, Unit, step_card
from auditor.conformance.calth.sight import Sight, centre, corner, cross, edge_ends, hexes_near, minus, time_of
from auditor.conformance.calth.table import Table
from auditor.conformance.calth.tables import (
    CANNON,
    CHAINFIST,
    CLAWS,
    FIST,
    FOLLOW_UP,
    MELT,
    PLASMA,
    SIDES,
    SUPPRESS,
    SWORD,
    WEAPONS,
    Readings,
    cannon_breaks_on,
    option,
    other,
    overheat_face,
)

NEAR: dict[str, tuple[str, str]] = {
    "claims left out": ("CAL-AUD-04", "an attack with claims left out, and with every fact"),
    "known order": ("CAL-AUD-05", "a card played out of a deck with others whose text no machine can read"),
    "changed since": ("CAL-AUD-06", "TPs or a start hex stated that were different when the round began"),
    "named again": ("CAL-SET-01", "a game_start that says once more what the header says"),
    "zone": ("CAL-SET-02", "a model set up in a hex of its zone that borders on hexes outside"),
    "door": ("CAL-SET-03", "a door moved in the only round and by the only cause that may move it"),
    "initiative": ("CAL-INI-01", "a roll decided by exactly one hit"),
    "tie": ("CAL-INI-02", "a tie, broken by rolling again"),
    "last card": ("CAL-RDY-01", "the last card of a deck, or a round without a draw from an empty one"),
    "first activation": ("CAL-RDY-03", "the first activation, after everything of the ready phase"),
    "turn": ("CAL-ACT-01", "an activation while the other player has units with TPs too"),
    "no TP below": ("CAL-ACT-05", "a loss of TPs that leaves a unit at exactly 0, or a position in which one has none"),
    "last TP": ("CAL-ACT-02", "an activation that takes the last TP of its unit"),
    "one action": ("CAL-ACT-03", "the one action of an activation"),
    "alone": ("CAL-ACT-04", "activated again, or passed, because one player has no TPs left"),
    "no TPs": ("CAL-RND-01", "a round that ends with the last TP"),
    "beside blocked": ("CAL-HEX-01", "a move that begins next to a blocked hex"),
    "at the border": ("CAL-HEX-02", "a move that begins at the border of the board"),
    "past a door": ("CAL-HEX-05", "a move through an open door, or that begins at a sealed one"),
    "full hex": ("CAL-HEX-07", "a hex filled to a bulk of exactly 3"),
    "long way": ("CAL-DST-01", "a distance longer than on an empty board"),
    "advance": ("CAL-ADV-01", "an Advance of exactly one step"),
    "not pinned": ("CAL-PIN-01", "a Run or Shoot with an enemy two hexes away or behind a door or an obstruction"),
    "two steps": ("CAL-RUN-01", "a Run of exactly two steps"),
    "stopped by an enemy": ("CAL-RUN-02", "a Run that ends next to an enemy"),
    "stopped by rubble": ("CAL-RUN-03", "a Run that ends in rubble"),
    "neighbour": ("CAL-CON-01", "a model moved exactly one hex"),
    "others stay": ("CAL-CON-02", "a Consolidate in which models stay behind or friends are joined"),
    "filled by a Consolidate": ("CAL-CON-03", "a Consolidate that fills a hex to a bulk of exactly 3"),
    "other TPs": ("CAL-CON-04", "models join a unit that has other TPs than their own"),
    "new unit": ("CAL-CON-05", "a new unit out of one that has TPs"),
    "two victims": ("CAL-ASL-01", "an attack on one of two adjacent enemies or more"),
    "step before": ("CAL-ASL-02", "one step into contact before the attack"),
    "counter": ("CAL-ASL-03", "a counter-attack by what the attack has left of the unit"),
    "move in": ("CAL-ASL-04", "a free move into the hex that has just been left"),
    "losses": ("CAL-RET-01", "losses that are equal or differ by exactly one"),
    "way out": ("CAL-RET-02", "a retreat with a hex in reach that an enemy closes"),
    "no room": ("CAL-RET-03", "a retreat after which an open hex has too little room for who stayed, or none to spare"),
    "last stand": ("CAL-DLS-01", "a last stand in which somebody stays and somebody falls, or of one model"),
    "survivors": ("CAL-DLS-02", "survivors of a last stand whose unit had TPs"),
    "vexilla stands": ("CAL-DLS-03", "a Legion Vexilla re-rolls a last stand"),
    "one weapon": ("CAL-SHT-01", "a shot with exactly one usable weapon"),
    "limit 3": ("CAL-SHT-02", "a weapon that reaches 3 hexes, used at exactly 3 or left out at exactly 4"),
    "corner or edge": ("CAL-LOS-01", "a clear shot that touches a corner or an edge of what stops sight"),
    "along an edge": ("CAL-LOS-02", "a line along a hexside of a hex that stops sight, from one corner to the next"),
    "edge mix": ("CAL-LOS-02", "such a line between two hexes that stop sight for different reasons"),
    "corner": ("CAL-LOS-03", "a line through the corner of a hex that stops sight, and through no more of it"),
    "end of a door": ("CAL-LOS-04", "a line through the end of a sealed door"),
    "rubble in the way": ("CAL-LOS-05", "a line through rubble, an open door or an obstruction"),
    "obscured": ("CAL-OBS-01", "a shot that is obscured and not clear"),
    "critical not used": ("CAL-OBS-03", "an obscured attack that shows a critical for a weapon with an effect"),
    "barricade": ("CAL-DEF-03", "a target in a hex with a barricade, from whatever side"),
    "two bonuses": ("CAL-DEF-04", "two kinds of bonus dice at once"),
    "choice": ("CAL-ATK-04", "a target model picked out of two or more"),
    "all shields": ("CAL-ATK-05", "shields that take exactly the whole pool"),
    "equal to Stamina": ("CAL-ATK-06", "a pool equal to the Stamina, or one below"),
    "nothing left": ("CAL-ATK-07", "a loop that ends with exactly nothing in the pool, or with the last model"),
    "reduced unit": ("CAL-ATK-08", "an attack by or on a unit that has lost models"),
    "order": ("CAL-ATK-10", "a re-roll and a critical effect, or two of them, in one attack"),
    "one critical": ("CAL-CRT-01", "an effect triggered by exactly one critical, or a critical lost to a re-roll"),
    "other mode": ("CAL-CRT-02", "an effect while the unit carries a weapon whose effect is not allowed in this mode"),
    "one TP": ("CAL-CRT-03", "a unit with 1 or 0 TPs is suppressed"),
    "follow-up": ("CAL-CRT-04", "a follow-up attack"),
    "melta range": ("CAL-CRT-05", "Melt at exactly its range, or at one hex more"),
    "three or four": ("CAL-CRT-06", "an assault cannon whose roll shows three or four of the face that destroys it"),
    "overheat": ("CAL-CRT-08", "one or two of the four plasma dice show the overheating face"),
    "fist": ("CAL-CRT-09", "a power fist against a model with Armour"),
    "claws": ("CAL-CRT-11", "lightning claws re-roll as many dice as they may"),
    "chainfist": ("CAL-CRT-12", "a chainfist against a model with Stamina 2 or more"),
    "odd armour": ("CAL-CRT-13", "a power sword against an odd Armour"),
    "second target": ("CAL-CRT-14", "a second target model after an effect on the first"),
    "re-rolled once": ("CAL-DIE-02", "some dice of a roll were re-rolled and others are re-rolled after them"),
    "vexilla": ("CAL-WAR-02", "a Legion Vexilla re-rolls dice in melee"),
    "damage card": ("CAL-SOR-01", "a Damage card drawn while one or more are no longer in the deck"),
    "walker": ("CAL-SOR-02", "the losses of an assault are counted while Sor Gharax bears Damage cards"),
    "leader": ("CAL-CMP-01", "a campaign tied or led by one victory"),
    "shift": ("CAL-CMP-02", "a campaign whose last result is adjusted, or just not"),
}

NUMBERS: tuple[str, ...] = (
    *("CAL-DIE-01", "CAL-CMP-01", "CAL-CMP-02", "CAL-INI-01", "CAL-RDY-02", "CAL-ACT-02", "CAL-DST-01", "CAL-CON-04"),
    *("CAL-CON-05", "CAL-RET-01", "CAL-DLS-01", "CAL-DLS-02", "CAL-LOS-01", "CAL-OBS-02", "CAL-DEF-02", "CAL-DEF-03"),
    *("CAL-DEF-04", "CAL-ATK-01", "CAL-ATK-02", "CAL-ATK-03", "CAL-ATK-05", "CAL-ATK-06", "CAL-CRT-03", "CAL-CRT-06"),
    *("CAL-CRT-07", "CAL-CRT-08", "CAL-CRT-10", "CAL-RNG-01", "CAL-MEL-01", "CAL-WAR-01"),
)
"""Rules about a number that a log claims: one more or one less is the fault, so each claim is one step from it."""


class WatchedTable(Table):
    """A fair table that counts how near the game comes to faults, in `seen`.

    Under the readings that allow it, its players also raise a vexilla after a critical effect, and flame friends.
    """

    seen: Counter[str]
    at_the_start: Mapping[str, tuple[Hex, int]] = {}
    """Where each unit stood, with how many TPs, when the actions of the round began."""
    restated_losses = 0.6

    def meddle(self, stage: str, event: Event, unit: Unit | None = None, target: Unit | None = None) -> None:
        """Look at each event before it is carried out; raise a late vexilla."""
        if stage == "write":
            self.seen.update(set(near(self.position, event, self.readings, self.header)))
            self.compare_with_the_start(event)
        elif stage == "crit" and unit is not None and event["mode"] == "melee" and "vexilla" not in event:
            if option(self.readings, "R-VEX-TIMING") == "any_time" and self.chance(0.5):
                self.raise_late_vexilla(unit, event)

    def compare_with_the_start(self, event: Event) -> None:
        """Count what is stated anew and is no longer as it was when the round began."""
        units = self.position.units
        if event["type"] == "tp_refresh":
            self.at_the_start = {line["unit"]: (units[line["unit"]].hex, line["tp_after"]) for line in event["units"]}
        elif event["type"] in ("activate", "move_unit"):
            unit = units[event["unit"]]
            began = self.at_the_start.get(unit.id)
            at, now = (1, unit.tp) if event["type"] == "activate" else (0, unit.hex)
            if began is None or began[at] != now:
                self.seen["changed since"] += 1

    def activation(self, side: str) -> None:
        """As at any table; now and then a player passes where players with TPs may (R-ACT-PASS)."""
        may_pass = option(self.readings, "R-ACT-PASS") == "pass_allowed" and self.position.has_tp(other(side))
        if may_pass and self.chance(0.1):
            self.write("pass", side, reason="waits")
        else:
            super().activation(side)

    def raise_late_vexilla(self, unit: Unit, event: Event) -> None:
        """Re-roll misses after the critical effect, but no die that was re-rolled already."""
        crit = rules.the_crit(event) or {}
        again = {i for entry in crit.get("passes", ()) for i in entry["indices"]}
        bearer = next((m for m in unit.models if rules.has_vexilla(self.position, [m])), None)
        misses = [i for i, face in enumerate(rules.faces_after_crit(event)) if face in "SB" and i not in again]
        if bearer is not None and misses:
            chosen = misses[: self.rng.randint(1, len(misses))]
            late = {"indices": chosen, "faces": self.roll(len(chosen)), "when": "after_crit"}
            event["vexilla"] = {"model": bearer, **late}

    def shooting(self, unit: Unit) -> Callable[[], None] | None:
        """As at any table, but nobody looks for targets before they have chosen to shoot."""

        def look_first() -> None:
            shots = self.shots(unit)
            if shots:
                self.shoot(unit, *self.rng.choice(shots))
            else:
                acts = self.acts(unit)
                del acts["shoot"]
                self.one_of(acts)

        armed = any(WEAPONS[weapon].kind == "ranged" for _, weapon in rules.intact(self.position, unit))
        return look_first if armed else None

    def shots(self, unit: Unit, beside: Hex | None = None) -> list[tuple[Unit, Sight, int | None]]:
        """As at any table; friends too where a follow-up attack may go to any unit (R-FLM-SIDE)."""
        found = super().shots(unit, beside)
        if beside is None or option(self.readings, "R-FLM-SIDE") != "any_unit":
            return found
        position = self.position
        for friend in position.side_units(unit.side):
            if friend is unit or not rules.adjacent(position, beside, friend.hex):
                continue
            steps = rules.distance(position, unit.hex, friend.hex, self.readings)
            if rules.shooting_dice(rules.shooting_weapons(position, unit, steps, "flamer_follow_up"))["total"]:
                seen = rules.sight(position, unit, friend, self.readings)
                if seen.kind != "none" and seen.barricade is not None:
                    found.append((friend, seen, steps))
        return found

    def choose_retreat(self, unit: Unit) -> dict[str, Hex | None]:
        """Most of the time the way after which most have to stay, with a bearer of a vexilla, or gone without one."""
        ways = rules.retreats(self.position, unit)
        with_them = option(self.readings, "R-DLS-VEX") == "in_hex"
        if self.chance(0.2):
            return self.rng.choice(ways)
        bearer = next((m for m in unit.models if rules.has_vexilla(self.position, [m])), None)
        stuck = [[m for m, h in way.items() if h is None] for way in ways]
        worth = [
            (
                len(stay) > 0,
                rules.has_vexilla(self.position, stay) if with_them else bearer is not None and bearer not in stay,
                len(stay),
            )
            for stay in stuck
        ]
        return ways[self.rng.choice([i for i, one in enumerate(worth) if one == max(worth)])]

    def trapped_beside(self, unit: Unit) -> list[Unit]:
        """As at any table, bearers of a vexilla before others."""
        trapped = super().trapped_beside(unit)
        bearers = [enemy for enemy in trapped if rules.has_vexilla(self.position, enemy.models)]
        return bearers or trapped

    def restart(self) -> None:
        """What is not in the log is not counted."""
        super().restart()
        self.seen.clear()
        self.seen.update(set(near(self.position, self.log[0], self.readings, self.header)))


def near(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    """The situations of `NEAR` that one event is, as things stand before it; some more than once."""
    name = event["type"]
    look = _LOOKS.get(name)
    if look is not None:
        yield from look(position, event, readings, header)
    if name in ("move_unit", "move_models"):
        yield from _ground(position, event)


def _game_start(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    yield "named again"


def _card_play(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    deck = [card for card in header["command_cards"] if card["side"] == event["player"]]
    if any(card.get("effect") is None for card in deck):
        yield "known order"


def _tp_loss(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    if event["tp_after"] == 0:
        yield "no TP below"


def _position(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    if any(line["tp"] == 0 for line in event["units"]):
        yield "no TP below"


def _place(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    h, model = as_hex(event["hex"]), position.models[event["model"]]
    zones = [
        {as_hex(z) for z in line["zone"]}
        for line in header["scenario"].get("deployments", ())
        if line["side"] == model.side and line.get("zone")
    ]
    if any(h in zone and any(x in position.board.kinds and x not in zone for x in neighbours(h)) for zone in zones):
        yield "zone"
    if rules.room(position, h, model.side) == model.bulk:
        yield "full hex"


def _door(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    yield "door"


def _initiative(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    attempts = event.get("attempts", ())
    if len(attempts) > 1:
        yield "tie"
    if attempts:
        um, wb = (rules.initiative_hits(attempts[-1][side], readings) for side in SIDES)
        if abs(um - wb) == 1:
            yield "initiative"


def _card_draw(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    if position.deck_left[event["player"]] in (0, 1):
        yield "last card"


def _activate(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    side = event["player"]
    unit = position.units[event["unit"]]
    foe = other(side)
    if position.last_actor is None:
        yield "first activation"
        if any(position.deck_left[s] == 0 for s in SIDES):
            yield "last card"
    yield "turn" if position.has_tp(foe) else "alone"
    if unit.tp == 1:
        yield "last TP"
    if event["action"] in ("run", "shoot"):
        around = neighbours(unit.hex)
        for enemy in position.side_units(foe):
            if enemy.hex in around or any(h in around for h in neighbours(enemy.hex)):
                yield "not pinned"


def _pass(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    if not position.has_tp(event["player"]):
        yield "alone"


def _round_end(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    yield "no TPs"


def _move_unit(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    path, side, cause = rules.path_of(event), event["player"], event["cause"]
    if cause in ("advance", "run"):
        yield "one action"
    if cause == "advance":
        yield "advance"
    elif cause == "run":
        if len(path) == 3:
            yield "two steps"
        if rules.next_to_enemy(position, path[-1], side):
            yield "stopped by an enemy"
        if len(path) > 1 and position.board.is_rubble(path[-1]):
            yield "stopped by rubble"
    elif cause == "assault_pre":
        yield "step before"
    elif cause == "move_in":
        yield "move in"


def _ground(position: Position, event: Event) -> Iterator[str]:
    """What stands round the hex that a move begins in."""
    board = position.board
    start = position.units[event["unit"]].hex
    for h in neighbours(start):
        if h not in board.kinds:
            yield "at the border"
        elif board.is_shut(h):
            yield "beside blocked"
        if edge_of(start, h) in position.sealed:
            yield "past a door"
    if event["type"] == "move_unit":
        if any(edge_of(a, b) in board.doors for a, b in pairwise(rules.path_of(event))):
            yield "past a door"


def _move_models(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    unit = position.units[event["unit"]]
    side, retreat = unit.side, event["cause"] == "retreat"
    load: Counter[Hex] = Counter()
    for line in event["moves"]:
        load[as_hex(line["to"])] += position.models[line["model"]].bulk
    full = any(rules.room(position, h, side) == bulk for h, bulk in load.items())
    if full:
        yield "full hex"
    if load:
        yield "neighbour"
    for h in load:
        host = position.unit_at(h)
        if host is not None and host.tp != unit.tp:
            yield "other TPs"
        elif host is None and unit.tp:
            yield "new unit"
    stay = [m for m in unit.models if m not in {line["model"] for line in event["moves"]}]
    if retreat:
        if len(rules.consolidation_hexes(position, unit)) > len(rules.retreat_hexes(position, unit)):
            yield "way out"
        if stay or full:
            yield "no room"
        return
    yield "one action"
    if stay or any(position.unit_at(h) is not None for h in load):
        yield "others stay"
    if full:
        yield "filled by a Consolidate"


def _retreat(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    lost = event.get("casualties")
    if lost and abs(lost["UM"] - lost["WB"]) <= 1:
        yield "losses"
    if position.on_model or len(position.in_deck) < len(position.damage_cards):
        yield "walker"


def _last_stand(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    survivors = event["survivors"]
    if 0 < len(survivors) < len(event["models"]) or len(event["models"]) == 1:
        yield "last stand"
    if survivors and position.units[event["unit"]].tp:
        yield "survivors"
    if "vexilla" in event:
        yield from ("vexilla stands", "re-rolled once")
    unit = position.units[event["unit"]]
    if rules.consolidation_hexes(position, unit):
        yield "no room"


def _campaign_end(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    if abs(event["tally"]["UM"] - event["tally"]["WB"]) <= 1:
        yield from ("leader", "shift")
    elif event["scenario_6"]["before"] != event["scenario_6"]["after"]:
        yield "shift"


def _attack(position: Position, event: Event, readings: Readings, header: Event) -> Iterator[str]:
    unit, target = position.units[event["attacker"]], position.units[event["target"]]
    carried = rules.intact(position, unit)
    if event["role"] == "shoot":
        yield "one action"
    elif event["role"] == "assault":
        beside = [e for e in position.side_units(target.side) if rules.adjacent(position, unit.hex, e.hex)]
        if len(beside) > 1:
            yield "two victims"
    elif event["role"] == "counter":
        yield "counter"
    elif event["role"] == "flamer_follow_up":
        yield "follow-up"
    if any(position.models[m].side in (unit.side, target.side) for m in position.removed):
        yield "reduced unit"
    if event["mode"] == "ranged":
        yield from _shot(position, event, unit, target, carried)
    yield from _rolled(event, readings, carried)
    crit = rules.the_crit(event)
    if crit is not None:
        yield from _effect(event, readings, target, crit)
    yield from _damage(position, event, target)


def _shot(position: Position, event: Event, unit: Unit, target: Unit, carried: list[tuple[str, str]]) -> Iterator[str]:
    los = event["los"]
    steps, bonuses = los["distance"], los["bonuses"]
    (aq, ar), (bq, br) = unit.hex, target.hex
    if steps is None or steps > max(abs(aq - bq), abs(ar - br), abs(aq + ar - bq - br)):
        yield "long way"
    if len(event["weapons"]) == 1:
        yield "one weapon"
    if steps in (3, 4) and any(WEAPONS[w].limit == 3 for _, w in carried):
        yield "limit 3"
    if los["class"] == "obscured":
        yield "obscured"
        if "C" in rules.faces_before_crit(event) and event["weapons"]:
            yield "critical not used"
    if any(h == target.hex for h, _ in position.board.barricades):
        yield "barricade"
    if sum(n > 0 for n in bonuses.values()) > 1:
        yield "two bonuses"
    yield from _line(position, unit, target, los["class"] == "clear")


def _line(position: Position, unit: Unit, target: Unit, clear: bool) -> Iterator[str]:
    """What the line between the two centres touches."""
    s = centre(unit.hex)
    d = minus(centre(target.hex), s)
    occupied = position.occupied()
    board = position.board
    sides: dict[tuple[Any, ...], list[Any]] = {}
    for h in hexes_near(s, d, Fraction(1)):
        if h in (unit.hex, target.hex):
            continue
        turns = [cross(d, minus(corner(h, k), s)) for k in range(6)]
        within = [k for k in range(6) if turns[k] == 0 and 0 < time_of(corner(h, k), s, d) < 1]
        through = min(turns) < 0 < max(turns)
        if through and board.is_rubble(h):
            yield "rubble in the way"
        for x in neighbours(h):
            edge = edge_of(h, x)
            if edge in board.obstructions or (edge in board.doors and edge not in position.sealed):
                a, b = (cross(d, minus(end, s)) for end in edge_ends(edge))
                if a * b < 0 and any(0 < time_of(end, s, d) < 1 for end in edge_ends(edge)):
                    yield "rubble in the way"
        stops = "shut" if h in board.kinds and board.is_shut(h) else "unit" if h in occupied else ""
        stops = stops or ("" if h in board.kinds else "off the board")
        if stops and len(within) == 2:
            yield "along an edge"
            sides.setdefault(tuple(sorted(corner(h, k) for k in within)), []).append(stops)
        elif stops and len(within) == 1 and not through:
            yield "corner"
        if stops and within and not through and clear:
            yield "corner or edge"
    if any(len(set(reasons)) > 1 for reasons in sides.values()):
        yield "edge mix"
    for edge in position.sealed:
        for end in edge_ends(edge):
            if cross(d, minus(end, s)) == 0 and 0 < time_of(end, s, d) < 1:
                yield "end of a door"
                if clear:
                    yield "corner or edge"


def _rolled(event: Event, readings: Readings, carried: list[tuple[str, str]]) -> Iterator[str]:
    """Re-rolls and triggers."""
    crit = rules.the_crit(event)
    vexilla = event.get("vexilla")
    if vexilla:
        yield "vexilla"
        if len(vexilla["indices"]) < len(event["roll"]):
            yield "re-rolled once"
    if crit is None:
        return
    shown = rules.faces_for_trigger(event, readings)
    if shown.count("C") == 1 or ("C" in event["roll"] and "C" not in rules.faces_before_crit(event)):
        yield "one critical"
    kinds = {WEAPONS[w].kind for _, w in carried}
    if len(kinds) > 1:
        yield "other mode"
    if vexilla or crit.get("passes") or crit.get("added"):
        yield "order"


def _effect(event: Event, readings: Readings, target: Unit, crit: dict[str, Any]) -> Iterator[str]:
    effect = crit["effect"]
    if effect == SUPPRESS and target.tp <= 1:
        yield "one TP"
    elif effect == FOLLOW_UP:
        yield "follow-up"
    elif effect == MELT:
        reach = WEAPONS[crit["weapon"]].effect_range or 0
        if event["los"]["distance"] in (reach, reach + 1):
            yield "melta range"
    elif effect == CANNON:
        if rules.faces_after_crit(event).count(cannon_breaks_on(readings)) in (3, 4):
            yield "three or four"
        if len(crit["passes"]) > 1:
            yield "re-rolled once"
    elif effect == PLASMA:
        if list(crit["added"]).count(overheat_face(readings)) in (1, 2):
            yield "overheat"
    elif effect == CLAWS:
        if sum(len(p["indices"]) for p in crit["passes"]) == (4 if crit["weapon"] == "two_lightning_claws" else 2):
            yield "claws"


def _damage(position: Position, event: Event, target: Unit) -> Iterator[str]:
    steps = event["steps"]
    crit = rules.the_crit(event)
    effect = crit["effect"] if crit is not None else None
    alive = len(target.models)
    for n, step in enumerate(steps):
        armour, stamina = rules.printed_values(position, step)
        if step["pool_after_shields"] - step["stamina_used"] in (0, -1):
            yield "equal to Stamina"
        if step["shields"] and step["pool_after_shields"] == 0:
            yield "all shields"
        if step_card(step) is not None:
            if len(position.in_deck) < len(position.damage_cards) or n:
                yield "damage card"
        elif alive > 1:
            yield "choice"
        if n == 0 and effect == FIST and armour:
            yield "fist"
        if n == 0 and effect == SWORD and armour % 2:
            yield "odd armour"
        if n == 0 and effect == CHAINFIST and stamina > 1:
            yield "chainfist"
        if n == 1 and rules.first_target_effect(event, (event.get("los") or {}).get("distance")) is not None:
            yield "second target"
        alive -= step["casualty"] and step_card(step) is None
    if steps and (steps[-1]["pool_left"] == 0 or alive == 0):
        yield "nothing left"


_LOOKS = {
    "game_start": _game_start,
    "card_play": _card_play,
    "tp_loss": _tp_loss,
    "position": _position,
    "place": _place,
    "door": _door,
    "initiative": _initiative,
    "card_draw": _card_draw,
    "activate": _activate,
    "pass": _pass,
    "round_end": _round_end,
    "move_unit": _move_unit,
    "move_models": _move_models,
    "retreat": _retreat,
    "last_stand": _last_stand,
    "campaign_end": _campaign_end,
    "attack": _attack,
}


def written(event: Event) -> Iterator[str]:
    """The situations of `NEAR` that only show in an event as it stands in a log."""
    if event["type"] == "attack":
        parts = [(event, ("dice", "pool")), *((step, _OF_A_STEP) for step in event["steps"])]
        if "los" in event:
            parts.append((event["los"], ("class", "distance", "bonuses")))
        if any(key not in part for part, keys in parts for key in keys):
            yield "claims left out"


_OF_A_STEP = (
    *("armour_used", "bonus_dice", "shields", "pool_after_shields", "stamina_used", "casualty", "pool_left"),
)  # fmt: skip


def numbers(event: Event) -> set[str]:
    """The rules about a number for which an event, as it stands in a log, claims one."""
    return set(_numbers(event))


def _numbers(event: Event) -> Iterator[str]:
    name = event["type"]
    if name == "initiative" and "winner" in event and "attempts" in event:
        yield from ("CAL-INI-01", "CAL-DIE-01")
    elif name == "tp_refresh" and any("tp_after" in line for line in event["units"]):
        yield "CAL-RDY-02"
    elif name == "activate" and "tp_after" in event:
        yield "CAL-ACT-02"
    elif name == "campaign_end":
        yield from (rule for rule, key in (("CAL-CMP-01", "tally"), ("CAL-CMP-02", "scenario_6")) if key in event)
    elif name == "retreat" and ("due" in event or "casualties" in event):
        yield "CAL-RET-01"
    elif name == "last_stand":
        yield "CAL-DIE-01"
        yield from (rule for rule, key in (("CAL-DLS-01", "survivors"), ("CAL-DLS-02", "tp_after")) if key in event)
    elif name == "move_models":
        moved_to = {tuple(line["to"]) for line in event["moves"]}
        for line in event["units"]:
            if "tp" in line and tuple(line["hex"]) in moved_to:
                yield from ("CAL-CON-04", "CAL-CON-05")
    elif name == "attack":
        yield from _attack_numbers(event)


def _attack_numbers(event: Event) -> Iterator[str]:
    melee = event["mode"] == "melee"
    yield "CAL-DIE-01"
    dice, los, crit = event.get("dice", {}), event.get("los", {}), rules.the_crit(event) or {}
    bonuses = los.get("bonuses", {})
    step = {key for one in event["steps"] for key in one}
    claimed = (
        ("CAL-ATK-01", melee and "models" in dice),
        ("CAL-ATK-02", not melee and "total" in dice),
        ("CAL-MEL-01", melee and "weapons" in dice),
        ("CAL-RNG-01", not melee and "weapons" in dice),
        ("CAL-WAR-01", bool(dice.get("harness"))),
        ("CAL-DST-01", "distance" in los),
        ("CAL-LOS-01", "class" in los),
        ("CAL-OBS-02", bool(bonuses.get("obscured"))),
        ("CAL-DEF-02", bool(bonuses.get("rubble"))),
        ("CAL-DEF-03", bool(bonuses.get("barricade"))),
        ("CAL-DEF-04", "bonus_dice" in step),
        ("CAL-ATK-03", "pool" in event),
        ("CAL-ATK-05", bool(step & {"shields", "pool_after_shields", "armour_used"})),
        ("CAL-ATK-06", bool(step & {"casualty", "pool_left", "stamina_used"})),
        ("CAL-CRT-03", "tp_lost" in crit or "tp_after" in crit),
        ("CAL-CRT-06", "weapon_destroyed" in crit),
        ("CAL-CRT-07", crit.get("effect") == "CAL-CRT-07"),
        ("CAL-CRT-08", "self_casualty" in crit),
        ("CAL-CRT-10", crit.get("effect") == "CAL-CRT-10"),
    )
    yield from (rule for rule, is_claimed in claimed if is_claimed)
