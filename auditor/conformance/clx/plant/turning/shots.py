"""Situations in which readings on shooting matter (catalogue 6.4 to 6.6, 6.9 to 6.11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from auditor.conformance.clx.inches import Point, direction, turn_between
from auditor.conformance.clx.nerve import shaken
from auditor.conformance.clx.plant.stage import HULL, Dull, Stage, box, unit
from auditor.conformance.clx.plant.turning.moves import claim_an_arc
from auditor.conformance.clx.shooting import attack, fire, firers_at, go_to_ground, run, suits, wasted
from auditor.conformance.clx.table import Json, Table, Unit

RIMS = (45, 90, 135)
"""Degrees from its facing at which an arc of a unit ends, under one reading or another."""
ARMOUR = {"front": 10, "side": 10, "rear": 10}
RAIL: Json = {"id": "rail_gun", "type": "assault", "range": 30, "S": 6, "AP": 1, "shots": 2}
STING: Json = {"id": "sting_gun", "type": "assault", "range": 30, "S": 5, "AP": None, "shots": 4, "rules": ["rending"]}
MAW: Json = {"id": "maw_gun", "type": "assault", "range": 30, "S": 9, "AP": None, "shots": 2}
LINKED: Json = {**RAIL, "id": "linked_gun", "AP": 5, "shots": 3, "rules": ["twin_linked"]}
ACID: Json = {"id": "acid_gun", "type": "assault", "range": 30, "S": 6, "AP": 3, "shots": 3, "rules": ["nbc"]}


def near_a_rim(t: Table, target: Unit, point: Point, facing: float | None) -> bool:
    """Whether it is not certain, under one reading or another, in which arc a point lies: a facing that is stated may be
    half a degree off."""
    faces = target.facing if facing is None else facing
    if faces is None or t.arc(target, point, facing) is None:
        return True
    off = turn_between(faces, direction(target.centre, point))
    return any(abs(off - rim) < 1 for rim in RIMS)


def shoot(s: Stage, by: Unit, weapon: str, at: Unit) -> None:
    """One unit shoots at another with one weapon, where nothing about that is in doubt."""
    if at.gone or by.gone or at.falling_back:
        raise Dull
    if at.vehicle is None and any(near_a_rim(s.t, at, by.centre, facing) for facing in (at.facing, at.frame)):
        raise Dull
    if not suits(s.t, by, weapon, at):
        raise Dull
    attack(s.t, by, [weapon], at)


def two_lines(s: Stage, own: Json, other: Json, apart: float, terrain: Sequence[Json] = (), *guns: Json) -> None:
    """A unit a side, so many inches from each other."""
    s.lay(own, other, terrain=terrain, weapons=guns)
    s.choose()
    y = s.about(5, 12)
    s.row("a", s.about(15, 25), y)
    s.row("b", s.about(15, 25), y + apart, s.rng.choice((90, 180, 270)))


def exchange(s: Stage, weapon: str) -> None:
    """A shoots at B; what comes of it, to the end of the phase."""
    with s.turn("A"), s.phase("shooting"):
        shoot(s, s.t.units["a"], weapon, s.t.units["b"])
        if not s.t.units["b"].gone:
            shaken(s.t, s.t.units["b"])


def volley(own: Json, other: Json, *guns: Json, low: float = 4, high: float = 15) -> Callable[[Stage], None]:
    """A situation in which a unit shoots at another."""

    def situation(s: Stage) -> None:
        two_lines(s, own, other, s.about(low, high), (), *guns)
        exchange(s, own["models"][0]["weapons"][0])

    return situation


def from_all_round(s: Stage) -> None:
    """A unit is shot at from anywhere, and it is said from which side."""
    s.lay(unit("a", s.rng.randint(1, 3)), unit("b", s.rng.randint(1, 3)))
    s.choose()
    s.row("a", s.about(5, 40), s.about(5, 40))
    s.row("b", s.about(18, 25), s.about(18, 28), s.rng.choice((0, 45, 90, 135, 180, 225, 270, 315)))
    if s.t.unit_gap(s.t.units["a"], s.t.units["b"]) < 4:
        raise Dull
    claim_an_arc(s, "b", "a")


def at_a_hull(s: Stage) -> None:
    """A vehicle is hit from anywhere."""
    hull = {"armour": ARMOUR, "W": 9}
    target = unit("b", 1, kind="vehicle", vehicle=hull, base=HULL, weapons=["heavy_caster"], M=12, BS=3)
    s.lay(unit("a", 2, weapons=["rail_gun", "glaive"]), target, weapons=[RAIL])
    s.choose()
    s.row("a", s.about(5, 40), s.about(5, 40))
    s.row("b", 23, 24, s.rng.choice((0, 30, 45, 60, 90, 135, 180)))
    exchange(s, "rail_gun")


def hit_a_hull(weapon: Json, armour: int) -> Callable[[Stage], None]:
    """A situation in which a vehicle of an armour is hit."""

    def situation(s: Stage) -> None:
        sides = dict.fromkeys(("front", "side", "rear"), armour)
        target = unit("b", 1, kind="vehicle", vehicle={"armour": sides, "W": 20}, base=HULL, weapons=["heavy_caster"],
                      M=12, BS=3)  # fmt: skip
        two_lines(s, unit("a", 3, weapons=[weapon["id"]]), target, s.about(6, 20), (), weapon)
        exchange(s, weapon["id"])

    return situation


def with_pinning(s: Stage) -> None:
    """A unit is hit by Pinning weapons, and seldom wounded."""
    two_lines(s, unit("a", s.rng.randint(1, 3), weapons=["arc_gun"]), unit("b", 6, T=7, AS=3, Ld=s.rng.randint(4, 8)),
              s.about(5, 20))  # fmt: skip
    exchange(s, "arc_gun")


def pinned_twice(s: Stage) -> None:
    """Two units shoot at one with Pinning weapons."""
    guns = ["arc_gun"]
    s.lay(unit("a", 2, weapons=guns), unit("ab", 2, weapons=guns), unit("b", 8, T=5, Ld=9, AS=4))
    s.choose()
    s.row("a", 15, 8)
    s.row("ab", 24, 8)
    s.row("b", s.about(14, 20), s.about(18, 28), 270)
    with s.turn("A"), s.phase("shooting"):
        for key in ("a", "ab"):
            shoot(s, s.t.units[key], "arc_gun", s.t.units["b"])
        shaken(s.t, s.t.units["b"])


def run_after_a_wasted_attack(s: Stage) -> None:
    """A unit shoots at somebody out of range, and runs."""
    s.lay(unit("a", s.rng.randint(1, 3)), unit("b", 2))
    s.choose()
    a = s.row("a", s.about(10, 30), s.about(3, 10))
    b = s.row("b", s.about(10, 30), 44, 270)
    with s.turn("A"), s.phase("shooting"):
        wasted(s.t, a, s.t.weapons["repeater"], b)
        run(s.t, a)


def from_a_height(s: Stage) -> None:
    """A unit shoots from a hill, at one that may stand on a hill too."""
    high, low = s.rng.choice((1.5, 2, 2.5, 3, 4.5, 7)), s.rng.choice((0, 0, 0.5, 1, 2.25))
    hills = [box("hill", 10, 4, 20, 6, surface_z=high), box("rise", 10, 20, 20, 10, surface_z=low)]
    s.lay(unit("a", s.rng.randint(1, 3)), unit("b", s.rng.randint(1, 4)), terrain=hills)
    s.choose()
    s.row("a", s.about(12, 24), s.about(5, 9))
    s.row("b", s.about(12, 22), s.about(21, 29), 270)
    exchange(s, "repeater")


def half_range_from_a_height(s: Stage) -> None:
    """The same with rapid fire, between half of the printed range and half of that with height."""
    hills = [box("hill", 10, 4, 20, 6, surface_z=s.rng.choice((2, 3, 4, 6)))]
    s.lay(unit("a", s.rng.randint(1, 3), weapons=["long_rifle"]), unit("b", 3), terrain=hills)
    s.choose()
    y = s.about(5, 9)
    s.row("a", 18, y)
    s.row("b", 18, y + 1 + s.about(12, 15), 270)
    if s.by("OR-RAPID-HALF") == "EFFECTIVE":

        def unclaimed(t: Table, event: Json, tag: Json) -> bool:
            for row in event.get("firers", ()) if event["type"] == "weapon_fire" else ():
                row.pop("claimed_half", None)
            return True

        s.t.spoil = unclaimed
    exchange(s, "long_rifle")


def partly_in_cover(s: Stage) -> None:
    """Some models of a unit stand in cover."""
    terrain = [box("wood", 18, 20, s.about(1, 6), 8, cover=s.rng.choice(("soft", "hard")))]
    s.lay(unit("a", s.rng.randint(1, 2)), unit("b", s.rng.randint(2, 5)), terrain=terrain)
    s.choose()
    s.row("a", s.about(8, 36), s.about(10, 14))
    s.row("b", s.about(15, 21), s.about(20, 27), 270)
    exchange(s, "repeater")


def jinks(s: Stage) -> None:
    """A unit on bikes jinks after it was named as the target."""
    target = unit("b", 2, kind=s.rng.choice(("bike", "jetbike")), weapons=["twin_caster"])
    two_lines(s, unit("a", 2), target, s.about(5, 15))
    with s.turn("A"), s.phase("shooting"):
        s.t.write("shoot", "A", attack="k1", unit="a", target="b", claimed_in_range=True, claimed_failed=False)
        if s.rng.random() < 0.5:
            rows = [{"model": m.id, "shots": 3} for m in s.t.units["a"].living]
            s.t.write("weapon_fire", "A", attack="k1", weapon="repeater", firers=rows)
        s.t.write("jink", "B", unit="b", attack="k1")


def to_ground(s: Stage) -> None:
    """A unit that is shot at goes to ground: before its first die, or after."""
    terrain = [box("wood", 5, 20, 36, 8, cover="soft")] if s.rng.random() < 0.5 else []
    s.lay(unit("a", 2), unit("b", 5, T=6), terrain=terrain)
    s.choose()
    a = s.row("a", s.about(15, 25), 10)
    b = s.row("b", s.about(15, 20), s.about(20, 24), 270)
    late = s.by("OR-GTG-TIME") != "BEFORE_COVER" and s.rng.random() < 0.6
    claims = s.rng.choice(("claimed_level", "claimed_needed"))

    def one_number(t: Table, event: Json, tag: Json) -> bool:
        if event["type"] == "cover_rolls":
            for key in {"claimed_level", "claimed_needed", "claimed_saved"} - {claims}:
                event.pop(key, None)
        return True

    s.t.spoil = one_number
    with s.turn("A"), s.phase("shooting"):
        entry: Json = {"attack": "k1", **dict.fromkeys(("hits", "unsaved", "inflicted", "lost"), 0)}
        entry |= {"pinning_hits": 0, "pinning_wounds": 0}
        s.t.write("shoot", "A", attack="k1", unit="a", target="b", claimed_in_range=True, claimed_failed=False)
        b.grounded_until = b.pinned_until = 99 if late else -1  # So that the bot does not go to ground by itself.
        b.pinned_until = 99
        weapon = s.t.weapons["repeater"]
        if not late:
            firers, _, _ = firers_at(s.t, a, weapon, b)
            s.t.spoil = going(s, b, entry, s.t.spoil)
            if not firers:
                raise Dull
        fire(s.t, a, weapon, b, entry, first=True)
        if late:
            go_to_ground(s.t, b, entry)


def going(
    s: Stage, target: Unit, entry: Json, then: Callable[[Table, Json, Json], bool]
) -> Callable[[Table, Json, Json], bool]:
    """After the weapon is named its target goes to ground, before any die."""
    went: list[int] = []

    def spoil(t: Table, event: Json, tag: Json) -> bool:
        if event["type"] == "go_to_ground" or went:
            return then(t, event, tag)
        if event["type"] == "weapon_fire":
            went.append(1)
            t.log.append(event)
            go_to_ground(t, target, entry)
            return False
        return then(t, event, tag)

    return spoil


def allocating(s: Stage) -> None:
    """Several wounds on a unit that stands askew."""
    count = s.rng.randint(3, 6)
    s.lay(unit("a", s.rng.randint(2, 4)), unit("b", count, AS=s.rng.choice((2, 3)), T=3))
    s.choose()
    s.row("a", s.about(15, 25), s.about(5, 12))
    x, y = s.about(14, 22), s.about(17, 24)
    s.put("b", *((x + 1.75 * n, y + s.rng.randint(0, 3) / 10) for n in range(count)), facing=270)
    exchange(s, "repeater")


def no_arc(t: Table, event: Json, tag: Json) -> bool:
    """Nobody says from which side a shot comes."""
    if event["type"] == "shoot":
        event.pop("claimed_arc", None)
    return True


def caught_in_the_middle(s: Stage) -> None:
    """Two or three units shoot at one from different sides."""
    hardy = {"T": s.rng.choice((3, 5, 8)), "AS": s.rng.choice((2, 4)), "Ld": s.rng.randint(4, 9)}
    shooters = [unit(key, s.rng.randint(1, 2)) for key in ("a", "ab", "ac")]
    s.lay(*shooters, unit("b", s.rng.randint(4, 8), profile=hardy))
    s.choose()
    s.row("a", s.about(15, 28), s.about(10, 14))
    s.row("ab", s.about(15, 28), s.about(33, 37), 270)
    s.row("ac", s.about(5, 40), s.rng.choice((s.about(8, 9), s.about(38, 40))), 270)
    b = s.row("b", s.about(16, 22), s.about(22, 25), s.rng.choice((60, 90, 120, 270)), step=1.25)
    keys = ["a", "ab", "ac"]
    s.rng.shuffle(keys)
    s.t.spoil = no_arc
    with s.turn("A"), s.phase("shooting"):
        for key in keys[: s.rng.randint(2, 3)]:
            if b.falling_back or b.gone:
                break
            shoot(s, s.t.units[key], "repeater", b)
        if not b.gone and not b.falling_back:
            shaken(s.t, b)


def caught_and_more(s: Stage) -> None:
    """A unit is caught in crossfire, and loses wounds to a unit at its side as well."""
    s.lay(*(unit(key, 2) for key in ("a", "ab", "ac")), unit("b", 8, Ld=10, AS=4))
    s.choose()
    s.row("a", s.about(18, 26), s.about(12, 15))
    s.row("ab", s.about(18, 26), s.about(33, 36), 270)
    s.row("ac", s.rng.choice((s.about(4, 6), s.about(38, 40))), s.about(22, 26), 270)
    b = s.row("b", s.about(17, 19), s.about(23, 25), s.rng.choice((90, 270)), step=1.25)
    keys = ["a", "ab", "ac"]
    s.rng.shuffle(keys)
    s.t.spoil = no_arc
    with s.turn("A"), s.phase("shooting"):
        for key in keys:
            if b.falling_back:
                raise Dull
            shoot(s, s.t.units[key], "repeater", b)
        if b.gone or b.falling_back:
            raise Dull
        shaken(s.t, b)


def two_attacks(s: Stage) -> None:
    """Two units shoot, at one target or at two."""
    s.lay(unit("a", 2), unit("ab", 2), unit("b", 6, AS=4, Ld=9), unit("bc", 4))
    s.choose()
    s.row("a", 12, 10)
    s.row("ab", 26, 10)
    s.row("b", 12, s.about(20, 24), 270)
    s.row("bc", 26, s.about(20, 24), 270)
    with s.turn("A"), s.phase("shooting"):
        for key in ("a", "ab"):
            shoot(s, s.t.units[key], "repeater", s.t.units[s.rng.choice(("b", "b", "bc"))])
        for key in ("b", "bc"):
            if not s.t.units[key].gone and not s.t.units[key].falling_back:
                shaken(s.t, s.t.units[key])


def gas(s: Stage) -> None:
    """An NBC attack on shielded armour that its AP goes through."""
    more = {"armour_class": s.rng.choice(("power", "eldar", "artificer"))}
    target = unit("b", 4, AS=s.rng.choice((3, 4)), rules=["hostile_environment_shielding"], more=more)
    two_lines(s, unit("a", 2, weapons=["acid_gun"]), target, s.about(5, 15), (), ACID)
    exchange(s, "acid_gun")


def snap_shots(s: Stage) -> None:
    """A unit that moved shoots with heavy weapons at the enemy that it prefers."""
    own = unit(
        "a",
        s.rng.randint(1, 2),
        weapons=["heavy_caster", "glaive"],
        rules=["preferred_enemy:Salt Vultures"],
        BS=s.rng.randint(1, 4),
    )
    two_lines(s, own, unit("b", 5, T=8), s.about(8, 15))
    with s.turn("A"):
        with s.phase("movement"):
            s.go(s.t.units["a"], s.steps(s.t.units["a"], (0, s.about(1, 3))))
        with s.phase("shooting"):
            shoot(s, s.t.units["a"], "heavy_caster", s.t.units["b"])
            if not s.t.units["b"].gone:
                shaken(s.t, s.t.units["b"])


def hidden_who_shot(s: Stage) -> None:
    """A hidden unit shoots, and is shot at in the other player's turn."""
    wood = box("wood", 10, 20, 26, 10, cover="soft")
    s.lay(unit("a", 2, T=8), unit("b", s.rng.randint(1, 3), T=8, rules=["infiltrators"]), terrain=[wood])
    s.choose(deploys="B", begins="B")
    a = s.row("a", s.about(14, 26), s.about(8, 12))
    b = s.row("b", s.about(14, 26), s.about(22, 27), 270, hidden=True)
    for player, shooter, target in (("B", b, a), ("A", a, b)):
        with s.turn(player), s.phase("shooting"):
            shoot(s, shooter, "repeater", target)
            if not target.gone:
                shaken(s.t, target)


