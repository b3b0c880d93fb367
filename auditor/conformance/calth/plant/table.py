"""A table at which faults happen, each once, and games played at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import Hex
from auditor.conformance.calth.generate import lay_out, play
from auditor.conformance.calth.plant import (
    acts,
    assaults,
    claimed,
    damage,
    ground,
    mislabelled,
    numbers,
    other_way,
    record,
    rolls,
    rounds,
    seek,
    shots,
    twice,
    unlicensed,
)
from auditor.conformance.calth.plant.moment import CLOSING, Expected, Misdeed, Moment, Spoiler
from auditor.conformance.calth.plant.occasions import settings_for
from auditor.conformance.calth.position import Event, Unit
from auditor.conformance.calth.sight import Sight
from auditor.conformance.calth.table import Table
from auditor.conformance.calth.tables import (
    SIDES,
    other,
)

SPOILERS: dict[str, tuple[str, Spoiler]] = {
    **rounds.SPOILERS,
    **shots.SPOILERS,
    **rolls.SPOILERS,
    **damage.SPOILERS,
    **record.SPOILERS,
    **assaults.SPOILERS,
    **claimed.SPOILERS,
    **mislabelled.SPOILERS,
    **numbers.SPOILERS,
    **other_way.SPOILERS,
    **twice.SPOILERS,
}
MISDEEDS: dict[str, Misdeed] = {
    **acts.MISDEEDS,
    **ground.MISDEEDS,
    **shots.MISDEEDS,
    **record.MISDEEDS,
    **assaults.MISDEEDS,
    **unlicensed.MISDEEDS,
    **twice.MISDEEDS,
}

# Faults that sit in the middle of an assault; SpoiledTable plants them itself.
IN_ASSAULT = (
    "CAL-RET-01 omitted",
    "CAL-RET-01 illegal",
    "CAL-RET-02",
    "CAL-RET-03",
    "CAL-ASL-04",
    "CAL-CRT-04",
    "CAL-SOR-02",
    *assaults.HERE,
)

# Faults of what is left out, which the table leaves out itself.
LEFT_OUT = ("CAL-SET-02 omitted", "CAL-RDY-01 omitted")

AT_STAGE = {
    stage: [name for name, (wanted, _) in SPOILERS.items() if wanted == stage] for stage, _ in SPOILERS.values()
}
"""The faults that spoil an event at each stage of its writing."""

PLANTABLE: tuple[str, ...] = (*SPOILERS, *MISDEEDS, *IN_ASSAULT, *LEFT_OUT)


class SpoiledTable(Table):
    """A table where some faults happen, each once, spread over the rounds.

    `faults` are names from PLANTABLE in the order wanted; `rounds` is the length of the game. While one is due the table
    plays what gives an occasion for it, if it `seeks`.
    """

    seeks = True

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
        self.can_be = True
        self.meant: dict[str, Any] = {}
        self.next_faces = ""
        self.owed_cards: list[str] = []
        self.destroyed: dict[str, str] = {}
        self.locations: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()

    # -------------------------------------------------------------- when

    def is_time_for(self, name: str) -> bool:
        """Whether a fault may be planted now: wanted, late enough, and the table has rested since the last one."""
        return self.resting <= 0 and self.pending.get(name, self.position.round + 1) <= self.position.round

    def due(self, kinds: Iterable[str]) -> list[str]:
        """Those of some faults, in their order, that may be planted now."""
        pending = self.pending
        return [name for name in kinds if name in pending and self.is_time_for(name)]

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
        if stage == "roll" and unit is not None and target is not None:
            seek.cast(self, event, unit, target)
            if event["mode"] == "melee" and assaults.a_stand_is_wanted(self):
                assaults.cast(event, target)
        if stage == "shields" and unit is not None and target is not None:
            seek.drop_shields(self, event, unit, target)
        for name in self.due(AT_STAGE.get(stage, ())):
            if self.plant(name, SPOILERS[name][1](Moment(self, event, unit, target))):
                return

    def roll(self, count: int) -> str:
        """So many dice, which fall as a fault that is due needs them."""
        faces, self.next_faces = self.next_faces, ""
        return faces if faces and len(faces) == count else super().roll(count)

    def adopt(self, event: Event) -> None:
        """Carry an event out, unless what it claims cannot exist: then the game goes on as before (CAL-AUD-01)."""
        meant, self.meant = self.meant, {}
        if self.can_be:
            super().adopt({**event, **meant})

    def activation(self, side: str) -> None:
        """A misdeed where one is due, else a fair activation."""
        self.no_effects = False
        self.resting -= 1
        for name in self.due(MISDEEDS):
            self.resting = 2  # nothing else goes wrong inside a misdeed
            if self.plant(name, MISDEEDS[name](self, side)):
                return
            self.resting = 0
        self.plain_activation(side)

    def deploy(self) -> None:
        """Set up as at a fair table; the game has a start of its own where a fault of it is to come."""
        if not self.log and any(name.startswith("CAL-SET-01") for name in self.pending):
            self.write("game_start", players=deepcopy(self.header["players"]))
        super().deploy()

    def write(self, type_: str, player: str | None = None, **fields: Any) -> Event:
        """Add an event to the log and carry it out; now and then one model is not placed."""
        name = "CAL-SET-02 omitted"
        if type_ == "place" and self.is_time_for(name) and self.header["scenario"]["deployments"] and self.chance(0.2):
            side = self.position.models[fields["model"]].side
            text = f"The model {fields['model']} was never placed."
            self.plant(name, Expected("CAL-SET-02", "omitted", side, text, at_next=("initiative",)))
            return {}
        if type_ in ("round_end", "game_end") and self.position.phase == "action":
            for side in list(self.owed_cards):  # who had no activation left draws it now
                self.plant("CAL-RDY-03", MISDEEDS["CAL-RDY-03"](self, side))
        return super().write(type_, player, **fields)

    def draw_card(self, side: str) -> None:
        """A fair draw, or none, or none yet where a late one is to come."""
        name = "CAL-RDY-01 omitted"
        if self.position.phase == "ready" and self.is_time_for(name) and self.position.deck_left[side]:
            text = "No Command card was drawn."
            self.plant(name, Expected("CAL-RDY-01", "omitted", side, text, at_next=("activate",)))
            return
        if self.position.phase == "ready" and self.is_time_for("CAL-RDY-03") and not self.owed_cards:
            if self.position.deck_left[side]:
                self.owed_cards.append(side)
                return
        super().draw_card(side)

    def plain_activation(self, side: str) -> None:
        """A fair activation, one that gives an occasion for a fault if there is any."""
        if self.seeks and assaults.is_too_early(self):
            # Whoever is to be trapped in a later round must live until then.
            self.activate(self.rng.choice([u for u in self.position.side_units(side) if u.tp >= 1]), "none")
        elif not (assaults.a_stand_is_wanted(self) and assaults.corners(self, side)) and not seek.acts(self, side):
            super().activation(side)

    def steps_to_enemy(self, side: str) -> dict[Hex, int]:
        """As at a fair table; who waits for a shot keeps away from the enemy."""
        steps = super().steps_to_enemy(side)
        return {h: -n for h, n in steps.items()} if seek.waits(self, "ranged") else steps

    def acts(self, unit: Unit) -> dict[str, tuple[float, Callable[[], None]]]:
        """As at a fair table; who waits for a shot does not seek a fight."""
        acts = super().acts(unit)
        if seek.waits(self, "ranged"):
            acts.pop("assault", None)
        return acts

    def look_at(self, unit: Unit, target: Unit) -> tuple[Sight, int | None] | None:
        """What a unit sees of another and how far away it is, if it may shoot at it."""
        steps = rules.distance(self.position, unit.hex, target.hex, self.readings)
        if not rules.shooting_weapons(self.position, unit, steps, "shoot"):
            return None
        seen = rules.sight(self.position, unit, target, self.readings, known=self.known_lines)
        return None if seen.kind == "none" or seen.barricade is None else (seen, steps)

    def finish(self) -> None:
        """The end of the game, where a fault may still be planted."""
        self.resting = 0
        super().finish()

    def round_is_over(self) -> bool:
        """Whether the table stops the round although it should not."""
        stop, self.cut_short = self.cut_short, False
        return stop

    def echoes(self, event: Event, target: Unit, models_before: set[str], arm: str | None) -> None:
        """As at a fair table; a unit that the attack has destroyed is kept in mind."""
        if target.id not in self.position.units:
            self.destroyed[target.id] = target.side
        super().echoes(event, target, models_before, arm)

    def critical(self, unit: Unit, target: Unit, event: Event) -> Any:
        """As at a fair table, except where an effect would muddle the fault just planted."""
        crit = super().critical(unit, target, event)
        if self.no_effects and isinstance(crit, dict):
            return "declined"
        pair = seek.weapon_for(self, event)
        if pair is not None and crit != "none" and event.get("los", {}).get("class") != "obscured":
            return self.carry_out(event, target, *pair)
        return crit

    def raise_vexilla(self, unit: Unit, event: Event) -> None:
        """As at a fair table, except where a fault that is due needs it otherwise."""
        wanted = seek.vexilla_wanted(self, event)
        while wanted is not False:
            super().raise_vexilla(unit, event)
            if not wanted or "vexilla" in event or not rules.has_vexilla(self.position, unit.models):
                return
            if not set(event["roll"]) & {"S", "B"}:
                return

    # -------------------------------------------------------------- inside an assault

    def forgets_retreat(self, unit: Unit) -> bool:
        """A retreat that was due does not happen."""
        name = "CAL-RET-01 omitted"
        text = "A retreat was due and was not made."
        return self.is_time_for(name) and self.plant(
            name, Expected("CAL-RET-01", "omitted", unit.side, text, at_next=CLOSING)
        )

    def assault(self, unit: Unit, pre_move: Hex | None, target: Unit) -> None:
        """As at a fair table; what falls in it is counted."""
        self.locations, self.lost = Counter(), Counter()
        super().assault(unit, pre_move, target)

    def attack(
        self, unit: Unit, target: Unit, mode: str, role: str, seen: Sight | None = None, steps: int | None = None
    ) -> int:
        """As at a fair table; models and locations that fall are counted."""
        side = target.side
        fallen = super().attack(unit, target, mode, role, seen, steps)
        self.lost[side] += fallen
        self.locations[side] += sum("damage_card" in s and s["casualty"] for s in self.last_attack["steps"])
        return fallen

    def counts_locations(self, unit: Unit) -> bool:
        """The walker's destroyed locations are counted as models, so that it retreats (CAL-SOR-02 sends that to -RET-01)."""
        name, side, foe = "CAL-SOR-02", unit.side, other(unit.side)
        if not self.locations[side] > self.lost[foe] or not self.is_time_for(name):
            return False
        due = {s: self.lost[s] for s in SIDES}
        claimed = {**due, side: self.locations[side]}
        text = "A destroyed location of Sor Gharax was counted as a model."
        expected = self.expect("CAL-RET-01", "miscalculated", side, text)
        expected.claimed, expected.recomputed = {"casualties": claimed}, {"casualties": due}
        self.plant(name, expected)
        self.write("retreat", side, unit=unit.id, due=True, casualties=claimed)
        self.retreat(unit)
        return True

    def retreats_anyway(self, unit: Unit) -> bool:
        """A unit leaves although it did not lose more models."""
        if unit.id in self.position.units and self.counts_locations(unit):
            return True
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

    def strike_back(self, unit: Unit, attacker: Unit) -> int:
        """A fair counter-attack, or one by or on somebody else, or one too many."""
        lost = assaults.struck_back_wrongly(self, unit, attacker)
        return super().strike_back(unit, attacker) if lost is None else lost

    def retreat(self, unit: Unit) -> None:
        """A fair retreat; where all got away, one of them may make a last stand all the same."""
        before, start = list(unit.models), unit.hex
        super().retreat(unit)
        if self.position.unit_at(start) is None and not self.position.removed & set(before):
            assaults.stands_elsewhere(self, before)

    def last_stand(self, unit: Unit, stayed: list[str], before: Sequence[str]) -> None:
        """A fair last stand, or none."""
        if not assaults.forgets_to_stand(self, unit):
            self.next_faces = assaults.faces_to_spoil(self, len(stayed)) if self.seeks else ""
            super().last_stand(unit, stayed, before)
            self.next_faces = ""

    def move_in(self, unit: Unit, spot: Hex) -> None:
        """The free move, now and then by a unit that did not attack."""
        position = self.position
        if not rules.adjacent(position, unit.hex, spot):
            return  # after an Assault on a unit that was too far away
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
                for shot in self.all_shots(unit, None)
                if shot[0] not in beside and shot[0].hex != spot and rules.within(shot[2], 3)
            ]
            if far:
                text = "A flamer's follow-up went to a unit that was not next to the first target."
                self.plant("CAL-CRT-04", self.expect("CAL-CRT-04", "illegal", unit.side, text))
                return far[:1]
        return super().follow_ups(unit, spot)


