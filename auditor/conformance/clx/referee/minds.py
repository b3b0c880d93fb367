"""The Psychic Phase: lore, warp charges, casting, dispelling, resisting (catalogue 6.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from auditor.conformance.clx.chart import charges, resistance
from auditor.conformance.clx.referee.board import Reader
from auditor.conformance.clx.referee.course import Course
from auditor.conformance.clx.referee.found import Faults, NotJudged
from auditor.conformance.clx.table import Json, Model, Unit

PERILOUS = 2
"""So many 6s bring the Perils."""


@dataclass
class Cast:
    """A cast: its dice, whether it is claimed to have worked, and what has answered it."""

    caster: Model
    target: Unit | None
    roll: int
    works: bool
    dispelled: bool = False


class Minds(Course):
    """The course of the game with psykers."""

    def __init__(self, header: Json, options: Mapping[str, str] | None) -> None:
        super().__init__(header, options)
        self.known: dict[str, list[str]] = {}
        self.pools: dict[str, int] = {}
        self.charged: set[str] = set()
        self.casts: dict[str, Cast] = {}
        self.due: list[tuple[str, str, Model]] = []
        """Perils that are neither claimed nor recorded yet: cast, rule and psyker."""

    def opens(self, phase: str) -> None:
        self.pools, self.charged, self.casts = dict.fromkeys("AB", 0), set(), {}

    def perils_are_left_out(self, at: Reader) -> Faults:
        """CLX-PSY-09, -11: Perils that do not come before this event."""
        type_ = at.event["type"]
        for cast, rule, psyker in list(self.due):
            owner = psyker.unit.owner
            if type_ == "perils":
                # Whoever writes another cause beside the psyker has recorded the Perils all the same.
                if at.event.get("psyker") != psyker.id:
                    raise NotJudged("the Perils of another psyker")
                continue
            if type_ == "phase_end" or at.event.get("player") == owner:
                self.due.remove((cast, rule, psyker))
                yield self.fault(rule, "omitted", owner)

    def psyker(self, at: Reader) -> tuple[Model, Json]:
        """The psyker of an event and what it is as one."""
        model = at.model("psyker")
        entry: Any = model.entry.get("psyker")
        if not entry:
            raise NotJudged("no psyker")
        return model, entry

    # ---------------------------------------------------------------- lore

    def on_lore_mastery(self, at: Reader) -> Faults:
        model, entry = self.psyker(at)
        dice, allocation, known = at.dice(), at.names("allocation"), at.names("known")
        if model.id in self.known or any(power not in self.t.powers for power in known):
            raise NotJudged("an unknown power, or a second roll")
        if len(allocation) != len(dice) or any(one not in entry["disciplines"] for one in allocation):
            raise NotJudged("dice that go nowhere")
        if len(set(known)) < len(known) or any(not 1 <= die <= 6 for die in dice) or len(dice) != entry["ML"]:
            raise NotJudged("other dice, or a power twice")
        self.known[model.id] = list(known)
        swapped = at.event.get("swapped_primaris")
        shares: Counter[str] = Counter()
        for die, discipline in zip(dice, allocation, strict=True):
            shares[discipline] += die
        costs: Counter[str] = Counter()
        for power in known:
            costs[self.t.powers[power]["discipline"]] += self.t.powers[power]["mastery_cost"]
        faults = [*self.primaris_is_known(shares, known, swapped), *self.shares_pay(shares, costs, known)]
        if len(faults) > 1:
            raise NotJudged("more than one fault of one roll")
        for rule, kind in faults:
            yield self.fault(rule, kind, model.unit.owner)

    def primaris_is_known(self, shares: Counter[str], known: list[str], swapped: Any) -> list[tuple[str, str]]:
        """CLX-PSY-01."""
        if swapped is not None and swapped not in known:
            raise NotJudged("a power is swapped in that is not known")
        faults: list[tuple[str, str]] = []
        for discipline in shares:
            powers = [p for p in self.t.powers.values() if p["discipline"] == discipline and p.get("primaris")]
            if len(powers) != 1:
                raise NotJudged("a discipline without a primaris power")
            (primaris,) = powers
            here = swapped is not None and self.t.powers[swapped]["discipline"] == discipline
            if here and swapped == primaris["id"]:
                raise NotJudged("a primaris power is swapped for itself")
            if here and self.t.powers[swapped]["mastery_cost"] > primaris["mastery_cost"]:
                faults.append(("PSY-01", "illegal"))
            if not here and primaris["id"] not in known:
                faults.append(("PSY-01", "omitted"))
        if swapped is not None and self.t.powers[swapped]["discipline"] not in shares:
            raise NotJudged("a power is swapped in from elsewhere")
        return faults

    def shares_pay(self, shares: Counter[str], costs: Counter[str], known: list[str]) -> list[tuple[str, str]]:
        """CLX-PSY-02 and -03. A psyker that knows one power of a discipline knows it whatever it costs."""
        of = Counter(self.t.powers[power]["discipline"] for power in known)
        dear = [d for d, cost in costs.items() if cost > shares[d] and (of[d] > 1 or d not in shares)]
        if len(shares) > 1 and self.by("OR-LORE-SPLIT") == "BY_POINT":
            if costs.total() > shares.total():
                raise NotJudged("more is spent than all dice give, or for a primaris power alone")
            dear = []
        if not dear and costs.total() < shares.total() and self.by("OR-LORE-SUM") == "EXACT":
            return [("PSY-02", "illegal")]
        if not dear:
            return []
        if len(shares) == 1 and set(costs) == set(shares):
            return [("PSY-02", "illegal")]
        if len(dear) > 1 or costs.total() > shares.total() or self.by("OR-LORE-SUM") == "EXACT":
            raise NotJudged("more than one budget is overspent")
        return [("PSY-03", "illegal")]

    # ---------------------------------------------------------------- charges

    def on_warp_charge(self, at: Reader) -> Faults:
        model, entry = self.psyker(at)
        role, owner = at.one_of("role", ("attack", "dispel")), model.unit.owner
        if (role == "attack") != (owner == self.t.active) or model.id in self.charged:
            raise NotJudged("a roll for charges that nobody has")
        if ("d3" in at.event) == ("d6" in at.event):
            raise NotJudged("no die, or two")
        key = "d3" if "d3" in at.event else "d6"
        dice = at.dice(key) if isinstance(at.event[key], list) else [at.whole(key)]
        if any(not 1 <= die <= int(key[1]) for die in dice):
            raise NotJudged("a die that shows something else")
        claimed = at.number_claimed("claimed_charges")
        self.charged.add(model.id)
        count = entry["ML"] if self.by("OR-CHARGE") == "ML_D3" else 1
        if len(dice) != count:
            yield from at.dice_fit(dice, count, owner)
            if claimed is None:
                raise NotJudged("what other dice than are due give")
            self.pools[owner] += claimed
            return
        threes = [die if key == "d3" else (die + 1) // 2 for die in dice]
        gives = sum(threes) if self.by("OR-CHARGE") == "ML_D3" else charges(threes[0], entry["ML"])
        if claimed not in (None, gives):
            if role == "dispel":
                raise NotJudged("either of two rules says what a roll for dispelling gives")
            yield self.fault("PSY-04", "miscalculated", owner)
        self.pools[owner] += gives if claimed is None else claimed

    # ---------------------------------------------------------------- casts

    def on_cast(self, at: Reader) -> Faults:
        model, _ = self.psyker(at)
        owner, name, dice = model.unit.owner, at.text("id"), at.dice()
        power = self.t.powers.get(at.text("power"))
        if owner != self.t.active or power is None or name in self.casts or not dice or model.id not in self.charged:
            raise NotJudged("a cast of nobody, or of nothing")
        if any(not 1 <= die <= 6 for die in dice):
            raise NotJudged("a die that shows something else")
        target = at.unit("target") if at.event.get("target") is not None else None
        faults: list[tuple[str, str]] = []
        if len(dice) > self.pools[owner] or power["id"] not in self.known.get(model.id, []):
            faults.append(("PSY-06", "illegal"))
        total = sum(dice) + model.n("Ld")
        works = at.flag_claimed("claimed_success")
        right = total >= power["casting_level"]
        if dice.count(6) >= PERILOUS and self.by("OR-PERILS") == "FAILS":
            right = False
        if at.number_claimed("claimed_total") not in (None, total) or works not in (None, right):
            faults.append(("PSY-07", "miscalculated"))
        faults += self.perils_of(at, name, model, dice, "PSY-09")
        if len(faults) > 1:
            raise NotJudged("more than one fault of one cast")
        for rule, kind in faults:
            yield self.fault(rule, kind, owner)
        self.pools[owner] = max(0, self.pools[owner] - len(dice))
        self.casts[name] = Cast(model, target, sum(dice), right if works is None else works)

    def perils_of(self, at: Reader, cast: str, psyker: Model, dice: list[int], rule: str) -> list[tuple[str, str]]:
        """CLX-PSY-09, -11: whether Perils are claimed that are none; Perils that are not claimed are due."""
        claimed, perilous = at.flag_claimed("claimed_perils"), dice.count(6) >= PERILOUS
        if claimed and not perilous:
            return [(rule, "miscalculated")]
        if perilous and not claimed:
            self.due.append((cast, rule, psyker))
        return []

    def on_dispel(self, at: Reader) -> Faults:
        model, _ = self.psyker(at)
        owner, dice = model.unit.owner, at.dice()
        cast = self.casts.get(at.text("cast"))
        if cast is None or owner == self.t.active or not dice or cast.dispelled or not self.pools[owner]:
            raise NotJudged("a dispel of nobody, or of nothing")
        if any(not 1 <= die <= 6 for die in dice):
            raise NotJudged("a die that shows something else")
        faults: list[tuple[str, str]] = []
        if len(dice) > self.pools[owner]:
            faults.append(("PSY-06", "illegal"))
        if not cast.works:
            faults.append(("PSY-10", "illegal"))
        elif at.flag_claimed("claimed_success") not in (None, self.beats(sum(dice), model, cast)):
            faults.append(("PSY-10", "miscalculated"))
        faults += self.perils_of(at, at.text("cast"), model, dice, "PSY-11")
        if len(faults) > 1:
            raise NotJudged("more than one fault of one dispel")
        for rule, kind in faults:
            yield self.fault(rule, kind, owner)
        self.pools[owner] = max(0, self.pools[owner] - len(dice))
        cast.dispelled = True

    def beats(self, roll: int, psyker: Model, cast: Cast) -> bool:
        """CLX-PSY-10, by OR-DISPEL."""
        if self.by("OR-DISPEL") == "DICE_VS_DICE":
            return roll > cast.roll
        own = psyker.n("Ld") if self.by("OR-DISPEL") == "TOTAL_VS_TOTAL" else 0
        return roll + own > cast.roll + cast.caster.n("Ld")

    def on_mental_resistance(self, at: Reader) -> Faults:
        unit, die = at.unit(), at.whole("die")
        cast = self.casts.get(at.text("cast"))
        if cast is None or not 1 <= die <= 6:
            raise NotJudged("no cast to resist, or no die")
        after = cast.dispelled and self.by("OR-MR-AFTER") == "EITHER"
        if unit is not cast.target or not cast.works or after:
            yield self.fault("PSY-12", "illegal", at.player())
        levels = [m.entry["psyker"]["ML"] for m in unit.living if m.entry.get("psyker")]
        dearer = any(level > cast.caster.entry["psyker"]["ML"] for level in levels)
        bonus = ("adamantium_will" in unit.rules) + bool(levels) + dearer
        needed = resistance(bonus, self.by("OR-MR-STACK"))
        if at.event.get("claimed_bonus") == 6 - needed:
            bonus = 6 - needed  # Where the conditions do not add up either number may be called the bonus.
        right = {"claimed_bonus": bonus, "claimed_needed": needed, "claimed_success": die >= needed}
        claimed = {
            "claimed_bonus": at.number_claimed("claimed_bonus"),
            "claimed_needed": at.number_claimed("claimed_needed"),
            "claimed_success": at.flag_claimed("claimed_success"),
        }
        if any(value not in (None, right[key]) for key, value in claimed.items()):
            yield self.fault("PSY-13", "miscalculated", at.player())

    def on_perils(self, at: Reader) -> Faults:
        model, _ = self.psyker(at)
        mine = [one for one in self.due if one[2] is model]
        if len(mine) > 1:
            raise NotJudged("which of two Perils of one psyker these are")
        self.due = [one for one in self.due if one not in mine]
        yield from ()
