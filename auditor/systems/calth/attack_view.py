"""What is due at every step of an attack: dice, effects, defence, casualties.

Worked out when a rule asks, and anew each time where it hangs on a reading (see `resolve`).
"""

from __future__ import annotations

from typing import Any

import msgspec

from auditor.core.findings import Figure, total
from auditor.core.rulings import Hearing
from auditor.systems.calth.arms import Arms
from auditor.systems.calth.packs import DamageCard, Model
from auditor.systems.calth.records import faces
from auditor.systems.calth.rules.dice import crits, early, hits, late, rerolled, unstated, with_rerolls
from auditor.systems.calth.rules.weapons import DESTROYING_FACE, OVERHEAT_FACE
from auditor.systems.calth.shot_view import ShotView
from auditor.systems.calth.state import Position

ARMOUR_EFFECTS = ("CAL-CRT-05", "CAL-CRT-09", "CAL-CRT-13")


ADDING = ("CAL-CRT-07", "CAL-CRT-08", "CAL-CRT-10")
"""Effects that add dice to the attack roll."""


class AttackView(ShotView):
    """An attack: the units as they stand, and what is due at every step of it."""

    __slots__ = ("_arms", "_before_effect", "_final", "added", "crits", "effect", "first_with_added", "vague")

    def __init__(self, event: Any, position: Position) -> None:
        ShotView.__init__(self, event, position)
        self._arms: Arms | None = None
        self._roll()

    @property
    def subject(self) -> tuple[str, ...]:
        shown = "critical shown" if "C" in (faces(self.event.roll) or "") else None
        crit = "crit" if self.crits else None
        return tuple([one for one in (self.mode, self.role, self.effect, crit, shown) if one is not None])

    # -- the attack roll --------------------------------------------------------------------------------------

    def _roll(self) -> None:
        """The faces before an effect, and as they finally lie."""
        event = self.event
        self.crits = crits(event) if event.crit is not None else []
        self.effect = None
        weapon = self.position.table.weapons.get(self.crits[0].weapon) if self.crits else None
        if weapon is not None:
            self.effect = weapon.crit
        roll = faces(event.roll)
        # Whether it is not stated if an effect was used, or which one, or what it added: numbers may then be anything.
        self.vague = any(crit.weapon is None for crit in self.crits) or (
            event.crit is None and "C" in (roll or "") and self.claimed_class != "obscured"
        )
        self.added = ""
        self._before_effect = self._final = self.first_with_added = None
        if roll is None:
            return
        if not self.crits and event.vexilla is None and not event.rerolls and not self.vague:
            self._before_effect = self._final = self.first_with_added = roll
            return
        if unstated(early(event)):
            return
        self._before_effect = with_rerolls(roll, early(event))
        if self.vague or unstated(late(event)) or any(unstated(crit.passes or ()) for crit in self.crits):
            return
        if self.effect in ADDING and self.crits[0].added is None:
            return
        lying = self._before_effect
        first = roll
        for crit in self.crits:
            lying = with_rerolls(lying, crit.passes or ())
            added = faces(crit.added) or ""
            self.added += added
            lying += added
            first += added
        self.first_with_added = first
        self._final = with_rerolls(lying, late(event))

    @property
    def before_effect(self) -> str | None:
        """The attack roll when an effect is chosen: re-rolls of the vexilla made, nothing added."""
        return self._before_effect

    @property
    def final(self) -> str | None:
        """The attack roll as it finally lies."""
        return self._final

    # -- dice -------------------------------------------------------------------------------------------------

    @property
    def arms(self) -> Arms:
        """What the attacking unit carries."""
        if self._arms is None:
            self._arms = self.position.table.arms(self.attacker_models, self.position.destroyed)
        return self._arms

    def bearers(self, wargear: str) -> list[str]:
        """Models of the attacking unit that carry a piece of wargear."""
        return self.arms.bearers(wargear)

    @property
    def all_carried(self) -> list[tuple[str, str]]:
        """Every weapon of the attacking unit that is not destroyed."""
        return self.arms.carried

    @property
    def carried_ranged(self) -> list[tuple[str, str]]:
        """Ranged weapons that could shoot in this attack, whatever the distance."""
        return self.arms.flamers if self.follow_up else self.arms.ranged

    @property
    def one_weapon_each(self) -> bool:
        """Whether no model carries two of the weapons that could shoot."""
        carried = self.carried_ranged
        return len({m for m, _ in carried}) == len(carried)

    def restricted(self) -> list[tuple[str, str]]:
        """Weapons of the unit that reach 3 hexes only."""
        known = self.position.table.weapons
        return [(m, w) for m, w in self.carried_ranged if known[w].range_limit is not None]

    def took_part(self, entry: tuple[str, str], hearing: Hearing) -> bool:
        """Whether a weapon gave dice to a ranged attack, or could have: it reaches, and it is counted or may be."""
        if entry not in self.in_reach(hearing):
            return False
        return entry in [(m, w) for m, w in self.event.weapons or ()] or entry in self.usable(hearing)

    def in_reach(self, hearing: Hearing) -> list[tuple[str, str]]:
        """The ranged weapons that reach the target."""
        known = self.position.table.weapons
        carried = self.carried_ranged
        limits = {limit for _, w in carried if (limit := known[w].range_limit) is not None}
        if not limits or self.shooter_hex is None or self.target_hex is None:
            return carried
        reached = {limit for limit in sorted(limits) if self.within(limit, hearing)}
        return [(m, w) for m, w in carried if (limit := known[w].range_limit) is None or limit in reached]

    def usable(self, hearing: Hearing) -> list[tuple[str, str]]:
        """The weapons that give dice to a ranged attack."""
        found = self.in_reach(hearing)
        armed = [m for m, _ in found]
        if len(set(armed)) == len(armed) or hearing.ask("R-ATK-MULTI") == "all":
            return found
        listed = [(m, w) for m, w in self.event.weapons or ()]
        chosen: list[tuple[str, str]] = []
        for model in dict.fromkeys(armed):
            own = [entry for entry in found if entry[0] == model]
            chosen.append(next((entry for entry in own if entry in listed), own[0]))
        return chosen

    def wrong_weapons(self, hearing: Hearing) -> bool:
        """Whether the list of weapons counted is itself at fault."""
        if self.mode != "ranged" or self.event.weapons is None:
            return False
        return sorted((m, w) for m, w in self.event.weapons) != sorted(self.usable(hearing))

    def weapon_dice(self, hearing: Hearing) -> Figure | None:
        """Dice that weapons give: Shoot values, or Assault bonuses in melee."""
        if self.attacker is None:
            return None
        if self.mode == "melee":
            return self.arms.melee
        listed = self.event.weapons
        return self.arms.shooting(listed if listed is not None else self.usable(hearing))

    def harness_dice(self, hearing: Hearing) -> Figure | None:
        """Dice of grenade harnesses in a melee attack; None where the target is unknown."""
        bearers = self.bearers("grenade_harness")
        if not bearers or self.mode != "melee":
            return Figure("dice of the grenade harness", 0)
        if self.target is None:
            return None
        each = len(self.target_models)
        if self.role == "counter" and hearing.ask("R-ASL-HARNESS") == "action_only":
            return Figure("dice of the grenade harness", 0)
        times = 1
        if len(bearers) > 1 and hearing.ask("R-HAR-STACK") == "each":
            times = len(bearers)
        parts = tuple(("models in the target unit", each) for _ in range(times))
        return Figure("dice of the grenade harness", each * times, parts)

    def dice_parts(self, hearing: Hearing) -> dict[str, int]:
        """The number of attack dice, part by part, under the log's names."""
        weapons = self.weapon_dice(hearing)
        parts = {"models": 0, "weapons": int(weapons.value) if weapons is not None else 0, "pistols": 0, "harness": 0}
        if self.mode == "melee":
            parts["models"] = self.arms.assault
            parts["pistols"] = self._pistols(hearing)
            harness = self.harness_dice(hearing)
            parts["harness"] = int(harness.value) if harness is not None else 0
        return parts

    def _pistols(self, hearing: Hearing) -> int:
        numbers = self.arms.pistols
        if any(n > 1 for n in numbers) and hearing.ask("R-PIS-TWO") == "each":
            return sum(numbers)
        return sum(1 for n in numbers if n)

    def dice_due(self, hearing: Hearing) -> Figure | None:
        """The attack dice due, with their parts."""
        if self.attacker is None or self.mode is None:
            return None
        if self.mode == "ranged":
            weapons = self.weapon_dice(hearing)
            assert weapons is not None
            return Figure("attack dice", weapons.value, weapons.parts)
        harness = self.harness_dice(hearing)
        if harness is None:
            return None
        return self.arms.in_melee(self._pistols(hearing), int(harness.value), self._card_dice("dice"))

    def _card_dice(self, name: str) -> int:
        """Dice that an override on the event gives by a machine-readable effect."""
        if self.event.override is None:
            return 0
        from auditor.systems.calth.rules.setup import override_named

        known = override_named(self.position, self.event)
        value = getattr(known.effect, name) if known is not None and known.effect is not None else None
        return int(value or 0)

    def dice_allowed(self, hearing: Hearing) -> set[int]:
        """Numbers of attack dice that are no fault of their own: by the weapons counted, and by those usable."""
        due = self.dice_due(hearing)
        if due is None:
            return set()
        allowed = {int(due.value)}
        if self.mode == "ranged":
            known = self.position.table.weapons
            if self.wrong_weapons(hearing):
                allowed.add(sum(known[w].shoot for _, w in self.usable(hearing)))
            extra = self._card_dice("dice")
            if extra:
                allowed = {n + extra for n in allowed}
        return allowed

    def allows_dice(self, number: int, hearing: Hearing) -> bool:
        """Whether so many attack dice are no fault of their own."""
        due = self.dice_due(hearing)
        if due is not None and number == due.value and self.event.override is None:
            return True
        return number in self.dice_allowed(hearing)

    def has_dice(self, hearing: Hearing) -> bool:
        """Whether some weapon that can really shoot gives a die."""
        known = self.position.table.weapons
        if self.one_weapon_each and any(
            known[w].range_limit is None and known[w].shoot for _, w in self.carried_ranged
        ):
            return True
        return self.usable_dice(hearing) > 0

    def usable_dice(self, hearing: Hearing) -> int:
        """Dice of the weapons that can really shoot."""
        known = self.position.table.weapons
        return sum(known[w].shoot for _, w in self.usable(hearing))

    # -- passes -----------------------------------------------------------------------------------------------

    @property
    def target_is_only_sor(self) -> bool:
        return self.target_is_sor and len(self.target_models) == 1

    def location(self, number: int) -> DamageCard | None:
        """The location that a pass was aimed at, where the target is Sor Gharax."""
        card = self.event.steps[number].damage_card
        if card is None or not self.target_is_sor:
            return None
        card_id = card if isinstance(card, str) else card.card
        return self.position.table.locations.get(card_id) if card_id is not None else None

    def is_location(self, number: int) -> bool:
        return self.target_is_sor and self.event.steps[number].damage_card is not None

    def _aimed_at(self, number: int) -> Model | DamageCard | None:
        location = self.location(number)
        if location is not None:
            return location
        if self.is_location(number):
            return None
        model = self.event.steps[number].target_model
        return self.position.table.models.get(model) if model is not None else None

    def _melts(self, hearing: Hearing) -> bool:
        """Whether the target is within the range of a melta's effect."""
        weapon = self.position.table.weapons[self.crits[0].weapon]
        if weapon.crit_range is None or self.shooter_hex is None or self.target_hex is None:
            return True
        return self.within(weapon.crit_range, hearing)

    def _under_effect(self, armour: int, hearing: Hearing) -> Figure:
        """The Armour of the first target under the effect."""
        if self.effect == "CAL-CRT-09" or (self.effect == "CAL-CRT-05" and self._melts(hearing)):
            return Figure("Armour", 0, (("counts as", 0),))
        if self.effect == "CAL-CRT-13":
            half = armour // 2
            if armour % 2 and hearing.ask("R-SWD-ROUND") == "up":
                half += 1
            return Figure("Armour", half, ((f"half of {armour}", half),))
        return Figure("Armour", armour)

    def armour_due(self, number: int, hearing: Hearing) -> Figure | None:
        """The Armour that the target of a pass rolls with."""
        target = self._aimed_at(number)
        if target is None or (number == 0 and self.vague):
            return None
        if number == 0 and self.effect in ARMOUR_EFFECTS:
            return self._under_effect(target.armour, hearing)
        return Figure("Armour", target.armour)

    def armour_rule(self, number: int, hearing: Hearing) -> str | None:
        """The rule of an effect that a wrong Armour is told under; None: CAL-ATK-05."""
        if self.effect not in ARMOUR_EFFECTS:
            return None
        if number == 0:
            return self.effect
        target, step = self._aimed_at(number), self.event.steps[number]
        if target is None or step.armour_used is None:
            return None
        if step.armour_used != self._under_effect(target.armour, hearing).value:
            return None
        return "CAL-CRT-14" if self.effect == "CAL-CRT-13" else self.effect

    def stamina_due(self, number: int, hearing: Hearing) -> Figure | None:
        """The Stamina against which hits are allocated in a pass."""
        target = self._aimed_at(number)
        if target is None or (number == 0 and self.vague):
            return None
        if number == 0 and self.effect == "CAL-CRT-12":
            return Figure("Stamina", 1, (("counts as", 1),))
        return Figure("Stamina", target.stamina)

    def stamina_rule(self, number: int, hearing: Hearing) -> str | None:
        """The rule of an effect that a wrong Stamina is told under; None: CAL-ATK-06."""
        if self.effect != "CAL-CRT-12":
            return None
        if number == 0:
            return self.effect
        return "CAL-CRT-14" if self.event.steps[number].stamina_used == 1 else None

    def bonuses(self, hearing: Hearing) -> dict[str, int] | None:
        """Defence dice for obscured, rubble, barricade: as claimed where claimed, else recomputed."""
        if self.mode != "ranged":
            return {"obscured": 0, "rubble": 0, "barricade": 0}
        if self.shooter_hex is None or self.target_hex is None:
            return None
        claimed = self.event.los.bonuses if self.event.los is not None else None
        found: dict[str, int] = {}
        if claimed is not None and claimed.obscured is not None:
            found["obscured"] = claimed.obscured
        else:
            class_ = self.class_played(hearing)
            if class_ is None:
                return None
            found["obscured"] = 2 if class_ == "obscured" else 0
        if claimed is not None and claimed.rubble is not None:
            found["rubble"] = claimed.rubble
        else:
            found["rubble"] = 1 if self.target_hex in self.position.table.rubble else 0
        if claimed is not None and claimed.barricade is not None:
            found["barricade"] = claimed.barricade
        else:
            dice = self.barricade_dice(hearing)
            if dice is None:
                return None
            found["barricade"] = dice[0]
        return found

    def bonus_due(self, number: int, hearing: Hearing) -> Figure | None:
        """The bonus dice of the defence roll of a pass."""
        bonuses = self.bonuses(hearing)
        if bonuses is None:
            return None
        parts = tuple((name, n) for name, n in bonuses.items() if n)
        extra = self._card_dice("defence_dice")
        if len(parts) > 1 and hearing.ask("R-DEF-STACK") == "highest":
            parts = (max(parts, key=lambda part: part[1]),)
        if extra:
            parts = (*parts, ("card", extra))
        if parts and number == 0 and self.effect in ("CAL-CRT-05", "CAL-CRT-09"):
            armour = self.armour_due(0, hearing)
            if armour is not None and armour.value == 0 and armour.parts:
                if hearing.ask("R-ARM0-BONUS") == "no_dice":
                    return Figure("bonus dice", 0, (("Armour counts as 0", 0),))
        return total("bonus dice", parts)

    def pool_played(self) -> int | None:
        """The pool with which the passes begin: as claimed, else as the faces make it."""
        if self.event.pool is not None:
            return int(self.event.pool)
        return hits(self.final) if self.final is not None else None

    def pool_before(self, number: int, hearing: Hearing) -> int | None:
        """The pool when a pass begins."""
        return self.pool_played() if number == 0 else self.pool_after(number - 1, hearing)

    def pool_shielded(self, number: int, hearing: Hearing) -> int | None:
        """The pool after the shields of a pass."""
        step = self.event.steps[number]
        if step.pool_after_shields is not None:
            return int(step.pool_after_shields)
        pool = self.pool_before(number, hearing)
        shown = faces(step.faces)
        shields = step.shields
        final = rerolled(shown, step) if shown is not None else None
        if shields is None and final is not None:
            shields = final.count("S")
        if shields is None:
            armour, bonus = self.armour_due(number, hearing), self.bonus_due(number, hearing)
            if armour is None or bonus is None or int(armour.value) + int(bonus.value):
                return None
            shields = 0
        return None if pool is None else max(0, pool - shields)

    def casualty(self, number: int, hearing: Hearing) -> bool:
        """Whether the target of a pass is removed: as claimed, else as recomputed."""
        step = self.event.steps[number]
        if step.casualty is not None:
            return bool(step.casualty)
        return self._dies(number, hearing)

    def _dies(self, number: int, hearing: Hearing) -> bool:
        step = self.event.steps[number]
        pool = self.pool_shielded(number, hearing)
        stamina = self.stamina_due(number, hearing)
        used = step.stamina_used if step.stamina_used is not None else (stamina.value if stamina is not None else None)
        return pool is not None and used is not None and pool > 0 and pool >= int(used)

    def pool_after(self, number: int, hearing: Hearing) -> int | None:
        """The pool when a pass is over."""
        step = self.event.steps[number]
        if step.pool_left is not None:
            return int(step.pool_left)
        if not self.casualty(number, hearing):
            return 0
        pool, stamina = self.pool_shielded(number, hearing), self.stamina_due(number, hearing)
        used = step.stamina_used if step.stamina_used is not None else (stamina.value if stamina is not None else None)
        return None if pool is None or used is None else max(0, pool - int(used))

    def target_gone(self, hearing: Hearing) -> bool:
        """Whether Sor Gharax is removed by the locations destroyed in this attack."""
        most = self.position.table.removed_at
        if not self.target_is_sor:
            return False
        if most is None:
            return True  # when it is removed only the log says
        return self.cards_after(hearing) >= most

    def cards_after(self, hearing: Hearing) -> int:
        """Cards that lie on Sor Gharax after this attack."""
        staying = set(self.position.damage_on_model)
        for number in range(len(self.event.steps or ())):
            location = self.location(number)
            if location is not None and location.stays_on_model and self.casualty(number, hearing):
                staying.add(location.id)
        return len(staying)

    # -- what effects do to their own side --------------------------------------------------------------------

    def cannons(self) -> list[str]:
        """Models that shoot an assault cannon in this attack."""
        if self.mode != "ranged":
            return []
        listed = self.event.weapons
        cannons = [m for m, w in self.carried_ranged if w == "assault_cannon"]
        return [m for m in cannons if listed is None or (m, "assault_cannon") in [(n, w) for n, w in listed]]

    def doomed(self, hearing: Hearing, *, without_effect: bool = False) -> bool | None:
        """Whether this attack destroys the assault cannon of its effect, or `without_effect` any other that it used; None
        where faces are missing."""
        final = self.final
        if final is None:
            return None
        triggered = self.effect == "CAL-CRT-06"
        shown = {face: final.count(face) for face in "CHB"}
        ever = dict(shown)
        if triggered:
            for entry in self.crits[0].passes or ():
                for face in self._rolled_over(entry):
                    if face in ever:
                        ever[face] += 1
        if not any(n >= 4 for n in ever.values()):
            return False
        if (without_effect or not triggered) and hearing.ask("R-CANNON-WHEN") == "if_triggered":
            return False
        face = DESTROYING_FACE[hearing.ask("R-GLY-CANNON-MAX")]
        if (ever[face] >= 4) != (shown[face] >= 4) and hearing.ask("R-CANNON-COUNT") == "ever_shown":
            return True
        return shown[face] >= 4

    def _rolled_over(self, wanted: Any) -> str:
        """The faces that a pass of re-rolls replaced."""
        lying = list(self.before_effect or "")
        for entry in self.crits[0].passes or ():
            indices, new = entry.indices or [], faces(entry.faces) or ""
            old = "".join(lying[i] for i in indices if 0 <= i < len(lying))
            if entry is wanted:
                return old
            for index, face in zip(indices, new, strict=False):
                if 0 <= index < len(lying):
                    lying[index] = face
        return ""

    def destruction_told(self) -> bool | None:
        """Whether the log marks the assault cannon as destroyed; None where it says nothing."""
        if self.effect == "CAL-CRT-06":
            told = self.crits[0].weapon_destroyed
            return None if told is None else bool(told)
        return None

    def overheats(self, hearing: Hearing) -> bool:
        """Whether the plasma weapon overheats with the dice added."""
        shown = faces(self.crits[0].added) or ""
        by_option = {option: shown.count(face) >= 2 for option, face in OVERHEAT_FACE.items()}
        if len(set(by_option.values())) == 1:
            return by_option["critical"]
        return by_option[hearing.ask("R-GLY-PLASMA")]

    def overheat_told(self) -> str | None:
        """The model that the log removes for overheating, "" for nobody, None where it says nothing."""
        told = self.crits[0].self_casualty
        if told is msgspec.UNSET:
            return None
        return told or ""

    # -- what is missing --------------------------------------------------------------------------------------

    def lacking(self, hearing: Hearing) -> list[tuple[str, str]]:
        """Facts that this attack does not state, each with the rule that needs it most."""
        event = self.event
        found: list[tuple[str, str]] = []
        if event.attacker is None:
            found.append(("CAL-ATK-01" if self.mode == "melee" else "CAL-ATK-02", "the attacking unit"))
        if event.target is None:
            found.append(("CAL-ASL-01" if self.mode == "melee" else "CAL-SHT-01", "the target"))
        if self.mode is None:
            found.append(("CAL-ATK-10", "the kind of attack"))
        if event.roll is None:
            found.append(("CAL-DIE-01", "the faces of the attack roll"))
        if unstated([*early(event), *late(event)]):
            found.append(("CAL-DIE-02", "the dice and faces of a re-roll"))
        roll = self.before_effect
        if event.crit is None and roll is not None and "C" in roll and self.claimed_class != "obscured":
            found.append(("CAL-CRT-01", "whether a critical effect was used"))
        pool = self.pool_played()
        if event.steps is None:
            if self.target is not None and (pool is None or pool > 0):
                found.append(("CAL-ATK-07", "the defence rolls"))
            return found
        for number, step in enumerate(event.steps):
            if step.target_model is None and not self.target_is_sor and len(self.target_models) > 1:
                found.append(("CAL-ATK-04", f"the target model of pass {number + 1}"))
            if step.faces is None:
                armour, bonus = self.armour_due(number, hearing), self.bonus_due(number, hearing)
                if armour is None or bonus is None or int(armour.value) + int(bonus.value) > 0:
                    found.append(("CAL-ATK-05", f"the faces of defence roll {number + 1}"))
        return found
