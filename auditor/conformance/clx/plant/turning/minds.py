"""Situations in which readings on psykers matter (catalogue 6.3)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from auditor.conformance.clx.minds import learn, psychic_phase
from auditor.conformance.clx.plant.stage import Dull, Stage, unit
from auditor.conformance.clx.table import Json


def psyker(key: str, level: int, *disciplines: str, count: int = 1, **more: int) -> Json:
    """A unit of psykers; only the first of them knows anything."""
    entry = unit(key, count, weapons=["glaive"], profile=more)
    entry["models"][0]["psyker"] = {"ML": level, "disciplines": list(disciplines or ("veils",)), "kind": "psyker"}
    return entry


def two_psykers(s: Stage, own: Json, other: Json) -> None:
    """A psyker a side, some way apart."""
    s.lay(own, other)
    s.choose()
    s.row("a", s.about(10, 30), s.about(5, 15))
    s.row("b", s.about(10, 30), s.about(30, 40), 270)


def lore(s: Stage) -> None:
    """A psyker does not spend all of its lore."""
    two_psykers(s, psyker("a", s.rng.randint(1, 3), s.rng.choice(("veils", "cinders"))), unit("b", 1))
    learn(s.t, s.t.units["a"].models[0])


def shared_lore(s: Stage) -> None:
    """A psyker of two disciplines pays for the powers of one with dice of the other."""
    two_psykers(s, psyker("a", s.rng.randint(2, 3), "cinders", "veils"), unit("b", 1))
    model = s.t.units["a"].models[0]
    dice = s.t.dice(model.entry["psyker"]["ML"])
    allocation = ["cinders", "veils", s.rng.choice(("cinders", "veils"))][: len(dice)]
    primaris = [p["id"] for p in s.t.powers.values() if p.get("primaris")]
    others = [p["id"] for p in s.t.powers.values() if not p.get("primaris")]
    choices = [[*primaris, *more] for n in range(len(others) + 1) for more in combinations(others, n)]
    known = s.rng.choice(choices)
    if sum(s.t.powers[key]["mastery_cost"] for key in known) > sum(dice):
        raise Dull
    s.t.write("lore_mastery", "A", psyker=model.id, dice=dice, allocation=allocation, known=known)


def charges(s: Stage) -> None:
    """A psyker of more than one level rolls for charges."""
    two_psykers(s, psyker("a", s.rng.randint(2, 3)), unit("b", 1))
    learn(s.t, s.t.units["a"].models[0])
    with s.turn("A"):
        psychic_phase(s.t)


def casting(s: Stage) -> None:
    """Psykers of both sides cast and dispel."""
    own = psyker("a", s.rng.randint(1, 3), s.rng.choice(("cinders", "veils")), Ld=s.rng.randint(7, 10))
    two_psykers(s, own, psyker("b", s.rng.randint(1, 3), Ld=s.rng.randint(7, 10)))
    for key in "ab":
        learn(s.t, s.t.units[key].models[0])
    with s.turn("A"):
        psychic_phase(s.t)


def many_sixes(s: Stage) -> None:
    """A psyker casts with dice that like to show 6."""
    two_psykers(s, psyker("a", 3, s.rng.choice(("cinders", "veils")), Ld=9), unit("b", 1))
    learn(s.t, s.t.units["a"].models[0])
    s.t.faces = (6, 6, 5, 4, 3, 1)
    with s.turn("A"):
        psychic_phase(s.t)


def resisting(s: Stage) -> None:
    """The target of a power meets several conditions for resisting it."""
    target = psyker("b", s.rng.randint(1, 3))
    if s.rng.random() < 0.3:
        target = unit("b", 2, weapons=["glaive"])
    target["rules"] = s.rng.choice((["adamantium_will"], []))
    two_psykers(s, psyker("a", s.rng.randint(1, 2), "cinders", Ld=10), target)
    learn(s.t, s.t.units["a"].models[0])
    with s.turn("A"):
        psychic_phase(s.t)


MINDS: dict[str, Callable[[Stage], None]] = {
    "OR-LORE-SUM": lore,
    "OR-LORE-SPLIT": shared_lore,
    "OR-CHARGE": charges,
    "OR-DISPEL": casting,
    "OR-PERILS": many_sixes,
    "OR-MR-STACK": resisting,
    "OR-MR-AFTER": casting,
}
