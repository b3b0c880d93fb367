"""The Psychic Phase of an invented game (catalogue 6.3)."""

from __future__ import annotations

from auditor.conformance.clx.chart import charges, resistance
from auditor.conformance.clx.table import Json, Model, Table, Unit


def psykers(t: Table, player: str) -> list[Model]:
    """A player's living psykers on the table."""
    return [m for u in t.of(player) for m in u.living if m.entry.get("psyker")]


def primaris_of(t: Table, discipline: str) -> Json:
    """The primaris power of a discipline."""
    return next(p for p in t.powers.values() if p["discipline"] == discipline and p.get("primaris"))


def learn(t: Table, psyker: Model) -> None:
    """A psyker's roll for lore, and the powers that it is spent on (CLX-PSY-01 to -03)."""
    entry = psyker.entry["psyker"]
    dice = t.dice(entry["ML"])
    by_cost = sorted(t.powers.values(), key=lambda p: (p["mastery_cost"], p["id"]))
    disciplines = entry["disciplines"]
    allocation = [t.rng.choice(disciplines) for _ in dice]
    if "splits" not in t.habits and t.often("one discipline", 0.6):
        allocation = [t.rng.choice(disciplines)] * len(dice)
    if len(set(allocation)) == 1 < min(len(disciplines), len(dice)) and t.led("both disciplines"):
        allocation = [*disciplines[:2], *allocation[2:]]
    shared = t.rules("OR-LORE-SPLIT", "BY_POINT") and len(set(allocation)) > 1
    purse, owed = sum(dice), {name: primaris_of(t, name)["mastery_cost"] for name in set(allocation)}
    known: list[str] = []
    swapped: str | None = None
    for discipline in sorted(set(allocation)):
        budget = sum(die for die, of in zip(dice, allocation, strict=True) if of == discipline)
        if shared:  # What is left of all dice, but for the primaris powers of the other disciplines.
            owed.pop(discipline)
            budget = purse - sum(owed.values())
        begun = budget
        mine = [p for p in by_cost if p["discipline"] == discipline]
        primaris = primaris_of(t, discipline)
        others = [p for p in mine if p is not primaris]
        swap = [p for p in others if p["mastery_cost"] <= primaris["mastery_cost"]]
        if swap and len(set(allocation)) == 1 and t.chance(0.3):
            primaris = t.rng.choice(swap)
            swapped = primaris["id"]
        known.append(primaris["id"])
        budget -= primaris["mastery_cost"]
        t.rng.shuffle(others)
        for power in others:
            if power["id"] not in known and power["mastery_cost"] <= budget and t.chance(0.8):
                known.append(power["id"])
                budget -= power["mastery_cost"]
        purse -= begun - budget
    t.known[psyker.id] = known
    t.write(
        "lore_mastery",
        psyker.unit.owner,
        tag={"swapped": swapped},
        psyker=psyker.id,
        dice=dice,
        allocation=allocation,
        known=known,
        swapped_primaris=swapped,
    )


def psychic_phase(t: Table) -> None:
    """The active player's Psychic Phase."""
    t.phase = "psychic"
    attackers, defenders = psykers(t, t.active), psykers(t, t.other(t.active))
    if not attackers and not defenders and t.chance(0.7):
        return
    t.write("phase_start", t.active)
    pool, against = 0, 0
    for psyker in attackers:
        pool += _charge(t, psyker, "attack")
    for psyker in defenders:
        against += _charge(t, psyker, "dispel")
    for psyker in attackers:
        for power in t.known.get(psyker.id, []):
            if pool and t.often("cast", 0.7):
                count = t.rng.randint(1, min(4, pool))
                if t.chance(0.15):
                    count = pool
                pool -= count
                against -= _cast(t, psyker, power, count, against, defenders)
    t.write("phase_end", t.active)


def _charge(t: Table, psyker: Model, role: str) -> int:
    level = psyker.entry["psyker"]["ML"]
    d3 = t.rng.randint(1, 3)
    gives = charges(d3, level)
    fields: Json = {"d3": d3} if t.chance(0.7) else {"d6": 2 * d3 - t.rng.randint(0, 1)}
    if t.rules("OR-CHARGE", "ML_D3") and level > 1:
        fields = {"d3": [t.rng.randint(1, 3) for _ in range(level)]}
        gives = sum(fields["d3"])
    t.write("warp_charge", psyker.unit.owner, psyker=psyker.id, role=role, claimed_charges=gives, **fields)
    return gives


def _cast(t: Table, psyker: Model, power_id: str, count: int, against: int, defenders: list[Model]) -> int:
    """One cast with what answers it; gives back the charges that the defender spent."""
    power = t.powers[power_id]
    target: Unit | None = None
    if power.get("target") == "unit":
        foes = t.enemies(psyker.unit)
        if not foes:
            return 0
        target = t.rng.choice(foes)
    dice = t.dice(count)
    total = sum(dice) + psyker.n("Ld")
    success = total >= power["casting_level"]
    perils = dice.count(6) >= 2
    success = success and not (perils and t.rules("OR-PERILS", "FAILS"))
    name = t.name("c")
    t.write(
        "cast",
        psyker.unit.owner,
        tag={"level": power["casting_level"], "border": total == power["casting_level"]},
        id=name,
        psyker=psyker.id,
        power=power_id,
        target=target and target.id,
        dice=dice,
        claimed_total=total,
        claimed_success=success,
        claimed_perils=perils,
    )
    if perils:
        t.write("perils", psyker.unit.owner, psyker=psyker.id, cause=name, outcome="nothing happens")
    if not success:
        return 0
    if against and defenders and t.often("dispel", 0.6):
        used = t.rng.randint(1, min(3, against))
        answer = t.dice(used)
        one = t.rng.choice(defenders)
        bad = answer.count(6) >= 2
        mine, its = sum(answer), sum(dice)
        if t.rules("OR-DISPEL", "TOTAL_VS_TOTAL"):
            mine, its = mine + one.n("Ld"), total
        elif t.rules("OR-DISPEL", "DICE_VS_TOTAL"):
            its = total
        t.write(
            "dispel",
            one.unit.owner,
            cast=name,
            psyker=one.id,
            dice=answer,
            claimed_success=mine > its,
            claimed_perils=bad,
        )
        if bad:
            t.write("perils", one.unit.owner, psyker=one.id, cause=name, outcome="nothing happens")
        if target is not None and mine <= its and t.rules("OR-MR-AFTER", "ALSO"):
            _resist(t, psyker, target, name)
        return used
    if target is not None and t.chance(0.7):
        _resist(t, psyker, target, name)
    return 0


def _resist(t: Table, psyker: Model, target: Unit, name: str) -> None:
    """The target of a cast tries to resist (CLX-PSY-13)."""
    if not target.gone:
        levels = [m.entry["psyker"]["ML"] for m in target.living if m.entry.get("psyker")]
        bonus = (
            ("adamantium_will" in target.rules)
            + bool(levels)
            + any(level > psyker.entry["psyker"]["ML"] for level in levels)
        )
        die = t.d6()
        needed = resistance(bonus, t.readings.get("OR-MR-STACK", "CUMULATIVE"))
        t.write(
            "mental_resistance",
            target.owner,
            cast=name,
            unit=target.id,
            die=die,
            claimed_bonus=bonus,
            claimed_needed=needed,
            claimed_success=die >= needed,
        )
