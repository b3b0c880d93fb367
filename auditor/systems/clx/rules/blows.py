"""Attacks and Initiative in a fight. Which rule a wrong number is about, `reckoning.blows` works out; each of the rules
reports what is its own, and CLX-ASLT-09 what is nobody else's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from auditor.core.findings import RAN, Evidence, Fault, Figure, Note, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.blows import ORDER, READINGS, Due, Wrong, blamed, due_of, only_near, unsure
from auditor.systems.clx.reckoning.charges import charge_now
from auditor.systems.clx.reckoning.lacking import lack_of_throw
from auditor.systems.clx.reckoning.names import strange_fighters
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, listed, rule, unchecked
from auditor.systems.clx.show import sides

GENERAL = "CLX-ASLT-09"
SIDED = {"CLX-ASLT-07b", "CLX-USR-01", "CLX-USR-08"}
"""Rules by which it matters from which side a charge came."""


def blows_seen(rule_id: str, event: records.FightStep, position: Position, hearing: Hearing) -> Seen:
    """What a rule sees of the attacks and Initiatives that are claimed in a step."""
    seen: list[Remark] = []
    looked, strange = False, strange_fighters(event, position)
    for n, row in enumerate(event.attackers or ()):
        model = position.setup.models.get(row.model or "")
        if model is None or model.id in strange:
            continue  # Who struck nobody knows: this one cannot have.
        looked = True
        told = partial(_attacker, event, row, model, position, hearing)
        for remark in position.now.once(("blows", n), lambda told=told: tuple(told()), (event,), hearing):  # type: ignore[misc]
            if isinstance(remark, Fault):
                if remark.rule == rule_id:
                    seen.append(remark)
            elif rule_id == GENERAL:
                seen.append(remark)
    if rule_id == GENERAL:
        hearing.not_claimed(sum(row.claimed_attacks is None for row in event.attackers or ()))
    return seen if looked else None


def _attacker(
    event: records.FightStep, row: records.Attacker, model: Model, position: Position, hearing: Hearing
) -> Iterator[Remark]:
    due = due_of(row, model, position, hearing)
    weapon = position.setup.weapons.get(row.weapon or "")
    wrong: dict[str, Wrong] = {}
    claims: dict[str, int | None] = {"attacks": row.claimed_attacks, "initiative": row.claimed_initiative}
    # Good: no count of attacks with a bomb or grenade here. One of them takes the place of all.
    if weapon is not None and weapon.type in ("bomb", "grenade"):
        claims["attacks"] = None
    elif weapon is None and row.claimed_attacks == 1 and _may_be_a_bomb(row, model, position):
        claims["attacks"] = None
        yield unchecked(GENERAL, f"the attacks of {model.id}: with what it struck is not known")
    split = _split(event, row, position)
    for what, claimed in list(claims.items()):
        if claimed is None:
            continue
        span = due.span(what)
        if span is None:
            yield unchecked(GENERAL, f"the {what} of {model.id} in its profile")
            continue
        if what == "attacks" and split is not None:
            claims["attacks"] = claimed = claimed + split
            if claimed <= span[1]:
                continue  # Its attacks are divided, or may be.
        found = blamed(due, what, claimed)
        if found is not None:
            wrong[what] = found
        elif span[0] != span[1] and only_near(due, what):
            text = f"Within the tolerance: {unsure(due, what)}. {claimed} for the {what} of {model.id} is accepted."
            yield Note("tolerance", text, GENERAL)
        elif span[0] != span[1]:
            yield unchecked(GENERAL, f"the {what} of {model.id}: {unsure(due, what)}")
    kinds = {one.kind for one in wrong.values()}
    for kind in sorted(kinds):
        of_kind = {k: one for k, one in wrong.items() if one.kind == kind}
        yield _wrong(kind, of_kind, claims, due, row, model, position, hearing)


def _may_be_a_bomb(row: records.Attacker, model: Model, position: Position) -> bool:
    """Whether who strikes with a weapon of no pack, or with none that is named, may have used a bomb or grenade."""
    held = (position.setup.weapons.get(name) for name in model.weapons)
    return row.weapon is not None or any(one is None or one.type in ("bomb", "grenade") for one in held)


def _split(event: records.FightStep, row: records.Attacker, position: Position) -> int | None:
    """How many attacks it has made in other steps, where it may divide them: it did already, or has several enemies."""
    unit = position.units[position.setup.models[str(row.model)].unit]
    before = [
        count
        for name, step in position.combat.steps.items()
        if name != event.attack and not step.counted
        for model, count in step.attackers
        if model == row.model
    ]
    if before:
        return sum(count or 0 for count in before)
    here = sum(one.model == row.model for one in event.attackers or ()) > 1
    return 0 if len(unit.locked_with) > 1 or here else None


def _wrong(
    kind: Any,
    wrong: dict[str, Wrong],
    claims: dict[str, int | None],
    due: Due,
    row: records.Attacker,
    model: Model,
    position: Position,
    hearing: Hearing,
) -> Fault:
    rules = sorted({one.rule for one in wrong.values()}, key=ORDER.index)
    spans = {what: due.span(what) or (0, 0) for what in wrong}
    right = {what: str(low) if low == high else f"{low} to {high}" for what, (low, high) in spans.items()}
    told = " and ".join(
        f"{model.id} has {right[what]} {'attack' if right[what] == '1' else 'attacks'}, not {claims[what]}"
        if what == "attacks"
        else f"{model.id} strikes at Initiative {right[what]}, not {claims[what]}"
        for what in wrong
    )
    why = "; ".join(dict.fromkeys(one.why for one in wrong.values() if one.why))

    def shows() -> Evidence:
        one = charge_now(model.unit, position)
        bad = {"mark": "model", "model": model.id, "how": "bad", "label": told}
        drawn = [] if one is None or not SIDED & set(rules) else sides.charge_marks(one, position, hearing)
        return {"marks": [bad, *drawn] if drawn else []}

    return fault(
        rules[0],
        kind,
        f"{told}{': ' + why if why else ''}.",
        model.id,
        claimed={what: claims[what] for what in wrong},
        recomputed={what: spans[what][0] if spans[what][0] == spans[what][1] else right[what] for what in wrong},
        figures=[Figure(what, right[what], due.shown(what)) for what in wrong],
        also=tuple(rules[1:]),
        evidence=shows,
        lacks=lack_of_throw(model, position) if (claims["attacks"] or 0) < spans.get("attacks", (0, 0))[0] else None,
    )


def _of_blows(rule_id: str, title: str, text: str, kinds: tuple[str, ...] = ("miscalculated",)) -> Rule:
    def check(event: records.FightStep, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
        return blows_seen(rule_id, event, position, hearing)

    check.__doc__ = text
    return rule(rule_id, title, events=["fight_step"], kinds=kinds, readings=READINGS)(check)


no_run_up = _of_blows(
    "CLX-ASLT-02",
    "No run-up, no bonus",
    """A unit that began its Movement Phase 1 inch from the enemy unit that it charges has no attack for charging.

    Log:  where both stood when the Movement Phase began, the charge, and the attacks that are claimed.
    Edge: exactly 1 inch is too near. Other enemy units do not matter. Within the tolerance either number is accepted.
    """,
)
rear_charge = _of_blows(
    "CLX-ASLT-07b",
    "Surprise from the rear",
    """Units that charge into the rear of their target have Surprise Assault in that turn: one attack and one Initiative
    more.

    Log:  the facing of the target and both units' places when the charge was declared; attacks and Initiative claimed.
    Edge: on the ray between two arcs, and within the tolerance of it, either number is accepted.
    Edge: where the facing is not known, neither number is held against anybody. A vehicle that is charged is unchecked.
    """,
)
uphill = _of_blows(
    "CLX-ASLT-08",
    "Uphill",
    """A model that assaults a unit on higher ground strikes at an Initiative of one less: its own height when the charge was
    declared is compared with that of the nearest model of the target.

    Log:  the heights of models, the charge, the Initiative that is claimed.
    Edge: downhill changes nothing. Where several models are equally near, at different heights, either is accepted.
    """,
)
pinned_defenders = _of_blows(
    "CLX-ASLT-10",
    "Pinned defenders",
    """A pinned unit that is assaulted fights at Initiative 1, whatever else changes it.

    Log:  the pinning, the charge, the Initiative that is claimed.
    Edge: what being pinned does in a combat that began earlier is not stated; it is unchecked.
    Edge: whether a unit was pinned when a charge was declared that a position states is not known. If it is not pinned
          now, both Initiatives are accepted; if it is, a frag grenade may have pinned it (OR-FRAG-INIT).
    """,
)
two_handed = _of_blows(
    "CLX-GEAR-01",
    "Thunder Hammer",
    """A two-handed weapon gives no attack for a second close-combat weapon.

    Log:  the weapon used, and the attacks that are claimed. What a second weapon gives is a base rule.
    """,
)
counterattack = _of_blows(
    "CLX-USR-02",
    "Counterattack",
    """A unit with Counterattack that is charged and passes an Initiative Test has one attack more.

    Log:  the charge, the test, the attacks that are claimed.
    Edge: with no test recorded the attack is illegal; after a failed one it is wrongly counted.
    """,
    ("illegal", "miscalculated"),
)
surprise_assault = _of_blows(
    "CLX-USR-18",
    "Surprise Assault",
    """A unit with Surprise Assault has one attack and one Initiative more in the turn in which it charges.

    Log:  the charge, and attacks and Initiative as claimed.
    Edge: with a charge from the rear it is the same rule twice, and counts once.
    """,
)
defensive_grenades = _of_blows(
    "CLX-GREN-07",
    "Defensive grenades",
    """A unit at which a defensive grenade (S1, no AP) was thrown when it charged has no attack for charging, even if nobody
    was wounded. Its other bonuses stay.

    Log:  the throw, and the attacks that are claimed.
    Edge: whether the grenade must have hit somebody is OR-PHOTON.
    """,
)


def _due_at_another(event: records.FightStep, position: Position, hearing: Hearing) -> list[int]:
    """The Initiatives at which those of a step strike, where the record has each of them right, and that of the step is
    another one."""
    due = set()
    for row in event.attackers or ():
        model = position.setup.models.get(row.model or "")
        span = None if model is None else due_of(row, model, position, hearing).span("initiative")
        if span is None or span[0] != span[1] or row.claimed_initiative != span[0]:
            return []
        due.add(span[0])
    return [] if event.initiative is None or event.initiative in due else sorted(due)


@rule("CLX-ASLT-09", "Order of blows", events=["fight_step"], kinds=["miscalculated"], readings=READINGS)
def blows_are_struck_in_order(
    event: records.FightStep, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Models fight in descending Initiative, each with the attacks of its profile; in the turn in which their unit
    charges, one more. The parts of both numbers are added up; Initiative lies between 1 and 10.

    Log:  the steps of the fight, who strikes in each, and what is claimed of attacks and Initiative.
    Edge: a step at another Initiative than the record rightly has for each of those who strike in it is a fault of its own.
    Edge: steps of equal Initiative stand in any order. Attacks that are divided between steps are added up.
    Edge: a model that gave up its bonus to throw a grenade has no attack for charging. One with a bomb is CLX-GREN-11.
    """
    seen = list(blows_seen(GENERAL, event, position, hearing) or ())
    units = {one.id for row in event.attackers or () if (one := position.unit_of(row.model)) is not None}
    units |= {row.target for row in event.attackers or () if row.target is not None}
    if due := _due_at_another(event, position, hearing):
        who = sorted(str(row.model) for row in event.attackers or ())
        text = f"The blows of {listed(who)} are struck at Initiative {listed(map(str, due))}, not {event.initiative}."
        claim, right = {"initiative": event.initiative}, {"initiative": due[0]}
        return [
            *seen,
            fault(GENERAL, "miscalculated", text, *who[:1], claimed=claim, recomputed=right),
        ]
    lower = [
        step.initiative
        for step in position.combat.steps.values()
        if not step.counted and step.initiative is not None and {step.unit, step.target} & units
    ]
    if event.initiative is not None and lower and event.initiative > min(lower):
        late = sorted(str(row.model) for row in event.attackers or ())
        text = f"The blows of {listed(late)} at Initiative {event.initiative} come after those at {min(lower)}."
        seen.append(
            fault(
                GENERAL,
                "miscalculated",
                text,
                *late[:1],
                claimed={"initiative": event.initiative},
                recomputed={"after": min(lower)},
            )
        )
    return seen or RAN


RULES: tuple[Rule, ...] = (
    no_run_up,
    rear_charge,
    uphill,
    blows_are_struck_in_order,
    pinned_defenders,
    two_handed,
    counterattack,
    surprise_assault,
    defensive_grenades,
)
