"""What is due at every step of an attack: dice, effects, defence, casualties.

Worked out when a rule asks, and anew each time where it hangs on a reading (see `resolve`).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cache

import msgspec

from auditor.core.findings import Figure, total
from auditor.core.lazily import cached_property
from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.effects import ADDING, DESTROYING_FACE, ON_ARMOUR, OVERHEAT_FACE, ROLLS_AGAIN, Critical
from auditor.systems.calth.packs import DamageCard, Model
from auditor.systems.calth.reckoning.arms import Arms, Shooters, arms_of
from auditor.systems.calth.reckoning.dice import (
    KNOWN,
    crits,
    early,
    has_rerolls,
    hits,
    late,
    rerolled,
    unstated,
    with_rerolls,
)
from auditor.systems.calth.reckoning.overrides import override_named
from auditor.systems.calth.reckoning.shot import ShotView, says_its_kind
from auditor.systems.calth.records import faces
from auditor.systems.calth.state import Position

TARGET_LOCATION = "CAL-SOR-01"
"""Which Damage card is drawn for Sor Gharax."""
NOBODY = Shooters([], {})
"""In melee nobody shoots."""
NO_BONUS = Figure("bonus dice", 0)
NO_HARNESS = Figure("dice of the grenade harness", 0)


_EFFECTS = frozenset(effect.value for effect in Critical)


@cache
def armour_of(armour: int) -> Figure:
    return Figure("Armour", armour)


@cache
def stamina_of(stamina: int) -> Figure:
    return Figure("Stamina", stamina)


class Blamed(Enum):
    """What a wrong number in a pass of an attack is told under."""

    ROLL = "the defence roll or the allocation itself"
    EFFECT = "the critical effect"
    FIRST_TARGET_ONLY = "an effect that touches the first target only"


class Lacking(Enum):
    """A fact that an attack does not state."""

    ATTACKER = "the attacking unit"
    TARGET = "the target"
    KIND = "the kind of attack"
    WEAPONS = "which weapon each model shot with"
    ROLL = "the faces of the attack roll"
    REROLL = "the dice and faces of a re-roll"
    AGAIN = "the dice and faces that the critical effect rolled again"
    EFFECT = "whether a critical effect was used"
    WHOSE_EFFECT = "the model and the weapon of the effect"
    PASSES = "the defence rolls"
    TARGET_MODEL = "the target model of a pass"
    DAMAGE_CARD = "the Damage card of a pass"
    DEFENCE_ROLL = "the faces of a defence roll"


class AttackView(ShotView):
    """An attack: the units as they stand, and what is due at every step of it.

    arms      what the attacking unit carries
    shooters  those of its weapons that could shoot in this attack, whatever the distance
    steps     the passes of the loop
    """

    event: records.Attack

    def __init__(self, event: records.Attack, position: Position) -> None:
        ShotView.__init__(self, event, position)
        self._number: int | None = None
        self._bonus: Figure | None = None
        self.steps: Sequence[records.Step] = event.steps or ()
        self._roll()

    @cached_property
    def arms(self) -> Arms:
        return arms_of(self.position.table, self.attacker_models, self.position.destroyed)

    @cached_property
    def shooters(self) -> Shooters:
        if self.mode == "melee":
            return NOBODY
        return self.arms.flamers if self.follow_up else self.arms.ranged

    @cached_property
    def subject(self) -> tuple[str, ...]:  # type: ignore[override]
        found: list[str] = [one for one in (self.mode, self.role) if one is not None]
        if self.effect is not None:
            found.append(self.effect)
        if self.crits:
            found.append("crit")
        roll = faces(self.event.roll) or ""
        if "C" in roll:
            found.append("critical shown")
        again = has_rerolls(self.event)
        if again:
            found.append("rolled again")
        if again or not self._passes_are_plain():
            found += ("dice in doubt", "passes in doubt")
        elif not self._dice_are_plain(roll):
            found.append("dice in doubt")
        if self.licence != "activation":
            found.append("not as activated")
        if self.between:
            found.append("in sight or not")
            found += self.met
            if self.class_in_doubt:
                found.append("class in doubt")
        return tuple(found)

    def _passes_are_plain(self) -> bool:
        """Whether the pool and each pass state all that they can, no effect, card or reading has a say, and every number
        follows from the faces, the models and the numbers before. The dice are not rolled again."""
        event, target, final = self.event, self.target, self._final
        if target is None or self.attacker is None or final is None or self.crits or self.vague or self.target_is_sor:
            return False
        pool = event.pool
        if pool is None or pool != hits(final) or not event.steps or event.override is not None:
            return False
        if event.attacker is None or event.target is None or not KNOWN.issuperset(final):
            return False
        if self.mode is None or not says_its_kind(event):
            return False
        bonus = 0
        if self.mode == "ranged":
            if event.weapons is None and not self.shooters.one_each:
                return False
            claimed = event.los.bonuses if event.los is not None else None
            if claimed is None or claimed.obscured is None or claimed.rubble is None or claimed.barricade is None:
                return False
            granted = [n for n in (claimed.obscured, claimed.rubble, claimed.barricade) if n]
            if len(granted) > 1:
                return False  # how several add up is a reading
            bonus = sum(granted)
        known, left, picked_by = self.position.table.models, list(self.target_models), (None, target.side)
        for step in event.steps:
            model, rolled, shields = step.target_model, step.faces, step.shields
            if model not in left or step.damage_card is not None or pool <= 0 or type(rolled) is not str:
                return False
            row = known.get(model)
            if row is None:
                return False
            stamina, after = row.stamina, step.pool_after_shields
            if (
                step.armour_used != row.armour
                or step.stamina_used != stamina
                or step.bonus_dice != bonus
                or step.chosen_by not in picked_by
                or len(rolled) != max(0, row.armour) + bonus
                or not KNOWN.issuperset(rolled)
                or shields != rolled.count("S")
                or after is None
                or after != max(0, pool - shields)
            ):
                return False
            dies = after >= stamina and after > 0
            pool = step.pool_left
            if step.casualty is not dies or pool is None or pool != (after - stamina if dies else 0):
                return False
            if dies:
                left.remove(model)
        return pool == 0 or not left

    def _dice_are_plain(self, roll: str) -> bool:
        """Whether as many dice were rolled as are claimed, and no reading has a say in how many are due."""
        event, arms = self.event, self.arms
        if event.dice is None or event.dice.total != len(roll):
            return False
        if self.mode == "ranged":
            return event.weapons is not None
        return not arms.bearers("grenade_harness") and max(arms.pistols, default=0) < 2

    # -- the attack roll --------------------------------------------------------------------------------------

    def _roll(self) -> None:
        """The faces before an effect, and as they finally lie."""
        event = self.event
        self.crits = crits(event) if event.crit is not None else []
        self.effect: Critical | None = None
        used = self.crits[0].weapon if self.crits else None
        weapon = self.position.table.weapons.get(used) if used is not None else None
        if weapon is not None:
            named = self.crits[0].effect
            self.effect = weapon.crit
            if named in _EFFECTS and named != weapon.crit:
                # That is a fault of its own; the attack is judged by the one that it shows.
                self.effect = max((Critical(named), weapon.crit), key=self._shows)
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
        if self.vague or unstated(late(event)) or self.again_unstated():
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

    def again_unstated(self) -> bool:
        """Whether it is not stated which dice the effect rolled again, or what they showed: it is left out, and the pool
        is not that of the faces as they lay."""
        if self.effect in ROLLS_AGAIN and self.crits[0].passes is None:
            lying = self._before_effect
            return lying is None or self.event.pool is None or self.event.pool != hits(lying)
        return any(unstated(crit.passes or ()) for crit in self.crits)

    def _shows(self, effect: Critical) -> int:
        """In how many of the facts that tell effects apart the attack is like one with this effect."""
        crit, step = self.crits[0], self.steps[0] if self.steps else None
        alike = [
            (crit.added is not None) == (effect in ADDING),
            bool(crit.passes) == (effect in ROLLS_AGAIN),
            (crit.tp_lost is not None or crit.tp_after is not None) == (effect is Critical.SUPPRESS),
        ]
        aimed_at = self._aimed_at(0) if step is not None else None
        if step is not None and aimed_at is not None and step.armour_used is not None:
            whole = aimed_at.armour
            possible = {whole // 2, (whole + 1) // 2} if effect is Critical.POWER_SWORD else {whole}
            if effect in (Critical.MELT, Critical.POWER_FIST):
                possible = {0}
            alike.append(step.armour_used in possible)
        if step is not None and aimed_at is not None and step.stamina_used is not None:
            alike.append(step.stamina_used == (1 if effect is Critical.CHAINFIST else aimed_at.stamina))
        return sum(alike)

    @property
    def before_effect(self) -> str | None:
        """The attack roll when an effect is chosen: re-rolls of the vexilla made, nothing added."""
        return self._before_effect

    @property
    def final(self) -> str | None:
        """The attack roll as it finally lies."""
        return self._final

    # -- dice -------------------------------------------------------------------------------------------------

    def bearers(self, wargear: str) -> list[str]:
        """Models of the attacking unit that carry a piece of wargear."""
        return self.arms.bearers(wargear)

    def carries(self, model: str, weapon: str) -> bool:
        """Whether a model is of the attacking unit and has a weapon that is not destroyed."""
        known = self.position.table.models.get(model)
        armed = known is not None and weapon in known.weapons and model in self.attacker_models
        return armed and (model, weapon) not in self.position.destroyed

    @property
    def all_carried(self) -> list[tuple[str, str]]:
        """Every weapon of the attacking unit that is not destroyed."""
        return self.arms.carried

    @property
    def carried_ranged(self) -> list[tuple[str, str]]:
        """Ranged weapons that could shoot in this attack, whatever the distance."""
        return self.shooters.carried

    @property
    def one_weapon_each(self) -> bool:
        """Whether no model carries two of the weapons that could shoot."""
        return self.shooters.one_each

    def restricted(self) -> list[tuple[str, str]]:
        """Weapons of the unit that reach 3 hexes only."""
        return self.shooters.restricted

    def took_part(self, entry: tuple[str, str], hearing: Hearing) -> bool:
        """Whether a weapon gave dice to a ranged attack, or could have: it reaches, and it is counted or may be."""
        if entry not in self.in_reach(hearing):
            return False
        if entry in [(m, w) for m, w in self.event.weapons or ()] or entry in self.usable(hearing):
            return True
        return self.event.weapons is None

    def in_reach(self, hearing: Hearing) -> list[tuple[str, str]]:
        """The ranged weapons that reach the target."""
        carried = self.carried_ranged
        limits = self.shooters.limits
        if not limits or self.shooter_hex is None or self.target_hex is None:
            return carried
        reached = [limit for limit in limits if self.within(limit, hearing)]
        if len(reached) == len(limits):
            return carried
        known = self.position.table.weapons
        return [(m, w) for m, w in carried if (limit := known[w].range_limit) is None or limit in reached]

    def usable(self, hearing: Hearing) -> list[tuple[str, str]]:
        """The weapons that give dice to a ranged attack."""
        found = self.in_reach(hearing)
        if self.shooters.one_each:
            return found
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

    def weapon_dice(self, hearing: Hearing) -> Figure:
        """Dice that weapons give, with their parts: Shoot values, or Assault bonuses in melee."""
        if self.mode == "melee":
            return self.arms.melee
        listed = self.event.weapons
        return self.arms.shooting(listed if listed is not None else self.usable(hearing))

    def weapon_number(self, hearing: Hearing) -> int | None:
        """The number of those dice; None where no list says which weapons shot: it is not known which of them reach the
        target, or which of several a model used."""
        if self.mode == "melee":
            return self.arms.bonus
        listed = self.event.weapons
        if listed is not None:
            return self.arms.shots(listed)
        if self.shooters.limits and (self.shooter_hex is None or self.target_hex is None):
            return None
        usable, known = self.usable(hearing), self.position.table.weapons
        left = {model for model, weapon in self.in_reach(hearing) if (model, weapon) not in usable}
        each = {(model, known[weapon].shoot) for model, weapon in self.in_reach(hearing) if model in left}
        return None if len(each) > len(left) else self.arms.shots(usable)

    def harness_dice(self, hearing: Hearing) -> Figure | None:
        """Dice of grenade harnesses in a melee attack; None where the target is unknown."""
        bearers = self.bearers("grenade_harness")
        if not bearers or self.mode != "melee":
            return NO_HARNESS
        if self.target is None:
            return None
        each = len(self.target_models)
        if self.role == "counter" and hearing.ask("R-ASL-HARNESS") == "action_only":
            return NO_HARNESS
        times = 1
        if len(bearers) > 1 and hearing.ask("R-HAR-STACK") == "each":
            times = len(bearers)
        parts = tuple(("models in the target unit", each) for _ in range(times))
        return Figure("dice of the grenade harness", each * times, parts)

    def dice_parts(self, hearing: Hearing) -> dict[str, int]:
        """The number of attack dice, part by part, under the log's names, where it is known (`dice_number`)."""
        parts = {"models": 0, "weapons": self.weapon_number(hearing) or 0, "pistols": 0, "harness": 0}
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

    def dice_number(self, hearing: Hearing) -> int | None:
        """The number of attack dice due. Kept where it hangs on no reading."""
        if self._number is not None:
            return self._number
        if self.attacker is None or self.mode is None:
            return None
        arms = self.arms
        if self.mode == "ranged":
            number = self.weapon_number(hearing)
            sure = self.event.weapons is not None
        else:
            harness = self.harness_dice(hearing)
            if harness is None:
                return None
            number = arms.assault + arms.bonus + int(harness.value) + self._pistols(hearing) + self._card_dice("dice")
            sure = not arms.bearers("grenade_harness") and max(arms.pistols, default=0) < 2
        if sure:
            self._number = number
        return number

    def dice_due(self, hearing: Hearing) -> Figure | None:
        """The attack dice due, with their parts."""
        if self.attacker is None or self.mode is None:
            return None
        if self.mode == "ranged":
            weapons = self.arms.shooting(self.usable(hearing))
            if extra := self._card_dice("dice"):
                return Figure("attack dice", int(weapons.value) + extra, (*weapons.parts, ("card", extra)))
            return Figure("attack dice", weapons.value, weapons.parts)
        harness = self.harness_dice(hearing)
        if harness is None:
            return None
        return self.arms.in_melee(self._pistols(hearing), int(harness.value), self._card_dice("dice"))

    def _card_dice(self, name: str) -> int:
        """Dice that an override on the event gives by a machine-readable effect."""
        if self.event.override is None:
            return 0
        known = override_named(self.position, self.event)
        value = getattr(known.effect, name) if known is not None and known.effect is not None else None
        return int(value or 0)

    def allows_dice(self, number: int, hearing: Hearing) -> bool:
        """Whether so many attack dice are no fault of their own: by the weapons counted, or by those usable."""
        due = self.dice_number(hearing)
        if due is None:
            return False
        extra = self._card_dice("dice") if self.mode == "ranged" else 0
        if number == due + extra:
            return True
        return self.wrong_weapons(hearing) and number == self.usable_dice(hearing) + extra

    def shots_due(self, hearing: Hearing) -> int:
        """The dice due in a ranged attack: of the weapons that can really shoot, and of a card."""
        return self.usable_dice(hearing) + self._card_dice("dice")

    def has_dice(self, hearing: Hearing) -> bool:
        """Whether some weapon that can really shoot gives a die."""
        if self.shooters.one_each and self.shooters.free_dice:
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
        card = self.steps[number].damage_card
        if card is None or not self.target_is_sor:
            return None
        card_id = self.card_of(number)
        return self.position.table.locations.get(card_id) if card_id is not None else None

    def is_location(self, number: int) -> bool:
        """Whether a pass was aimed at a location of Sor Gharax: its card is stated, or at least no model was picked."""
        step = self.steps[number]
        return self.target_is_sor if step.damage_card is not None else self._drew_unrecorded(step)

    def _drew_unrecorded(self, step: records.Step) -> bool:
        """Whether a pass against Sor Gharax states neither a card nor a model: nobody picked one."""
        return step.damage_card is None and step.target_model is None and self.target_is_only_sor

    def nobody_knows_where(self, number: int) -> bool:
        """Whether a pass was aimed at a location of Sor Gharax, and not at which one is stated."""
        return self.is_location(number) and self.card_of(number) is None

    def _aimed_at(self, number: int) -> Model | DamageCard | None:
        location = self.location(number)
        if location is not None:
            return location
        if self.is_location(number):
            return None
        model = self.steps[number].target_model
        return self.position.table.models.get(model) if model is not None and not self.is_foe(number) else None

    def is_foe(self, number: int) -> bool:
        """Whether the model picked in a pass is of the other side than the target: nobody can tell whom it was rolled for."""
        model = self.position.table.models.get(self.steps[number].target_model or "")
        return model is not None and self.target is not None and model.side != self.target.side

    def _melts(self, hearing: Hearing) -> bool:
        """Whether the target is within the range of a melta's effect."""
        used = self.crits[0].weapon
        weapon = self.position.table.weapons.get(used) if used is not None else None
        if weapon is None or weapon.crit_range is None or self.shooter_hex is None or self.target_hex is None:
            return True
        return self.within(weapon.crit_range, hearing)

    def _under_effect(self, armour: int, hearing: Hearing) -> Figure:
        """The Armour of the first target under the effect."""
        if self.effect is Critical.POWER_FIST or (self.effect is Critical.MELT and self._melts(hearing)):
            return Figure("Armour", 0, (("counts as", 0),))
        if self.effect is Critical.POWER_SWORD:
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
        if number == 0 and self.effect in ON_ARMOUR:
            return self._under_effect(target.armour, hearing)
        return armour_of(target.armour)

    def armour_blamed(self, number: int, hearing: Hearing) -> Blamed:
        """What a wrong Armour in a pass is told under."""
        if self.effect not in ON_ARMOUR:
            return Blamed.ROLL
        if number == 0:
            return Blamed.EFFECT
        target, used = self._aimed_at(number), self.steps[number].armour_used
        if target is None or used is None or used != self._under_effect(target.armour, hearing).value:
            return Blamed.ROLL
        return Blamed.FIRST_TARGET_ONLY if self.effect is Critical.POWER_SWORD else Blamed.EFFECT

    def stamina_due(self, number: int) -> Figure | None:
        """The Stamina against which hits are allocated in a pass."""
        target = self._aimed_at(number)
        if target is None or (number == 0 and self.vague):
            return None
        if number == 0 and self.effect is Critical.CHAINFIST:
            return Figure("Stamina", 1, (("counts as", 1),))
        return stamina_of(target.stamina)

    def stamina_blamed(self, number: int) -> Blamed:
        """What a wrong Stamina in a pass is told under."""
        if self.effect is not Critical.CHAINFIST:
            return Blamed.ROLL
        if number == 0:
            return Blamed.EFFECT
        return Blamed.FIRST_TARGET_ONLY if self.steps[number].stamina_used == 1 else Blamed.ROLL

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
        if self.mode == "melee" and self.event.override is None:
            return NO_BONUS
        touched = number == 0 and self.effect in (Critical.MELT, Critical.POWER_FIST)
        if self._bonus is not None and not touched:
            return self._bonus
        bonuses = self.bonuses(hearing)
        if bonuses is None:
            return None
        parts = tuple((name, n) for name, n in bonuses.items() if n)
        extra = self._card_dice("defence_dice")
        sure = len(parts) < 2 and (self.mode != "ranged" or self._bonuses_are_claimed)
        if len(parts) > 1 and hearing.ask("R-DEF-STACK") == "highest":
            parts = (max(parts, key=lambda part: part[1]),)
        if extra:
            parts = (*parts, ("card", extra))
        if parts and touched:
            armour = self.armour_due(0, hearing)
            if armour is not None and armour.value == 0 and armour.parts:
                if hearing.ask("R-ARM0-BONUS") == "no_dice":
                    return Figure("bonus dice", 0, (("Armour counts as 0", 0),))
        due = total("bonus dice", parts)
        if sure and not touched:
            self._bonus = due
        return due

    @property
    def _bonuses_are_claimed(self) -> bool:
        """Whether the log states every bonus, so that none is recomputed."""
        claimed = self.event.los.bonuses if self.event.los is not None else None
        return claimed is not None and None not in (claimed.obscured, claimed.rubble, claimed.barricade)

    def pool_played(self) -> int | None:
        """The pool with which the passes begin: as claimed, else as the faces make it."""
        if self.event.pool is not None:
            return int(self.event.pool)
        return hits(self.final) if self.final is not None else None

    def pool_before(self, number: int, hearing: Hearing) -> int | None:
        """The pool when a pass begins."""
        return self.pool_played() if number == 0 else self.pool_after(number - 1, hearing)

    def pool_shielded(self, number: int, hearing: Hearing) -> int | None:
        """The pool after the shields of a pass: as claimed, else as the shields leave it."""
        claimed = self.steps[number].pool_after_shields
        return int(claimed) if claimed is not None and claimed >= 0 else self.pool_unclaimed(number, hearing)

    def pool_unclaimed(self, number: int, hearing: Hearing) -> int | None:
        """The pool after the shields of a pass, whatever it is claimed to be."""
        step = self.steps[number]
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

    def pool_by_the_faces(self, number: int, hearing: Hearing) -> int | None:
        """The pool after the shields that the faces of a pass show; None where they are not all recorded."""
        pool, shown = self.pool_before(number, hearing), faces(self.steps[number].faces)
        final = rerolled(shown, self.steps[number]) if shown is not None else None
        return None if pool is None or final is None else max(0, pool - final.count("S"))

    def casualty(self, number: int, hearing: Hearing) -> bool:
        """Whether the target of a pass is removed: as claimed, else as recomputed; not where nobody can tell."""
        return bool(self.fell(number, hearing))

    def fell(self, number: int, hearing: Hearing) -> bool | None:
        """The same; None where nobody can tell."""
        step = self.steps[number]
        if step.casualty is not None:
            return bool(step.casualty)
        pool = self.pool_shielded(number, hearing)
        stamina = self.stamina_due(number)
        used = step.stamina_used if step.stamina_used is not None else (stamina.value if stamina is not None else None)
        if pool == 0:
            return False
        if pool is None or used is None:
            return True if step.pool_left else None  # hits are left only where a model has fallen
        return pool > 0 and pool >= int(used)

    def pool_after(self, number: int, hearing: Hearing) -> int | None:
        """The pool when a pass is over."""
        step = self.steps[number]
        if step.pool_left is not None:
            return int(step.pool_left)
        fell = self.fell(number, hearing)
        if not fell:
            return None if fell is None else 0
        pool, stamina = self.pool_shielded(number, hearing), self.stamina_due(number)
        used = step.stamina_used if step.stamina_used is not None else (stamina.value if stamina is not None else None)
        return None if pool is None or used is None else max(0, pool - int(used))

    def target_gone(self, hearing: Hearing) -> bool:
        """Whether Sor Gharax is removed by the locations destroyed in this attack, or may be by one that is not stated."""
        if not self.target_is_sor:
            return False
        most = self.position.table.removed_at
        if most is not None and self.cards_after(hearing) >= most:
            return True
        return any(self.nobody_knows_where(n) and self.casualty(n, hearing) for n in range(len(self.steps)))

    def hits_left(self, hearing: Hearing) -> tuple[str, int] | None:
        """Sor Gharax and the hits left, where the attack stopped after a location and only the log says whether that
        removes him (`TARGET_LOCATION`).
        """
        position = self.position
        if position.table.removed_at is not None or not self.target_is_only_sor or not self.steps:
            return None
        last = len(self.steps) - 1
        pool = self.pool_after(last, hearing)
        if not pool or not self.is_location(last) or not self.casualty(last, hearing):
            return None
        deck, drawn = position.damage_in_deck, {self.card_of(number) for number in range(len(self.steps))}
        if deck is None or (deck <= drawn and hearing.ask("R-SOR-DECK") == "no_repeat_in_attack"):
            return None
        return self.target_models[0], pool

    def card_of(self, number: int) -> str | None:
        """The id of the Damage card of a pass."""
        card = self.steps[number].damage_card
        return card.card if isinstance(card, records.CardDrawn) else card

    def cards_after(self, hearing: Hearing) -> int:
        """Cards that lie on Sor Gharax after this attack."""
        staying = set(self.position.damage_on_model)
        for number in range(len(self.steps)):
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
        """Whether this attack destroys the assault cannon of its effect, or `without_effect` any other that it used;
        None where faces are missing."""
        final = self.final
        if final is None:
            return None
        triggered = self.effect is Critical.ASSAULT_CANNON
        shown = {face: final.count(face) for face in "CHB"}
        ever = dict(shown)
        if triggered:
            for face in self._rolled_over():
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

    def _rolled_over(self) -> list[str]:
        """The faces that the passes of re-rolls of the effect replaced."""
        lying = list(self.before_effect or "")
        replaced: list[str] = []
        for entry in self.crits[0].passes or ():
            indices, new = entry.indices or [], faces(entry.faces) or ""
            replaced += [lying[i] for i in indices if 0 <= i < len(lying)]
            for index, face in zip(indices, new, strict=False):
                if 0 <= index < len(lying):
                    lying[index] = face
        return replaced

    def destruction_told(self) -> bool | None:
        """Whether the log marks the assault cannon as destroyed; None where it says nothing."""
        if self.effect is Critical.ASSAULT_CANNON:
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

    def lacking(self, hearing: Hearing) -> list[tuple[Lacking, str]]:
        """Facts that this attack does not state, in words."""
        event = self.event
        found: list[tuple[Lacking, str]] = []
        if event.attacker is None or (self.attacker is None and not self.destroyed(event.attacker)):
            found.append((Lacking.ATTACKER, Lacking.ATTACKER.value))
        if event.target is None or (self.target is None and not self.nobody_left):
            found.append((Lacking.TARGET, Lacking.TARGET.value))
        if self.mode is None or not says_its_kind(event):
            found.append((Lacking.KIND, Lacking.KIND.value))
        if self.mode == "ranged" and self.attacker is not None and self.weapon_number(hearing) is None:
            found.append((Lacking.WEAPONS, Lacking.WEAPONS.value))
        if event.roll is None:
            found.append((Lacking.ROLL, Lacking.ROLL.value))
        if (event.vexilla is not None or event.rerolls) and unstated([*early(event), *late(event)]):
            found.append((Lacking.REROLL, Lacking.REROLL.value))
        if event.roll is not None and self.effect in ROLLS_AGAIN and self.again_unstated():
            found.append((Lacking.AGAIN, Lacking.AGAIN.value))
        if event.crit is None and self.claimed_class != "obscured":
            if self.before_effect is not None and "C" in self.before_effect:
                found.append((Lacking.EFFECT, Lacking.EFFECT.value))
        if self.attacker is not None and any(crit.weapon is None or crit.model is None for crit in self.crits):
            found.append((Lacking.WHOSE_EFFECT, Lacking.WHOSE_EFFECT.value))
        if event.steps is None:
            pool = self.pool_played()
            if self.target is not None and (pool is None or pool > 0):
                found.append((Lacking.PASSES, Lacking.PASSES.value))
            return found
        for number, step in enumerate(event.steps):
            drawn = self.target_is_sor or step.damage_card is not None
            if step.target_model is None and not drawn and len(self.target_models) > 1:
                found.append((Lacking.TARGET_MODEL, f"the target model of pass {number + 1}"))
            if self._drew_unrecorded(step):
                found.append((Lacking.DAMAGE_CARD, f"the Damage card of pass {number + 1}"))
            if step.faces is None:
                armour, bonus = self.armour_due(number, hearing), self.bonus_due(number, hearing)
                if armour is None or bonus is None or int(armour.value) + int(bonus.value) > 0:
                    found.append((Lacking.DEFENCE_ROLL, f"the faces of defence roll {number + 1}"))
        return found
