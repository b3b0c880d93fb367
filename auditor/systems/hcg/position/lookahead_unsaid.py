"""Lines that a record leaves out, as what follows shows them: the choice of a battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from auditor.systems.hcg import records
from auditor.systems.hcg.position.lookahead_kinds import Kinds


def left_out(events: Sequence[Any], kinds: Kinds) -> Mapping[int, Any]:
    """The lines that a record leaves out: the number of the event before -> the line, as far as what follows tells it, with the
    number of the event that shows that it is missing. Nothing is told of a record in which play was taken back."""
    return _choices(events) if _lacks_a_choice(kinds) else {}


def _lacks_a_choice(kinds: Kinds) -> bool:
    """Whether a battle is set up or ended that may not have been chosen: a glance, before all events are gone through."""
    chosen = True
    for event in kinds.of(records.BattleChoose, records.SetupFlip, records.BattleEnd, *_CLOSES):
        kind = type(event)
        if kind is records.BattleChoose:
            chosen = True
        elif kind is records.SetupFlip or kind is records.BattleEnd:
            if not chosen:
                return True
        else:
            chosen = False
    return False


def _choices(events: Sequence[Any]) -> Mapping[int, Any]:
    """The choices of battles that are left out."""
    found: dict[int, Any] = {}
    over = False
    for n, event in enumerate(events):
        kind = _KINDS.get(type(event))
        if kind is None:
            continue
        if kind == "undo":
            return {}
        if kind in ("closes", "deploys"):
            over = True
        elif kind == "position":
            over = _says_no_battle(event)
        elif kind == "chooses":
            over = False
        elif over and kind in _OF_A_BATTLE and _is_of_a_battle(event):
            over = False
            missing, before = _choice(events, n), _before(events, n)
            if missing is not None and before is not None:
                found[before] = missing
    return found


def _says_no_battle(event: Any) -> bool:
    """Whether a position says that no battle is being fought."""
    if not isinstance(event, records.Position) or event.phase is None:
        return False
    return event.step is None and event.sector is None and event.phase in ("first_wave", "deployment", "battle")


def _is_of_a_battle(event: Any) -> bool:
    return not isinstance(event, records.Draw) or event.cause == "command"


def _choice(events: Sequence[Any], n: int) -> records.BattleChoose | None:
    """The choice of the battle that goes on from an event; None where too little of one follows. Its player only where the line
    comes late, in the same set-up."""
    first, sector = events[n], None
    shown: set[str] = set()
    for at in range(n, len(events)):
        event = events[at]
        kind = _KINDS.get(type(event))
        if isinstance(event, records.BattleChoose) and sector in (event.sector, None) and "fights" not in shown:
            if event.by is None or sector is None:
                return None
            return records.BattleChoose(seq=first.seq, by=event.by, sector=sector, battle=first.battle)
        if kind in ("chooses", "deploys", "position") or isinstance(event, _ENDS):
            break
        if kind in _OF_A_BATTLE and _is_of_a_battle(event):
            shown.add(kind if kind == "fights" else type(event).__name__)
        if sector is None and isinstance(event, (records.SetupFlip, records.SectorTaken, records.SectorReset)):
            sector = event.sector
        if kind == "closes":
            shown.add(kind)
            break
    if len(shown) < 2 or sector is None:
        return None
    return records.BattleChoose(seq=first.seq, sector=sector, battle=first.battle)


def _before(events: Sequence[Any], n: int) -> int | None:
    """The number of the event before one, remarks passed over; None where it cannot be followed, or the numbers have a gap."""
    for at in range(n - 1, -1, -1):
        event = events[at]
        if not isinstance(event, records.Event):
            return None
        if not isinstance(event, records.Remark):
            return event.seq if event.seq + n - at == events[n].seq else None
    return None


_CLOSES = (records.TurnStart, records.SectorTaken, records.SectorReset, records.Position)
_OF_A_BATTLE = frozenset({"sets up", "fights"})
_ENDS = (
    records.BattleNone, records.PhaseStart, records.TurnStart, records.TurnEnd, records.EndShips, records.EndCheck,
    records.GameEnd, records.End,
)  # fmt: skip
_KINDS: dict[type, str] = {
    records.Undo: "undo",
    records.TurnStart: "closes",
    records.SectorTaken: "closes",
    records.SectorReset: "closes",
    records.DeployFirst: "deploys",
    records.DeployRegular: "deploys",
    records.BattleChoose: "chooses",
    records.Position: "position",
    records.Judge: "position",
    records.SetupFlip: "sets up",
    records.SetupUnique: "sets up",
    records.SetupAbility: "sets up",
    records.SetupShips: "sets up",
    records.SetupSkip: "sets up",
    records.Draw: "sets up",
    **dict.fromkeys(records.of(records.BattleAction), "fights"),
}
