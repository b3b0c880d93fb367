"""Events of Calixtus' Edition in one line each: who acts, on whom, the dice, and what the log claims.

A line says what is written and no more: what an event leaves out is left out, and nothing is worked out here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from auditor.systems.clx import records as r
from auditor.systems.clx.position.state import Position
from auditor.systems.words import count


class Name:
    """Names by ids: of units, and of weapons and powers as a pack has them."""

    def __init__(self, position: Position | None) -> None:
        self._setup = position.setup if position is not None else None

    def __call__(self, ident: Any, nobody: str = "somebody") -> str:
        known = self._setup.units.get(ident) if self._setup is not None else None
        return f"{known.name} ({ident})" if known is not None else str(ident or nobody)

    def player(self, ident: Any) -> str:
        return self._setup.player(ident) if self._setup is not None and ident else str(ident or "?")

    def power(self, ident: str | None) -> str:
        return (ident or "a power").replace("_", " ")

    def weapon(self, ident: str | None) -> str:
        return self._setup.named(ident) if self._setup is not None else ident or "a weapon"


def describe(event: Any, position: Position | None) -> str:
    """One line that says what an event claims."""
    return TOLD[type(event)](event, Name(position))


# -- pieces of a line ---------------------------------------------------------------------------------------------


def _parts(head: str, *rest: str) -> str:
    """The head, and what there is of the rest after it."""
    said = ", ".join(part for part in rest if part)
    return f"{head}: {said}" if said else head


def _models(models: Any) -> str:
    return count(len(models), "model") if models else ""


def _dice(dice: Any, before: str = "") -> str:
    """`rolling 4 2`; a die may be a number, or an entry that also has what it became (`4→2`)."""
    if dice is None or dice == []:
        return ""
    faces = [_face(die) for die in (dice if isinstance(dice, list) else [dice])]
    shown = faces[:12]
    more = f" and {len(faces) - 12} more" if len(faces) > 12 else ""
    return f"rolling {before}{' '.join(shown)}{more}"


def _face(die: Any) -> str:
    if not isinstance(die, r.Part):
        return "?" if die is None else str(die)
    face, again = getattr(die, "die", None), r.rolled_again(getattr(die, "reroll", None))
    return "→".join("?" if one is None else str(one) for one in (face, *again))


def _claim(value: Any, words: str) -> str:
    """`words` with the number claimed in it; nothing where nothing was claimed."""
    return "" if value is None else words.format(value)


def _outcome(value: bool | None, yes: str, no: str) -> str:
    return "" if value is None else yes if value else no


def _on(name: Name, target: Any, before: str = " at") -> str:
    return f"{before} {name(target)}" if target else ""


def _ids(ids: Iterable[Any] | None) -> str:
    said = [str(ident) for ident in ids or ()]
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said) or "nobody"


# -- the lines ----------------------------------------------------------------------------------------------------


def _roll_off(e: r.RollOff, name: Name) -> str:
    rolls = ", ".join(f"{name.player(die.player)} {_face(die)}" for die in e.rolls or ())
    return _parts("roll-off", rolls, _claim(e.claimed_winner and name.player(e.claimed_winner), "{} wins"))


def _deploy(e: r.Deploy, name: Name) -> str:
    return _parts(f"{name(e.unit)} deploys", _models(e.models), "hidden" if e.hidden else "", _aboard(e.vehicle))


def _aboard(vehicle: Any) -> str:
    return f"aboard {vehicle}" if vehicle else ""


def _length(e: r.GameLengthRoll, name: Name) -> str:
    goes = _outcome(e.claimed_continues, "the game goes on", "the game ends")
    return _parts(f"roll for the length{_claim(e.after_turn, ' after turn {}')}", _dice(e.die), goes)


def _end(e: r.GameEnd, name: Name) -> str:
    after = "" if e.after_turn is None else f" after turn {e.after_turn}"
    return _parts(f"the game ends{after}", (e.reason or "").replace("_", " "))


def _arrival(e: r.ReserveArrival, name: Name) -> str:
    how = {"outflank": " by outflanking", "deepstrike": " by deep strike"}.get(e.method or "", "")
    return _parts(f"{name(e.unit)} arrives from reserve{how}", _models(e.models))


def _move(e: r.Move, name: Name) -> str:
    far = _claim(e.claimed_allowance, "{} inches allowed by the log")
    return _parts(f"{name(e.unit)} moves", _models(e.models), _dice(e.difficult_dice), far)


def _lore(e: r.LoreMastery, name: Name) -> str:
    return _parts(
        f"{name(e.psyker)} is given its powers",
        _dice(e.dice),
        f"knows {_ids(map(name.power, e.known))}" if e.known else "",
    )


def _charges(e: r.WarpCharge, name: Name) -> str:
    what = {"attack": "casting", "dispel": "dispelling"}.get(e.role or "")
    head = f"{name(e.psyker)} rolls for warp charges" + (f" for {what}" if what else "")
    return _parts(head, _dice(e.d3, "D3 "), _dice(e.d6, "D6 "), _claim(e.claimed_charges, "{} claimed"))


def _cast(e: r.Cast, name: Name) -> str:
    result = _outcome(e.claimed_success, "succeeds", "fails")
    perils = "perils" if e.claimed_perils else ""
    total = _claim(e.claimed_total, "total {}")
    return _parts(
        f"{name(e.psyker)} casts {name.power(e.power)}{_on(name, e.target)}", _dice(e.dice), total, result, perils
    )


def _dispel(e: r.Dispel, name: Name) -> str:
    result = _outcome(e.claimed_success, "succeeds", "fails")
    return _parts(f"{name(e.psyker)} tries to dispel {e.cast or 'a power'}", _dice(e.dice), result)


def _resist(e: r.MentalResistance, name: Name) -> str:
    needed, result = _claim(e.claimed_needed, "{} needed"), _outcome(e.claimed_success, "resists", "does not resist")
    return _parts(f"{name(e.unit)} resists {e.cast or 'a power'}", _dice(e.die), needed, result)


def _spot(e: r.Spot, name: Name) -> str:
    mine, theirs = (_face(r.Roll(die=a, reroll=b)) for a, b in _spots(e))
    found = _outcome(e.claimed_revealed, "revealed", "not revealed")
    return _parts(f"{name(e.spotter)} looks for {name(e.target)}", f"{mine} against {theirs}", found)


def _spots(e: r.Spot) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    return (e.die_spotter, e.reroll_spotter), (e.die_target, e.reroll_target)


def _shoot(e: r.Shoot, name: Name) -> str:
    reach = _outcome(e.claimed_in_range, "", "out of range")
    arc = _claim(e.claimed_arc, "at its {}")
    return _parts(f"{name(e.unit)} shoots{_on(name, e.target)}", reach, arc, "it fails" if e.claimed_failed else "")


def _fire(e: r.WeaponFire, name: Name) -> str:
    shots = [firer.shots for firer in e.firers or ()]
    total = count(sum(n or 0 for n in shots), "shot") if shots and None not in shots else ""
    return _parts(f"{name.weapon(e.weapon)} fires", _models(e.firers), total)


def _guess(e: r.GuessShot, name: Name) -> str:
    hit = f"hits {_ids(e.hit_models)}" if e.hit_models is not None else ""
    return _parts(
        f"{e.model or 'a model'} fires by guess", _claim(e.guess, "{} inches guessed"), _dice(e.to_hit_die), hit
    )


def _cover(e: r.CoverRolls, name: Name) -> str:
    waived = "cover is waived" if e.waived else ""
    saved = _claim(e.claimed_saved, "{} stopped")
    return _parts("cover", waived, _dice(e.dice), _claim(e.claimed_needed, "{} needed"), saved)


def _hits(e: r.HitRolls, name: Name) -> str:
    needed, hits = _claim(e.claimed_needed, "{} needed"), _claim(e.claimed_hits, "{} hit")
    return _parts(f"to hit with {name.weapon(e.weapon)}", _dice(e.rolls), needed, hits)


def _wounds(e: r.WoundRolls, name: Name) -> str:
    needed, wounds = _claim(e.claimed_needed, "{} needed"), _claim(e.claimed_wounds, "{} wound")
    return _parts(f"to wound with {name.weapon(e.weapon)}", _dice(e.rolls), needed, wounds)


def _allocate(e: r.Allocate, name: Name) -> str:
    wounds = e.wounds or []
    gone = [wound.model for wound in wounds if wound.claimed_removed]
    head = f"{count(len(wounds), 'wound')} allocated"
    on = _ids(dict.fromkeys(wound.model for wound in wounds if wound.model)) if wounds else ""
    return _parts(head, f"to {on}" if on else "", f"removed {_ids(gone)}" if gone else "")


def _test(what: str, dice: Any, modifier: int | None, result: str) -> str:
    return _parts(what, _dice(dice), f"{modifier:+}" if modifier else "", result)


def _cause(event: Any) -> str:
    return f" ({event.cause.replace('_', ' ')})" if event.cause else ""


def _pinning(e: r.PinningTest, name: Name) -> str:
    result = _outcome(e.claimed_pinned, "pinned", "not pinned")
    return _test(f"pinning test of {name(e.unit)}", e.dice, e.claimed_modifier, result)


def _morale(e: r.Morale, name: Name) -> str:
    result = _outcome(e.claimed_passed, "passed", "failed")
    return _test(f"morale test of {name(e.unit)}{_cause(e)}", e.dice, e.claimed_modifier, result)


def _leadership(e: r.LdTest, name: Name) -> str:
    result = _outcome(e.claimed_passed, "passed", "failed")
    head = f"leadership test of {name(e.unit)}{_on(name, e.versus, ' against')}{_cause(e)}"
    return _test(head, e.dice, e.claimed_modifier, result)


def _characteristic(e: r.CharTest, name: Name) -> str:
    die = None if e.die is None else [r.Roll(die=e.die, reroll=e.reroll)]
    head = f"{e.characteristic or 'a'} test of {name(e.model or e.unit)}{_cause(e)}"
    return _test(head, die, None, _outcome(e.claimed_passed, "passed", "failed"))


def _fall_back(e: r.FallBack, name: Name) -> str:
    return _parts(f"{name(e.unit)} falls back", _models(e.models), _dice(e.dice))


def _prone(e: r.ProneChoice, name: Name) -> str:
    return (
        f"{name(e.unit)} {'presses on' if e.choice == 'press' else 'drops'}" if e.choice else f"{name(e.unit)} chooses"
    )


def _run(e: r.Run, name: Name) -> str:
    how = {"turbo": "turbo-boosts", "flat_out": "moves flat out"}.get(e.mode or "", "runs")
    far = _claim(e.claimed_distance, "{} inches claimed")
    return _parts(f"{name(e.unit)} {how}", _models(e.models), _dice(e.dice), far)


def _charge(e: r.Charge, name: Name) -> str:
    reached = _outcome(e.claimed_success, "reaches", "falls short")
    far = _claim(e.claimed_distance, "{} inches claimed")
    return _parts(f"{name(e.unit)} charges{_on(name, e.target, '')}", _dice(e.dice), far, reached)


def _charge_move(e: r.ChargeMove, name: Name) -> str:
    failed = "the charge fails" if e.failed else ""
    return _parts(f"{name(e.unit)} moves to charge{_on(name, e.target, '')}", _models(e.models), failed)


def _pile_in(e: r.PileIn, name: Name) -> str:
    return _parts(f"{name(e.unit)} piles in", _models(e.models))


def _grenade(e: r.Grenade, name: Name) -> str:
    hit = f"hits {_ids(e.hit_models)}" if e.hit_models is not None else ""
    return _parts(
        f"{e.model or name(e.unit)} throws {name.weapon(e.grenade) if e.grenade else 'a grenade'}{_on(name, e.target)}",
        hit,
    )


def _fight(e: r.FightStep, name: Name) -> str:
    step = "" if e.initiative is None else f" at initiative {e.initiative}"
    return _parts(f"blows{step}", _ids(attacker.model for attacker in e.attackers or ()))


def _combat(e: r.CombatResult, name: Name) -> str:
    wounds = f"wounds {e.wounds_by_A} by {name.player('A')} and {e.wounds_by_B} by {name.player('B')}"
    lost = (
        "nobody lost" if e.claimed_loser is None else f"{name.player(e.claimed_loser)} lost" if e.claimed_loser else ""
    )
    return _parts("result of the combat", wounds if None not in (e.wounds_by_A, e.wounds_by_B) else "", lost)


def _vehicle_hit(e: r.VehicleHit, name: Name) -> str:
    result = {"none": "no effect", "glance": "glancing", "pen": "penetrating"}.get(e.claimed_result or "", "")
    facing, total = _claim(e.claimed_facing, "its {}"), _claim(e.claimed_total, "total {}")
    return _parts(
        f"{name(e.vehicle, 'a vehicle')} is hit by {name.weapon(e.weapon)}", facing, _dice(e.dice), total, result
    )


def _explodes(e: r.VehicleExplodes, name: Name) -> str:
    hit = f"hits {_ids(e.hit_models)}" if e.hit_models is not None else ""
    return _parts(f"{name(e.vehicle, 'a vehicle')} explodes", _dice(e.radius_die), hit)


def _written(e: Any, name: Name) -> str:
    return _parts(_KINDS[type(e)], e.text or "")


_KINDS = {r.Note: "note", r.Remark: "remark", r.Judge: "a judge ruled"}

TOLD: Mapping[type, Callable[[Any, Name], str]] = {
    r.RollOff: _roll_off,
    r.DeployChoice: lambda e, name: _parts(
        "choice",
        _claim(e.deploys_first and name.player(e.deploys_first), "{} deploys first"),
        _claim(e.first_turn and name.player(e.first_turn), "{} has the first turn"),
    ),
    r.Deploy: _deploy,
    r.Seize: lambda e, _: _parts(
        "seizing the first turn", _dice(e.die), _outcome(e.claimed_success, "seized", "failed")
    ),
    r.TurnStart: lambda e, _: _parts("the turn begins", "at night" if e.claimed_night else ""),
    r.TurnEnd: lambda e, _: "the turn ends",
    r.PhaseStart: lambda e, _: f"the {e.phase} phase begins" if e.phase else "a phase begins",
    r.PhaseEnd: lambda e, _: f"the {e.phase} phase ends" if e.phase else "a phase ends",
    r.GameLengthRoll: _length,
    r.GameEnd: _end,
    r.ReserveArrival: _arrival,
    r.Move: _move,
    r.Embark: lambda e, name: f"{name(e.unit)} embarks on {name(e.vehicle)}",
    r.Disembark: lambda e, name: _parts(f"{name(e.unit)} disembarks from {name(e.vehicle)}", _models(e.models)),
    r.LoreMastery: _lore,
    r.WarpCharge: _charges,
    r.Cast: _cast,
    r.Dispel: _dispel,
    r.MentalResistance: _resist,
    r.Perils: lambda e, name: _parts(f"{name(e.psyker)} suffers perils", e.outcome or ""),
    r.Spot: _spot,
    r.Shoot: _shoot,
    r.Jink: lambda e, name: f"{name(e.unit)} jinks",
    r.GoToGround: lambda e, name: f"{name(e.unit)} goes to ground",
    r.WeaponFire: _fire,
    r.GuessShot: _guess,
    r.CoverRolls: _cover,
    r.HitRolls: _hits,
    r.WoundRolls: _wounds,
    r.Allocate: _allocate,
    r.PinningTest: _pinning,
    r.Morale: _morale,
    r.LdTest: _leadership,
    r.CharTest: _characteristic,
    r.FallBack: _fall_back,
    r.ProneChoice: _prone,
    r.Run: _run,
    r.Charge: _charge,
    r.ChargeMove: _charge_move,
    r.PileIn: _pile_in,
    r.Grenade: _grenade,
    r.FightStep: _fight,
    r.CombatResult: _combat,
    r.VehicleHit: _vehicle_hit,
    r.VehicleExplodes: _explodes,
    r.TankShock: lambda e, name: f"{name(e.vehicle)} shocks {name(e.unit)}",
    r.Removed: lambda e, _: _parts(f"{e.model or 'a model'} is removed", e.reason or ""),
    r.Note: _written,
    r.Remark: _written,
    r.Judge: _written,
    r.Position: lambda e, _: "a position is stated",
    r.Undo: lambda e, _: "taken back" if e.to is None else f"taken back to event {e.to}",
    r.End: lambda e, _: _parts("end", e.reason or ""),
}
