"""Morale: after shooting, after combat, and what a charge into the rear adds to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any

from auditor.core.findings import RAN, Evidence, Figure, Note, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import AttackState, Count, Position
from auditor.systems.clx.reckoning.attacks import NONE, allocated, arrivals_of, on, plus, wounds_of
from auditor.systems.clx.reckoning.charges import SIDE_READINGS, charges_on, rear_of
from auditor.systems.clx.reckoning.crossfire import READINGS as CROSS_READINGS
from auditor.systems.clx.reckoning.crossfire import Crossfire, crossfires, may_cross
from auditor.systems.clx.reckoning.due import can_flee, check_of
from auditor.systems.clx.reckoning.fights import not_rolled, wounds_in
from auditor.systems.clx.reckoning.frame import leaves_phase
from auditor.systems.clx.reckoning.lacking import lack_of_flight
from auditor.systems.clx.reckoning.options import asked, hanging
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, rule, unchecked
from auditor.systems.clx.rules.flight import flight_seen, stays
from auditor.systems.clx.rules.leadership import leadership_seen
from auditor.systems.clx.rules.suppression import EVERY_EVENT
from auditor.systems.clx.show.marks import where
from auditor.systems.clx.show.sides import charge_marks

SHOT, FOUGHT, REAR = "CLX-MOR-01", "CLX-MOR-02", "CLX-ASLT-07a"
CROSS_MORALE, REPEAT = "OR-CROSS-MORALE", "OR-CROSS-REPEAT"


def _fixed(count: Count) -> int | None:
    return count[0] if count[0] == count[1] else None


# -- after shooting -----------------------------------------------------------------------------------------------


def _lost(attacks: list[AttackState], hearing: Hearing, *, decides: bool) -> Count:
    """The wounds of attacks that count for morale. OR-WOUNDS is asked where it makes a difference.

    decides   only whether there are any matters
    """
    found = {True: NONE, False: NONE}
    for attack in attacks:
        for inflicted in found:
            low, high = wounds_of(attack, inflicted=inflicted)
            # What is recorded of an attack that is said to have failed may have happened all the same.
            found[inflicted] = plus(found[inflicted], (0, high) if attack.failed else (low, high))
    same = (found[True][0] > 0) == (found[False][0] > 0) if decides else found[True] == found[False]
    return found[False] if same else found[hearing.ask("OR-WOUNDS") == "INFLICTED"]


def _crossfire_checks(unit: Unit, position: Position) -> list[int]:
    """The numbers of the crossfire checks of a unit in this phase."""
    return [
        test.seq
        for test in position.combat.tests
        if test.unit == unit.id and test.cause == "crossfire" and test.phase == "shooting"
    ]


def _crossed(unit: Unit, position: Position, hearing: Hearing) -> bool:
    """Whether a unit may have been caught in a crossfire, under some reading, or a check for one is recorded."""
    if _crossfire_checks(unit, position):
        return True
    if not may_cross(unit, position):
        return False
    found = crossfires(unit, position, hearing.settings)
    return position.now.once(("crossed", unit.id), lambda: any(one.verdict != "no" for one in found.under.values()))


def _beside_crossfire(unit: Unit, lost: Count, position: Position, hearing: Hearing, *, decides: bool = False) -> Count:
    """The wounds of a phase that count for the ordinary check of a unit that may have been caught in crossfire: where that
    was checked, those that the check counted are left out under REPLACES; where it was not, any number is accepted. What
    later shots at its front and rear took goes to the ordinary check under OR-CROSS-REPEAT=ONCE; under EACH another one
    for crossfire may be due for them, which is a matter of CLX-SHOOT-14.

    decides   only whether there surely are any matters
    """
    question = ("beside crossfire", unit.id, lost)
    readings, found = position.now.once(question, lambda: _beside(unit, lost, position, hearing.settings))
    return asked(found, readings, hearing, lambda count: count[0] > 0 if decides else count)


def _beside(
    unit: Unit, lost: Count, position: Position, settings: Mapping[str, str]
) -> tuple[tuple[str, ...], dict[tuple[str, ...], Count]]:
    """The wounds that count by the readings on which they hang."""
    checks = _crossfire_checks(unit, position)
    crossed = crossfires(unit, position, settings)
    found: dict[tuple[str, ...], Count] = {}
    for option, repeat in product(("REPLACES", "BOTH"), ("ONCE", "EACH")):
        for key, one in crossed.under.items():
            if one.verdict == "no":
                counted = lost
            elif (
                one.verdict != "yes" or not checks or (repeat == "EACH" and _goes_on(max(checks), one, unit, position))
            ):
                counted = 0, lost[1]
            elif option == "BOTH":
                counted = lost
            else:
                last = min(checks) if repeat == "ONCE" else max(checks)
                before = _before(last, one, unit, position, inflicted=key[-1] == "INFLICTED")
                counted = max(lost[0] - before[1], 0), max(lost[1] - before[0], 0)
            found[option, repeat, *key] = counted
    return hanging((CROSS_MORALE, REPEAT, *crossed.readings), found)


def _goes_on(seq: int, one: Crossfire, unit: Unit, position: Position) -> bool:
    """Whether a shot of a crossfire came after some event."""
    return any(name in one.sides | one.unsure and attack.seq > seq for name, attack in on(unit, position).items())


def _before(seq: int, one: Crossfire, unit: Unit, position: Position, *, inflicted: bool) -> Count:
    """The wounds that a unit had lost to the shots of a crossfire before some event."""
    found = NONE
    for name, attack in on(unit, position).items():
        if attack.seq < seq:
            found = plus(found, one.lost_to(name, attack, inflicted=inflicted))
    return found


def shot_morale_seen(event: records.Morale, position: Position, hearing: Hearing, asking: str = SHOT) -> Seen:
    """What a rule sees of the modifier and result of a check after shooting."""
    unit = position.setup.units.get(event.unit or "")
    if unit is None or event.cause != "shooting" or unit.vehicle is not None or "fearless" in unit.rules:
        return None
    claims = (event.claimed_modifier, event.claimed_passed)
    everything = on(unit, position)
    named = [attack for name, attack in everything.items() if name in (event.attacks or ())] or list(
        everything.values()
    )
    if claims == (None, None):
        hearing.not_claimed(2 if asking == SHOT else 0)
        return RAN
    if position.phase != "shooting" or not everything:
        return [unchecked(SHOT, f"the attacks that called for the check of {unit.name}")] if asking == SHOT else None
    enemy = position.setup.units.get(next((attack.unit for attack in named if attack.unit), None) or "")
    counted = partial(_counted, unit, list(everything.values()), named, position, hearing)
    low, high, recorded = position.now.once("wounds from shooting", counted, (event,), hearing)
    return leadership_seen(
        SHOT,
        event,
        unit,
        (-high, -low),
        position,
        hearing,
        enemy,
        what_for="after shooting",
        asking=asking,
        recorded=recorded,
    )


def _counted(
    unit: Unit, everything: list[AttackState], named: list[AttackState], position: Position, hearing: Hearing
) -> tuple[int, int, list[int]]:
    """The fewest and the most wounds that count for a check after shooting, and the modifiers by the wounds that the record
    gives to models. `named`: the attacks that called for it."""
    by_option = {"PER_PHASE": everything, "PER_ATTACK": named}
    lost = {option: _lost(attacks, hearing, decides=False) for option, attacks in by_option.items()}
    option = "PER_PHASE" if lost["PER_PHASE"] == lost["PER_ATTACK"] else hearing.ask("OR-MORALE-WHEN")
    low, high = lost[option]
    crossed = _crossed(unit, position, hearing)
    if crossed:
        low, high = (0, high) if option == "PER_ATTACK" else _beside_crossfire(unit, (low, high), position, hearing)
    if any(position.is_open(flag, one) for flag, one in arrivals_of(unit, position)):
        low, crossed = 0, True  # It may have been in a crossfire with who outflanks.
    given = [allocated(attack) for attack in by_option[option]]
    certain = all(least == most for least, most in given)
    recorded = [-sum(least for least, _ in given)] if certain else []
    return low, high, [*recorded, -high] if crossed else recorded


def _unchecked_wounds(event: Any, position: Position, hearing: Hearing) -> Iterator[Remark]:
    """Units that were wounded by shooting and took no check, or failed it and stayed."""
    over = leaves_phase(event, position, "shooting")
    next_shot = isinstance(event, records.Shoot) and not over
    if not over and not next_shot:
        return
    names = list(position.attacks)
    for unit_id in dict.fromkeys(attack.target for attack in position.attacks.values()):
        unit = position.setup.units.get(unit_id or "")
        if unit is None or not can_flee(unit, position) or position.units[unit.id].locked_with:
            continue
        tests = [
            test
            for test in position.combat.tests
            if test.unit == unit.id and test.kind == "morale" and test.phase == "shooting"
        ]
        if over and stays(unit, "shooting", position, event.seq):
            text = f"{unit.name} failed its check after shooting and did not fall back."
            lacks = lack_of_flight(unit, position)
            yield fault(SHOT, "omitted", text, unit.id, player=unit.player, lacks=lacks)
            continue
        mine = on(unit, position)
        if _crossed(unit, position, hearing):
            ordinary = [test for test in tests if test.cause != "crossfire"]
            checked = bool(_crossfire_checks(unit, position))
            lost = NONE if ordinary or not over else _lost(list(mine.values()), hearing, decides=not checked)
            if lost[0] == 0 or _beside_crossfire(unit, lost, position, hearing, decides=True)[0] == 0:
                continue
            text = f"{unit.name} lost wounds beside those of the crossfire, and took no Morale Check for them."
            if not checked:
                # Under the readings in force it was caught in none; under others the check for that is missing.
                text = f"{unit.name} was wounded by shooting and took no Morale Check."
                if not _falls_to_the_end(names, mine, hearing):
                    continue
            yield fault(SHOT, "omitted", text, unit.id, player=unit.player, due=check_of(unit, "shooting"))
            continue
        if over and not tests and _lost(list(mine.values()), hearing, decides=True)[0] > 0:
            if not _falls_to_the_end(names, mine, hearing):
                continue
            text = f"{unit.name} was wounded by shooting and took no Morale Check."
            figures = _not_rolled(unit, list(mine.values()), position)
            due = check_of(unit, "shooting")
            yield fault(SHOT, "omitted", text, unit.id, player=unit.player, figures=figures, due=due)
        elif next_shot and names[-1] in mine and event.attack != names[-1]:
            last = names[-1]
            checked = any(test.attacks is None or last in test.attacks for test in tests)
            if not checked and _wounded(mine[last], hearing) and hearing.ask("OR-MORALE-WHEN") == "PER_ATTACK":
                text = f"{unit.name} was wounded by {mine[last].unit} and took no Morale Check before the next attack."
                yield fault(SHOT, "omitted", text, unit.id, player=unit.player, due=check_of(unit, "shooting"))


def _not_rolled(unit: Unit, attacks: list[AttackState], position: Position) -> list[Figure]:
    """What a check after one attack needed, whichever wounds count."""
    if len(attacks) != 1 or attacks[0].failed or wounds_of(attacks[0], inflicted=True) != wounds_of(attacks[0]):
        return []
    low, high = wounds_of(attacks[0])
    return not_rolled(unit, (-high, -low), position)


def _falls_to_the_end(names: list[str | None], mine: dict[str | None, AttackState], hearing: Hearing) -> bool:
    """Whether a check that is missing at the end of a phase was due then: under PER_ATTACK only the last attack of the phase
    is still open, the others were due before the next."""
    if names[-1] in mine and _wounded(mine[names[-1]], hearing):
        return True
    return hearing.ask("OR-MORALE-WHEN") != "PER_ATTACK"


def _wounded(attack: AttackState, hearing: Hearing) -> bool:
    """Whether an attack surely took wounds that count for morale."""
    return not attack.failed and _lost([attack], hearing, decides=True)[0] > 0


def _no_wounds(unit: Unit, position: Position) -> str | None:
    """Why a check after shooting was not due."""
    attacks = list(on(unit, position).values())
    if position.phase != "shooting" or may_cross(unit, position) or _crossfire_checks(unit, position):
        return None
    if sum(wounds_of(attack, inflicted=True)[1] for attack in attacks) == 0:
        return "no shot wounded it"
    return None


@rule(
    SHOT,
    "Morale after shooting",
    events=EVERY_EVENT,
    kinds=["illegal", "miscalculated", "omitted"],
    readings=["OR-WOUNDS", "OR-MORALE-WHEN", CROSS_MORALE, REPEAT, *CROSS_READINGS],
)
def wounds_from_shooting_call_for_a_check(
    event: records.Event, ways: Any, position: Position, hearing: Hearing
) -> Seen:
    """A unit that lost wounds to shooting takes a Morale Check at its Leadership less 1 for each of them; if it fails it
    falls back. One wound is enough.

    Log:  the wounds and saves of every attack, the checks, the falling back.
    Edge: no wounds, no check. Vehicles and units that are gone take none; what Fearless does is a base rule.
    Edge: a crossfire has a check of its own (CLX-SHOOT-14); whether its wounds count here as well is a reading. Where that
          check is missing, nothing more is held against anybody.
    """
    if isinstance(event, records.Morale):
        return shot_morale_seen(event, position, hearing)
    if isinstance(event, records.FallBack):
        return flight_seen(SHOT, event, ways, position, hearing, _no_wounds)
    if position.phase != "shooting" or not position.attacks:
        return None
    return list(_unchecked_wounds(event, position, hearing)) or None


# -- after combat -------------------------------------------------------------------------------------------------


def _difference(unit: Unit, position: Position, hearing: Hearing) -> tuple[Count | None, str | None, bool]:
    """By how many wounds a unit's side lost its combat (below 0: won), which player lost, and whether that is known."""
    enemy = position.setup.opponent(unit.player)
    for result in reversed(position.combat.results):
        if unit.id in result.units:
            options: list[int | None] = []
            for counts in (result.wounds, result.inflicted):
                own, theirs = counts.get(unit.player), counts.get(enemy)
                options.append(None if own is None or theirs is None else theirs - own)
            chosen = options[0] if options[0] == options[1] else options[hearing.ask("OR-WOUNDS") == "INFLICTED"]
            return (None if chosen is None else (chosen, chosen)), result.loser, result.known
    units = {one for step in position.combat.steps.values() if not step.counted for one in (step.unit, step.target)}
    spans: list[Count] = []
    if unit.id not in units or len(units) != 2 or None in units:
        return None, None, False
    both = frozenset(one for one in units if one is not None)
    for inflicted in (False, True):
        mine = wounds_in(both, unit.player, position, inflicted=inflicted)
        others = wounds_in(both, enemy, position, inflicted=inflicted)
        spans.append((others[0] - mine[1], others[1] - mine[0]))
    low, high = spans[0] if spans[0] == spans[1] else spans[hearing.ask("OR-WOUNDS") == "INFLICTED"]
    known = low > 0 or high < 0 or low == high == 0
    return (low, high), (unit.player if low > 0 else enemy if high < 0 else None), known


