"""How many attacks a model has in a fight, and at which Initiative it strikes: the parts of both, and which rule a
wrong number is about.

A part is given, not given, or not known (None): what is not known makes a span of numbers, within which nothing is held
against anybody. Source: catalogue 6.8, the formulas of CLX-ASLT-09.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import shown
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit, Weapon
from auditor.systems.clx.position.combat import Charge, Throw
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.charges import (
    SIDE_READINGS,
    charge_now,
    charges_on,
    rear_of,
    start_gap,
    started_near,
)
from auditor.systems.clx.reckoning.throws import emp, powered, weapon_of_throw

READINGS = (
    "OR-CHARGE-START",
    "OR-PHOTON",
    "OR-FORGO",
    "OR-SURPRISE-STACK",
    "OR-HATRED-A",
    "OR-HIGH",
    "OR-FRAG-INIT",
    "OR-EMP",
    "OR-EMP-PIN",
    *SIDE_READINGS,
)
"""All that the two numbers may hang on."""

ORDER = (
    *(f"CLX-USR-{n:02}" for n in range(1, 19)),
    *(f"CLX-GREN-{n:02}" for n in range(1, 12)),
    "CLX-GEAR-01",
    "CLX-ASLT-02",
    "CLX-ASLT-07b",
    "CLX-ASLT-08",
    "CLX-ASLT-10",
    "CLX-ASLT-09",
)
"""The more special rule comes first (catalogue 1.4)."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something that may change a model's attacks or Initiative.

    given   whether it does; None: not known
    why     why it does not, or why that is not known
    likely  whether a number that counts it all the same is put down to it
    left    the kind of fault that it is to leave it out
    fixes   the Initiative is 1, whatever else there is
    near    it is not known only because a length is within the tolerance
    """

    rule: str
    name: str
    given: bool | None
    attacks: int = 0
    initiative: int = 0
    why: str = ""
    likely: bool = True
    kind: str = "miscalculated"
    left: str = "miscalculated"
    fixes: bool = False
    near: bool = False


@dataclass(frozen=True, slots=True)
class Due:
    """What a model has by its profile, and the parts that change it."""

    attacks: int | None
    initiative: int | None
    parts: tuple[Part, ...] = field(default=())

    def span(self, what: str, other_way: Part | None = None) -> tuple[int, int] | None:
        """The fewest and the most that it may be; `other_way`: with this part given where it is not, and not where it
        is. None where the profile does not say."""
        base = self.attacks if what == "attacks" else self.initiative
        if base is None:
            return None
        low = high = base
        fixed: bool | None = False
        for part in self.parts:
            given = (not part.given) if part is other_way else part.given
            value = getattr(part, what)
            if part.fixes and what == "initiative":
                fixed = True if given or fixed else None if given is None else fixed
            elif given is not False:
                low += min(value, 0) if given is None else value
                high += max(value, 0) if given is None else value
        if what == "initiative":
            low, high = (min(max(one, 1), 10) for one in (low, high))
            if fixed or fixed is None:
                low, high = 1, 1 if fixed else high
        return low, high

    def shown(self, what: str) -> tuple[tuple[str, int], ...]:
        fixed = [part.name for part in self.parts if part.given and part.fixes]
        if fixed and what == "initiative":
            return ((fixed[0], 1),)
        base = self.attacks if what == "attacks" else self.initiative
        rows = [(part.name, getattr(part, what)) for part in self.parts if part.given and getattr(part, what)]
        return (("profile", base or 0), *rows)


@dataclass(frozen=True, slots=True)
class Wrong:
    """A number that is not what is due: which rule it is about."""

    rule: str
    kind: str
    why: str


def blamed(due: Due, what: str, claimed: int) -> Wrong | None:
    """Which rule a claimed number of attacks, or Initiative, is wrong by; None where it may be right."""
    span = due.span(what)
    if span is None or span[0] <= claimed <= span[1]:
        return None
    found = []
    for part in due.parts:
        if part.given is None or (part.given is False and not part.likely):
            continue
        if not part.fixes and not getattr(part, what):
            continue
        other = due.span(what, part)
        if other is not None and other[0] <= claimed <= other[1]:
            found.append(part)
    if what == "initiative" and not found:
        found = [part for part in due.parts if part.fixes and part.given]
    if not found:
        return Wrong("CLX-ASLT-09", "miscalculated", "")
    part = min(found, key=lambda one: ORDER.index(one.rule))
    why = part.why if not part.given else f"{part.name} counts"
    return Wrong(part.rule, part.left if part.given else part.kind, why)


def unsure(due: Due, what: str) -> str:
    """What is not known of a number that has a span."""
    return "; ".join(dict.fromkeys(part.why for part in _not_known(due, what)))


def only_near(due: Due, what: str) -> bool:
    """Whether a number has a span only because lengths are within the tolerance."""
    return all(part.near for part in _not_known(due, what))


def _not_known(due: Due, what: str) -> list[Part]:
    fixed = what == "initiative"
    return [part for part in due.parts if part.given is None and ((part.fixes and fixed) or getattr(part, what))]


# -- the parts ----------------------------------------------------------------------------------------------------


def due_of(row: records.Attacker, model: Model, position: Position, hearing: Hearing) -> Due:
    """What one attacker of a step has."""
    unit = position.setup.units[model.unit]
    target = position.setup.units.get(row.target or "")
    weapon = position.setup.weapons.get(row.weapon or "")
    parts = tuple(
        part
        for of in (_charging, _frenzy, _surprise, _counterattack, _hatred, _two_weapons, _uphill, _fear, _grenades)
        for part in of(_Striker(row, model, unit, target, weapon), position, hearing)
    )
    return Due(model.profile.A, model.profile.I, parts)


@dataclass(frozen=True, slots=True)
class _Striker:
    row: records.Attacker
    model: Model
    unit: Unit
    target: Unit | None
    weapon: Weapon | None


def _threw(striker: _Striker, position: Position) -> bool | None:
    """Whether it gave up its bonus of the charge to throw a grenade; None: one of its unit did, it is not recorded who."""
    throws = [throw for throw in position.combat.throws if throw.side == "attacker"]
    if any(throw.model == striker.model.id for throw in throws):
        return True
    return None if any(throw.model is None and throw.unit == striker.unit.id for throw in throws) else False


def photon(weapon: Weapon | None) -> bool:
    """Whether a grenade has the profile of defensive ones (CLX-GREN-07)."""
    return weapon is not None and weapon.type == "grenade" and weapon.strength == 1 and weapon.ap is None


def frag(weapon: Weapon | None) -> bool:
    """Whether a grenade has the profile of frag grenades (CLX-GREN-06)."""
    return weapon is not None and weapon.type == "grenade" and weapon.strength == 4


def _blinded(unit: Unit, position: Position, hearing: Hearing) -> bool | None:
    """Whether a defensive grenade took the bonus for charging from a unit."""
    thrown = [
        throw
        for throw in position.combat.throws
        if throw.side != "attacker"
        and throw.target == unit.id
        and photon(position.setup.weapons.get(throw.weapon or ""))
    ]
    unnamed = [throw for throw in _unnamed(unit, position) if throw.side != "attacker"]
    if not thrown:
        return None if unnamed else False
    if any(throw.hits for throw in thrown) or hearing.ask("OR-PHOTON") == "THROWN":
        return True
    return None if any(throw.hits is None for throw in thrown) else False


def _unnamed(unit: Unit, position: Position) -> list[Throw]:
    """The grenades at a unit of which it is not known what they were: the record does not say, or no pack tells their
    profile."""
    at_it = [throw for throw in position.combat.throws if throw.target == unit.id]
    return [throw for throw in at_it if _may_be_any(weapon_of_throw(throw, position))]


def _may_be_any(weapon: Weapon | None) -> bool:
    """Whether a grenade may have any profile: its own is not known. EMP and Haywire grenades have no Strength."""
    return weapon is None or (
        weapon.type == "grenade" and weapon.strength is None and not weapon.rules & {"emp", "haywire"}
    )


def _charging(striker: _Striker, position: Position, hearing: Hearing) -> Iterator[Part]:
    unit = striker.unit
    charge = charge_now(unit.id, position)

    def part(rule: str, given: bool | None, why: str, near: bool = False) -> Part:
        return Part(rule, "charge", given, attacks=1, why=why, near=near)

    if charge is None:
        yield part("CLX-ASLT-09", False, f"{unit.name} did not charge in this turn")
        return
    threw = _threw(striker, position)
    if threw:
        yield part("CLX-ASLT-09", False, f"{striker.model.id} gave up its attack for charging to throw a grenade")
        return
    blinded = _blinded(unit, position, hearing)
    if blinded:
        yield part("CLX-GREN-07", False, f"a defensive grenade was thrown at {unit.name}")
        return
    near = started_near(charge, position, hearing)
    if near:
        gap = start_gap(charge, position)
        far = "" if gap is None else f" {shown(gap)} {'inch' if shown(gap) == '1' else 'inches'}"
        yield part("CLX-ASLT-02", False, f"{unit.name} began its Movement Phase{far} from {charge.target}")
    elif near is None or blinded is None:
        why = f"whether a defensive grenade took its attack for charging from {unit.name}"
        if near is None:
            why = f"how near to {charge.target} {unit.name} began its Movement Phase"
        within = near is None and blinded is False and start_gap(charge, position) is not None
        yield part("CLX-ASLT-02", None, why, near=within)
    elif threw is None:
        yield part("CLX-ASLT-09", None, f"which model of {unit.name} threw a grenade")
    else:
        yield part("CLX-ASLT-09", True, "")


def _frenzy(striker: _Striker, position: Position, hearing: Hearing) -> Iterator[Part]:
    if "frenzy" not in striker.unit.rules:
        return
    lost = position.units[striker.unit.id].frenzy_lost
    why = f"{striker.unit.name} has lost its Frenzy" if lost else f"whether {striker.unit.name} has lost its Frenzy"
    yield Part("CLX-USR-15", "Frenzy", None if lost is None else not lost, striker.model.profile.A or 0, why=why)


def _surprise(striker: _Striker, position: Position, hearing: Hearing) -> Iterator[Part]:
    unit = striker.unit
    charge = charge_now(unit.id, position)
    by_rule = "surprise_assault" in unit.rules
    if charge is None:
        if by_rule:
            why = f"{unit.name} did not charge in this turn"
            yield Part("CLX-USR-18", "Surprise Assault", False, 1, 1, why=why)
        return
    threw = _threw(striker, position)
    forgone = threw is not False and (by_rule or charge.arc != "front") and hearing.ask("OR-FORGO") == "ALL"
    if forgone:
        if not threw:
            why = f"which model of {unit.name} threw a grenade"
            yield Part("CLX-USR-18", "Surprise Assault", None, 1, 1, why=why)
        return
    rear = rear_of(charge, position, hearing)
    if by_rule:
        yield Part("CLX-USR-18", "Surprise Assault", True, 1, 1)
        if rear.rear is False:
            return
        if hearing.ask("OR-SURPRISE-STACK") == "NO":
            yield Part(rear.rule, "rear charge", False, 1, 1, why="it has Surprise Assault by its special rule already")
        else:
            yield Part(rear.rule, "rear charge", rear.rear, 1, 1, why=rear.why, left=rear.left, near=rear.near)
        return
    claims_both = charge.arc == "rear" or _claims_surprise(striker)
    yield Part(
        rear.rule, "rear charge", rear.rear, 1, 1, why=rear.why, likely=claims_both, left=rear.left, near=rear.near
    )


def _claims_surprise(striker: _Striker) -> bool:
    """Whether both numbers that are claimed are better than the profile, the attacks by more than for the charge."""
    profile, row = striker.model.profile, striker.row
    if None in (profile.A, profile.I, row.claimed_attacks, row.claimed_initiative):
        return False
    return (row.claimed_attacks or 0) > (profile.A or 0) + 1 and (row.claimed_initiative or 0) > (profile.I or 0)


def _counterattack(striker: _Striker, position: Position, hearing: Hearing) -> Iterator[Part]:
    unit = striker.unit
    if "counterattack" not in unit.rules:
        return

    tests = [
        test
        for test in position.combat.tests
        if test.kind == "char" and test.unit == unit.id and test.cause in ("counterattack", None)
    ]

    def part(given: bool | None, why: str, kind: str = "miscalculated") -> Part:
        likely = bool(tests) or kind == "illegal"
        return Part("CLX-USR-02", "Counterattack", given, attacks=1, why=why, kind=kind, likely=likely)

    if not charges_on(unit.id, position):
        yield part(False, f"{unit.name} was not charged in this turn")
    elif not tests:
        yield part(False, f"{unit.name} took no Initiative Test for Counterattack", "illegal")
    elif any(test.passed and test.cause is not None for test in tests):
        yield part(True, "")
    elif any(test.passed is not False for test in tests):
        yield part(None, f"whether {unit.name} passed its test for Counterattack")
    else:
        yield part(False, f"{unit.name} failed its test for Counterattack")


def first_turn(unit: Unit, target: Unit, position: Position) -> bool | None:
    """Whether this is the first turn of combat between two units; None where the record does not say when it began."""
    since = position.combat.since.get(frozenset((unit.id, target.id)))
    if since is None:
        sides = {unit.id, target.id}
        fought = any({step.unit, step.target} == sides for step in position.combat.steps.values())
        return None if fought or target.id in position.units[unit.id].locked_with else True
    return since == (position.turn, position.active)


def _hatred(striker: _Striker, position: Position, hearing: Hearing) -> Iterator[Part]:
    unit, target = striker.unit, striker.target
    if not any(rule.startswith("hatred:") for rule in unit.rules):
        return

    def part(given: bool | None, why: str) -> Part:
        return Part("CLX-USR-16", "Hatred", given, attacks=1, why=why)

    if target is None:
        yield part(None, "whom the blows are aimed at")
    elif not unit.hates(target):
        yield part(False, f"{unit.name} has no Hatred of {target.name}")
    elif charge_now(unit.id, position) is not None:
        threw = _threw(striker, position)
        if threw is not False and hearing.ask("OR-FORGO") == "ALL":
            if threw is None:
                yield part(None, f"which model of {unit.name} threw a grenade")
            return
        yield part(True, "")
    else:
        first = first_turn(unit, target, position)
        if first is False or hearing.ask("OR-HATRED-A") == "IF_CHARGED":
            yield part(False, f"{unit.name} did not charge in this turn")
        else:
            yield part(first, "when the combat began")


def _two_weapons(striker: _Striker, position: Position, hearing: Hearing) -> Iterator[Part]:
    weapons = position.setup.weapons
    held = [weapons[name] for name in striker.model.weapons if name in weapons]
    close = [weapon for weapon in held if weapon.type in ("melee", "pistol")]
    if len(close) < 2 and position.setup.arms_are_known(striker.model):
        yield Part("CLX-ASLT-09", "two weapons", False, attacks=1, why="it has one close-combat weapon")
        return
    bonus = position.setup.base["BASE-TWO-WEAPONS"]

    def part(given: bool | None, why: str, rule: str = "CLX-ASLT-09") -> Part:
        return Part(rule, "two weapons", given, attacks=1 if bonus is None else bonus, why=why)

    used = striker.weapon
    if used is not None and "two_handed" in used.rules:
        yield part(False, f"{used.name} is two-handed", "CLX-GEAR-01")
    elif len(close) < 2:
        yield part(None, "whether it has two close-combat weapons, which no pack tells")
    elif bonus is None:
        yield part(None, "what a second close-combat weapon gives (BASE-TWO-WEAPONS)")
    elif used is None:
        yield part(None, "which weapon it used")
    elif all("two_handed" in weapon.rules for weapon in close if weapon.id != used.id):
        yield part(None, "whether a two-handed weapon counts as the second one")
    else:
        yield part(True, "")


def _uphill(striker: _Striker, position: Position, hearing: Hearing) -> Iterator[Part]:
    charge = position.combat.charges.get(striker.unit.id)
    if charge is None:
        return
    now = charge_now(striker.unit.id, position) is not None
    model = striker.model.id

    def part(given: bool | None, why: str, near: bool = False) -> Part:
        return Part("CLX-ASLT-08", "uphill", given, initiative=-1, why=why, near=near)

    if charge.stated or model in charge.level_unknown:
        if now or _still(charge, position):
            # Of several that are nearest as far as measuring tells, at different heights, either counts.
            yield part(None, "on which height the models stood when the charge was declared", near=not charge.stated)
    elif model not in charge.lower:
        yield part(False, f"{model} stood no lower than the nearest model of {charge.target}")
    elif now:
        yield part(True, "")
    elif _still(charge, position):
        yield part(hearing.ask("OR-HIGH") == "EVERY_ROUND", "it charged in an earlier turn")


def _still(charge: Charge, position: Position) -> bool:
    return charge.target in position.units[charge.unit].locked_with


def overcame(unit: Unit, enemy: Unit, position: Position) -> bool:
    """Whether a unit has won a round against an enemy that it feared, or might have."""
    state = position.units[unit.id]
    return ("fear" in enemy.rules or enemy.id in state.fear_failed) and enemy.id in state.fear_overcome


def _fear(striker: _Striker, position: Position, hearing: Hearing) -> Iterator[Part]:
    if striker.target is None:
        afraid = position.units[striker.unit.id]
        if afraid.fear_failed or afraid.fear_doubt:
            yield Part("CLX-USR-12", "Fear", None, initiative=-1, why="whom the blows are aimed at")
        return
    state, enemy = position.units[striker.unit.id], striker.target.id
    name = striker.unit.name

    def part(rule: str, given: bool | None, why: str) -> Part:
        return Part(rule, "Fear", given, initiative=-1, why=why)

    if overcame(striker.unit, striker.target, position):
        yield part("CLX-USR-13", False, f"{name} has won a round against {striker.target.name}")
    elif enemy in state.fear_overcome:
        return
    elif enemy in state.fear_doubt:
        yield part("CLX-USR-12", None, f"whether {name} fears {striker.target.name}")
    elif enemy in state.fear_failed:
        yield part("CLX-USR-12", True, "")


def _grenades(striker: _Striker, position: Position, hearing: Hearing) -> Iterator[Part]:
    """What grenades and being pinned do to the Initiative."""
    unit, state = striker.unit, position.units[striker.unit.id]
    on = charges_on(unit.id, position)
    at_it = [throw for throw in position.combat.throws if throw.target == unit.id]
    frags = [throw for throw in at_it if frag(weapon_of_throw(throw, position))]
    unnamed = _unnamed(unit, position)
    yield from _pinned(striker, position, hearing, frags=bool(frags), unnamed=bool(unnamed))
    for throw in unnamed:
        why = "which grenade was thrown"
        yield Part("CLX-GREN-06", "grenade", None, initiative=-throw.fallen, why=why)
        yield Part("CLX-GREN-08", "grenade", None, why=why, fixes=True)
    for throw in frags:
        if throw.fallen and not throw.cover:
            why = f"whether {unit.name} was in cover when the grenade fell"
            given = None if throw.cover is None else True
            yield Part("CLX-GREN-06", "frag grenade", given, initiative=-throw.fallen, why=why if given is None else "")
    for throw in at_it:
        if not emp(weapon_of_throw(throw, position)):
            continue
        hit = None if throw.hits is None else striker.model.id in throw.hits
        model, struck = striker.model, powered(striker.model)
        given = False if hit is False else hit if struck else struck
        said = None if throw.slowed is None else model.id in throw.slowed
        if given and said is not True and hearing.ask("OR-EMP") == "NO_WOUND":
            given = said  # All that were hit, or those of a 4 or more.
        elif given is not None and said is not None and said != given:
            given = None  # What is wrong there is told with the throw.
        if given is not False:
            yield Part("CLX-GREN-08", "EMP grenade", given, why="whether the grenade hit it", fixes=True)
    perhaps = position.is_open("pinned", unit.id) and striker.row.claimed_initiative == 1
    if not on and (state.pinned is not None or perhaps):
        why = f"what being pinned does to {unit.name} in a combat that began before"
        yield Part("CLX-ASLT-10", "pinned", None, why=why, fixes=True)


def _pinned(striker: _Striker, position: Position, hearing: Hearing, *, frags: bool, unnamed: bool) -> Iterator[Part]:
    unit, state = striker.unit, position.units[striker.unit.id]
    on = charges_on(unit.id, position)
    if not on:
        return
    before = any(charge.pinned for charge in on)
    # How it was when a charge was declared that is only stated, or before which nobody said how it was, nobody knows.
    told = any(charge.stated for charge in on)
    open_then = any(charge.pinned is None for charge in on)
    if before:
        yield Part("CLX-ASLT-10", "pinned", True, fixes=True)
    elif state.pinned is None and (told or (open_then and striker.row.claimed_initiative == 1)):
        why = f"whether {unit.name} was pinned when the charge was declared"
        yield Part("CLX-ASLT-10", "pinned", None, why=why, fixes=True)
    elif state.pinned is not None:
        covered = [throw.cover for throw in position.combat.throws if throw.target == unit.id]
        framed = told or unnamed or (frags and any(covered))
        if framed and hearing.ask("OR-FRAG-INIT") == "NORMAL":
            if told or open_then or unnamed:
                why = f"whether a frag grenade pinned {unit.name} in cover"
                yield Part("CLX-ASLT-10", "pinned", None, why=why, fixes=True)
            else:
                why = f"{unit.name} was pinned in cover by a frag grenade, and strikes as if there were no cover"
                yield Part("CLX-GREN-06", "pinned", False, why=why, fixes=True)
            return
        wrong = any(_said_to_pin(throw, position) for throw in position.combat.throws if throw.target == unit.id)
        why = "whether the grenade pinned it"
        yield Part("CLX-ASLT-10", "pinned", None if wrong else True, why=why if wrong else "", fixes=True)
    else:
        for throw in position.combat.throws:
            if throw.target == unit.id and throw.pinned and not emp(weapon_of_throw(throw, position)):
                # It is said to have pinned, and no test says so.
                yield Part("CLX-ASLT-10", "pinned", None, why="whether the grenade pinned it", fixes=True)
            if throw.target != unit.id or throw.struck is False or (throw.pinned is not None and not throw.struck):
                continue
            # An EMP grenade of which it is not said whether it pinned: its dice say so. Where they say otherwise, that
            # is told with the throw, and play may have gone on with either.
            if hearing.ask("OR-EMP-PIN") == "OUTRIGHT":
                given = None if throw.pinned is not None else throw.struck
                yield Part("CLX-ASLT-10", "pinned", given, why="whether the grenade pinned it", fixes=True)


def _said_to_pin(throw: Throw, position: Position) -> bool:
    """Whether an EMP grenade is said to have pinned its target against its dice, and no test says so."""
    if not emp(weapon_of_throw(throw, position)) or not throw.pinned or throw.struck is not False:
        return False
    return not any(test.unit == throw.target and test.pinned for test in position.pin_tests)


Parts = Callable[[_Striker, Position, Hearing], Iterator[Part]]


def extra_blows(event: records.HitRolls, position: Position, hearing: Hearing) -> tuple[int, int]:
    """How many dice to hit have been rolled in a step of a fight with this event, and how many of them are too many: more
    than the attacks that are claimed, and than those that the rules give where these are more."""
    step = position.combat.steps.get(event.attack)
    if step is None or event.attack in position.attacks:
        return 0, 0
    rolled = len(event.rolls or ()) + sum(one.dice for one in step.counts.rolled if one.what == "hits")
    weapon = position.setup.weapons.get(step.weapon or "")
    if step.blows is None or rolled <= step.blows or None in (step.unit, step.target, weapon):
        return rolled, 0
    due = 0
    for name, claimed in step.attackers:
        model = position.setup.models.get(name)
        row = records.Attacker(model=name, claimed_attacks=claimed, target=step.target, weapon=step.weapon)
        span = None if model is None else due_of(row, model, position, hearing).span("attacks")
        if span is None or claimed is None:
            return rolled, 0
        due += max(claimed, span[1])
    return rolled, max(rolled - due, 0)
