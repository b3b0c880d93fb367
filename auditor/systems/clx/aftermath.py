"""What is to be said of the effect of a fault beyond the facts that differ, and to whose advantage it was.

Odds take it that dice belong to shots in the order in which they were rolled, and where dice or hits were too many that
every choice of those alike is alike likely.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from msgspec import structs

from auditor.core.effects import NOBODY, NOTHING_ASIDE, UNKNOWN, Aside, Chance, Change, odds_in_words
from auditor.core.findings import Fault
from auditor.core.gains import advantage
from auditor.core.naming import VALUES
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import inches
from auditor.systems.clx import records
from auditor.systems.clx.adopt import adopt
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.fights import NEEDED
from auditor.systems.clx.reckoning.put_right import PERILS, SUCCESSES, successes
from auditor.systems.clx.reckoning.ways import Ways, ways_of
from auditor.systems.clx.tolerance import allowance
from auditor.systems.words import count

OUTCOMES: Mapping[str, str] = {
    "success": "success",
    "passed": "the test is passed",
    "pinned": "pinned",
    "saved": "the wound is saved",
    "removed": "the model is removed",
    "result": "damage to the vehicle",
    "wounds": "wounds of the vehicle",
    "loser": "who lost the combat",
    "revealed": "revealed",
    "hits": "hits",
    "hit": "hit",
    "attacks": "attacks",
    "initiative": "Initiative",
    "S": "Strength",
    "AP": "AP",
}
"""Values that say what came of an event, and how they are called."""
CALLED: Mapping[type, Mapping[str, str]] = {
    records.Charge: {"success": "the charge reaches"},
    records.Cast: {"success": "the power is cast"},
    records.MentalResistance: {"success": "the unit resists"},
    records.Seize: {"success": "the initiative is seized"},
    records.CoverRolls: {"saved": "shots stopped by cover"},
}
"""The same where another word says it better."""
WORKING = frozenset({"modifier", "needed", "total", "level", "bonus", "distance", "roll", "dice_total"})
"""Numbers on the way to an outcome: where that is the same, nothing came of them."""
ALONE: Mapping[type, str] = {
    records.Dispel: "the power is dispelled",
    records.TurnStart: "night",
    records.TurnEnd: "night",
    records.CharTest: "the test is passed",
    records.HitRolls: "hits",
    records.WoundRolls: "wounds",
    records.CoverRolls: "saves",
    records.Allocate: "the wound is saved",
    records.Shoot: "the attack comes from",
    records.Charge: "the charge comes from",
    records.WeaponFire: "shots",
}
COUNTED: Mapping[type, tuple[str, str]] = {
    records.HitRolls: ("hits", "hit"),
    records.WoundRolls: ("wounds", "wound"),
    records.CoverRolls: ("saves", "save"),
}
COVER_LEFT_OUT = "CLX-SHOOT-07b"


def aftermath(event: records.Event, position: Position, hearing: Hearing, fault: Fault) -> Aside:
    """What the facts of two positions do not tell of a fault."""
    if fault.kind == "omitted":
        return _cover_left_out(event, position, fault) if fault.rule == COVER_LEFT_OUT else _test_left_out(fault)
    claimed, right = fault.claimed, fault.recomputed
    if isinstance(event, (records.Move, records.Run)) and fault.kind == "miscalculated":
        for key in ("allowance", "distance"):
            if isinstance(claimed, Mapping) and isinstance(right, Mapping) and key in claimed and key in right:
                return _how_far(ways_of(event, position, allowance(hearing.settings)), claimed[key], right[key])
    if isinstance(event, records.WeaponFire) and _are_numbers(claimed, right) and right < claimed:
        return _shots_too_many(event, position, claimed - right)
    if fault.kind == "illegal":
        chosen = isinstance(event, records.DeployChoice)
        return Aside(unsure="What the other player would have chosen nobody can tell") if chosen else NOTHING_ASIDE
    if not isinstance(claimed, Mapping) or not isinstance(right, Mapping):
        what = "Perils of the Warp" if fault.rule in PERILS else ALONE.get(type(event))
        return Aside(results=(Change(what, claimed, right),)) if what is not None else NOTHING_ASIDE
    if type(event) in SUCCESSES and _are_numbers(claimed.get("dice"), right.get("dice")):
        return _dice(event, position, claimed["dice"], right["dice"])
    if type(event) in SUCCESSES and _are_numbers(right.get("needed")):
        return _recounted(event, position, right["needed"])
    if claimed.get("needed") is not None and right.get("level") == 7 - claimed["needed"]:
        return Aside(settled=True)  # The save was rolled as it should be, and only called by another level.
    differing = [key for key in claimed if key in right and claimed[key] != right[key]]
    called = {**OUTCOMES, **CALLED.get(type(event), {})}
    results = tuple(
        Change(called[key], _none(claimed[key]), _none(right[key]))
        for key in differing
        if key in OUTCOMES and not (claimed[key] is None and right[key] in (0, "none"))
    )
    same = any(key in right and claimed[key] == right[key] for key in OUTCOMES if key in claimed)
    missed = right.get("success") is True and "success" in differing
    unsure = "What would have come of it nobody can tell" if missed else ""
    return Aside(results=results, unsure=unsure, settled=not results and same and WORKING.issuperset(differing))


def _how_far(ways: Ways | None, logged: str, due: str) -> Aside:
    """Inches that a unit may move: whether by the wrong number anybody went where the right one does not reach."""
    claimed, right = Fraction(logged), Fraction(due)
    if ways is None or ways.unread or ways.jumped or not ways.ways:
        return Aside(results=(Change("inches that it may move", logged, due),))
    if claimed < right:
        farthest = max(way.length for way in ways.ways)
        told = f"The farthest went {inches(farthest)}."
        if farthest >= right:
            return Aside((told,), settled=True)
        return Aside((told,), unsure=f"Whether it would have gone as far as {inches(right)} nobody can tell")
    farther = [f"{way.model.id} went {inches(way.length)}." for way in ways.ways if way.length > right]
    if not farther:
        return Aside((f"Nobody went farther than {inches(right)}.",), settled=True)
    return Aside(tuple(farther), unsure=f"Where it would have stopped with {inches(right)} nobody can tell")


def _are_numbers(*values: Any) -> bool:
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values)


def _none(value: Any) -> Any:
    return "none" if value is None else VALUES.get(value, value)


# -- dice of an attack --------------------------------------------------------------------------------------------


def _recounted(event: Any, position: Position, needed: int) -> Aside:
    """Dice counted again by the number that they need."""
    what, one = COUNTED[type(event)]
    logged, right = getattr(event, SUCCESSES[type(event)]), successes(event, needed)
    if logged is None:
        logged = successes(event, event.claimed_needed)
    if logged is None or right is None:
        return NOTHING_ASIDE
    if logged == right:
        return Aside(told=(f"The dice give {count(right, one)} either way.",), settled=True)
    results = (Change(what, logged, right),)
    if isinstance(event, records.CoverRolls):
        return Aside(results=results, unsure="Who would have been hit nobody can tell")
    if logged > right:
        return _too_many(event, position, logged, logged - right, results)
    return Aside(results=results, unsure=f"The dice for {right - logged} more were not rolled")


def _dice(event: Any, position: Position, rolled: int, due: int) -> Aside:
    """Dice that were too many, or that were not rolled."""
    what, one = COUNTED[type(event)]
    needed = event.claimed_needed
    good = successes(event, needed)
    if good is None or needed is None or due < 0 or max(rolled, due) > MOST:
        return NOTHING_ASIDE
    good -= getattr(event, "automatic", None) or 0
    if due > rolled:
        odds = _chance_of(needed)
        lacking = due - rolled
        some = 1 - (1 - odds) ** lacking
        told = f"{_dice_words(lacking)} {'was' if lacking == 1 else 'were'} not rolled, on {needed}+"
        head = f"{one}" if lacking == 1 else f"at least one {one}"
        return Aside(
            told=(f"{told}: {head}, {odds_in_words(some)}.",),
            chances=(Chance(f"one more {one}" if lacking == 1 else f"at least one more {one}", some),),
            open=True,
        )
    if good > rolled:
        return NOTHING_ASIDE  # The dice that are counted are not those that are recorded.
    surplus = rolled - due
    if not good or (isinstance(event, records.HitRolls) and good == 0):
        return Aside(told=(f"None of the {rolled} dice succeeded.",), settled=True)
    found = _too_many(event, position, rolled, surplus, ())
    fewer = 1 - Fraction(comb(rolled - good, surplus), comb(rolled, surplus))
    told = f"{surplus} of the {rolled} dice {'was' if surplus == 1 else 'were'} too many, and nobody can tell which"
    more = (Chance(f"fewer {what}", fewer),) if not found.chances else ()
    head = f"{told}; fewer {what} without {'it' if surplus == 1 else 'them'}: {odds_in_words(fewer)}."
    return Aside(told=(head, *found.told), chances=(*more, *found.chances), open=True)


def _too_many(event: records.Event, position: Position, of: int, surplus: int, results: tuple[Change, ...]) -> Aside:
    """Who might have lived, had some of so many dice, hits or wounds not been there."""
    lost = _losses(event, position)
    chances = tuple(
        Chance(f"{model} lives", 1 - Fraction(comb(max(of - wounds, 0), surplus), comb(of, surplus)))
        for model, wounds in lost
        if wounds <= of
    )
    if not chances:
        if results:
            return Aside(results=results, unsure="What would have come of it nobody can tell" if lost else "")
        return NOTHING_ASIDE
    told = "; ".join(f"{one.what}: {odds_in_words(one.odds)}" for one in chances)
    return Aside(told=(f"{told}.",), chances=chances, open=True, results=results)


def _losses(event: Any, position: Position) -> list[tuple[str, int]]:
    """The models that the log removes by an attack after an event of it, each with the unsaved wounds that it took."""
    found: dict[str, int] = {}
    gone: list[str] = []
    for later in position.later.of_attack(event.attack, event.seq):
        if not isinstance(later, records.Allocate):
            continue
        for wound in later.wounds or ():
            if wound.model in position.models and not wound.claimed_saved:
                found[str(wound.model)] = found.get(str(wound.model), 0) + 1
                if wound.claimed_removed:
                    gone.append(str(wound.model))
    return [(model, found[model]) for model in gone if found[model] == (position.models[model].wounds or 1)]


def _shots_too_many(event: records.WeaponFire, position: Position, surplus: int) -> Aside:
    """Shots that a model did not have: who might have lived without them."""
    rolls = [
        one
        for one in position.later.of_attack(event.attack, event.seq)
        if isinstance(one, records.HitRolls) and one.weapon in (None, event.weapon)
    ]
    number = sum(len(one.rolls or ()) for one in rolls)
    if len(rolls) != 1 or not surplus <= number <= MOST:
        return NOTHING_ASIDE
    head = (
        f"{surplus} of the {number} dice to hit {'was' if surplus == 1 else 'were'} too many, and nobody can tell which"
    )
    good = successes(rolls[0], rolls[0].claimed_needed)
    if good is None:
        return Aside(told=(f"{head}.",), open=True)
    if not good:
        return Aside(told=("None of its dice hit.",), settled=True)
    fewer = 1 - Fraction(comb(number - good, surplus), comb(number, surplus))
    found = _too_many(event, position, number, surplus, ())
    more = () if found.chances else (Chance("fewer hits", fewer),)
    return Aside(
        told=(f"{head}; fewer hits without: {odds_in_words(fewer)}.", *found.told),
        chances=(*more, *found.chances),
        open=True,
    )


def _cover_left_out(event: records.Event, position: Position, fault: Fault) -> Aside:
    """Cover that was not rolled: who might have lived by it."""
    level = fault.recomputed.get("level") if isinstance(fault.recomputed, Mapping) else None
    seq: int = fault.seq or event.seq
    attack = position.later.attack_at(seq)
    if not isinstance(level, int) or attack is None:
        return NOTHING_ASIDE
    rolls = [one for one in position.later.of_attack(attack, seq - 1) if isinstance(one, records.HitRolls)]
    if rolls and all(successes(one, one.claimed_needed) == 0 for one in rolls):
        return Aside(told=("None of its shots hit anyway.",), settled=True)
    odds = _chance_of(7 - level)
    saved = f"A save of {7 - level}+ was not rolled"
    lost = _losses(rolls[0], position) if rolls else []
    if not lost:
        chance = Chance("a shot is stopped by cover", odds)
        return Aside(told=(f"{saved}: each shot is stopped, {odds_in_words(odds)}.",), chances=(chance,), open=True)
    chances = tuple(Chance(f"{model} lives", 1 - (1 - odds) ** wounds) for model, wounds in lost)
    told = "; ".join(f"{one.what}, {odds_in_words(one.odds)}" for one in chances)
    return Aside(told=(f"{saved}: {told}.",), chances=chances, open=True)


def _test_left_out(fault: Fault) -> Aside:
    """A test of Leadership that nobody rolled: whether it would have failed."""
    needed = next((one.value for one in fault.figures if one.name == NEEDED), None)
    if not isinstance(needed, int):
        return NOTHING_ASIDE
    odds = Fraction(sum(a + b > needed for a, b in product(range(1, 7), repeat=2)), 36)
    told = f"The test, {needed} or less on 2 dice, was not rolled"
    if odds in (0, 1):
        return Aside((f"{told}: whatever they show, it {'fails' if odds else 'passes'}.",), settled=not odds)
    what = f"{fault.subject[0]} {FAILED[fault.rule]}" if fault.rule in FAILED else "the test fails"
    return Aside((f"{told}: {what}, {odds_in_words(odds)}.",), (Chance(what, odds),), open=True)


FAILED: Mapping[str, str] = {
    **dict.fromkeys(("CLX-SUPP-02", "CLX-VEH-03"), "is pinned"),
    **dict.fromkeys(("CLX-MOR-01", "CLX-USR-10", "CLX-VEH-04"), "falls back"),
}
"""What comes of a test that fails, by the rule that asks for it."""


def _chance_of(needed: int) -> Fraction:
    """The odds that a die reaches a number: a 1 never does."""
    return Fraction(max(0, 7 - max(needed, 2)), 6)


def _dice_words(number: int) -> str:
    return f"{number} {'die' if number == 1 else 'dice'}"


MOST = 60
"""Dice of one roll with which odds are worked out."""


# -- acts done rightly --------------------------------------------------------------------------------------------


def rightly(event: records.Event, position: Position, hearing: Hearing, fault: Fault) -> bool:
    """Adopt shots as many as a model has, and a wound without a save that its model did not have."""
    claimed, right = fault.claimed, fault.recomputed
    if isinstance(event, records.Allocate) and fault.kind == "illegal" and _is_no_save(claimed, right):
        wounds = [_unsaved(one) if one.model in fault.subject and one.save else one for one in event.wounds or ()]
        adopt(structs.replace(event, wounds=wounds), None, position, hearing)
        return True
    if not isinstance(event, records.WeaponFire) or fault.kind != "illegal" or not _are_numbers(claimed, right):
        return False
    firers = [
        structs.replace(one, shots=right) if one.model in fault.subject and one.shots == claimed else one
        for one in event.firers or ()
    ]
    if firers == event.firers:
        return False
    done = structs.replace(event, firers=firers)
    adopt(done, None, position, hearing)
    return True


def _is_no_save(claimed: Any, right: Any) -> bool:
    """Whether a fault is that a save was taken which the model did not have."""
    return claimed == "AS" or (isinstance(right, Mapping) and "needed" in right and right["needed"] is None)


def _unsaved(wound: records.Wound) -> records.Wound:
    removed = wound.claimed_removed if wound.claimed_saved is False else None
    return structs.replace(wound, save=None, claimed_saved=False, claimed_removed=removed)


# -- to whose advantage -------------------------------------------------------------------------------------------

BETTER = {
    **{"": 1, "needed": -1, "dice": 1, "success": 1, "passed": 1, "pinned": -1, "saved": 1, "removed": -1, "total": 1},
    **{"modifier": 1, "bonus": 1, "attacks": 1, "initiative": 1, "allowance": 1, "distance": 1, "level": 1, "hits": 1},
    **{"range_bonus": 1, "shots": 1, "half": 1, "wounds": 1, "facing": 1, "result": 1, "automatic": 1, "reroll": -1},
    **{"in_range": 1, "revealed": 1},
}
"""Values of which more is better for the player whose they are, or less (-1)."""
OWN_HARM = frozenset({COVER_LEFT_OUT, "CLX-PSY-01"})
"""Rules of which what is left out is the player's own loss."""
RANKS = {"front": 0, "side": 1, "rear": 2, "none": 0, "glance": 1, "pen": 2}
"""Sides of a target and results against a vehicle, the best for who attacks the highest."""
PASSENGERS = frozenset({"CLX-VEH-01", "CLX-VEH-03"})
BAD_FOR_PASSENGERS: Mapping[str, int] = {"S": -1, "hits": -1, "AP": 1}
"""Rules about hits on those inside a transport, and which of their numbers are better for them where they are more, or less."""
DEBRIS = "CLX-VEH-02"
STRUCK = frozenset({"CLX-GREN-08"})
"""Rules about which models something struck."""
OF_THE_GAME = "CLX-GAME-"
"""Rules about rolls that are for both: nobody can tell what one that was left out would have shown."""
DAY_AND_NIGHT = "CLX-GAME-08"
WHO_IS_NAMED = frozenset({"CLX-GAME-02"})
"""Rules about who won: the one who is said to have."""