def _rear(unit: Unit, position: Position, hearing: Hearing) -> tuple[bool | None, bool, str, bool]:
    """Whether a unit was assaulted from the rear in this turn, whether somebody says so, the rule that decides it, and
    whether that is open only because a length is within the tolerance."""
    on_it = charges_on(unit.id, position)
    found = [rear_of(charge, position, hearing) for charge in on_it]
    rears = [one.rear for one in found]
    rear = True if True in rears else None if None in rears else False
    by = next((one.rule for one in found if one.rear is rear and one.rule != "CLX-ASLT-07b"), REAR)
    near = rear is None and all(one.near for one in found if one.rear is None)
    return rear, any(charge.arc == "rear" for charge in on_it), by, near


def combat_morale_seen(event: records.Morale, position: Position, hearing: Hearing, asking: str = FOUGHT) -> Seen:
    """What a rule sees of the modifier and result of a check after combat."""
    unit = position.setup.units.get(event.unit or "")
    if unit is None or event.cause != "combat" or unit.vehicle is not None or "fearless" in unit.rules:
        return None
    if (event.claimed_modifier, event.claimed_passed) == (None, None):
        hearing.not_claimed(2 if asking == FOUGHT else 0)
        return RAN
    span, loser, known = _difference(unit, position, hearing)
    if span is None or not known:
        why = f"by how many wounds {unit.name} lost its combat"
        return [unchecked(FOUGHT, why)] if asking == FOUGHT else None
    if loser != unit.player:
        return RAN  # Whether a check that was not due had an effect shows when the unit falls back.
    rear, said, by, near = _rear(unit, position, hearing)
    low, high = -span[1] - (rear is not False), -span[0] - (rear is True)
    special = []
    if rear is True:
        special.append((by, high + 1, f": {unit.name} was assaulted from the rear"))
    elif rear is False and said:
        special.append((by, low - 1, f": {unit.name} was not assaulted from the rear"))
    enemies = position.units[unit.id].locked_with
    enemy = position.setup.units.get(next(iter(sorted(enemies)), ""))

    def shows() -> Evidence:
        drawn = [mark for charge in charges_on(unit.id, position) for mark in charge_marks(charge, position, hearing)]
        said = f"the test of {unit.name} {'leaves out' if rear else 'counts'} a charge from the rear"
        spot = {"mark": "spot", "at": where(unit.id, position), "how": "bad", "label": said}
        return {"marks": [spot, *drawn] if drawn else []}

    return leadership_seen(
        FOUGHT,
        event,
        unit,
        (low, high),
        position,
        hearing,
        enemy,
        what_for="after combat",
        special=special,
        asking=asking,
        within=near and span[0] == span[1],
        shows=shows,
    )


