"""Situations in which readings on grenades matter, on the way of a charge and on wounding by shots (catalogue 6.5, 6.7, 6.8)."""

from __future__ import annotations

from collections.abc import Callable

from auditor.conformance.clx.plant.scenes import (
    arrives,
    bearers,
    charges,
    face_to_face,
    from_outflank,
    guessed,
    hits,
    is_tested,
    strikes,
    tell,
    throws,
    wounds_nobody,
)
from auditor.conformance.clx.plant.stage import Stage, box, unit
from auditor.conformance.clx.table import Json


def before_a_charge(s: Stage, far: float, own: Json, other: Json) -> None:
    """Two models face each other."""
    face_to_face(s, far, own, other, facing=s.rng.choice((90, 180, 270)))


def emp(s: Stage) -> None:
    """An EMP grenade works on a model in powered armour."""
    far = s.about(2, 5)
    armour = s.rng.choice(("power", "artificer", "terminator"))
    before_a_charge(s, far, bearers("glaive", "emp"), bearers("glaive", key="b", W=3, more={"armour_class": armour}))
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            charges(s, far)
            effects = {
                "wounded": ["b.m1"] if s.by("OR-EMP") == "WOUND" else [],
                "pinned": s.by("OR-EMP-PIN") == "OUTRIGHT",
                "initiative_one": ["b.m1"],
            }
            dice = [{"model": "b.m1", "die": s.rng.randint(4, 6)}]
            throws(s, "emp", effect_dice=dice, claimed_needed=4, claimed_effects=effects)


def thrown_far(s: Stage) -> None:
    """A grenade is thrown at a unit that is more than six inches away."""
    far = s.about(6.25, 9)
    before_a_charge(s, far, bearers("glaive", "frag"), bearers("glaive", key="b"))
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            charges(s, far)
            name = throws(s, "frag")
            wounds_nobody(s, name, "frag", 4)
            is_tested(s, "b", name, pinned=False)


def thrown_at_chargers(s: Stage) -> None:
    """A unit that is charged throws a grenade, before the charge roll or after it."""
    far = s.about(2, 5)
    kind = s.rng.choice(("frag", "photon"))
    before_a_charge(s, far, bearers("glaive"), bearers("glaive", kind, key="b"))
    first = {"AFTER_ROLL": False, "BEFORE_ROLL": True}.get(s.by("OR-DEF-TIME"))
    if first is None:
        first = s.under["OR-DEF-TIME"] == "AFTER_ROLL"
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            if not first:
                charges(s, far)
            throws(s, kind, "b", "a")


def frag_that_wounds(s: Stage) -> None:
    """A frag grenade wounds several times, and the unit is tested by the players' reading."""
    far, wounds = s.about(2, 5), s.rng.randint(2, 4)
    target = bearers("glaive", key="b", T=3, W=1, AS=6, Ld=10)
    target["models"] = unit("b", wounds + 2, weapons=["glaive"], T=3, W=1, AS=6, Ld=10)["models"]
    s.lay(bearers("glaive", "frag"), target)
    s.choose()
    x, y = s.about(10, 30), s.about(10, 14)
    s.put("a", (x, y))
    s.row("b", x, y + 1 + far, 270)
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            charges(s, far)
            name = s.t.name("g")
            # The nearest fall first; every model of the row is as good as another for a grenade in its midst.
            struck = [model.id for model in s.t.units["b"].living][:wounds]
            tell(s, "grenade", "A", attack=name, unit="a", model="a.m1", grenade="frag", side="attacker", target="b",
                 hit_models=struck)  # fmt: skip
            tell(s, "wound_rolls", "A", attack=name, weapon="frag", rolls=[{"die": s.rng.randint(3, 6)} for _ in struck],
                 claimed_needed=3, claimed_wounds=wounds, pool=f"{name}p")  # fmt: skip
            rows = [{"model": key, "claimed_saved": False, "claimed_removed": True} for key in struck]
            tell(s, "allocate", "B", attack=name, pool=f"{name}p", list=rows)
            less = -wounds if s.by("OR-FRAG-TEST") == "ONE" else -1
            dice = [1, s.rng.randint(1, 4)]
            tell(
                s, "pinning_test", "B", unit="b", causes=[name], dice=dice, claimed_modifier=less, claimed_pinned=False
            )


def frag_that_wounds_nobody(s: Stage) -> None:
    """A frag grenade hits and wounds nobody, and the fight begins without a test."""
    far, attacks = s.about(2, 5), s.rng.randint(1, 4)
    before_a_charge(s, far, bearers("glaive", "frag", A=attacks), bearers("glaive", key="b", I=3))
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            charges(s, far)
            name = throws(s, "frag")
            wounds_nobody(s, name, "frag", 4)
            if s.by("OR-FRAG-TRIGGER") == "HIT":
                is_tested(s, "b", name, pinned=True)
            one = s.t.units["a"]
            s.go(one, s.steps(one, (0, far)), "charge_move", target="b", failed=False)
            strikes(s, "a", "b", attacks, 4)


def frag_into_cover(s: Stage) -> None:
    """A frag grenade pins a unit in cover, which then strikes."""
    far, swift = s.about(2, 5), s.rng.randint(3, 6)
    before_a_charge(s, far, bearers("glaive", "frag"), bearers("glaive", key="b", I=swift))
    x, y = (float(v) for v in s.t.units["b"].living[0].at)
    s.t.header["terrain"] = [box("brush", x - 2, y - 1.5, 4, 4, cover=s.rng.choice(("soft", "hard")))]
    level = 1 if s.t.header["terrain"][0]["cover"] == "soft" else 2
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            charges(s, far)
            name = throws(s, "frag")
            die = s.rng.randint(1, 6 - level)
            tell(s, "cover_rolls", "B", attack=name, weapon="frag", dice=[die], claimed_needed=7 - level,
                 claimed_saved=0)  # fmt: skip
            wounds_nobody(s, name, "frag", 4)
            is_tested(s, "b", name, pinned=True)
            one = s.t.units["a"]
            s.go(one, s.steps(one, (0, far)), "charge_move", target="b", failed=False)
            strikes(s, "b", "a", 1, 1 if s.by("OR-FRAG-INIT") == "INIT1" else swift)