def turned_by_the_first(s: Stage) -> None:
    """Two units shoot at the two sides of one, with weapons that turn it."""
    guns = ["arc_gun"]
    s.lay(unit("a", 1, weapons=guns), unit("ab", 1, weapons=guns), unit("b", 6, T=8, Ld=10))
    s.choose()
    s.row("a", s.about(18, 26), s.about(9, 13))
    s.row("ab", s.about(18, 26), s.about(34, 38), 270)
    b = s.row("b", s.about(17, 19), s.about(22, 25), s.rng.choice((0, 180)), step=1.25)
    s.t.spoil = no_arc
    with s.turn("A"), s.phase("shooting"):
        for key in s.rng.sample(("a", "ab"), 2):
            shoot(s, s.t.units[key], "arc_gun", b)
        if not b.gone and not b.falling_back:
            shaken(s.t, b)


def crossed(s: Stage) -> None:
    """A crossfire by where a unit faced before, by where it faces, or by where the shots come from."""
    (turned_by_the_first if s.under["OR-CROSS"] == "LIVE" else caught_in_the_middle)(s)


def prone_in_cover(s: Stage) -> None:
    """A unit in cover drops prone, is shot at again, and has better cover for that."""
    wood = box("wood", 8, 20, 30, 10, cover="soft")
    target = unit("b", s.rng.randint(2, 4), T=8, rules=["prone_position"])
    s.lay(unit("a", 2, weapons=["arc_gun"]), unit("ab", 2), target, terrain=[wood])
    s.choose()
    s.row("a", s.about(12, 18), s.about(8, 12))
    s.row("ab", s.about(22, 28), s.about(8, 12))
    b = s.row("b", s.about(14, 26), s.about(22, 26), 270)

    def lower(t: Table, event: Json, tag: Json) -> bool:
        if event["type"] == "cover_rolls" and b.asked_prone:
            event.pop("claimed_level")
            event["claimed_needed"] -= 1
            event["claimed_saved"] = sum(die >= event["claimed_needed"] for die in event["dice"])
        return True

    s.t.spoil = lower
    with s.turn("A"), s.phase("shooting"):
        shoot(s, s.t.units["a"], "arc_gun", b)
        if not b.asked_prone or b.pressed:
            raise Dull
        shoot(s, s.t.units["ab"], "repeater", b)