def _result(event: records.CombatResult, position: Position, hearing: Hearing) -> Seen:
    """The wounds and the loser that a result claims."""
    first, second = position.setup.players
    steps = [step for step in position.combat.steps.values() if not step.counted]
    fought = {one for step in steps for one in (step.unit, step.target) if one is not None}
    units = set(event.units) if event.units else fought
    if not units or (event.units and not units & fought):
        return [unchecked(FOUGHT, "the blows that the result counts are not recorded")]
    claims = {first: event.wounds_by_A, second: event.wounds_by_B}
    hearing.not_claimed(list(claims.values()).count(None))
    spans = {player: _caused(units, player, claims[player], position, hearing) for player in (first, second)}
    wrong = {
        player: claimed
        for player, claimed in claims.items()
        if claimed is not None and not spans[player][0] <= claimed <= spans[player][1]
    }
    by = {first: "wounds_by_A", second: "wounds_by_B"}
    # What was claimed rightly narrows what the loser follows from.
    for player, claimed in claims.items():
        if claimed is not None and player not in wrong:
            spans[player] = (claimed, claimed)
    certain = _losers(spans, first, second)
    told: dict[str, Any] = {by[player]: claimed for player, claimed in wrong.items()}
    right: dict[str, Any] = {
        by[player]: spans[player][0] if _fixed(spans[player]) is not None else f"{spans[player][0]} or more"
        for player in wrong
    }
    loser = event.claimed_loser
    if (isinstance(loser, str) or loser is None) and certain and loser != certain[0]:
        told["loser"], right["loser"] = loser, certain[0]
    if not told:
        return RAN
    counts = " and ".join(f"{position.setup.player(player)} caused {spans[player][0]}" for player in (first, second))
    outcome = (
        ""
        if not certain
        else f" {position.setup.player(certain[0])} lost."
        if certain[0] is not None
        else " It is a tie."
    )
    return [
        fault(
            FOUGHT,
            "miscalculated",
            f"Of the wounds that were not saved {counts}.{outcome}",
            *sorted(units),
            claimed=told,
            recomputed=right,
            figures=[Figure(by[player], spans[player][0]) for player in (first, second)],
        )
    ]