def chargers_are_pinned(s: Stage) -> None:
    """A grenade pins who charges: they stay, or go on short of contact."""
    far = s.about(2, 5)
    before_a_charge(s, far, bearers("glaive"), bearers("glaive", "frag", key="b"))
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            charges(s, far)
            name = throws(s, "frag", "b", "a")
            wounds_nobody(s, name, "frag", 4)
            is_tested(s, "a", name, pinned=True)
            if s.by("OR-DEF-FAIL") == "FULL":
                one = s.t.units["a"]
                s.go(one, s.steps(one, (0, far - 0.25)), "charge_move", target="b", failed=True)


def photon_that_misses(s: Stage) -> None:
    """A photon grenade is thrown at who charges, and hits nobody."""
    far, attacks = s.about(2, 5), s.rng.randint(1, 4)
    before_a_charge(s, far, bearers("glaive", A=attacks), bearers("glaive", "photon", key="b"))
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            charges(s, far)
            throws(s, "photon", "b", "a", hit_models=[])
            one = s.t.units["a"]
            s.go(one, s.steps(one, (0, far)), "charge_move", target="b", failed=False)
            strikes(s, "a", "b", attacks + (s.by("OR-PHOTON") == "HIT"), 4)


def round_a_wall(s: Stage) -> None:
    """A long wall lies between a unit and the one that it charges."""
    far = s.about(3, 8)
    before_a_charge(s, far, bearers("glaive"), bearers("glaive", key="b"))
    y = float(s.t.units["a"].living[0].at[1])
    s.t.header["terrain"] = [box("wall", 1, y + 0.5 + far / 2 - 0.5, 46, 1, impassable=True)]
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            dice = [6, s.rng.randint(max(1, int(far) - 5), 6)]
            tell(s, "charge", "A", unit="a", target="b", dice=dice, claimed_success=False)


def by_another_chart(s: Stage) -> None:
    """Shots wound by another number than the chart of the text has."""
    face_to_face(s, s.about(5, 15), bearers("repeater"), bearers("glaive", key="b", T=s.rng.choice((2, 3, 5, 8)), W=5))
    right = {2: 2, 3: 3, 5: 5, 8: 6}[s.t.units["b"].living[0].n("T")]
    with s.turn("A"), s.phase("shooting"):
        count = hits(s, claimed_in_range=True)
        needed = s.rng.choice([n for n in range(2, 7) if n != right])
        wounds_nobody(s, "k1", "repeater", needed, count)


def shots_of_an_outflanker(s: Stage) -> None:
    """Shots of a unit that has just outflanked hit, and the target is pinned by them, or takes no test."""
    from_outflank(s, 180)
    with s.turn("A"):
        arrives(s)
        with s.phase("shooting"):
            wounds_nobody(s, "k1", "repeater", 4, hits(s))
            if s.by("OR-OUTFLANK") == "PINS":
                is_tested(s, "b", "k1", pinned=True)


def guess_and_skill(s: Stage) -> None:
    """A guess is right, and the shot placed far from it; or it is wrong, and the shot placed near it."""
    skill, far = s.rng.randint(2, 5), s.about(15, 20)
    face_to_face(s, far, bearers("ash_mortar", BS=skill), bearers("glaive", key="b"))
    off = s.rng.choice((-1, 1)) * (skill + s.rng.randint(1, 3))
    guess = far if s.by("OR-GUESS-BS") == "WINDOW" else far + off
    with s.turn("A"), s.phase("shooting"):
        guessed(s, guess=guess, placed_distance=far + off, hit_models=["b.m1"])


def guess_and_die(s: Stage) -> None:
    """A guessed shot scatters though a die would have it hit, or does not though a die would have it miss."""
    skill, far = s.rng.randint(2, 5), s.about(15, 20)
    face_to_face(s, far, bearers("ash_mortar", BS=skill), bearers("glaive", key="b"))
    die = s.rng.randint(1, 6)
    scatter = {"scatter_angle": s.rng.randrange(0, 360, 15), "scatter_dice": [s.rng.randint(1, 6), s.rng.randint(1, 6)]}
    with s.turn("A"), s.phase("shooting"):
        guessed(
            s, guess=far, placed_distance=far, to_hit_die=die, hit_models=[], **(scatter if die >= 7 - skill else {})
        )


THROWS: dict[str, Callable[[Stage], None]] = {
    "OR-EMP": emp,
    "OR-EMP-PIN": emp,
    "OR-GREN-G": thrown_far,
    "OR-DEF-TIME": thrown_at_chargers,
    "OR-FRAG-TEST": frag_that_wounds,
    "OR-FRAG-TRIGGER": frag_that_wounds_nobody,
    "OR-FRAG-INIT": frag_into_cover,
    "OR-DEF-FAIL": chargers_are_pinned,
    "OR-PHOTON": photon_that_misses,
    "OR-OUTFLANK": shots_of_an_outflanker,
    "OR-GUESS-BS": guess_and_skill,
    "OR-GUESS-DIE": guess_and_die,
    "OR-CHARGE-DIST": round_a_wall,
    "OR-TOWOUND-SHOOT": by_another_chart,
}