def gain(position: Position, fault: Fault, changed: Sequence[Change]) -> str:
    if fault.rule == DAY_AND_NIGHT:
        return NOBODY  # What darkness does, it does to both.
    if fault.rule.startswith(OF_THE_GAME) and fault.kind == "omitted":
        return UNKNOWN
    setup = position.setup
    if fault.rule in WHO_IS_NAMED and fault.kind == "miscalculated" and fault.claimed in setup.players:
        return str(fault.claimed)
    pinned = [found for one in changed if one.what.endswith(" pinned") and (found := _worth(one, position)) is not None]
    if fault.kind == "illegal" and pinned:
        fault = fault._replace(player=pinned[0][0], kind="omitted")  # To be pinned is no advantage, whoever did it.
    own_harm = OWN_HARM if fault.kind == "omitted" else ()
    better = {**BETTER, "": -1} if fault.rule in PERILS else BETTER
    if fault.rule in PASSENGERS and fault.kind == "miscalculated" and fault.subject[0] in setup.units:
        fault, better = fault._replace(player=setup.units[fault.subject[0]].player), {**BETTER, **BAD_FOR_PASSENGERS}
    if fault.rule == DEBRIS and (unit := position.unit_of(fault.subject[0])) is not None:
        return setup.opponent(unit.player) if fault.claimed["hit"] else unit.player
    if fault.rule in STRUCK and (struck := _more_struck(fault, position)):
        return struck
    fault = fault._replace(claimed=_ranked(fault.claimed), recomputed=_ranked(fault.recomputed))
    return advantage(
        fault, fault.player, tuple(setup.players), changed, lambda one: _worth(one, position), better, own_harm
    )


