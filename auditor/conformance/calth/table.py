"""A seeded bot that plays by the referee and writes down what it does.

It likes close combat, flamers, doors, obscured shots, crowded hexes and re-rolls, because that is
where an auditor goes wrong.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.adoption import apply
from auditor.conformance.calth.board import Hex, neighbours
from auditor.conformance.calth.position import Event, Unit, heavy_weapon_arm, opening, step_card
from auditor.conformance.calth.sight import Known, Sight
from auditor.conformance.calth.tables import (
    CANNON,
    CHAINSWORD,
    CLAWS,
    FOLLOW_UP,
    LEVELS,
    MIRROR,
    MISSILE,
    PLASMA,
    SIDES,
    SUPPRESS,
    WEAPONS,
    Readings,
    cannon_rerolls,
    option,
    other,
    shifted,
    tally,
)

DIE = "CHHSSB"
CLAIMS = frozenset(
    (
        *("dice", "pool", "shields", "pool_after_shields", "pool_left", "casualty", "armour_used", "bonus_dice"),
        *("stamina_used", "tp_before", "tp_after", "distance", "class", "bonuses", "winner", "due", "casualties"),
        *("tp_lost", "self_casualty", "weapon_destroyed", "survivors", "tp"),
    )
)


def straight(a: Hex, b: Hex) -> int:
    """Axial distance; only the bot's taste depends on it."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def without_claims(value: Any, rng: Random, share: float) -> Any:
    """A copy of an event with some of its claims left out, each with the same chance."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if k not in CLAIMS or rng.random() >= share}
        return {k: without_claims(v, rng, share) for k, v in kept.items()}
    if isinstance(value, list):
        return [without_claims(v, rng, share) for v in value]
    return value


class Table:
    """A game being played: the position, the dice, and the log so far."""

    # How often the players put a model to others, strike back, say that no retreat is due, and restate a lost TP.
    crowding, counters, denied_retreats, restated_losses = 0.8, 0.8, 0.3, 0.25
    # How often a Consolidate of nobody is written down.
    empty_moves = 0.0

    def __init__(self, header: Event, rng: Random, readings: Readings, omit_claims: float) -> None:
        self.header, self.rng, self.readings = header, rng, readings
        self.position = opening(header)
        self.log: list[Event] = []
        self.omit_claims = omit_claims
        self.leaving_out = Random(rng.random())
        self.minted: Counter[str] = Counter()
        self.effects_used: Counter[str] = Counter()
        self.plays_cards = False
        self.known_lines: Known = {}
        self.in_hand: dict[str, list[str]] = {side: [] for side in SIDES}
        self.decks: dict[str, list[str]] = {side: [] for side in SIDES}
        for card in header.get("command_cards", ()):
            self.decks[card["side"]].append(card["id"])
        for side in SIDES:
            rng.shuffle(self.decks[side])

    # -------------------------------------------------------------- the log

    def write(self, type_: str, player: str | None = None, **fields: Any) -> Event:
        """Add an event to the log and carry it out."""
        event: Event = {"seq": len(self.log) + 1}
        phase = "action"
        if type_ in ("initiative", "door"):
            phase = self.position.phase
        elif type_ in ("card_draw", "tp_refresh") and self.position.phase != "action":
            phase = "ready"
        if type_ not in ("game_start", "place", "scenario_end", "campaign_end", "end"):
            event |= {"round": self.position.round, "phase": phase}
        if player is not None:
            event["player"] = player
        event["type"] = type_
        event.update(fields)
        self.meddle("write", event)
        self.adopt(event)
        self.log.append(without_claims(event, self.leaving_out, self.omit_claims) if self.omit_claims else event)
        return event

    def adopt(self, event: Event) -> None:
        """Carry an event out on the table."""
        apply(self.position, event, self.readings)

    def roll(self, count: int) -> str:
        """So many dice."""
        return "".join(self.rng.choice(DIE) for _ in range(count))

    def chance(self, share: float) -> bool:
        """True in this share of cases; nothing is drawn where there are none."""
        return share > 0 and self.rng.random() < share

    def mint(self, side: str) -> str:
        """A unit id that was never used before."""
        self.minted[side] += 1
        return f"{side.lower()}-{self.minted[side]}"

    # -------------------------------------------------------------- set-up and rounds

    def deploy(self) -> None:
        """Place every model where the scenario allows it, crowding some hexes."""
        board = self.position.board
        ground = [h for h in sorted(board.kinds) if not board.is_shut(h)]
        lines = self.header["scenario"].get("deployments") or [
            {"side": "UM", "models": "all", "zone": [list(h) for h in ground[: len(ground) * 2 // 5]]},
            {"side": "WB", "models": "all", "zone": [list(h) for h in ground[-(len(ground) * 2 // 5) :]]},
        ]
        for line in lines:
            side = line["side"]
            everyone = [m.id for m in self.position.models.values() if m.side == side]
            wanted = everyone if line["models"] == "all" else line["models"]
            zone = [(int(q), int(r)) for q, r in line["zone"]] if line.get("zone") else ground
            zone = [h for h in zone if not board.is_shut(h)]
            # The widest models first, so that everybody finds a place.
            for model in sorted(wanted, key=lambda m: -self.position.models[m].bulk):
                bulk = self.position.models[model].bulk
                fitting = [h for h in zone if rules.room(self.position, h, side) >= bulk]
                if not fitting:
                    continue
                shared = [h for h in fitting if self.position.unit_at(h) is not None]
                h = self.rng.choice(shared if shared and self.chance(self.crowding) else fitting)
                unit = self.position.unit_at(h)
                self.write("place", model=model, hex=list(h), unit=unit.id if unit else self.mint(side))

    def is_over(self) -> bool:
        """Whether the game ends with the round that was just played: one side has no models left."""
        return not all(self.position.side_units(side) for side in SIDES)

    def begin_round(self) -> None:
        """Doors that the scenario moves, initiative, cards, TPs."""
        position, number = self.position, self.position.round
        if position.phase == "setup":
            position.phase = "initiative"
        for rule in self.header["scenario"].get("special_rules", ()):
            effect = rule.get("effect") or {}
            if "door" in effect and effect.get("round") == number:
                door = effect["door"]
                self.write(
                    "door", edge=door["edge"], state=door["state"], cause={"source": "scenario", "id": rule["id"]}
                )
        first = self.header["scenario"].get("first_initiative")
        if number == 1 and first:
            self.write("initiative", source="scenario", winner=first)
        else:
            attempts: list[dict[str, str]] = []
            while rules.initiative_winner(attempts, self.readings) is None:
                attempts.append({side: self.roll(3) for side in SIDES})
            winner = rules.initiative_winner(attempts, self.readings)
            self.write("initiative", source="roll", attempts=attempts, winner=winner)
        for side in self.rng.sample(SIDES, 2):
            self.draw_card(side)
        units = sorted(position.units.values(), key=lambda unit: unit.id)
        lines = [{"unit": u.id, "tp_before": u.tp, "tp_after": u.tp + 2} for u in units]
        self.write("tp_refresh", units=lines)

    def draw_card(self, side: str) -> None:
        """One card from the own Command deck, if there is one left."""
        left = self.position.deck_left[side]
        if left == 0:
            if option(self.readings, "R-RDY-EMPTY") == "no_draw":
                return
            self.write("card_draw", side, card="hidden")
            return
        card = self.decks[side].pop() if self.decks[side] else "hidden"
        if card != "hidden":
            self.in_hand[side].append(card)
        fields: dict[str, Any] = {"deck": side} if self.chance(0.5) else {}
        if left is not None:
            fields["deck_left"] = left - 1
        self.write("card_draw", side, card="hidden" if self.chance(0.5) else card, **fields)

    def play_card(self, side: str) -> None:
        """One card from hand whose effect adds TPs to a unit or takes them away."""
        cards = {card["id"]: card for card in self.header.get("command_cards", ())}
        playable = [c for c in self.in_hand[side] if "tp" in (cards[c].get("effect") or {})]
        if not playable:
            return
        card = cards[self.rng.choice(playable)]
        owner = side if card["effect"]["tp"] > 0 else other(side)
        units = self.position.side_units(owner)
        if not units:
            return
        self.in_hand[side].remove(card["id"])
        override = {"source": card["id"], "rule_ids": list(card.get("rule_ids", ())), "text": card["name"]}
        self.write("card_play", side, card=card["id"], target=self.rng.choice(units).id, override=override)

    def as_position(self, phase: str) -> dict[str, Any]:
        """How things stand, in the fields of a `position` event."""
        position = self.position
        stated: dict[str, Any] = {
            "round": position.round,
            "phase": phase,
            "initiative": position.initiative,
            "units": [
                {"unit": u.id, "side": u.side, "hex": list(u.hex), "models": list(u.models), "tp": u.tp}
                for u in position.units.values()
            ],
            "removed": sorted(position.removed),
            "doors": [
                {"edge": [list(a), list(b)], "state": "sealed" if (a, b) in position.sealed else "open"}
                for a, b in sorted(position.board.doors)
            ],
            "weapons_destroyed": [list(pair) for pair in sorted(position.broken)],
        }
        if self.header.get("command_cards"):
            stated["decks"] = {
                side: {"left": position.deck_left[side], "hand": ["hidden"] * len(position.hands[side])}
                for side in SIDES
            }
        if position.damage_cards:
            stated["damage_deck"] = {"in_deck": list(position.in_deck), "on_model": list(position.on_model)}
        return stated

    def restart(self) -> None:
        """Forget the log so far; it begins anew with a `position` event that says how things stand."""
        event: Event = {"seq": 1, "type": "position", **self.as_position("initiative"), "initiative": None}
        apply(self.position, event, self.readings)
        self.log = [event]

    def play_round(self) -> None:
        """A whole round."""
        self.begin_round()
        self.play_actions()

    def play_actions(self) -> None:
        """Activations until nobody has TPs, and the end of the round."""
        position = self.position
        while (side := rules.side_to_act(position)) is not None:
            waiting = other(side)
            if position.last_actor == side and self.chance(0.3):
                self.write("pass", waiting, reason="no unit with TPs")
            self.activation(side)
            if self.round_is_over():
                break
            if self.plays_cards and self.chance(0.25):
                self.play_card(self.rng.choice(SIDES))
        left = {unit.id: unit.tp for unit in position.units.values() if unit.tp > 0}
        self.write("round_end", tp_left=left)

    def round_is_over(self) -> bool:
        """Whether the table stops a round in which units have TPs left. A fair one does not."""
        return False

    # -------------------------------------------------------------- one activation

    def activation(self, side: str) -> None:
        """The bot picks one of its units and something for it to do."""
        ready = [unit for unit in self.position.side_units(side) if unit.tp >= 1]
        trapped = [(u, e) for u in ready for e in self.trapped_beside(u)]
        if trapped and self.chance(0.8):
            unit, enemy = self.rng.choice(trapped)
            self.assault(unit, None, enemy)
            return
        self.one_of(self.acts(self.rng.choice(ready)))

    def one_of(self, acts: Mapping[str, tuple[float, Callable[[], None]]]) -> None:
        """Do one of these acts, by their weights."""
        names = list(acts)
        weights = [acts[name][0] for name in names]
        acts[self.rng.choices(names, weights)[0]][1]()

    def acts(self, unit: Unit) -> dict[str, tuple[float, Callable[[], None]]]:
        """What a unit may do, each act with its weight."""
        position = self.position
        acts: dict[str, tuple[float, Callable[[], None]]] = {"none": (0.12, lambda: self.activate(unit, "none"))}
        pinned = rules.next_to_enemy(position, unit.hex, unit.side)
        beside = [e for e in position.side_units(other(unit.side)) if rules.adjacent(position, unit.hex, e.hex)]
        steps = rules.advances(position, unit)
        if beside:
            acts["assault"] = (9, lambda: self.assault(unit, None, self.victim(beside)))
        else:
            contact = [h for h in steps if rules.next_to_enemy(position, h, unit.side)]
            if contact:
                acts["assault"] = (9, lambda: self.assault_from(unit, self.rng.choice(contact)))
        if steps:
            acts["advance"] = (
                0.6 if pinned else 1.5,
                lambda: self.move(unit, "advance", [[unit.hex, h] for h in steps]),
            )
        paths = rules.runs(position, unit)
        if paths:
            if option(self.readings, "R-ACT-NOP") == "allowed" and self.chance(0.03):
                paths = [[unit.hex]]
            acts["run"] = (2.5, lambda: self.move(unit, "run", paths))
        places = rules.consolidation_hexes(position, unit)
        if places:
            friends = any(position.unit_at(h) for h in places)
            acts["consolidate"] = (2.2 if friends else 1.0, lambda: self.consolidate(unit, places))
        always = option(self.readings, "R-CANNON-WHEN") == "always"
        if not pinned and not (always and self.walker_is_nearly_gone()):
            shooting = self.shooting(unit)
            if shooting is not None:
                acts["shoot"] = (6, shooting)
        return acts

    def activate(self, unit: Unit, action: str) -> None:
        """Pay for an activation."""
        self.write("activate", unit.side, unit=unit.id, tp_before=unit.tp, tp_after=unit.tp - 1, action=action)

    def move(self, unit: Unit, action: str, paths: Sequence[Sequence[Hex]]) -> None:
        """Advance or Run, most of the time towards the nearest enemy."""
        path = self.rng.choice(paths)
        if self.chance(0.8):
            steps = self.steps_to_enemy(unit.side)
            path = min(paths, key=lambda p: steps.get(p[-1], 99))
        self.activate(unit, action)
        self.walk(unit, path, action)

    def walk(self, unit: Unit, path: Sequence[Hex], cause: str) -> None:
        """Write down where a unit went."""
        self.write("move_unit", unit.side, unit=unit.id, path=[list(h) for h in path], cause=cause)

    def steps_to_enemy(self, side: str) -> dict[Hex, int]:
        """How many steps each hex is away from the nearest enemy of a side, as the doors now stand."""
        position = self.position
        steps = {enemy.hex: 0 for enemy in position.side_units(other(side))}
        waiting = deque(steps)
        while waiting:
            here = waiting.popleft()
            for there in neighbours(here):
                if there not in steps and rules.adjacent(position, here, there) and not position.board.is_shut(there):
                    steps[there] = steps[here] + 1
                    waiting.append(there)
        return steps

    def consolidate(self, unit: Unit, places: Mapping[Hex, int]) -> None:
        """Some models step out, into friends where there are any."""
        position = self.position
        friendly = [h for h in places if position.unit_at(h) is not None]
        placing: dict[str, Hex | None] = {}
        for model in unit.models:
            wanted = friendly if friendly and self.chance(0.6) else list(places)
            placing[model] = self.rng.choice(wanted) if self.chance(0.6) else None
            if not rules.fits(position, placing, places):
                placing[model] = None
        if not any(placing.values()):
            # A Consolidate of nobody is written down as one, or nothing was declared.
            allowed = option(self.readings, "R-ACT-NOP") == "allowed" and self.chance(self.empty_moves)
            self.activate(unit, "consolidate" if allowed else "none")
            if allowed:
                self.move_models(unit, placing, "consolidate")
            return
        self.activate(unit, "consolidate")
        self.move_models(unit, placing, "consolidate")

    def move_models(self, unit: Unit, placing: Mapping[str, Hex | None], cause: str) -> None:
        """Write down where models went and which units came of it."""
        position = self.position
        copied = rules.new_unit_tp(position, unit, cause, self.readings)
        moves = [{"model": m, "to": list(h)} for m, h in placing.items() if h is not None]
        units: list[dict[str, Any]] = []
        stays = any(h is None for h in placing.values())
        if stays:
            units.append({"unit": unit.id, "hex": list(unit.hex), "tp": unit.tp})
        id_is_free = not stays and self.chance(0.5)
        for h in dict.fromkeys(h for h in placing.values() if h is not None):
            host = position.unit_at(h)
            if host is not None:
                units.append({"unit": host.id, "hex": list(h), "tp": host.tp})
                continue
            name = unit.id if id_is_free else self.mint(unit.side)
            id_is_free = False
            units.append({"unit": name, "hex": list(h), "tp": copied})
        self.write("move_models", unit.side, unit=unit.id, moves=moves, units=units, cause=cause)

    # -------------------------------------------------------------- assault

    def assault_from(self, unit: Unit, h: Hex) -> None:
        """Step next to an enemy and fight it."""
        enemies = [e for e in self.position.side_units(other(unit.side)) if rules.adjacent(self.position, h, e.hex)]
        self.assault(unit, h, self.victim(enemies))

    def trapped_beside(self, unit: Unit) -> list[Unit]:
        """Adjacent enemies of two models or more with less room to retreat than they would need."""
        position = self.position
        return [
            e
            for e in position.side_units(other(unit.side))
            if len(e.models) > 1
            and rules.adjacent(position, unit.hex, e.hex)
            and sum(rules.retreat_hexes(position, e).values()) < position.bulk(e.models)
        ]

    def victim(self, enemies: Sequence[Unit]) -> Unit:
        """The enemy to fight: most of the time a crowd with few ways out, which makes for retreats."""
        if self.chance(0.3):
            return self.rng.choice(enemies)
        return max(enemies, key=lambda e: (len(e.models) - len(rules.retreat_hexes(self.position, e)), e.id))

    def assault(self, unit: Unit, pre_move: Hex | None, target: Unit) -> None:
        """A whole Assault action."""
        position, side, foe = self.position, unit.side, target.side
        spot = target.hex
        self.activate(unit, "assault")
        if pre_move is not None:
            self.write("move_unit", side, unit=unit.id, path=[list(unit.hex), list(pre_move)], cause="assault_pre")
        lost = Counter({side: 0, foe: 0})
        lost[foe] += self.attack(unit, target, "melee", "assault")
        lost[side] += self.strike_back(target, unit)
        casualties = {s: lost[s] for s in SIDES}
        due = rules.retreat_is_due(position, target.id, lost)
        if due and self.forgets_retreat(target):
            return
        if not due and self.retreats_anyway(target):
            return
        if due:
            self.write("retreat", foe, unit=target.id, due=True, casualties=casualties)
            self.retreat(target)
        elif target.id in position.units and self.chance(self.denied_retreats):
            self.write("retreat", foe, unit=target.id, due=False, casualties=casualties)
        if position.unit_at(spot) is None and unit.id in position.units and self.chance(0.75):
            self.move_in(unit, spot)

    def strike_back(self, unit: Unit, attacker: Unit) -> int:
        """The counter-attack, if there is one; gives the casualties of the unit that had attacked."""
        if unit.id in self.position.units:
            if self.chance(self.counters):
                if self.chance(0.5):
                    self.write("counter", unit.side, unit=unit.id, choice="made")
                return self.attack(unit, attacker, "melee", "counter")
            if self.chance(0.5):
                self.write("counter", unit.side, unit=unit.id, choice="declined")
        elif self.chance(0.3):
            self.write("counter", unit.side, unit=unit.id, choice="not_possible")
        return 0

    def move_in(self, unit: Unit, spot: Hex) -> None:
        """The free move into the hex that the target has left."""
        self.write("move_unit", unit.side, unit=unit.id, path=[list(unit.hex), list(spot)], cause="move_in")

    def forgets_retreat(self, unit: Unit) -> bool:
        """Whether the players forget a retreat that is due. Fair ones do not."""
        return False

    def retreats_anyway(self, unit: Unit) -> bool:
        """Whether a unit makes a retreat that is not due. Fair ones do not."""
        return False

    def retreat(self, unit: Unit) -> None:
        """Leave as the rules demand; whoever cannot, rolls."""
        before = list(unit.models)
        placing = self.choose_retreat(unit)
        stayed = [m for m, h in placing.items() if h is None]
        if len(stayed) < len(placing):
            self.move_models(unit, placing, "retreat")
        if stayed:
            self.last_stand(unit, stayed, before)

    def last_stand(self, unit: Unit, stayed: list[str], before: Sequence[str]) -> None:
        """Models that could not leave roll; `before` are those of the unit before its retreat."""
        position, side = self.position, unit.side
        faces = self.roll(len(stayed))
        fields: dict[str, Any] = {}
        pool = stayed if option(self.readings, "R-DLS-VEX") == "in_hex" else before
        bearer = next((m for m in pool if rules.has_vexilla(position, [m])), None)
        failed = [i for i, face in enumerate(faces) if face != "S"]
        if bearer is not None and failed and self.chance(0.8):
            fields["vexilla"] = {"model": bearer, "indices": failed, "faces": self.roll(len(failed))}
        final = rules.final_faces(faces, fields)
        survivors = [m for m, face in zip(stayed, final, strict=True) if face == "S"]
        self.write(
            "last_stand", side, unit=unit.id, models=stayed, faces=faces, **fields,
            survivors=survivors, tp_after=0 if survivors else None,
        )  # fmt: skip
        for model in stayed:
            if model in position.removed and self.chance(0.2):
                self.write("model_removed", side, model=model, cause="last_stand")

    def choose_retreat(self, unit: Unit) -> dict[str, Hex | None]:
        """One of the ways in which a unit may retreat."""
        return self.rng.choice(rules.retreats(self.position, unit))

    # -------------------------------------------------------------- shooting

    def shooting(self, unit: Unit) -> Callable[[], None] | None:
        """A Shoot action at one of the targets in sight; None where there is none."""
        shots = self.shots(unit)
        return (lambda: self.shoot(unit, *self.rng.choice(shots))) if shots else None

    def shots(self, unit: Unit, beside: Hex | None = None) -> list[tuple[Unit, Sight, int | None]]:
        """Up to four targets that a unit may shoot; with `beside` the follow-up targets next to that hex."""
        return list(self.all_shots(unit, beside))

    def all_shots(self, unit: Unit, beside: Hex | None) -> Iterator[tuple[Unit, Sight, int | None]]:
        """The shots of `shots`, nearest targets first."""
        position = self.position
        role = "shoot" if beside is None else "flamer_follow_up"
        enemies = position.side_units(other(unit.side))
        if beside is not None:
            enemies = [e for e in enemies if rules.adjacent(position, beside, e.hex)]
        self.rng.shuffle(enemies)
        enemies.sort(key=lambda e: straight(unit.hex, e.hex))
        for enemy in enemies[:4]:
            steps = rules.distance(position, unit.hex, enemy.hex, self.readings)
            if not rules.shooting_dice(rules.shooting_weapons(position, unit, steps, role))["total"]:
                continue
            seen = rules.sight(position, unit, enemy, self.readings, known=self.known_lines)
            if seen.barricade is None:
                seen = rules.sight(position, unit, enemy, self.readings, seen.aim, self.known_lines)
            if seen.kind != "none":
                yield enemy, seen, steps

    def follow_ups(self, unit: Unit, spot: Hex) -> list[tuple[Unit, Sight, int | None]]:
        """The targets of a flamer's follow-up attack next to the hex of the target before."""
        return self.shots(unit, spot)

    def shoot(self, unit: Unit, target: Unit, seen: Sight, steps: int | None) -> None:
        """A whole Shoot action with its flamer follow-ups."""
        position = self.position
        self.activate(unit, "shoot")
        role, spot = "shoot", target.hex
        while True:
            self.attack(unit, target, "ranged", role, seen, steps)
            crit = rules.the_crit(self.last_attack)
            if crit is None or crit["effect"] != FOLLOW_UP or unit.id not in position.units:
                return
            if target.id not in position.units and option(self.readings, "R-FLM-GONE") == "no_follow_up":
                return
            if self.chance(0.1):
                return
            shots = self.follow_ups(unit, spot)
            if not shots:
                return
            target, seen, steps = self.rng.choice(shots)
            role, spot = "flamer_follow_up", target.hex

    # -------------------------------------------------------------- attacks

    def meddle(self, stage: str, event: Event, unit: Unit | None = None, target: Unit | None = None) -> None:
        """Called at each stage of an event that is being written. A fair table leaves it alone."""

    def attack(
        self,
        unit: Unit,
        target: Unit,
        mode: str,
        role: str,
        seen: Sight | None = None,
        steps: int | None = None,
    ) -> int:
        """Roll one attack and write it down; gives the casualties as the retreat comparison counts them."""
        position, side = self.position, unit.side
        event: Event = {"attacker": unit.id, "target": target.id, "mode": mode, "role": role}
        if seen is not None:
            los: dict[str, Any] = {"class": seen.kind}
            if seen.kind == "obscured" and seen.aim is not None:
                los["aim"] = [str(x) for x in seen.aim]
            event["los"] = {**los, "distance": steps, "bonuses": rules.bonuses(position, target, seen)}
            weapons = rules.shooting_weapons(position, unit, steps, role)
            if option(self.readings, "R-ATK-MULTI") == "one_per_model":
                self.rng.shuffle(weapons)
                weapons = sorted(dict(weapons).items())
            event["dice"] = rules.shooting_dice(weapons)
        else:
            weapons = rules.melee_weapons(position, unit, self.readings)
            event["dice"] = rules.melee_dice(position, unit, target, role, self.readings)
        event["weapons"] = [list(pair) for pair in weapons]
        self.add_dice(unit, event)
        self.meddle("dice", event, unit, target)
        event["roll"] = self.roll(event["dice"]["total"])
        self.meddle("roll", event, unit, target)
        if mode == "melee":
            self.raise_vexilla(unit, event)
        self.meddle("vexilla", event, unit, target)
        event["crit"] = self.critical(unit, target, event)
        self.meddle("crit", event, unit, target)
        event["pool"] = rules.hits(rules.faces_after_crit(event))
        self.meddle("pool", event, unit, target)
        models_before = set(target.models)
        arm = heavy_weapon_arm(position)
        event["steps"] = self.damage(unit, target, event, steps)
        self.meddle("steps", event, unit, target)
        locations = sum(1 for s in event["steps"] if "damage_card" in s and s["casualty"])
        order = ("attacker", "target", "mode", "role", "los", "weapons", "dice", "roll", "vexilla", "crit", "pool")
        written = self.write(
            "attack", side, **{name: event[name] for name in (*order, "steps", "override") if name in event}
        )
        self.last_attack = written
        self.echoes(written, target, models_before, arm)
        fallen = len(models_before & position.removed)
        if option(self.readings, "R-SOR-CAS") == "locations_count" and locations:
            return locations
        return fallen

    def add_dice(self, unit: Unit, event: Event) -> None:
        """Called when the dice of an attack are counted, before they are rolled. A plain table adds none."""

    def raise_vexilla(self, unit: Unit, event: Event) -> None:
        """Re-roll misses with a Legion Vexilla, if there is one and the bot feels like it."""
        bearer = next((m for m in unit.models if rules.has_vexilla(self.position, [m])), None)
        misses = [i for i, face in enumerate(event["roll"]) if face in "SB"]
        if bearer is not None and misses and self.chance(0.8):
            chosen = sorted(self.rng.sample(misses, self.rng.randint(1, len(misses))))
            event["vexilla"] = {"model": bearer, "indices": chosen, "faces": self.roll(len(chosen))}

    def critical(self, unit: Unit, target: Unit, event: Event) -> Any:
        """The `crit` field: nothing, declined, or one effect carried out."""
        position = self.position
        obscured = event.get("los", {}).get("class") == "obscured"
        if "C" not in rules.faces_for_trigger(event, self.readings):
            return "none"
        open_ = rules.effects_open(position, event, self.readings)
        if event["role"] == "flamer_follow_up" and option(self.readings, "R-FLM-CHAIN") == "once":
            open_ = [pair for pair in open_ if WEAPONS[pair[1]].effect != FOLLOW_UP]
        # A walker that would fall by its own cannon is not covered by the rules; the bot keeps out of it.
        if self.walker_is_nearly_gone():
            open_ = [pair for pair in open_ if WEAPONS[pair[1]].effect != CANNON]
        if obscured or not open_ or self.chance(0.1):
            return "declined"
        rarest = min(self.effects_used[WEAPONS[w].effect] for _, w in open_)
        model, weapon = self.rng.choice([p for p in open_ if self.effects_used[WEAPONS[p[1]].effect] == rarest])
        return self.carry_out(event, target, model, weapon)

    def walker_is_nearly_gone(self) -> bool:
        """Whether the card of a destroyed assault cannon would be the last that the walker can bear."""
        position = self.position
        return (
            position.cards_that_kill is not None
            and heavy_weapon_arm(position) is not None
            and len(position.on_model) + 1 >= position.cards_that_kill
        )

    def carry_out(self, event: Event, target: Unit, model: str, weapon: str) -> dict[str, Any]:
        """The `crit` field of one effect, its dice rolled."""
        effect = WEAPONS[weapon].effect
        self.effects_used[effect] += 1
        crit: dict[str, Any] = {"model": model, "weapon": weapon, "effect": effect}
        faces = rules.faces_before_crit(event)
        if effect == SUPPRESS:
            crit["tp_lost"] = min(1, target.tp)
            crit["tp_after"] = target.tp - crit["tp_lost"]
        elif effect == CANNON:
            crit["passes"] = self.cannon_passes(faces)
            crit["weapon_destroyed"] = rules.cannon_breaks({**event, "crit": crit}, self.readings)
        elif effect == MISSILE:
            crit["added"] = self.roll(len(target.models))
        elif effect == PLASMA:
            crit["added"] = self.roll(4)
            crit["self_casualty"] = model if rules.overheats(crit["added"], self.readings) else None
        elif effect == CHAINSWORD:
            crit["added"] = self.roll(rules.chain_dice(event, self.readings))
        elif effect == CLAWS:
            again = set(event.get("vexilla", {}).get("indices", ()))
            free = [i for i, face in enumerate(faces) if i not in again and face in "SB"]
            chosen = sorted(free[: 4 if weapon == "two_lightning_claws" else 2])
            crit["passes"] = [{"indices": chosen, "faces": self.roll(len(chosen))}] if chosen else []
        return crit

    def cannon_passes(self, faces: Sequence[str]) -> list[dict[str, Any]]:
        """Roll permitted faces again, and again, until none is left or the bot has enough."""
        now = list(faces)
        passes: list[dict[str, Any]] = []
        while True:
            again = [i for i, face in enumerate(now) if face in cannon_rerolls(self.readings)]
            if not again or (passes and self.chance(0.2)):
                return passes
            passes.append({"indices": again, "faces": self.roll(len(again))})
            now = rules.rerolled(now, passes[-1:])

    def damage(self, unit: Unit, target: Unit, event: Event, steps: int | None) -> list[dict[str, Any]]:
        """The damage loop, one entry a pass."""
        position = self.position
        bonus = rules.bonus_dice(event["los"]["bonuses"], self.readings) if "los" in event else 0
        pool = event["pool"]
        alive = list(target.models)
        deck, on_model = list(position.in_deck), len(position.on_model)
        drawn: list[str] = []
        loop: list[dict[str, Any]] = []
        while pool > 0 and alive:
            step: dict[str, Any] = {}
            card = None
            if position.models[alive[0]].has_damage_deck:
                fresh = [c for c in deck if c not in drawn]
                cards = fresh if option(self.readings, "R-SOR-DECK") == "no_repeat_in_attack" and fresh else deck
                card = self.rng.choice(cards)
                drawn.append(card)
                step["damage_card"] = {"card": card, "by": "UM", "shuffled": True, "selection": "drawn"}
            else:
                step["target_model"] = self.rng.choice(alive)
                if self.chance(0.3):
                    step["chosen_by"] = target.side
            effect = None if loop else rules.first_target_effect(event, steps)
            printed = rules.printed_values(position, step)
            armour, extra, stamina = rules.defence(printed, bonus, effect, self.readings)
            step |= {"armour_used": armour, "bonus_dice": extra}
            self.meddle("armour", {**event, "steps": [*loop, step]}, unit, target)
            step["faces"] = self.roll(step["armour_used"] + step["bonus_dice"])
            step["shields"] = step["faces"].count("S")
            self.meddle("shields", {**event, "steps": [*loop, step]}, unit, target)
            step["pool_after_shields"] = max(0, pool - step["shields"])
            step["stamina_used"] = stamina
            self.meddle("stamina", {**event, "steps": [*loop, step]}, unit, target)
            step["casualty"] = step["pool_after_shields"] >= step["stamina_used"]
            self.meddle("casualty", {**event, "steps": [*loop, step]}, unit, target)
            falls = step["casualty"]
            pool = max(0, step["pool_after_shields"] - step["stamina_used"]) if falls else 0
            step["pool_left"] = pool
            loop.append(step)
            if falls and card is None:
                alive.remove(step["target_model"])
            elif falls and card is not None and position.damage_cards[card].get("stays_on_model"):
                deck.remove(card)
                on_model += 1
                if position.cards_that_kill is not None and on_model >= position.cards_that_kill:
                    alive = []
        return loop

    def echoes(self, event: Event, target: Unit, models_before: set[str], arm: str | None) -> None:
        """Now and then the players write down once more what the attack said."""
        position, side = self.position, event["player"]
        crit = rules.the_crit(event)
        if (
            crit is not None
            and crit["effect"] == SUPPRESS
            and target.id in position.units
            and self.chance(self.restated_losses)
        ):
            self.write(
                "tp_loss", side, unit=target.id, amount=crit["tp_lost"], cause="crit",
                tp_before=crit["tp_after"] + crit["tp_lost"], tp_after=crit["tp_after"],
            )  # fmt: skip
        for model in sorted(models_before & position.removed):
            if position.models[model].has_damage_deck or self.chance(0.15):
                self.write("model_removed", target.side, model=model, cause="attack")
        if target.id not in position.units and self.chance(0.3):
            self.write("unit_removed", target.side, unit=target.id, cause="attack")
        if crit is not None and crit.get("self_casualty") and self.chance(0.5):
            self.write("model_removed", side, model=crit["self_casualty"], cause="overheat")
        for step in event["steps"]:
            card = position.damage_cards.get(step_card(step) or "")
            if card and step["casualty"] and card.get("destroys_weapon") and self.chance(0.5):
                bearer = next(iter(models_before))
                self.write(
                    "weapon_destroyed", target.side, model=bearer, weapon=card["destroys_weapon"],
                    cause="damage_card", card=card["id"],
                )  # fmt: skip
        triggered = crit["model"] if crit is not None and crit["effect"] == CANNON else None
        for model in rules.cannons_lost(event, self.readings):
            # The crit block marks the weapon that was triggered; any other one is marked by this event alone.
            if model != triggered or self.chance(0.6):
                lost = {"model": model, "weapon": "assault_cannon", "cause": "crit"}
                if position.models[model].has_damage_deck and arm is not None:
                    lost["card"] = arm
                self.write("weapon_destroyed", side, **lost)

    # -------------------------------------------------------------- the end

    def finish(self) -> None:
        """Results of the scenario, of the campaign where this is its last game, and the end of the record."""
        result = self.rng.choice(LEVELS)
        results = {"UM": result, "WB": MIRROR[result]}
        self.write("scenario_end", results=results)
        campaign = self.header.get("campaign")
        if campaign and campaign["scenario"] == 6:
            lines = [*campaign["results"], {"scenario": 6, **results}]
            wins = tally(lines, self.readings)
            self.write(
                "campaign_end", results=lines, tally=wins,
                scenario_6={"before": results, "after": shifted(results, wins)},
            )  # fmt: skip
        self.write("end", reason="finished")
