"""Situations in which readings on charges and fights matter (catalogue 6.6 to 6.8, 6.11)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from auditor.conformance.clx.charging import charge, into_contact
from auditor.conformance.clx.fighting import combat
from auditor.conformance.clx.inches import number
from auditor.conformance.clx.moving import Plan
from auditor.conformance.clx.nerve import shaken
from auditor.conformance.clx.plant.stage import Dull, Stage, box, unit
from auditor.conformance.clx.plant.turning.shots import shoot
from auditor.conformance.clx.table import Json

PIKE: Json = {
    "id": "pike",
    "type": "melee",
    "range": None,
    "S": "user+2",
    "AP": None,
    "shots": None,
    "rules": ["hefty"],
}


def meet(
    s: Stage, own: Json, other: Json, *arms: Json, terrain: tuple[Json, ...] = (), facing: int | None = None
) -> None:
    """Two units stand some inches from each other."""
    s.lay(own, other, terrain=terrain, weapons=arms)
    s.choose()
    put_down(s, 6, facing)


def put_down(s: Stage, most: float, facing: int | None) -> float:
    """Units a and b are put down, two to `most` inches from each other; how far up the table a stands."""
    y = s.about(10, 20)
    s.row("a", s.about(16, 22), y)
    s.row("b", s.about(16, 22), y + 1 + s.about(2, most), s.rng.choice((90, 270)) if facing is None else facing)
    return y


def clash(s: Stage, rounds: int = 1, pair: tuple[str, str] = ("a", "b")) -> None:
    """A charges B and they fight, perhaps for another round in B's turn."""
    a, b = (s.t.units[key] for key in pair)
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            charge(s.t, a)
            if a.locked is None:
                raise Dull
            combat(s.t, a, b)
    for n in range(1, rounds):
        with s.turn("B" if n % 2 else "A"), s.phase("assault"):
            if a.locked is None:
                raise Dull
            combat(s.t, a, b)


def fight(own: Json, other: Json, *arms: Json, rounds: int = 1, facing: int | None = None) -> Callable[[Stage], None]:
    """A situation in which a unit charges another."""

    def situation(s: Stage) -> None:
        meet(s, own, other, *arms, facing=facing)
        clash(s, rounds)

    return situation


def shoots_and_charges(weapon: str, target: Json) -> Callable[[Stage], None]:
    """A situation in which a unit that stood still shoots, and charges."""

    def situation(s: Stage) -> None:
        meet(s, unit("a", s.rng.randint(1, 3), weapons=[weapon, "glaive"]), target)
        a, b = s.t.units["a"], s.t.units["b"]
        with s.turn("A"):
            with s.phase("movement"):
                pass
            with s.phase("shooting"):
                shoot(s, a, weapon, b)
                if b.gone:
                    raise Dull
                shaken(s.t, b)
                if b.falling_back:
                    raise Dull
            with s.phase("assault"):
                charge_straight(s, "a", "b")

    return situation


def charge_straight(s: Stage, by: str, at: str) -> None:
    """A unit charges another, and reaches it."""
    a, b = s.t.units[by], s.t.units[at]
    far = s.t.unit_gap(a, b)
    dice = [6, 6]
    plan = into_contact(s.t, a, b, Decimal(12))
    if not plan or s.t.arc(b, a.centre) is None or far > 12:
        raise Dull
    s.t.write("charge", a.owner, unit=by, target=at, dice=dice, claimed_success=True)
    s.go(a, plan, "charge_move", target=at, failed=False)


def near_at_the_start(s: Stage) -> None:
    """A unit charges that began its Movement Phase nearer than an inch, and did not move."""
    s.lay(unit("a", s.rng.randint(1, 3), A=s.rng.randint(1, 3)), unit("b", s.rng.randint(1, 3)))
    s.choose()
    x, y = s.about(16, 22), s.about(10, 20)
    s.row("a", x, y)
    s.row("b", x, y + 1 + s.rng.choice((0.25, 0.5, 0.75, 0.8)), 270)
    clash(s)


