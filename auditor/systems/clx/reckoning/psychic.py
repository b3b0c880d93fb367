"""What the rules make of the Psychic Phase: lore, warp charges, casting, dispelling, mental resistance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from auditor.systems.clx import records
from auditor.systems.clx.packs import Setup, Unit
from auditor.systems.clx.packs.shapes import PowerEntry, Psyker
from auditor.systems.clx.position.state import CastState, PerilsDue, Position

UNKNOWN_POOL = 10**9
"""The pool of a player of whom the record does not say how many warp charges there are: it is never run out of."""
UNSAID_POOL = UNKNOWN_POOL + 1
"""That of a player of whom a position with pools says nothing. Whoever rolls then has what that gives."""


def psyker_of(model: str | None, setup: Setup) -> Psyker | None:
    known = setup.models.get(model or "")
    return None if known is None else known.psyker


def leadership_of(model: str | None, setup: Setup) -> int | None:
    """The Leadership in a psyker's own profile."""
    known = setup.models.get(model or "")
    return None if known is None else known.profile.Ld


# -- lore ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lore:
    """The lore of a psyker as rolled and spent.

    budget    the sum of the dice; None: not recorded
    shares    discipline -> the sum of the dice that went to it; None: not recorded
    costs     discipline -> the sum of the mastery costs of its known powers
    primaris  discipline chosen -> its primaris power
    known     the known powers; None: not recorded
    strange   known powers that no pack has
    swapped   the power taken in place of a primaris; None: none, or in no pack
    """

    budget: int | None
    shares: dict[str, int] | None
    costs: dict[str, int]
    primaris: dict[str, PowerEntry]
    known: frozenset[str] | None
    strange: tuple[str, ...]
    swapped: PowerEntry | None = None

    def only_primaris(self, discipline: str) -> bool:
        """Whether the psyker knows the primaris power of a discipline, or the power that it was swapped for, and no other
        power of it. It knows one of it at least."""
        power, known = self.primaris.get(discipline), self.known or ()
        if power is None:
            return False
        if self.swapped is not None and self.swapped.discipline == discipline and power.id not in known:
            return self.costs[discipline] == self.swapped.mastery_cost and self.swapped.id in known
        return self.costs[discipline] == power.mastery_cost and power.id in known

    def overspent(self) -> list[str]:
        """Disciplines whose powers cost more than the dice that went to them; not those of which the primaris alone does. All
        of them where it is not recorded to which the dice went."""
        if self.shares is None:
            return list(self.costs)
        return [
            name
            for name, cost in self.costs.items()
            if cost > self.shares.get(name, 0) and not (name in self.shares and self.only_primaris(name))
        ]


def lore_of(event: records.LoreMastery, setup: Setup) -> Lore:
    """What was rolled, shared out, and is to be paid for."""
    dice, allocation = event.dice, event.allocation
    psyker = psyker_of(event.psyker, setup)
    # What as many dice as are due would have shown nobody knows.
    due = dice is not None and (psyker is None or len(dice) == psyker.ML)
    budget = sum(dice) if dice and due and all(1 <= die <= 6 for die in dice) else None
    shares: dict[str, int] | None = None
    disciplines = {power.discipline for power in setup.powers.values()} | {*(psyker.disciplines if psyker else ())}
    # A discipline that nobody knows may be another one under its name.
    named = allocation is not None and disciplines.issuperset(allocation)
    if allocation is not None and named and dice is not None and len(allocation) == len(dice):
        shares = {}
        for name, die in zip(allocation, dice, strict=True):
            shares[name] = shares.get(name, 0) + die
    costs: dict[str, int] = {}
    strange: list[str] = []
    for name in dict.fromkeys(event.known or ()):
        power = setup.powers.get(name)
        if power is None:
            strange.append(name)
        else:
            costs[power.discipline] = costs.get(power.discipline, 0) + power.mastery_cost
    own = psyker.disciplines if psyker is not None else []
    chosen = dict.fromkeys(allocation or (own if len(own) == 1 else ()))
    primaris = {
        power.discipline: power for power in setup.powers.values() if power.primaris and power.discipline in chosen
    }
    known = None if event.known is None else frozenset(event.known)
    swapped = setup.powers.get(event.swapped_primaris or "")
    return Lore(budget, shares, costs, primaris, known, tuple(strange), swapped)


# -- charges and casting ------------------------------------------------------------------------------------------