def _caused(units: set[str], player: str, claimed: int | None, position: Position, hearing: Hearing) -> Count:
    """The wounds that a player's units caused; which wounds count is asked only where it changes something."""
    options = [wounds_in(units, player, position, inflicted=inflicted) for inflicted in (False, True)]
    one = 0
    fits = [low <= (claimed or 0) <= high for low, high in options]
    if options[0] != options[1] and (claimed is None or fits[0] != fits[1] or not fits[0]):
        one = int(hearing.ask("OR-WOUNDS") == "INFLICTED")
    return options[one]


def _losers(spans: dict[str, Count], first: str, second: str) -> list[str | None]:
    """The player who certainly lost; None for a tie; nothing where it is not certain."""
    if spans[first][1] < spans[second][0]:
        return [first]
    if spans[second][1] < spans[first][0]:
        return [second]
    return [None] if _fixed(spans[first]) is not None and spans[first] == spans[second] else []


def _unchecked_defeats(seq: int, position: Position, hearing: Hearing) -> Iterator[Remark]:
    """Units that lost a combat and took no check, or failed it and stayed."""
    fought = {one for result in position.combat.results for one in result.units}
    fought |= {one for step in position.combat.steps.values() for one in (step.unit, step.target) if one is not None}
    for unit_id in sorted(fought & position.units.keys()):
        unit = position.setup.units[unit_id]
        if not can_flee(unit, position):
            continue
        if stays(unit, "combat", position, seq):
            text = f"{unit.name} failed its check after combat and did not fall back."
            lacks = lack_of_flight(unit, position)
            yield fault(FOUGHT, "omitted", text, unit.id, player=unit.player, lacks=lacks)
            continue
        if any(
            test.unit == unit.id
            and test.kind == "morale"
            and test.cause in ("combat", None)
            and test.phase == "assault"
            for test in position.combat.tests
        ):
            continue
        _, loser, known = _difference(unit, position, hearing)
        if known and loser == unit.player and not _enemies_left(unit, position):
            text = f"{unit.name} lost on wounds and its enemy is gone; whether it takes a check then is not said."
            yield Note("reading", text, FOUGHT)
        elif known and loser == unit.player:
            text = f"{unit.name} lost its combat and took no Morale Check."
            yield fault(FOUGHT, "omitted", text, unit.id, player=unit.player, due=check_of(unit, "combat"))