def short_of_the_zone(s: Stage) -> None:
    """A charge falls short, and the model stops an inch from the enemy."""
    s.lay(unit("a", 1), unit("b", s.rng.randint(1, 3)))
    s.choose()
    x, y = s.about(16, 22), s.about(10, 20)
    a = s.put("a", (x, y))
    roll = s.rng.randint(3, 9)
    gap = roll + s.rng.choice((0.25, 0.5, 0.75))
    s.put("b", *((x + 1.5 * n, y + 1 + gap) for n in range(len(s.t.units["b"].models))), facing=270)
    low = max(1, roll - 6)
    far = number(gap - 1) if s.by("OR-CHARGE-SHORT") == "STOP" else number(roll)
    (model,) = a.living
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            s.t.write("charge", "A", unit="a", target="b", dice=[low, roll - low], claimed_success=False)
            plan: Plan = [(model, [model.at, (model.at[0], model.at[1] + far)])]
            s.go(a, plan, "charge_move", target="b", failed=True)


def uphill(s: Stage) -> None:
    """A unit charges up a hill and fights for two rounds."""
    hill = box("hill", 5, 20, 38, 10, surface_z=s.rng.choice((1, 2)))
    s.lay(unit("a", 3, T=8, AS=2, Ld=10, A=2, I=s.rng.randint(2, 6)), unit("b", 3, T=8, AS=2, Ld=10), terrain=[hill])
    s.choose()
    s.row("a", s.about(16, 20), s.about(16, 19))
    s.row("b", s.about(16, 20), s.about(21, 23), 270)
    clash(s, 2)


def hated(s: Stage) -> None:
    """A unit is charged that hates its enemy."""
    meet(s, unit("a", 2, I=3), unit("b", 3, I=s.rng.randint(2, 5), rules=["hatred:a"]))
    clash(s)


def thrower(s: Stage) -> None:
    """A model of a unit that charges from the rear throws a grenade."""
    rules = s.rng.choice(((), ("surprise_assault",)))
    own = unit("a", s.rng.randint(1, 3), weapons=["frag", "glaive"], rules=rules, I=s.rng.randint(2, 6))
    meet(s, own, unit("b", 4, AS=2, T=6, I=2), facing=90)
    clash(s)


def pistols_in_combat(s: Stage) -> None:
    """A unit is charged, and shoots out of the combat with its pistols in its own turn."""
    s.lay(
        unit("a", 2, T=8, Ld=10, weapons=["glaive"]),
        unit("b", 2, T=8, Ld=10, weapons=["side_arm", "glaive"]),
        unit("ac", 2, T=8),
    )
    s.choose()
    y = put_down(s, 4, 270)
    c = s.row("ac", s.about(12, 26), y + s.rng.choice((-3, 9)))
    a, b = s.t.units["a"], s.t.units["b"]
    if s.t.unit_gap(a, c) < 1 or s.t.unit_gap(b, c) < 2:
        raise Dull
    clash(s)
    if a.locked is not b:
        raise Dull
    with s.turn("B"), s.phase("shooting"):
        shoot(s, b, "side_arm", c)
        if not c.gone:
            shaken(s.t, c)


STURDY = unit("b", 4, T=6, AS=2, Ld=10)

BLOWS: dict[str, Callable[[Stage], None]] = {
    "OR-HEAVY-CHARGE": shoots_and_charges("heavy_caster", STURDY),
    "OR-RAPID-CHARGE": shoots_and_charges("long_rifle", STURDY),
    "OR-SALVO-STAND": shoots_and_charges("volley_gun", STURDY),
    "OR-PISTOL": pistols_in_combat,
    "OR-FORGO": thrower,
    "OR-CHARGE-START": near_at_the_start,
    "OR-CHARGE-SHORT": short_of_the_zone,
    "OR-FRONT": fight(unit("a", 3, A=3, S=6), unit("b", 5, T=3, AS=6)),
    "OR-SURPRISE-STACK": fight(unit("a", 2, rules=["surprise_assault"]), unit("b", 3), facing=90),
    "OR-HIGH": uphill,
    "OR-HATRED-A": hated,
    "OR-HEFTY-S": fight(unit("a", 3, weapons=["pike"], S=4, A=3), unit("b", 4, T=3, AS=2), PIKE),
    "OR-1PLUS": fight(unit("a", 3, weapons=["pike"], S=3, A=3), unit("b", 4, T=3, AS=1), PIKE),
}
