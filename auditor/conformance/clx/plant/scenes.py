"""Faults that no game that is played comes to: each in a short record of a situation prepared for it (CLX-ASLT-03,
CLX-GREN, CLX-SHOOT-06g, CLX-USR-01, -04, -07, -08, -13, CLX-VEH-04)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from auditor.conformance.clx.charging import into_contact
from auditor.conformance.clx.inches import number
from auditor.conformance.clx.nerve import shaken
from auditor.conformance.clx.plant.spoiling import Expected, found
from auditor.conformance.clx.plant.stage import HULL, Dull, Stage, box, unit
from auditor.conformance.clx.plant.turning.shots import shoot
from auditor.conformance.clx.readings import READINGS
from auditor.conformance.clx.table import Json
from auditor.conformance.inventor import Planted

Scene = Callable[[Stage], Expected]
TRIES = 60
TANK: Json = {"armour": {"front": 12, "side": 11, "rear": 10}, "W": 3, "has_ws": False}


def by_the_defaults(name: str, number: int) -> Planted | None:
    """The record number `number` of a scene, which ends with its fault; None where no try gave an occasion."""
    rng = Random(f"{name} {number}")
    defaults = {reading: options[0] for reading, options in READINGS.items()}
    for _ in range(TRIES):
        seed = rng.randrange(2**31)
        stage = Stage(Random(seed), defaults, defaults)
        try:
            fault = SCENES[name](stage)
        except Dull:
            continue
        return Planted(seed, [stage.t.header, *stage.t.log[: fault["seq"]]], fault)
    return None


def said(s: Stage, rule: str, kind: str, player: str) -> Expected:
    """What must be found at the last event of the record so far."""
    return found(rule, kind, seq=len(s.t.log), player=player)


def tell(s: Stage, type_: str, player: str, **fields: Any) -> None:
    """Write an event."""
    s.t.write(type_, player, **fields)


def face_to_face(s: Stage, far: float, *entries: Json, facing: int = 270, terrain: tuple[Json, ...] = ()) -> None:
    """A model stands so many inches to the south of another, edge to edge; further models of its side beside it."""
    s.lay(*entries, terrain=terrain)
    s.choose()
    x, y = s.about(14, 30), s.about(10, 14)
    for n, entry in enumerate(entry for entry in entries if entry["id"][0] == "a"):
        s.put(entry["id"], (x + 2 * n, y))
    s.put("b", (x + (len(entries) - 2), y + 1 + far), facing=facing)


def charges(s: Stage, far: float, by: str = "a", at: str = "b") -> None:
    """A charge that reaches is declared."""
    low = s.rng.randint(max(1, int(far) - 5), 6)
    s.t.write("charge", s.t.active, unit=by, target=at, dice=[6, low], claimed_success=True)


def goes_in(s: Stage, far: float, by: str = "a", at: str = "b") -> None:
    """A model that charges comes into contact."""
    up = 1 if by == "a" else -1
    one = s.t.units[by]
    s.go(one, s.steps(one, (0, up * far)), "charge_move", target=at, failed=False)


def throws(s: Stage, grenade: str, by: str = "a", at: str = "b", **more: Any) -> str:
    """A grenade hits the one model that it is thrown at; the name of the throw."""
    name, one = s.t.name("g"), s.t.units[by]
    side = "attacker" if one.owner == s.t.active else "defender"
    struck = [model.id for model in s.t.units[at].living]
    tell(s, "grenade", one.owner, attack=name, unit=by, model=one.living[0].id, grenade=grenade, side=side, target=at,
         **{"hit_models": struck, **more})  # fmt: skip
    return name


def wounds_nobody(s: Stage, name: str, weapon: str, needed: int, count: int = 1) -> None:
    """The dice to wound of a grenade or an attack show a 1, one for each hit."""
    by = next(event["player"] for event in s.t.log if event.get("attack") == name)
    tell(s, "wound_rolls", by, attack=name, weapon=weapon, rolls=[{"die": 1}] * count, claimed_needed=needed,
         claimed_wounds=0, pool=f"{name}p")  # fmt: skip


def is_tested(s: Stage, of: str, name: str, pinned: bool) -> None:
    """A pinning test after a grenade that wounded nobody."""
    dice = [6, s.rng.randint(3, 6)] if pinned else [1, s.rng.randint(1, 6)]
    owner = s.t.units[of].owner
    tell(s, "pinning_test", owner, unit=of, causes=[name], dice=dice, claimed_modifier=0, claimed_pinned=pinned)


def bearers(*weapons: str, key: str = "a", **more: Any) -> Json:
    """A unit of one model with these weapons."""
    return unit(key, 1, weapons=weapons, **more)


# -- grenades and bombs ---------------------------------------------------------------------------------------------


def cover_of_the_pinned(s: Stage) -> Expected:
    """A unit that a grenade has pinned rolls for cover against the next."""
    far = s.about(3, 5)
    face_to_face(s, far, bearers("glaive", "frag"), bearers("glaive", "frag", key="a2"), bearers("glaive", key="b"))
    b = s.t.units["b"].living[0].at
    s.t.header["terrain"] = [box("brush", float(b[0]) - 2, float(b[1]) - 1.5, 4, 4, cover="soft")]
    with s.turn("A"), s.phase("assault"):
        charges(s, far + 1)
        charges(s, far + 1, "a2")
        name = throws(s, "frag")
        tell(s, "cover_rolls", "B", attack=name, weapon="frag", dice=[1], claimed_needed=6, claimed_saved=0)
        wounds_nobody(s, name, "frag", 4)
        is_tested(s, "b", name, pinned=True)
        name = throws(s, "frag", "a2")
        die = s.rng.randint(1, 6)
        tell(
            s, "cover_rolls", "B", attack=name, weapon="frag", dice=[die], claimed_needed=6, claimed_saved=int(die == 6)
        )
        return said(s, "CLX-GREN-03", "illegal", "B")


def thrown_at_a_failed_charge(s: Stage) -> Expected:
    """A grenade is thrown at a charge that fell short."""
    far = s.about(3, 5)
    face_to_face(s, far, bearers("glaive"), bearers("glaive", "frag", key="b"))
    with s.turn("A"), s.phase("assault"):
        tell(s, "charge", "A", unit="a", target="b", dice=[1, 1], claimed_success=False)
        throws(s, "frag", "b", "a")
        return said(s, "CLX-GREN-04", "illegal", "B")


def charges_though_pinned(s: Stage) -> Expected:
    """A unit that a defensive grenade has pinned goes in all the same."""
    far = s.about(2, 5)
    face_to_face(s, far, bearers("glaive"), bearers("glaive", "frag", key="b"))
    with s.turn("A"), s.phase("assault"):
        charges(s, far)
        name = throws(s, "frag", "b", "a")
        wounds_nobody(s, name, "frag", 4)
        is_tested(s, "a", name, pinned=True)
        goes_in(s, far)
        return said(s, "CLX-GREN-04", "illegal", "A")


def emp_needs_something_else(s: Stage) -> Expected:
    """The number that an EMP grenade needs is wrong."""
    far = s.about(2, 5)
    face_to_face(s, far, bearers("glaive", "emp"), bearers("glaive", key="b", more={"armour_class": "power"}))
    with s.turn("A"), s.phase("assault"):
        charges(s, far)
        dice = [{"model": "b.m1", "die": s.rng.randint(1, 2)}]
        throws(s, "emp", effect_dice=dice, claimed_needed=s.rng.choice((3, 5)))
        return said(s, "CLX-GREN-05", "miscalculated", "A")


def photon_forgotten(s: Stage) -> Expected:
    """A unit that was met by a photon grenade counts its bonus for charging."""
    far, attacks = s.about(2, 5), s.rng.randint(1, 4)
    face_to_face(s, far, bearers("glaive", A=attacks), bearers("glaive", "photon", key="b"))
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            charges(s, far)
            name = throws(s, "photon", "b", "a")
            wounds_nobody(s, name, "photon", 6)
            is_tested(s, "a", name, pinned=False)
            goes_in(s, far)
            strikes(s, "a", "b", attacks + 1, 4)
            return said(s, "CLX-GREN-07", "miscalculated", "A")


def strikes(s: Stage, by: str, at: str, attacks: int, initiative: int | None, weapon: str = "glaive") -> str:
    """A step of a fight of one model; its name."""
    name, one = s.t.name("d"), s.t.units[by]
    row: Json = {"model": one.living[0].id, "claimed_attacks": attacks, "target": at, "weapon": weapon}
    if initiative is not None:
        row["claimed_initiative"] = initiative
    tell(s, "fight_step", one.owner, attack=name, initiative=initiative or 4, attackers=[row])
    return name


def pinned_by_nothing(s: Stage) -> Expected:
    """An EMP grenade of which no die shows a 4 is said to pin."""
    far = s.about(2, 5)
    face_to_face(s, far, bearers("glaive", "emp"), bearers("glaive", key="b", more={"armour_class": "power"}))
    with s.turn("A"), s.phase("assault"):
        charges(s, far)
        dice = [{"model": "b.m1", "die": s.rng.randint(1, 3)}]
        effects = {"wounded": [], "pinned": True, "initiative_one": ["b.m1"]}
        throws(s, "emp", effect_dice=dice, claimed_needed=4, claimed_effects=effects)
        return said(s, "CLX-GREN-08", "miscalculated", "A")


def before_a_tank(s: Stage, bomb: str) -> float:
    """A model with a bomb stands before a tank; how far away."""
    far = s.about(2, 5)
    s.lay(bearers("glaive", bomb), unit("b", 1, kind="vehicle", vehicle=TANK, base=HULL))
    s.choose()
    x, y = s.about(14, 30), s.about(10, 14)
    s.put("a", (x, y))
    s.put("b", (x, y + 0.5 + far + 2.25), facing=270)
    return far


def bomb_misread(bomb: str, rule: str) -> Scene:
    """The scene of a bomb whose total is wrong."""

    def scene(s: Stage) -> Expected:
        """The total of a bomb on a vehicle is wrong."""
        far = before_a_tank(s, bomb)
        with s.turn("A"), s.phase("assault"):
            charges(s, far)
            goes_in(s, far)
            name = strikes(s, "a", "b", 1, None, bomb)
            dice = [s.rng.randint(1, 6), s.rng.randint(1, 6)]
            tell(s, "vehicle_hit", "A", attack=name, weapon=bomb, vehicle="b", claimed_facing="front", dice=dice,
                 claimed_total=sum(dice) + 8 + s.rng.choice((1, -1)))  # fmt: skip
            return said(s, rule, "miscalculated", "A")

    return scene


def bomb_misses(s: Stage) -> Expected:
    """A die is rolled to hit a tank with a bomb, and misses."""
    bomb = s.rng.choice(("melta_bomb", "fusion_bomb"))
    far = before_a_tank(s, bomb)
    with s.turn("A"), s.phase("assault"):
        charges(s, far)
        goes_in(s, far)
        name = strikes(s, "a", "b", 1, None, bomb)
        rolls = [{"die": s.rng.randint(1, 2)}]
        tell(s, "hit_rolls", "A", attack=name, weapon=bomb, rolls=rolls, claimed_hits=0)
        return said(s, "CLX-GREN-11", "miscalculated", "A")


# -- shots ----------------------------------------------------------------------------------------------------------


def guessed(s: Stage, **more: Any) -> None:
    """A mortar shoots at a distance that was guessed. `more`: what the record says of the guess."""
    tell(s, "shoot", "A", attack="k1", unit="a", target="b")
    tell(s, "weapon_fire", "A", attack="k1", weapon="ash_mortar", firers=[{"model": "a.m1", "shots": 1}])
    aim = [float(v) for v in s.t.units["b"].living[0].at]
    tell(s, "guess_shot", "A", attack="k1", model="a.m1", aim=aim, **more)


def guessed_too_freely(s: Stage) -> Expected:
    """A shot is placed farther from the guess than the Ballistic Skill allows."""
    skill = s.rng.randint(2, 5)
    face_to_face(s, s.about(15, 20), bearers("ash_mortar", BS=skill), bearers("glaive", key="b"))
    guess = s.rng.randint(15, 25)
    placed = guess + s.rng.choice((-1, 1)) * (skill + s.rng.randint(1, 3))
    with s.turn("A"), s.phase("shooting"):
        guessed(s, guess=guess, placed_distance=placed, hit_models=[])
        return said(s, "CLX-SHOOT-06g", "illegal", "A")


def at_the_hidden(s: Stage) -> Expected:
    """A unit that is hidden in its cover is shot at."""
    face_to_face(s, s.about(6, 12), bearers("repeater"), bearers("glaive", key="b", rules=["infiltrators"]))
    x, y = (float(v) for v in s.t.units["b"].living[0].at)
    s.t.header["terrain"] = [box("brush", x - 2, y - 1.5, 4, 4, cover="soft")]
    s.t.log[-1]["hidden"] = True
    with s.turn("A"), s.phase("shooting"):
        tell(s, "shoot", "A", attack="k1", unit="a", target="b")
        return said(s, "CLX-USR-04", "illegal", "A")


def from_outflank(s: Stage, facing: int) -> None:
    """A model stands before another; it arrives outflanking, at the edge on the left."""
    s.lay(bearers("repeater", "glaive", rules=["outflank"]), bearers("glaive", key="b"), bearers("glaive", key="a2"))
    s.choose()
    y = s.about(20, 28)
    s.put("b", (s.about(7, 12), y), facing=facing)
    s.put("a2", (40, 4))
    a = s.t.units["a"]
    (model,) = a.models
    model.at, a.on_table, a.facing = (number(1), number(y)), True, 0


def arrives(s: Stage) -> None:
    """The outflanker arrives."""
    with s.phase("movement"):
        (model,) = s.t.units["a"].models
        rows = [{"id": model.id, "pos": [float(v) for v in model.at]}]
        tell(s, "reserve_arrival", "A", unit="a", method="outflank", models=rows, facing=0)


def hits(s: Stage, **claims: Any) -> int:
    """A model with a repeater shoots three times and hits one to three times; how often it hits."""
    tell(s, "shoot", "A", attack="k1", unit="a", target="b", **claims)
    tell(s, "weapon_fire", "A", attack="k1", weapon="repeater", firers=[{"model": "a.m1", "shots": 3}])
    made = s.rng.randint(1, 3)
    rolls = [{"die": s.rng.randint(3, 6)} for _ in range(made)] + [{"die": 1}] * (3 - made)
    tell(s, "hit_rolls", "A", attack="k1", weapon="repeater", rolls=rolls, claimed_needed=3, claimed_hits=made)
    return made


def not_pinned_by_an_outflanker(s: Stage) -> Expected:
    """A unit that an outflanker hits takes no pinning test."""
    from_outflank(s, 180)
    with s.turn("A"):
        arrives(s)
        with s.phase("shooting"):
            wounds_nobody(s, "k1", "repeater", 4, hits(s))
        return said(s, "CLX-USR-07", "omitted", "B")


def side_of_an_outflanker(s: Stage) -> Expected:
    """A unit that outflanks charges into the side, and does not count that as the rear."""
    from_outflank(s, s.rng.choice((90, 270)))
    a, b = s.t.units["a"], s.t.units["b"]
    far = s.t.unit_gap(a, b)
    with s.turn("A"):
        arrives(s)
        with s.phase("assault"):
            tell(s, "charge", "A", unit="a", target="b", dice=[6, 6], claimed_success=True)
            s.go(a, s.steps(a, (float(far), 0)), "charge_move", target="b", failed=False)
            strikes(s, "a", "b", 2, 4)
            return said(s, "CLX-USR-08", "miscalculated", "A")


# -- fights ---------------------------------------------------------------------------------------------------------


def flees_untested(s: Stage) -> Expected:
    """A unit that falls back is charged, and takes no test."""
    guns = unit("a2", 3, weapons=["repeater"])
    s.lay(bearers("glaive"), guns, unit("b", 3, weapons=["glaive"], Ld=4, T=3, AS=6, W=2))
    s.choose()
    x, y = s.about(14, 20), s.about(16, 20)
    s.put("a", (x, y))
    s.row("a2", x + 2, y)
    s.row("b", x, y + s.about(4, 6), 270)
    a, b = s.t.units["a"], s.t.units["b"]
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("shooting"):
            shoot(s, s.t.units["a2"], "repeater", b)
            if b.gone:
                raise Dull
            shaken(s.t, b)
        far = s.t.unit_gap(a, b)
        plan = into_contact(s.t, a, b, number(12))
        if not b.falling_back or not plan or far > 11.5:
            raise Dull
        with s.phase("assault"):
            tell(s, "charge", "A", unit="a", target="b", dice=[6, 6], claimed_success=True)
            s.go(a, plan, "charge_move", target="b", failed=False)
        return said(s, "CLX-ASLT-03", "omitted", "B")


def nobody_is_shocked(s: Stage) -> Expected:
    """A unit that a tank reaches takes no check."""
    far = s.about(1, 4)
    s.lay(unit("a", 1, kind="vehicle", vehicle=TANK, base=HULL), bearers("glaive", key="b"))
    s.choose()
    x, y = s.about(14, 30), s.about(10, 14)
    s.put("a", (x, y))
    s.put("b", (x, y + 2.25 + far + 0.5), facing=270)
    with s.turn("A"):
        with s.phase("movement"):
            path = [[x, y], [x, round(y + far, 3)]]
            tell(s, "tank_shock", "A", vehicle="a", unit="b", path=path, headings=[90, 90])
        return said(s, "CLX-VEH-04", "omitted", "B")


def rear_of_the_watchful(s: Stage) -> Expected:
    """A unit that passed its test for Acute Senses is fought as if taken from the rear."""
    far, attacks, fast = s.about(2, 5), s.rng.randint(1, 4), s.rng.randint(2, 6)
    watchful = bearers("glaive", key="b", rules=["acute_senses"], I=s.rng.randint(2, 5))
    face_to_face(s, far, bearers("glaive", A=attacks, I=fast), watchful, facing=90)
    with s.turn("A"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            charges(s, far)
            test = {"characteristic": "I", "die": s.rng.randint(1, 2), "claimed_passed": True, "cause": "acute_senses"}
            tell(s, "char_test", "B", unit="b", **test)
            goes_in(s, far)
            strikes(s, "a", "b", attacks + 2, fast + 1)
            return said(s, "CLX-USR-01", "miscalculated", "A")


def fear_that_has_ended(s: Stage) -> Expected:
    """A unit that has won a round against those whom it feared strikes as if it still feared them."""
    far, low = s.about(2, 5), s.rng.randint(3, 5)
    own = bearers("glaive", WS=low, A=1, Ld=8, T=5)
    feared = bearers("glaive", key="b", rules=["fear"], WS=2 * low - 2, A=1, W=4, AS=6, Ld=10)
    face_to_face(s, far, own, feared)
    needed = 5
    with s.turn("A"), s.phase("assault"):
        test = {"unit": "a", "versus": "b", "claimed_modifier": -1}
        tell(s, "ld_test", "A", cause="fear_charging", dice=[6, 5], claimed_passed=False, **test)
    with s.turn("B"):
        with s.phase("movement"):
            pass
        with s.phase("assault"):
            charges(s, far, "b", "a")
            tell(s, "ld_test", "A", cause="fear_charged", dice=[1, 2], claimed_passed=True, **test)
            goes_in(s, far, "b", "a")
            name = strikes(s, "b", "a", 2, 4)
            misses = [{"die": 1}, {"die": 1}]
            tell(s, "hit_rolls", "B", attack=name, weapon="glaive", rolls=misses, claimed_hits=0)
            wins(s, strikes(s, "a", "b", 1, 1), needed)
    with s.turn("A"), s.phase("assault"):
        name = strikes(s, "a", "b", 1, None)
        tell(s, "hit_rolls", "A", attack=name, weapon="glaive", rolls=[{"die": s.rng.choice((1, 2, 3, 5, 6))}],
             claimed_needed=needed)  # fmt: skip
        return said(s, "CLX-USR-13", "miscalculated", "A")


def wins(s: Stage, name: str, needed: int) -> None:
    """One blow of A wounds B, which loses the round and stands its check."""
    tell(s, "hit_rolls", "A", attack=name, weapon="glaive", rolls=[{"die": 6}], claimed_needed=needed, claimed_hits=1)
    tell(s, "wound_rolls", "A", attack=name, weapon="glaive", rolls=[{"die": 6}], claimed_wounds=1, pool=f"{name}p")
    rows = [{"model": "b.m1", "claimed_saved": False, "claimed_removed": False}]
    tell(s, "allocate", "B", attack=name, pool=f"{name}p", list=rows)
    tell(s, "combat_result", "B", units=["a", "b"], wounds_by_A=1, wounds_by_B=0, claimed_loser="B")
    tell(s, "morale", "B", unit="b", cause="combat", dice=[1, 2], claimed_modifier=-1, claimed_passed=True)


SCENES: Mapping[str, Scene] = {
    "CLX-ASLT-03": flees_untested,
    "CLX-GREN-03": cover_of_the_pinned,
    "CLX-GREN-04": thrown_at_a_failed_charge,
    "CLX-GREN-04 pinned": charges_though_pinned,
    "CLX-GREN-05": emp_needs_something_else,
    "CLX-GREN-07": photon_forgotten,
    "CLX-GREN-08": pinned_by_nothing,
    "CLX-GREN-09": bomb_misread("melta_bomb", "CLX-GREN-09"),
    "CLX-GREN-10": bomb_misread("fusion_bomb", "CLX-GREN-10"),
    "CLX-GREN-11": bomb_misses,
    "CLX-SHOOT-06g": guessed_too_freely,
    "CLX-USR-01": rear_of_the_watchful,
    "CLX-USR-04": at_the_hidden,
    "CLX-USR-07": not_pinned_by_an_outflanker,
    "CLX-USR-08": side_of_an_outflanker,
    "CLX-USR-13": fear_that_has_ended,
    "CLX-VEH-04": nobody_is_shocked,
}
"""Name of a fault -> the situation that comes to it."""