def _enemies_left(unit: Unit, position: Position) -> bool:
    """Whether a model is left of the units that a unit fought in this phase."""
    together = [result.units for result in position.combat.results]
    together += [frozenset(one for one in (s.unit, s.target) if one) for s in position.combat.steps.values()]
    met = {one for units in together if unit.id in units for one in units}
    known = [found for one in met if (found := position.setup.units.get(one)) is not None]
    enemies = [one for one in known if one.player != unit.player]
    return any(position.models[model.id].alive for enemy in enemies for model in enemy.models)


def _not_lost(unit: Unit, position: Position) -> str | None:
    """Why a check after combat was not due."""
    for result in reversed(position.combat.results):
        if unit.id in result.units and result.known:
            if result.loser is None:
                return "the combat was a tie"
            if result.loser != unit.player:
                return f"{position.setup.player(result.loser)} lost the combat"
            return None
    return None


@rule(
    FOUGHT,
    "Morale after combat",
    events=EVERY_EVENT,
    kinds=["illegal", "miscalculated", "omitted"],
    readings=["OR-WOUNDS", *SIDE_READINGS],
)
def losers_of_a_combat_take_a_check(event: records.Event, ways: Any, position: Position, hearing: Hearing) -> Seen:
    """The side that caused fewer wounds in a combat lost it. Its units take a Morale Check at their Leadership less the
    difference, and fall back if they fail.

    Log:  the blows with their wounds and saves, the result, the checks, the falling back.
    Edge: a tie calls for no check, and the winner takes none. Wounds of grenades may be counted or not.
    Edge: a unit that was assaulted from the rear has 1 less besides (CLX-ASLT-07a).
    Edge: what Fearless does is a base rule. Wounds that vehicles lose in a fight are not added up here.
    Edge: whether the loser on wounds takes a check when nobody is left of its enemy is not said: a note.
    """
    if isinstance(event, records.CombatResult):
        return _result(event, position, hearing)
    if isinstance(event, records.Morale):
        return combat_morale_seen(event, position, hearing)
    if isinstance(event, records.FallBack):
        return flight_seen(FOUGHT, event, ways, position, hearing, _not_lost)
    if not leaves_phase(event, position, "assault"):
        return None
    return list(_unchecked_defeats(event.seq, position, hearing)) or None


@rule(
    REAR,
    "Morale after an assault from the rear",
    events=["morale"],
    kinds=["miscalculated"],
    readings=losers_of_a_combat_take_a_check.readings,
)
def an_assault_from_the_rear_lowers_morale(
    event: records.Morale, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A unit that was assaulted from the rear and loses takes its Morale Check at 1 less, however many charged there.

    Log:  the facing of the unit and the places of both when the charge was declared; the modifier that is claimed.
    Edge: within the tolerance of the ray between two arcs either modifier is accepted.
    """
    return combat_morale_seen(event, position, hearing, REAR)


RULES: tuple[Rule, ...] = (
    wounds_from_shooting_call_for_a_check,
    losers_of_a_combat_take_a_check,
    an_assault_from_the_rear_lowers_morale,
)