def faulty_game(
    seed: int, faults: Sequence[str], *, rounds: int = 4, seeks: bool = False, **settings: Any
) -> tuple[list[Event], list[dict[str, Any]]]:
    """A game with faults, and what an audit must find in it, in the order of the log.

    `faults` are names from PLANTABLE; the settings are those of `generate`. A fault for which the
    game gave no occasion is missing from the second list; a table that `seeks` makes occasions.
    """
    header, table = lay_out(SpoiledTable, seed, rounds=rounds, **settings)
    # What the record leaves out may leave all that comes after it undecided: it comes last (CAL-AUD-04).
    table.prepare(sorted(faults, key=lambda name: name.startswith("CAL-AUD-04")), rounds)
    table.seeks = seeks
    play(table, rounds)
    expected = sorted((e for e in table.planted if e.seq), key=lambda e: (e.seq, e.rule))
    return [header, *table.log], [e.as_json() for e in expected]


def plant(name: str, seed: int, tries: int = 60, **settings: Any) -> tuple[list[Event], dict[str, Any]]:
    """A game with this one fault, from the first seed at or after `seed` that gives an occasion for it.

    Raises LookupError when none of the tries does.
    """
    for n in range(seed, seed + tries):
        given = {"rounds": 3, "seeks": True, **settings_for(name, Random(n)), **settings}
        lines, expected = faulty_game(n, [name], **given)
        if expected:
            return lines, expected[0]
    raise LookupError(f"no occasion for {name} in {tries} games from seed {seed}")