SHOTS: dict[str, Callable[[Stage], None]] = {
    "OR-ARC": from_all_round,
    "OR-VARC": at_a_hull,
    "OR-SUPP": with_pinning,
    "OR-PIN-COUNT": pinned_twice,
    "OR-RUN-AFTER-FAIL": run_after_a_wasted_attack,
    "OR-ELEV": from_a_height,
    "OR-ELEV-REF": from_a_height,
    "OR-RAPID-HALF": half_range_from_a_height,
    "OR-COVER-UNIT": partly_in_cover,
    "OR-REROLL-ONCE": volley(unit("a", 2, weapons=["linked_gun"], BS=7), unit("b", 6), LINKED),
    "OR-JINK-TIME": jinks,
    "OR-GTG-TIME": to_ground,
    "OR-ALLOC-NEXT": allocating,
    "OR-ALLOC-FROM": allocating,
    "OR-CROSS": crossed,
    "OR-CROSS-NEED": caught_in_the_middle,
    "OR-CROSS-REPEAT": caught_in_the_middle,
    "OR-CROSS-MORALE": caught_and_more,
    "OR-WOUNDS": volley(unit("a", 2), unit("b", 8, AS=3, Ld=8)),
    "OR-MORALE-WHEN": two_attacks,
    "OR-PEN": hit_a_hull(RAIL, 8),
    "OR-AP1-GLANCE": hit_a_hull(RAIL, 10),
    "OR-REND-VEH": hit_a_hull(STING, 8),
    "OR-HES-AP": gas,
    "OR-TWICE": volley(unit("a", 2, weapons=["maw_gun"]), unit("b", 4, T=3), MAW),
    "OR-PRONE": with_pinning,
    "OR-PRONE-COVER": prone_in_cover,
    "OR-HIDE-SHOOT": hidden_who_shot,
    "OR-PE-SNAP": snap_shots,
}