def d3_dice(event: records.WarpCharge) -> list[int] | None:
    """The D3 rolled for warp charges; a D3 recorded as a D6 counts for half of it, rounded up. None: not recorded."""
    if event.d3 is not None:
        return event.d3 if isinstance(event.d3, list) else [event.d3]
    if event.d6 is not None:
        return [-(-die // 2) for die in (event.d6 if isinstance(event.d6, list) else [event.d6])]
    return None


def charges_of(event: records.WarpCharge, position: Position) -> dict[str, int | None]:
    """The warp charges that a roll gives, by the options of OR-CHARGE; None where the dice do not fit an option."""
    psyker = psyker_of(event.psyker, position.setup)
    dice = d3_dice(event)
    if psyker is None or dice is None or not all(1 <= die <= 3 for die in dice):
        return {"D3_TIMES_ML": None, "ML_D3": None}
    return {
        "D3_TIMES_ML": dice[0] * psyker.ML if len(dice) == 1 else None,
        "ML_D3": sum(dice) if len(dice) == psyker.ML else None,
    }


def casting_total(event: records.Cast, position: Position) -> int | None:
    """The casting dice and the Leadership of the psyker."""
    leadership = leadership_of(event.psyker, position.setup)
    if not event.dice or leadership is None or not all(1 <= die <= 6 for die in event.dice):
        return None
    return sum(event.dice) + leadership


def success_of(event: records.Cast, position: Position) -> bool | None:
    """Whether a power reaches its casting level, Perils aside."""
    total = casting_total(event, position)
    power = position.setup.powers.get(event.power or "")
    return None if total is None or power is None else total >= power.casting_level


def dispelled(event: records.Dispel, cast: CastState, position: Position) -> dict[str, bool | None]:
    """Whether a dispel roll beats a cast, by the options of OR-DISPEL; None where a number is lacking."""
    if not event.dice or cast.dice is None:
        return dict.fromkeys(("DICE_VS_DICE", "DICE_VS_TOTAL", "TOTAL_VS_TOTAL"), None)
    roll, against = sum(event.dice), sum(cast.dice)
    caster = leadership_of(cast.psyker, position.setup)
    dispeller = leadership_of(event.psyker, position.setup)

    def beats(total: int) -> bool | None:
        if caster is None:
            return None
        # A casting total that is claimed wrongly is one fault: play may have gone on with it or with the right one.
        found = {total > one for one in (against + caster, cast.total) if one is not None}
        return next(iter(found)) if len(found) == 1 else None

    return {
        "DICE_VS_DICE": roll > against,
        "DICE_VS_TOTAL": beats(roll),
        "TOTAL_VS_TOTAL": None if dispeller is None else beats(roll + dispeller),
    }


def resistance(unit: Unit, caster: str | None, position: Position) -> list[str]:
    """The conditions for mental resistance that a unit meets, in words."""
    met: list[str] = []
    if "adamantium_will" in unit.rules:
        met.append("Adamantium Will")
    psykers = [model.psyker for model in unit.models if model.psyker is not None and position.models[model.id].alive]
    if psykers:
        met.append("a psyker of its own")
    against = psyker_of(caster, position.setup)
    if against is not None and any(one.ML > against.ML for one in psykers):
        met.append("a higher mastery level than the caster's")
    return met


# -- perils -------------------------------------------------------------------------------------------------------

_NO_ACT = (records.Position, records.Judge, records.Remark, records.Note, records.Undo, records.End)


def overdue(event: records.Event, perils: Iterable[PerilsDue], phase: str | None) -> Sequence[PerilsDue]:
    """The Perils that should have come before an event."""
    return [due for due in perils if not isinstance(event, records.Perils) and settles(event, due, phase)]


def settles(event: records.Event, due: PerilsDue, phase: str | None) -> bool:
    """Whether an event is the Perils that are due, or comes after the moment at which they were."""
    if isinstance(event, _NO_ACT):
        return False
    if isinstance(event, records.Perils):
        return event.psyker in (None, due.psyker) or due.psyker is None or event.cause == due.cast
    if event.seq == due.seq:
        return False  # It is the one that called for them.
    if isinstance(event, (records.PhaseEnd, records.TurnEnd, records.TurnStart)):
        return True
    if event.phase is not None and event.phase != "psychic":
        return True
    return due.player is not None and event.player == due.player