def _more_struck(fault: Fault, position: Position) -> str:
    """Who gained where more models were struck than should have been, or fewer; nothing where both, or it is no list."""
    both = fault.claimed, fault.recomputed
    if not all(isinstance(one, Mapping) for one in both):
        return ""
    lists = [
        {name for value in one.values() if isinstance(value, Sequence) and not isinstance(value, str) for name in value}
        for one in both
    ]
    more, fewer = lists[0] - lists[1], lists[1] - lists[0]
    owners = {unit.player for name in more | fewer if (unit := position.unit_of(name)) is not None}
    if len(owners) != 1 or (more and fewer):
        return ""
    return owners.pop() if fewer else position.setup.opponent(owners.pop())


def _ranked(value: Any) -> Any:
    """Sides of a target and results against a vehicle as numbers."""
    if isinstance(value, Mapping):
        none = {"needed": BEYOND, "AP": BEYOND}
        return {key: none[key] if one is None and key in none else _ranked(one) for key, one in value.items()}
    if isinstance(value, str) and (among := SPAN.fullmatch(value)):
        return int(among[1])
    return RANKS.get(value, value) if isinstance(value, str) else value


SPAN = re.compile(r"\d+ to (\d+)")
"""A number that may be any of several."""
BEYOND = 7
"""What no die shows: there is no such roll."""


def _worth(change: Change, position: Position) -> tuple[str, int] | None:
    other = change.undone if change.right is None else change.right
    setup = position.setup
    what, _, who = change.what.partition(" of ")
    by_name = {setup.player(one): one for one in setup.players}
    if change.what == "first turn":
        first = by_name.get(str(change.logged))
        return None if first is None else (first, 1)
    if change.what == OUTCOMES["loser"]:
        lost = [by_name.get(str(one), str(one)) for one in (change.logged, other)]
        known = [one for one in lost if one in setup.players]
        return None if not known else (known[0], -1 if lost[0] == known[0] else 1)
    if what == "place" and "removed" in (change.logged, other):
        unit = position.unit_of(who)
        return None if unit is None else (unit.player, -1 if change.logged == "removed" else 1)
    if what == "warp charges" and _are_numbers(change.logged, other):
        return (by_name[who], 1 if change.logged > other else -1) if who in by_name else None
    if what == "wounds" and _are_numbers(change.logged, other):
        unit = position.unit_of(who)
        return None if unit is None else (unit.player, 1 if change.logged > other else -1)
    state = change.what.partition(" ")
    if state[2] in ("pinned", "falling back") and state[0] in setup.units:
        return (setup.units[state[0]].player, -1 if change.logged is True else 1)
    return None
